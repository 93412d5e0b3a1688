"""Files that somebody made on purpose, with right checksums, and things that are no files."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.private_files import OwnFolder
from engine.storage import segment_file
from engine.storage.disk_store import DiskStore
from engine.storage.other_files import OtherFiles
from engine.storage.segment_file import SUFFIX, ReplacedSegment, Segment, write_segment
from tests.engine.storage.small_segments import (
    NAMESPACE,
    TOKENS,
    Opened,
    assert_same,
    file_of,
    segment,
)

Header = dict[str, dict[str, Any]]
BIG = 1 << 62
NAME = "0" * 32 + SUFFIX


def put_file(folder: Path, part: Segment) -> Path:
    path = file_of(folder, part)
    path.parent.mkdir(exist_ok=True, parents=True)
    write_segment(OwnFolder(path.parent), part, NAMESPACE)
    return path


def forge(path: Path, change: Callable[[dict[str, str], Header], object], more: int = 0) -> None:
    """Change a file's header, make its checksum right again, and append `more` zeros."""
    raw = path.read_bytes()
    end = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:end])
    inner = header.pop("__metadata__")
    inner.pop("header")
    change(inner, header)
    inner["header"] = segment_file._header_sum(inner, header)
    head = json.dumps({"__metadata__": inner, **header}).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + raw[end:] + bytes(more))


def restate(inner: dict[str, str], **fields: object) -> None:
    inner["segment"] = json.dumps({**json.loads(inner["segment"]), **fields})


def shape_without_bytes(_: object, header: Header) -> None:
    last = max(entry["data_offsets"][1] for entry in header.values())
    header["state.more"] = {"dtype": "F32", "shape": [0, BIG, BIG], "data_offsets": [last, last]}


def one_mebibyte_a_thousand_times(_: object, header: Header) -> None:
    last = max(entry["data_offsets"][1] for entry in header.values())
    for number in range(1000):
        header[f"state.{number}"] = {
            "dtype": "I8",
            "shape": [1 << 20],
            "data_offsets": [last, last + (1 << 20)],
        }


FORGED: dict[str, Callable[[dict[str, str], Header], object]] = {
    "bytes that many tensors share": one_mebibyte_a_thousand_times,
    "a shape without bytes": shape_without_bytes,
    "tokens in two dimensions": lambda _, header: header["tokens"].update(shape=[20, 1]),
    "tokens as floats": lambda _, header: header["tokens"].update(dtype="F32"),
    "KV as integers": lambda _, header: header["k"].update(dtype="I32"),
    "no tags": lambda _, header: header.pop("tags"),
    "a start before the first token": lambda inner, _: restate(inner, start=-20, end=0),
    "a start without a parent": lambda inner, _: restate(inner, start=5, end=25),
    "a parent of what starts at 0": lambda inner, _: restate(inner, parent="ab" * 16),
    "a parent that is no key": lambda inner, _: restate(inner, start=1, end=21, parent="\ud800"),
    "a provenance nobody knows": lambda inner, _: restate(inner, provenance="found"),
    "a format nobody knows": lambda inner, _: restate(inner, stored="zip"),
    "a verdict nobody knows": lambda inner, _: restate(inner, verdict=["fine", 0, 0, 0]),
    "a number of 400 digits": lambda inner, _: restate(inner, created=10**400),
    "a time that is not a number": lambda inner, _: restate(inner, created=float("nan")),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_right_checksum_makes_nothing_believable(tmp_path: Path, kind: str) -> None:
    part, good = segment(20), segment(30, tag=3)
    path = put_file(tmp_path, part)
    put_file(tmp_path, good)
    forge(path, FORGED[kind], more=(1 << 20) * (kind == "bytes that many tensors share"))
    opened = Opened(tmp_path)
    read = opened.store.kv(part.meta.key), opened.store.state(part.meta.key)
    assert None in read
    assert len(opened.told) == 1
    assert path.name in opened.told[0]
    assert not path.exists()
    assert_same(opened.store, good)


@pytest.mark.timeout(20)
def test_segments_that_go_on_from_each_other_in_a_circle_are_left_out(tmp_path: Path) -> None:
    first, second = segment(40, 20), segment(60, 40)
    paths = [put_file(tmp_path, part) for part in (first, second)]
    forge(paths[0], lambda inner, _: restate(inner, parent=second.meta.key))
    for path in paths:
        os.utime(path, (1, 1))
    opened = Opened(tmp_path)
    assert opened.store.files == opened.store.used_bytes == 0
    assert os.listdir(paths[0].parent) == []
    assert all(any(path.name in said for said in opened.told) for path in paths)
    assert opened.store.match(np.asarray(TOKENS, np.int32), lambda lineage: True) == ()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("gone", path)])
