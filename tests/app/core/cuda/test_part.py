"""The CUDA part: fetched and put in place, whatever breaks on the way."""

from __future__ import annotations

import dataclasses
import errno
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.cuda import part as module
from app.core.cuda.part import SITE, UNFINISHED, CudaError, CudaPart, Progress
from app.core.cuda.state import State
from app.core.cuda.wheels import WheelList
from engine.hub.part import Part
from tests.app.core.cuda.wheels_made import Shop, serving, wheel

FIRST, SECOND = "torch-2.0-py3-none-any.whl", "nvidia_x-1.0-py3-none-any.whl"


class Enough(Exception):
    """The user stops it."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", (0.0, 0.0))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def shop() -> Iterator[Shop]:
    files = {
        FIRST: wheel({"torch/__init__.py": "value = 1\n", "torch/lib/a.so": b"\x7fELF" * 9000}),
        SECOND: wheel({"nvidia/x/b.so": b"b" * 5000, "nvidia_x-1.0.data/scripts/tool": b"#!"}),
    }
    with serving(Shop(files)) as open_:
        yield open_


@pytest.fixture
def part(tmp_path: Path) -> CudaPart:
    return CudaPart(tmp_path / "cuda")


def quiet(_: Progress) -> None:
    """Nobody looks."""


def installed(part: CudaPart, what: WheelList) -> set[str]:
    site = part.site(what.digest)
    return {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}


ALL = {"torch/__init__.py", "torch/lib/a.so", "nvidia/x/b.so"}


class TestInstalling:
    def test_everything_is_there_and_nothing_else_is_left(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        seen: list[Progress] = []
        part.install(what, seen.append)
        assert installed(part, what) == ALL
        assert {path.name for path in part.root.iterdir()} == {
            *(what.digest, "state.json", "install.lock")
        }
        assert part.state == State(what.digest)
        assert {(one.doing, one.name) for one in seen} == {
            (doing, name) for doing in ("download", "unpack") for name in ("torch", "nvidia_x")
        }
        assert seen[-1].done == what.nbytes
        assert [one.done for one in seen] == sorted(one.done for one in seen)

    def test_again_fetches_nothing(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        part.install(what, quiet)
        shop.asked.clear()
        part.install(what, quiet)
        assert shop.asked == []

    def test_another_list_takes_its_place(self, part: CudaPart, shop: Shop) -> None:
        old = shop.listed()
        part.install(old, quiet)
        shop.files[FIRST] = wheel({"torch/__init__.py": "value = 2\n"})
        new = shop.listed()
        part.install(new, quiet)
        assert part.state.digest == new.digest
        assert not part.site(old.digest).exists()

    def test_it_is_removed_without_a_trace(self, part: CudaPart, shop: Shop) -> None:
        part.install(shop.listed(), quiet)
        part.remove()
        assert not part.root.exists()
        part.remove()

    def test_two_at_once_are_refused(self, part: CudaPart, shop: Shop) -> None:
        with part._alone(), pytest.raises(CudaError, match="being installed already"):
            CudaPart(part.root).install(shop.listed(), quiet)


class TestInterrupted:
    @pytest.mark.parametrize("doing", ["download", "unpack"])
    @pytest.mark.parametrize("name", ["torch", "nvidia_x"])
    def test_stopped_anywhere_it_goes_on(
        self, part: CudaPart, shop: Shop, doing: str, name: str
    ) -> None:
        what = shop.listed()

        def stop(now: Progress) -> None:
            if (now.doing, now.name) == (doing, name):
                raise Enough

        with pytest.raises(Enough):
            part.install(what, stop)
        assert part.state == State()
        assert not part.site(what.digest).exists()
        shop.asked.clear()
        part.install(what, quiet)
        assert installed(part, what) == ALL
        # What had come whole is not fetched again.
        if name == "nvidia_x":
            assert FIRST not in [asked for asked, _ in shop.asked]

    def test_a_killed_download_goes_on_where_it_was(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        work = part.root / UNFINISHED
        work.mkdir(parents=True)
        (work / f"{FIRST}.part").write_bytes(shop.files[FIRST][:50])
        assert part.begun_bytes == 50
        part.install(what, quiet)
        assert shop.asked[0] == (FIRST, 50)
        assert installed(part, what) == ALL

    def test_a_connection_that_breaks_goes_on(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        shop.cut[FIRST] = [10, 20]
        part.install(what, quiet)
        assert [start for name, start in shop.asked if name == FIRST] == [0, 10, 30]

    def test_one_that_breaks_always_is_given_up_and_kept(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        shop.cut[FIRST] = [5] * 50
        with pytest.raises(CudaError, match=r"ended early.*What has come is kept"):
            part.install(what, quiet)
        assert part.begun_bytes == 15
        shop.cut.clear()
        part.install(what, quiet)
        assert installed(part, what) == ALL

    def test_a_server_without_parts_begins_anew(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        shop.ranges, shop.cut[FIRST] = False, [10]
        part.install(what, quiet)
        assert installed(part, what) == ALL

    def test_a_missing_file_is_a_sentence(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        del shop.files[SECOND]
        with pytest.raises(CudaError, match=r"127\.0\.0\.1 answers 404"):
            part.install(what, quiet)

    def test_half_of_a_wheel_is_unpacked_anew(self, part: CudaPart, shop: Shop) -> None:
        work = part.root / UNFINISHED
        (work / SITE / "torch").mkdir(parents=True)
        (work / SITE / "torch" / "stray.py").touch()
        what = shop.listed()
        part.install(what, quiet)
        assert installed(part, what) == ALL


class TestHarm:
    def test_other_bytes_of_the_same_length(self, part: CudaPart, shop: Shop) -> None:
        good = shop.files[FIRST]
        what = shop.listed(torch=good[:-1] + bytes([good[-1] ^ 1]))
        with pytest.raises(CudaError, match="arrived damaged"):
            part.install(what, quiet)
        assert part.state == State()
        # The wrong bytes are gone, and the right ones do.
        shop.files[FIRST] = good
        part.install(what, quiet)
        assert installed(part, what) == ALL

    def test_more_bytes_than_stated(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed(torch=shop.files[FIRST] + b"more")
        with pytest.raises(CudaError, match="longer than"):
            part.install(what, quiet)

    def test_a_wheel_that_leads_elsewhere(self, part: CudaPart, shop: Shop) -> None:
        shop.files[SECOND] = wheel({"../../evil.py": "x"})
        with pytest.raises(CudaError, match="which no package may"):
            part.install(shop.listed(), quiet)
        assert not list(part.root.parent.rglob("evil.py"))

    def test_a_link_in_the_place_of_a_part(
        self, part: CudaPart, shop: Shop, tmp_path: Path
    ) -> None:
        victim = tmp_path / "victim"
        victim.write_text("keep")
        work = part.root / UNFINISHED
        work.mkdir(parents=True)
        (work / f"{FIRST}.part").symlink_to(victim)
        with pytest.raises(CudaError):
            part.install(shop.listed(), quiet)
        assert victim.read_text() == "keep"

    def test_a_disk_without_room_is_said_before_anything_is_fetched(
        self, part: CudaPart, shop: Shop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "room_for", lambda _folder, nbytes: nbytes)
        with pytest.raises(CudaError, match=r"lacks .* for the CUDA part"):
            part.install(shop.listed(), quiet)
        assert shop.asked == []

    @pytest.mark.parametrize("call", ["write", "rename"])
    def test_a_disk_that_fills_up(
        self, part: CudaPart, shop: Shop, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        what = shop.listed()
        with monkeypatch.context() as patch:
            if call == "write":
                patch.setattr(Part, "write", full)
            else:
                patch.setattr(module, "unpack", full)
            with pytest.raises(CudaError, match="is full: make room"):
                part.install(what, quiet)
        assert part.state == State()
        part.install(what, quiet)
        assert installed(part, what) == ALL

    @pytest.mark.parametrize(
        "text",
        [
            *("", "[]", "{}", '{"digest": "../../etc", "passed": true}', '{"digest": 3}'),
            '{"digest": "0123456789abcdef", "passed": true, "told": ""}',
        ],
    )
    def test_a_state_that_is_none(self, part: CudaPart, text: str) -> None:
        part.root.mkdir()
        (part.root / "state.json").write_text(text)
        assert part.state == State()

    def test_the_state_is_plain_json(self, part: CudaPart, shop: Shop) -> None:
        what = shop.listed()
        part.install(what, quiet)
        part.keep(State(what.digest, True, "It computes."))
        assert json.loads((part.root / "state.json").read_text()) == dataclasses.asdict(part.state)
