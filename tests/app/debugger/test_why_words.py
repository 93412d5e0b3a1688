"""The sentence of every puzzle names its true cause, and its advice says what it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.debugger.why.logic.advice import advice, effect_words
from app.debugger.why.logic.words import Known, facts, sentence
from engine.analysis.why.cause import NORMAL, Cause
from engine.analysis.why.suggestion import suggest
from engine.journal.tape import Tape
from tests.engine.analysis.why.puzzles import PUZZLES, Puzzle, investigated, last_of


@pytest.fixture(params=PUZZLES, ids=lambda puzzle: puzzle.name.replace(" ", "-"))
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    found = request.param
    assert isinstance(found, Puzzle)
    return found


def known(tape: Tape) -> Known:
    last = tape.requests[-1]
    return Known(
        title=lambda session: f"Chat {session + 1}",
        ago=lambda index: last.began - tape.entry(index).time,
        session=lambda number: tape.requests[number].traced.session_id,
        policy="lru",
    )


def test_the_sentence_names_the_true_cause(puzzle: Puzzle, tmp_path: Path) -> None:
    investigator = investigated(puzzle, tmp_path)
    said = sentence(last_of(investigator), known(investigator.tape))
    assert all(word in said for word in puzzle.words)
    assert said.endswith(".")
    assert said.count(". ") == 0, "one sentence"
    # No other puzzle's word for its cause.
    for other in PUZZLES:
        if other is not puzzle:
            assert not all(word in said for word in other.words), said


def test_the_advice_says_what_it_does(puzzle: Puzzle, tmp_path: Path) -> None:
    investigator = investigated(puzzle, tmp_path)
    evidence = last_of(investigator)
    found = suggest(investigator.lives, evidence)
    said = advice(found, evidence)
    assert said.startswith("Nothing to change") == (not puzzle.curable)
    if found.effect is not None:
        effect = effect_words(found)
        assert f"{found.effect.ran[1]:,} tokens instead of {found.effect.ran[0]:,}" in effect
        assert "sooner" in effect
    if evidence.cause in NORMAL:
        assert "nothing ran that could have been saved" in said


def test_facts_name_the_checkpoint_and_its_fate(puzzle: Puzzle, tmp_path: Path) -> None:
    investigator = investigated(puzzle, tmp_path)
    evidence = last_of(investigator)
    obstacle = evidence.obstacle
    gone = investigator.eviction(evidence)
    listed = {
        fact.name: fact.value
        for fact in facts(evidence, replace(known(investigator.tape), gone=gone))
    }
    assert listed["Checkpoint used"].startswith("at" if evidence.reused else "none")
    if obstacle is None:
        assert "Would have been needed" not in listed
        return
    assert f"{obstacle.position:,}" in listed["Would have been needed"]
    assert listed["What became of it"]
    evicted = (Cause.CHECKPOINT_EVICTED, Cause.BUDGET_TOO_SMALL, Cause.HOST_FULL)
    assert ("Its rank then" in listed) == (obstacle.cause in evicted)
    if gone is not None:
        assert 1 <= gone.rank <= gone.among
        assert "lru" in listed["Its rank then"]
