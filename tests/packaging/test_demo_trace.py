"""The bundled trace: it shows what it is meant to show, and is recorded by the script beside it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from app.debugger.traces import demo_trace
from engine.journal.tape import Tape, read_tape

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tape() -> Tape:
    return read_tape(demo_trace())


def test_there_are_several_chats_with_their_texts(tape: Tape) -> None:
    turns = Counter(one.session for one in tape.requests)
    assert len(turns) == 3
    assert min(turns.values()) >= 4
    assert all(one.ran.text for one in tape.requests)
    text = tape.text(tape.requests[0].ran.prompt)
    assert "What is a prefix cache?" in text
    assert "\ufffd" not in text


def test_it_shows_what_makes_hybrid_caches_hard(tape: Tape) -> None:
    reasons = {one.bare.reason for one in tape.requests}
    assert {"first sight", "template dropped thinking", "new tokens"} <= reasons
    tiers = {one.bare.resumed_from for one in tape.requests}
    assert {"device", "host"} <= tiers
    assert {"state pressure", "tombstone chain"} <= {one.evicted.cause for one in tape.evictions}
    snapshot = tape.snapshot(len(tape))
    assert {node.tier for node in snapshot.nodes} == {"device", "host"}
    assert {part.role for node in snapshot.nodes for part in node.speech} >= {"system", "user"}


def test_answers_were_drafted_from_cached_paths_and_some_drafts_were_wrong(tape: Tape) -> None:
    drafts = [one.bare.drafts for one in tape.requests]
    assert {one.sources for one in drafts} == {"auto"}
    assert sum(one.from_tree for one in drafts) > 20
    assert sum(one.drafted - one.kept for one in drafts) > 0


def test_it_is_small() -> None:
    assert demo_trace().stat().st_size < 100_000


@pytest.mark.slow
def test_the_script_records_the_same_requests(tape: Tape, tmp_path: Path) -> None:
    target = tmp_path / "again.jsonl.gz"
    script = ROOT / "packaging" / "demo_trace.py"
    subprocess.run([sys.executable, str(script), str(target)], cwd=ROOT, check=True, timeout=240)
    again = read_tape(target)
    assert len(again.requests) == len(tape.requests)
    for one, other in zip(again.requests, tape.requests, strict=True):
        assert (one.session, one.turn) == (other.session, other.turn)
