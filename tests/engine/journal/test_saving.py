"""Saving a tape: what is read back is the same, and holds text only where that is asked for."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine.errors import TraceError
from engine.journal import reel
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.saving import origin_of, save_tape
from engine.journal.settings import TraceHeader
from engine.journal.tape import Tape, read_tape
from engine.snapshot import NodeView
from tests.assets.make_traces import TRACES
from tests.present import present

NAMES = ("small", "tiers")


def marks(nodes: Sequence[NodeView], *, text: bool) -> Counter[tuple[int, int, int]]:
    """Which nodes there are; without texts, files have other names, and so do their nodes."""
    return Counter((n.id if text or n.tier != "disk" else 0, n.start, n.end) for n in nodes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [True, False])
def test_every_moment_of_it_comes_back(tmp_path: Path, name: str, text: bool) -> None:
    tape = read_tape(TRACES / f"{name}.jsonl.gz")
    path = tmp_path / "saved.jsonl.gz"
    lines = save_tape(tape, path, text=text)
    again = read_tape(path)
    assert lines >= len(tape) + 1
    assert len(again) == len(tape)
    for moment in range(0, len(tape) + 1, 199):
        before, after = tape.snapshot(moment), again.snapshot(moment)
        assert before.kv == after.kv
        assert marks(before.nodes, text=text) == marks(after.nodes, text=text)
        assert before.disk == after.disk
    figures = [(r.ran.reused, r.ran.replayed, len(r.ran.prompt)) for r in tape.requests]
    assert figures == [(r.ran.reused, r.ran.replayed, len(r.ran.prompt)) for r in again.requests]


def test_without_text_there_are_only_hashes(tmp_path: Path) -> None:
    tape = read_tape(TRACES / "small.jsonl.gz")
    path = tmp_path / "saved.jsonl"
    save_tape(tape, path, text=False)
    again = read_tape(path)
    header = present(again.header)
    assert (header.hashed, header.text) == (True, False)
    said = [taped.ran.text for taped in tape.requests if taped.ran.text]
    assert said
    text = path.read_text()
    assert not any(answer in text for answer in said)
    for mine, theirs in zip(tape.requests, again.requests, strict=True):
        assert not (mine.ran.prompt == theirs.ran.prompt).all()
    # Equal prefixes stay equal: the first two share their system text.
    assert shared(again) == shared(tape) > 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def shared(tape: Tape) -> int:
    """How many tokens the first two prompts have in common."""
    pairs = zip(tape.requests[0].ran.prompt, tape.requests[1].ran.prompt, strict=False)
    return next(at for at, (a, b) in enumerate(pairs) if a != b)


def test_with_text_ids_and_answers_are_those_of_the_tape(tmp_path: Path) -> None:
    tape = read_tape(TRACES / "small.jsonl.gz")
    path = tmp_path / "saved.jsonl"
    save_tape(tape, path, text=True)
    again = read_tape(path)
    for mine, theirs in zip(tape.requests, again.requests, strict=True):
        assert mine.ran.sequence.tolist() == theirs.ran.sequence.tolist()
        assert mine.ran.text == theirs.ran.text


def test_what_was_hashed_keeps_its_hashes(tmp_path: Path) -> None:
    tape = read_tape(TRACES / "small.jsonl.gz")
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    save_tape(tape, first, text=False)
    once = read_tape(first)
    save_tape(once, second, text=True)
    twice = read_tape(second)
    assert present(twice.header).hashed
    assert not present(twice.header).text
    for mine, theirs in zip(once.requests, twice.requests, strict=True):
        assert mine.ran.prompt.tolist() == theirs.ran.prompt.tolist()
    # A hash has no text.
    assert not twice.pieces
    assert len(second.read_bytes().splitlines()) == len(first.read_bytes().splitlines())


def test_times_count_from_the_recording(tmp_path: Path) -> None:
    tape = read_tape(TRACES / "small.jsonl.gz")
    assert origin_of(tape) == 0.0
    late = Tape(tape.header)
    requests = {taped.index: taped.traced for taped in tape.requests}
    late.append(moved(tape, index, requests.get(index)) for index in range(len(tape)))
    assert origin_of(late) == 5000.0
    path = tmp_path / "saved.jsonl"
    save_tape(late, path, text=True)
    assert read_tape(path).time(len(tape)) == pytest.approx(tape.time(len(tape)))


def moved(tape: Tape, index: int, traced: TracedRequest | None) -> TraceEntry:
    """An entry of a tape whose clock was elsewhere."""
    entry = tape.entry(index)
    return TraceEntry(structs.replace(entry, time=entry.time + 5000.0), traced)


class TestRefusal:
    def test_a_tape_without_settings(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="states no settings"):
            save_tape(Tape(), tmp_path / "saved.jsonl", text=False)

    def test_a_tape_that_forgot_its_beginning(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reel, "SPACING", 100)
        whole = read_tape(TRACES / "small.jsonl.gz")
        tape = Tape(whole.header, most=200)
        requests = {taped.index: taped.traced for taped in whole.requests}
        tape.append(moved(whole, index, requests.get(index)) for index in range(len(whole)))
        with pytest.raises(TraceError, match="were forgotten"):
            save_tape(tape, tmp_path / "saved.jsonl", text=False)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        header = present(read_tape(TRACES / "small.jsonl.gz").header)
        assert isinstance(header, TraceHeader)
        tape = Tape(replace(header, model="m"))
        with pytest.raises(TraceError, match=r"saved\.jsonl cannot be written"):
            save_tape(tape, tmp_path / "none" / "saved.jsonl", text=False)