def test_what_is_no_file_is_named_and_not_opened(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    good = segment(20)
    odd = put_file(tmp_path, good).with_name(NAME)
    make(odd)
    opened = Opened(tmp_path)
    (said,) = opened.told
    assert said.startswith(f"The cache file {NAME} was skipped and left in place: it is ")
    assert os.path.lexists(odd)
    assert_same(opened.store, good)


def test_a_name_that_is_no_text_is_told_in_text(tmp_path: Path) -> None:
    folder = tmp_path / NAMESPACE
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.safetensors")).write_bytes(b"")
    opened = Opened(tmp_path)
    assert len(opened.told) == 1
    assert opened.told[0].encode()
    assert len(list(folder.iterdir())) == 1


def test_a_file_that_cannot_be_read_is_said_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_file(tmp_path, segment(20))

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(OwnFolder, "read", refused)
    opened = Opened(tmp_path)
    (said,) = opened.told
    assert "Permission denied" in said
    assert path.name in said
    assert path.exists()


@pytest.mark.timeout(20)
def test_a_file_that_is_replaced_all_the_time_is_given_up_and_left_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = segment(20)
    path = put_file(tmp_path, part)
    opened = Opened(tmp_path)

    def replaced(*_: object) -> object:
        raise ReplacedSegment("another process replaced it")

    monkeypatch.setattr(segment_file.SegmentFile, "_reopen", replaced)
    assert opened.store.kv(part.meta.key) is None
    assert opened.told == [
        f"The cache file {path.name} was skipped: other processes keep replacing it."
    ]
    assert path.exists()


def test_what_nobody_could_reach_is_not_taken(tmp_path: Path) -> None:
    opened = Opened(tmp_path)
    assert not opened.store.put(segment(40, 20))
    assert opened.store.files == opened.store.used_bytes == 0
    opened.store.close()
    assert list((tmp_path / NAMESPACE).iterdir()) == []


def test_a_chain_longer_than_the_budget_keeps_its_beginning(tmp_path: Path) -> None:
    parts = segment(20), segment(40, 20), segment(60, 40)
    opened = Opened(tmp_path, budget=2 * parts[0].nbytes + 3000)
    store: DiskStore = opened.store
    taken = []
    for part in parts:
        taken.append(store.put(part))
        store.flush()
    assert taken == [True, True, False]
    assert [entry.meta.end for entry in store.entries()] == [20, 40]
    store.close()


@pytest.mark.parametrize("claimed", [192 << 30, 3 << 30, 40 << 20], ids=["192G", "3G", "40M"])
def test_a_sparse_file_that_claims_gigabytes_is_left_out_at_once(
    tmp_path: Path, claimed: int
) -> None:
    """A few KiB on the disk; what is not there reads as zeros and would take memory."""
    path = put_file(tmp_path, segment(20))
    span, total = claimed // 16, 0

    def claim(inner: dict[str, str], header: Header) -> None:
        nonlocal total
        shapes = {"tokens": [span], "tags": [span], "k": [1, 1, span, 1], "v": [1, 1, span, 1]}
        width = {"tokens": 4, "tags": 8, "k": 2, "v": 2}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if name in shapes:
                entry.update(shape=shapes[name])
                entry.update(dtype="BF16" if name in ("k", "v") else entry["dtype"])
                begin, end = 0, width[name] * span
            entry.update(data_offsets=[total, total + end - begin])
            total += end - begin
        restate(inner, end=span)

    forge(path, claim)
    with path.open("r+b") as file:
        file.truncate(8 + int.from_bytes(path.read_bytes()[:8], "little") + total)
    assert path.stat().st_size > claimed // 2
    tracemalloc.start()
    opened = Opened(tmp_path, budget=4 << 30)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 << 20
    assert opened.store.files == 0
    (said,) = opened.told
    assert path.name in said
    why = "larger than the whole budget" if claimed > 4 << 30 else "its KV does not have this model"
    assert why in said
    opened.store.close()


def test_a_file_that_memory_does_not_suffice_for_is_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_file(tmp_path, segment(20))
    opened = Opened(tmp_path)

    def refuse(*_: object) -> bytearray:
        raise MemoryError

    monkeypatch.setattr(segment_file, "bytearray", refuse, raising=False)
    assert opened.store.kv(segment(20).meta.key) is None
    assert "not enough memory" in opened.told[0]
    assert Opened(tmp_path).store.files == 0
    opened.store.close()


class TestWhatIsNotOurs:
    """Nothing of somebody else's is followed, used, replaced or removed, whatever its name."""

    @pytest.fixture
    def elsewhere(self, tmp_path: Path) -> Path:
        """A folder of the user's own files, one of them with a name like ours."""
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        for name in ("thesis.odt", NAME, "99999.1.tmp"):
            (folder / name).write_text(f"the only copy of {name}")
        write_segment(OwnFolder(folder), segment(30), NAMESPACE)
        for path in folder.iterdir():
            os.utime(path, (1, 1))
        return folder

    def test_a_link_in_place_of_the_folder_is_not_followed(
        self, tmp_path: Path, elsewhere: Path
    ) -> None:
        before = contents(elsewhere)
        cache = tmp_path / "cache"
        cache.mkdir()
        (cache / NAMESPACE).symlink_to(elsewhere)
        opened = Opened(cache)
        assert opened.told == [
            f"The cache folder cannot be used ({NAMESPACE} is a link, or not a folder): "
            "nothing is written to disk."
        ]
        assert opened.store.trouble == opened.told[0]
        assert not opened.store.put(segment(20))
        opened.store.close()
        assert contents(elsewhere) == before

    def test_a_link_given_as_the_cache_folder_is_the_users_own_choice(self, tmp_path: Path) -> None:
        (tmp_path / "large disk").mkdir()
        (tmp_path / "cache").symlink_to(tmp_path / "large disk")
        opened = Opened(tmp_path / "cache")
        assert opened.store.put(segment(20))
        opened.store.close()
        again = Opened(tmp_path / "cache")
        assert_same(again.store, segment(20))
        assert opened.told == again.told == []
        assert file_of(tmp_path / "large disk", segment(20)).is_file()
        again.store.close()

    def test_a_link_put_there_while_the_store_is_open_is_not_followed(
        self, tmp_path: Path, elsewhere: Path
    ) -> None:
        cache = tmp_path / "cache"
        opened = Opened(cache)
        for part in (segment(30), segment(60, 30)):
            assert opened.store.put(part)
        opened.store.flush()
        (cache / NAMESPACE).rename(cache / "away")
        (cache / NAMESPACE).symlink_to(elsewhere)
        before = contents(elsewhere)
        assert opened.store.kv(segment(60, 30).meta.key) is None
        assert opened.store.put(segment(20))
        opened.store.touch([segment(30).meta.key])
        opened.store.clear()
        opened.store.close()
        assert contents(elsewhere) == before

    @pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the system knows no owners")
    def test_a_folder_of_another_user_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = put_file(tmp_path, segment(20))
        monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
        opened = Opened(tmp_path)
        assert opened.told == [
            f"The cache folder cannot be used ({NAMESPACE} belongs to another user): "
            "nothing is written to disk."
        ]
        assert opened.store.files == 0
        assert path.exists()
        opened.store.close()

    def test_nothing_is_written_over_a_file_with_a_name_of_ours(self, tmp_path: Path) -> None:
        taken = file_of(tmp_path, segment(20))
        taken.parent.mkdir()
        taken.write_text("the only copy")
        opened = Opened(tmp_path)
        assert not opened.store.put(segment(20))
        assert opened.store.put(segment(30))
        opened.store.close()
        assert taken.read_text() == "the only copy"
        again = Opened(tmp_path)
        assert_same(again.store, segment(30))
        again.store.close()

    def test_a_file_that_came_in_place_of_one_of_ours_stays(self, tmp_path: Path) -> None:
        opened = Opened(tmp_path)
        assert opened.store.put(segment(20))
        opened.store.flush()
        taken = file_of(tmp_path, segment(20))
        taken.write_text("the only copy")
        assert opened.store.kv(segment(20).meta.key) is None
        opened.store.clear()
        opened.store.close()
        assert taken.read_text() == "the only copy"

    def test_other_models_folders_are_not_followed_to_make_room(
        self, tmp_path: Path, elsewhere: Path
    ) -> None:
        cache, other = tmp_path / "cache", "f" * 32
        cache.mkdir()
        (cache / other).symlink_to(elsewhere)
        (cache / ("e" * 32)).mkdir()
        foreign = cache / ("e" * 32) / NAME
        foreign.write_bytes(bytes(1 << 20))
        os.utime(foreign, (1, 1))
        before = contents(elsewhere)
        opened = Opened(cache, budget=1 << 19)
        assert opened.store.put(segment(20))
        opened.store.close()
        assert contents(elsewhere) == before
        assert foreign.stat().st_size == 1 << 20
        again = Opened(cache)
        assert_same(again.store, segment(20))
        again.store.close()

    def test_forgetting_does_not_follow_links_to_other_folders(
        self, tmp_path: Path, elsewhere: Path
    ) -> None:
        cache = tmp_path / "cache"
        put_file(cache, segment(30))
        (cache / ("e" * 32)).symlink_to(elsewhere)
        before = contents(elsewhere)
        assert sum(files for files, _ in OtherFiles(cache, "").forget([TOKENS_OF_30], ())) == 1
        assert not file_of(cache, segment(30)).exists()
        assert contents(elsewhere) == before


TOKENS_OF_30 = np.asarray(TOKENS[:30], np.int32)


def contents(folder: Path) -> dict[str, tuple[bytes, float]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime) for path in folder.iterdir()}
