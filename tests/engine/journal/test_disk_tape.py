"""The disk tier in a trace file, with and without texts, and in the columns of a tape."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.cache.journal.changes import SegmentAdded, SegmentRemoved
from engine.journal.recorder import Recorder
from engine.journal.tape import Tape, read_tape
from tests.engine.journal.samples import HEADER
from tests.engine.journal.taped import Seen, TapedCaches, shown

BEFORE, REQUESTS = 20, 30


class Recorded:
    """A tape with files, from a recording that began in mid-life, and what was seen meanwhile."""

    def __init__(self, path: Path, *, text: bool) -> None:
        caches = self.caches = TapedCaches(3, host_kv=180, disk=True)
        for _ in range(BEFORE):
            caches.ask()
        header = replace(HEADER, hashed=not text, text=text)
        # From 0 on, the file's times are those of the caches.
        recorder = Recorder(
            path,
            header,
            caches.journal,
            caches.caches,
            0.0,
            piece=(lambda token: f" w{token}".encode()) if text else None,
            disk=caches.disk,
        )
        assert caches.disk is not None
        told = len(list(caches.disk.told()))
        entries = self.told = told + len(caches.caches)
        self.seen = {entries: caches.seen()}
        before = len(caches.entries)
        for _ in range(REQUESTS):
            caches.ask()
            self.seen[entries + len(caches.entries) - before] = caches.seen()
        assert not recorder.stop().problem
        self.tape = read_tape(path)


def bare(seen: Seen) -> Seen:
    """Without what tokens and requests alone tell."""
    nodes = {
        n.id: structs.replace(n, text="", speech=(), key="", owners=()) for n in seen.nodes.values()
    }
    return replace(seen, nodes=nodes)


def test_a_file_tells_what_was_there(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "t.jsonl.gz", text=True)
    tape = recorded.tape
    assert len(tape) == max(recorded.seen)
    for index, seen in recorded.seen.items():
        assert bare(shown(tape, index)) == seen, index


def test_found_segments_are_told_as_such(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "t.jsonl.gz", text=True)
    whats = [recorded.tape.entry(at).what for at in range(len(recorded.tape))]
    added = [(at, what.found) for at, what in enumerate(whats) if isinstance(what, SegmentAdded)]
    assert {found for at, found in added if at < recorded.told} == {True}
    assert {found for at, found in added if at >= recorded.told} == {False}


class TestHashed:
    def test_the_tree_has_the_same_shape(self, tmp_path: Path) -> None:
        recorded = Recorded(tmp_path / "t.jsonl.gz", text=False)
        for index, seen in recorded.seen.items():
            got = shown(recorded.tape, index)
            assert shape(got) == shape(seen), index
            assert got.disk == seen.disk

    def test_no_name_of_a_file_is_in_it(self, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl.gz"
        recorded = Recorded(path, text=False)
        whole = gzip.decompress(path.read_bytes()).decode()
        keys = {
            entry.what.key
            for entry in recorded.caches.entries
            if isinstance(entry.what, SegmentAdded | SegmentRemoved)
        }
        assert len(keys) > 40
        assert not [key for key in keys if key in whole]


def shape(seen: Seen) -> Counter[tuple[object, ...]]:
    """Of the tree, whatever its nodes are called."""
    return Counter(
        (n.start, n.end, n.tier, n.kv_bytes, n.checkpoint and n.checkpoint.bytes)
        for n in seen.nodes.values()
    )


@pytest.mark.parametrize("text", [True, False])
def test_the_series_add_up_to_the_files(tmp_path: Path, text: bool) -> None:
    recorded = Recorded(tmp_path / "t.jsonl.gz", text=text)
    assert_series(recorded.tape, recorded.seen)


def assert_series(tape: Tape, seen: dict[int, Seen]) -> None:
    series = tape.series()
    for index, then in seen.items():
        row = int(series.index.searchsorted(index, side="right")) - 1
        held = series.bytes["disk", "kv"][row] + series.bytes["disk", "state"][row]
        assert then.disk is not None
        assert held == then.disk.used_bytes, index
        assert series.bytes["disk", "kv"][row] % 3 == 0
