"""Downloads from a hub on this machine, whatever goes wrong on the way."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.hub.download import Download, Progress
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.manifest import SOURCE, UNFINISHED
from tests.engine.hub.hub_server import REPO, Hub, tiny_repo
from tests.present import present

WANTED = {
    *("LICENSE", "config.json", "tokenizer.json", "chat_template.jinja"),
    *(f"model-{at:05}-of-00003.safetensors" for at in (1, 2, 3)),
}


@pytest.fixture
def download(server: Hub, library: Library) -> Callable[..., Download]:
    def make(**options: Any) -> Download:
        options = {"endpoint": server.endpoint, "patience_s": (0.01,) * 3} | options
        return Download(library, REPO, **options)

    return make


Make = Callable[..., Download]


def is_whole(folder: Path, server: Hub) -> bool:
    """Whether the folder has what the repository has, and nothing else."""
    names = {path.name for path in folder.iterdir()} - {SOURCE}
    return names == WANTED and all(
        (folder / name).read_bytes() == server.content(name) for name in names
    )


def until(download: Download, done: Callable[[Progress], bool]) -> None:
    for _ in range(12_000):
        if done(download.progress):
            return
        time.sleep(0.005)
    raise AssertionError(f"it never came to pass: {download.progress}")


def problem(progress: Progress) -> HubError:
    assert progress.phase == "failed"
    return present(progress.problem)


class TestWhole:
    def test_it_brings_what_a_model_needs(
        self, download: Make, server: Hub, library: Library
    ) -> None:
        ended = download().run()
        assert ended.phase == "done", ended.problem
        assert ended.folder == library.root / "Org" / "Tiny-0.1B"
        assert is_whole(present(ended.folder), server)
        assert (
            ended.done_bytes
            == ended.total_bytes
            == sum(len(server.content(name)) for name in WANTED)
        )
        (found,) = library.downloaded()
        assert (found.manifest.repo, found.manifest.licence) == (REPO, "apache-2.0")
        assert found.manifest.commit == server.head
        assert not found.problem
        assert library.unfinished() == ()
        shown = {file.name: file.sha256 for file in found.manifest.files if file.sha256}
        name = "model-00001-of-00003.safetensors"
        assert shown[name] == hashlib.sha256(server.content(name)).hexdigest()

    def test_the_hub_is_not_told_what_is_installed_here(
        self, download: Make, server: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY", False)
        download().run()
        told = " ".join(server.agents)
        assert "biplane" in told
        assert "torch" not in told
        assert "agent/" not in told

    def test_nothing_else_is_left(self, download: Make, library: Library) -> None:
        download().run()
        assert not list((library.root / ".unfinished").iterdir())

    def test_a_second_one_is_refused(self, download: Make) -> None:
        download().run()
        assert "already there" in str(problem(download().run()))

    def test_two_at_once(self, download: Make, server: Hub) -> None:
        server.faults.chunk, server.faults.chunk_s = 1000, 0.01
        first = download()
        first.start()
        until(first, lambda seen: seen.phase == "downloading")
        assert "Another Biplane" in str(problem(download().run()))
        server.faults.chunk_s = 0.0
        assert first.join(60)
        assert first.progress.phase == "done"


class TestPausing:
    def test_pause_and_resume(self, download: Make, server: Hub, library: Library) -> None:
        self._pause_in_the_middle(download, server)
        assert library.downloaded() == ()
        (left,) = library.unfinished()
        assert 350_000 <= left.done_bytes < left.manifest.bytes
        before = len(server.asked)
        ended = download().run()
        assert ended.phase == "done"
        assert is_whole(present(ended.folder), server)
        # Neither what was whole nor the beginning of the one that was not is fetched again.
        assert any(asked for _, asked in server.asked[before:])
        sent = server.asked[before:]
        assert "model-00001-of-00003.safetensors" not in {name for name, _ in sent}

    def test_cancel_leaves_nothing(self, download: Make, server: Hub, library: Library) -> None:
        server.faults.chunk, server.faults.chunk_s = 1_000, 0.005
        first = download()
        first.start()
        until(first, lambda seen: seen.done_bytes > 10_000)
        first.cancel()
        assert first.join(60)
        assert first.progress.phase == "cancelled"
        assert library.unfinished() == ()
        assert not list((library.root / ".unfinished").iterdir())

    def test_pause_while_the_connection_is_waited_for(self, download: Make, server: Hub) -> None:
        server.faults.status, server.faults.times = 503, 99
        first = download(patience_s=(30.0,))
        first.start()
        until(first, lambda seen: seen.phase == "waiting")
        first.pause()
        assert first.join(60)
        assert first.progress.phase == "paused"

    def test_a_slow_server_is_paused_at_once(self, download: Make, server: Hub) -> None:
        server.faults.chunk, server.faults.chunk_s = 10, 0.05
        first = download()
        first.start()
        until(first, lambda seen: seen.done_bytes > 0)
        first.pause()
        assert first.join(60)

    def test_a_changed_repository(self, download: Make, server: Hub, library: Library) -> None:
        self._pause_in_the_middle(download, server)
        old = server.head
        changed = tiny_repo()
        changed["model-00003-of-00003.safetensors"] = b"x" * 1000
        server.publish(changed)
        # What was begun is still there, so it is finished as it was begun.
        ended = download().run()
        assert not ended.changed
        assert present(ended.manifest).commit == old

    def test_a_repository_that_lost_its_history(self, download: Make, server: Hub) -> None:
        self._pause_in_the_middle(download, server)
        changed = tiny_repo()
        changed["model-00002-of-00003.safetensors"] = b"x" * 1000
        server.commits.clear()
        server.publish(changed)
        before = len(server.asked)
        ended = download().run()
        assert ended.changed
        assert ended.phase == "done", ended.problem
        assert is_whole(present(ended.folder), server)
        # The first shard is the same as before.
        sent = {name for name, _ in server.asked[before:]}
        assert "model-00001-of-00003.safetensors" not in sent

    @staticmethod
    def _pause_in_the_middle(download: Make, server: Hub) -> None:
        server.faults.chunk, server.faults.chunk_s = 4_000, 0.002
        first = download()
        first.start()
        until(first, lambda seen: seen.done_bytes > 350_000)
        first.pause()
        assert first.join(60)
        assert first.progress.phase == "paused"
        server.faults.chunk_s = 0.0


class TestTrouble:
    def test_interrupted(self, download: Make, server: Hub) -> None:
        server.faults.cut_after, server.faults.cuts = 50_000, 6
        ended = download().run()
        assert ended.phase == "done", ended.problem
        assert is_whole(present(ended.folder), server)

    def test_interrupted_for_good(self, download: Make, server: Hub, library: Library) -> None:
        server.faults.cut_after, server.faults.cuts = 0, 999
        assert problem(download().run()).kind == "offline"
        assert library.downloaded() == ()

    def test_a_server_that_falls_silent(
        self, download: Make, server: Hub, library: Library
    ) -> None:
        # Large files come in three tries at most, or never: not a hundred bytes at a time.
        server.faults.silent_after = 100
        ended = download(read_timeout_s=0.2, patience_s=(0.01,) * 2).run()
        assert problem(ended).kind == "offline"
        asked = [name for name, _ in server.asked if name == "tokenizer.json"]
        assert len(asked) <= 3
        assert library.downloaded() == ()

    @pytest.mark.slow
    def test_what_came_before_the_silence_is_kept(
        self, download: Make, server: Hub, library: Library
    ) -> None:
        server.faults.silent_after = 6_000
        ended = download(read_timeout_s=5.0, patience_s=()).run()
        assert problem(ended).kind == "offline"
        (left,) = library.unfinished()
        # The small files, and what came of the first large one.
        assert "tokenizer.json" in ended.verified
        assert left.done_bytes > 10_000
        server.faults.silent_after = None
        ended = download().run()
        assert ended.phase == "done", ended.problem
        assert is_whole(present(ended.folder), server)

    def test_silence_now_and_then_is_outlasted(self, download: Make, server: Hub) -> None:
        # Each connection brings much, then nothing: that is slow, not gone.
        server.faults.silent_after = 110_000
        ended = download(read_timeout_s=0.5, patience_s=(0.01,) * 20).run()
        assert ended.phase == "done", ended.problem
        assert is_whole(present(ended.folder), server)

    def test_a_server_without_ranges(self, download: Make, server: Hub) -> None:
        server.faults.cut_after, server.faults.cuts = 250_000, 2
        server.faults.no_ranges = True
        ended = download().run()
        assert ended.phase == "done", ended.problem
        assert is_whole(present(ended.folder), server)

    @pytest.mark.parametrize(
        "name", ["model-00002-of-00003.safetensors", "config.json"], ids=["large", "small"]
    )
    def test_a_wrong_checksum(
        self, download: Make, server: Hub, library: Library, name: str
    ) -> None:
        server.faults.wrong.add(name)
        wrong = problem(download().run())
        assert wrong.kind == "damaged"
        assert name in str(wrong)
        assert library.downloaded() == ()
        server.faults.wrong.clear()
        ended = download().run()
        assert is_whole(present(ended.folder), server)

    def test_more_than_was_stated(self, download: Make, server: Hub) -> None:
        server.faults.longer.add("config.json")
        assert problem(download().run()).kind == "damaged"

    def test_no_such_repository(self, server: Hub, library: Library) -> None:
        ended = Download(library, "Org/Nothing", endpoint=server.endpoint).run()
        assert problem(ended).kind == "missing"
        assert "Org/Nothing" in str(ended.problem)

    def test_a_file_that_is_gone(self, download: Make, server: Hub) -> None:
        server.faults.status, server.faults.times = 404, 1
        assert problem(download().run()).kind == "missing"

    def test_trouble_that_passes(self, download: Make, server: Hub) -> None:
        server.faults.status, server.faults.times = 503, 2
        assert download().run().phase == "done"

    def test_no_connection(self, download: Make) -> None:
        assert problem(download(endpoint="http://127.0.0.1:9").run()).kind == "offline"

    def test_no_room(
        self, download: Make, library: Library, monkeypatch: pytest.MonkeyPatch, server: Hub
    ) -> None:
        monkeypatch.setattr("engine.hub.download.SPARE_BYTES", 1 << 60)
        full = problem(download().run())
        assert full.kind == "disk"
        assert "needs 1 MiB more" in str(full)
        # Nothing was asked for: the check comes first.
        assert server.asked == []
        assert library.downloaded() == ()


class TestGated:
    def test_without_a_token(self, download: Make, server: Hub) -> None:
        server.gated = True
        gated = problem(download().run())
        assert gated.kind == "gated"
        assert "accept its licence" in str(gated)

    def test_with_the_right_token(self, download: Make, server: Hub) -> None:
        server.gated = True
        ended = download(token=lambda: server.token).run()
        assert ended.phase == "done", ended.problem
        # The token is for the hub alone, not for where it sends on to.
        assert server.tokens_elsewhere == []

    def test_with_a_wrong_token(self, download: Make, server: Hub) -> None:
        server.gated = True
        assert problem(download(token="hf_wrong").run()).kind == "token"

    def test_an_account_without_access(self, download: Make, server: Hub) -> None:
        server.gated, server.allowed = True, False
        refused = problem(download(token=server.token).run())
        assert refused.kind == "gated"
        assert "account" in str(refused)

    def test_no_token_is_kept_on_the_disk(
        self, download: Make, server: Hub, library: Library
    ) -> None:
        server.gated = True
        download(token=server.token).run()
        for path in library.root.rglob("*"):
            assert not path.is_file() or server.token.encode() not in path.read_bytes()

    def test_the_token_of_another_program_is_not_used(
        self, download: Make, server: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", server.token)
        server.gated = True
        assert problem(download().run()).kind == "gated"


class TestTrust:
    @pytest.mark.parametrize(
        "name",
        [
            "../evil.json",
            "a/../../evil.json",
            "/etc/evil.json",
            "..\\evil.json",
            "C:evil.json",
            "evil\n.json",
            "CONFIG.json",
        ],
    )
    def test_a_name_that_leads_elsewhere(
        self, download: Make, server: Hub, library: Library, name: str
    ) -> None:
        server.publish(tiny_repo() | {name: b"{}"})
        assert problem(download().run()).kind == "refused"
        assert not any(path.is_file() for path in library.root.rglob("*"))

    def test_pickles_are_not_a_model(self, download: Make, server: Hub) -> None:
        files = {k: v for k, v in tiny_repo().items() if not k.endswith(".safetensors")}
        server.publish(files)
        assert problem(download().run()).kind == "unsuitable"

    @pytest.mark.parametrize("end", ["", ".part"])
    def test_a_link_in_the_place_of_a_file(
        self, download: Make, server: Hub, library: Library, tmp_path: Path, end: str
    ) -> None:
        outside = tmp_path / "outside"
        outside.write_bytes(b"mine")
        aside = library.aside(REPO)
        aside.mkdir(parents=True)
        (aside / f"config.json{end}").symlink_to(outside)
        ended = download().run()
        assert outside.read_bytes() == b"mine"
        assert is_whole(present(ended.folder), server)

    def test_an_aside_folder_that_is_a_link(
        self, download: Make, server: Hub, library: Library, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        aside = library.aside(REPO)
        aside.parent.mkdir(parents=True)
        aside.symlink_to(outside)
        ended = download().run()
        assert is_whole(present(ended.folder), server)
        assert not list(outside.iterdir())


class TestListing:
    def test_unfinished_is_never_listed_as_whole(self, download: Make, library: Library) -> None:
        ended = download().run()
        folder = present(ended.folder)
        (folder / UNFINISHED).write_text("{}")
        assert library.downloaded() == ()

    def test_a_file_that_went(self, download: Make, library: Library) -> None:
        folder = present(download().run().folder)
        (folder / "config.json").unlink()
        assert "config.json is missing" in library.downloaded()[0].problem

    def test_a_damaged_manifest(self, download: Make, library: Library) -> None:
        folder = present(download().run().folder)
        for text in ("", "[]", "{", '{"version": 1}', "null", "[" * 100_000):
            (folder / SOURCE).write_text(text)
            assert library.downloaded() == ()

    def test_no_threads_are_left(self, download: Make) -> None:
        one = download()
        one.start()
        assert one.join(60)
        assert not [t for t in threading.enumerate() if t.name == "biplane-download"]
        assert os.listdir(present(one.progress.folder))
