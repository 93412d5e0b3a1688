"""Ten recordings, each slow for another reason: the cause is found, and the advice helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.analysis.replay import replay
from engine.analysis.why.cause import CHANGED, NORMAL, Cause
from engine.analysis.why.divergence import FEW_TOKENS
from engine.analysis.why.suggestion import suggest
from engine.errors import CacheError
from tests.engine.analysis.why.puzzles import PUZZLES, Puzzle, investigated, last_of
from tests.present import present


@pytest.fixture(params=PUZZLES, ids=lambda puzzle: puzzle.name.replace(" ", "-"))
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    found = request.param
    assert isinstance(found, Puzzle)
    return found


def test_there_are_ten_with_ten_causes() -> None:
    assert len({puzzle.cause for puzzle in PUZZLES}) == len(PUZZLES) == 10


def test_the_true_cause_is_named(puzzle: Puzzle, tmp_path: Path) -> None:
    evidence = last_of(investigated(puzzle, tmp_path))
    assert evidence.cause is puzzle.cause
    ran = evidence.request.ran
    assert (evidence.reused, evidence.replayed, evidence.computed) == (
        ran.reused,
        ran.replayed,
        ran.computed,
    )
    assert evidence.reused < evidence.known or puzzle.cause in NORMAL | CHANGED


def test_following_the_advice_helps_where_anything_does(puzzle: Puzzle, tmp_path: Path) -> None:
    investigator = investigated(puzzle, tmp_path)
    evidence = last_of(investigator)
    found = suggest(investigator.lives, evidence)
    assert found.nothing == (not puzzle.curable)
    if found.nothing:
        assert found.effect is None
        return
    effect = present(found.effect)
    assert effect.ran[0] == evidence.ran
    assert effect.saved >= FEW_TOKENS
    # What it saves is most of what could be saved at all.
    assert effect.saved >= 0.7 * max(evidence.again, 100)
    assert present(effect.saved_s) > 0
    assert effect.saved_in_all >= effect.saved
    if found.change is None:
        return
    # The same change by the way of the command line does the same.
    header = present(investigator.tape.header)
    again = replay(
        investigator.lives.lines(evidence.request.number), header.settings, found.change
    ).requests[-1]
    assert again.replayed + again.computed == effect.ran[1]


def test_what_is_normal_was_unavoidable(puzzle: Puzzle, tmp_path: Path) -> None:
    """All requests before the last one are of a kind, too, and none is blamed without reason."""
    investigator = investigated(puzzle, tmp_path)
    for number in range(len(investigator.tape.requests)):
        evidence = investigator.explain(number)
        if evidence.cause in NORMAL:
            assert evidence.again == 0
            assert evidence.ran - (evidence.total - evidence.known) < max(8, evidence.ran / 8)


def test_the_first_of_a_tape_is_a_first_sight(puzzle: Puzzle, tmp_path: Path) -> None:
    investigator = investigated(puzzle, tmp_path)
    if puzzle.cause is not Cause.DAMAGED_FILE:
        assert investigator.explain(0).cause is Cause.FIRST_SIGHT


def test_a_suggestion_that_is_no_longer_wanted_is_none(tmp_path: Path) -> None:
    puzzle = next(p for p in PUZZLES if p.cause is Cause.BUDGET_TOO_SMALL)
    investigator = investigated(puzzle, tmp_path)
    assert suggest(investigator.lives, last_of(investigator), wanted=lambda: False).nothing


def test_an_eviction_is_the_one_that_took_the_state(tmp_path: Path) -> None:
    for puzzle in PUZZLES:
        evidence = last_of(investigated(puzzle, tmp_path / puzzle.name.replace(" ", "")))
        obstacle = evidence.obstacle
        if obstacle is None or obstacle.index is None or not obstacle.named:
            continue
        tape = investigated(puzzle, tmp_path).tape
        gone = [one for one in tape.evictions if one.index == obstacle.index]
        assert len(gone) == 1
        assert (gone[0].evicted.end, gone[0].evicted.cause) == (obstacle.position, obstacle.named)
        assert gone[0].evicted.tier == obstacle.tier


def test_an_impossible_change_is_never_advised(tmp_path: Path) -> None:
    for puzzle in PUZZLES:
        investigator = investigated(puzzle, tmp_path / puzzle.name.replace(" ", ""))
        found = suggest(investigator.lives, last_of(investigator))
        if found.change is not None:
            try:
                found.change.changed(present(investigator.tape.header).settings)
            except CacheError:
                pytest.fail(f"{puzzle.name}: {found.change}")


def test_a_request_in_the_middle_is_judged_by_what_came_before_it(tmp_path: Path) -> None:
    puzzle = next(p for p in PUZZLES if p.cause is Cause.BUDGET_TOO_SMALL)
    investigator = investigated(puzzle, tmp_path)
    evidence = investigator.explain(2)
    effect = present(suggest(investigator.lives, evidence).effect)
    assert effect.ran == (760, 20)
    assert effect.ran_in_all == (720 + 720 + 760, 720 + 720 + 20)
