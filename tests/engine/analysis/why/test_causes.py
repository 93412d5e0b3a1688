"""The true cause of many recordings is found, and what it rests on explains the loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.analysis.why.cause import NORMAL, Cause
from engine.analysis.why.divergence import LEAST_SAVED
from tests.engine.analysis.why.recordings import (
    RECORDINGS,
    Recording,
    a_state_behind_other_cuts_in_exact_mode,
    an_answer_cut_into_other_tokens,
    investigated,
)
from tests.present import present


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda one: one.name)
def test_the_cause_is_the_true_one(recording: Recording, tmp_path: Path) -> None:
    investigator, evidence = investigated(recording, tmp_path)
    assert evidence.cause is recording.cause
    if evidence.cause in NORMAL:
        assert evidence.obstacle is None
        assert evidence.again == 0
    for number in range(len(investigator.tape.requests)):
        known = investigator.explain(number)
        if known.obstacle is not None:
            # What is named as missing would have saved a real share of what ran.
            saved = known.obstacle.position - known.reused
            assert saved >= min(LEAST_SAVED, known.ran)
            assert 8 * saved >= known.ran


def test_what_is_still_there_did_not_leave(tmp_path: Path) -> None:
    recording = Recording(a_state_behind_other_cuts_in_exact_mode, Cause.DIVERGED, ())
    _, evidence = investigated(recording, tmp_path)
    obstacle = present(evidence.obstacle)
    assert obstacle.cause is Cause.NOT_EXACT
    assert (obstacle.tier, obstacle.named, obstacle.index) == ("device", "", None)


def test_both_texts_prove_that_they_are_the_same(tmp_path: Path) -> None:
    recording = Recording(an_answer_cut_into_other_tokens, Cause.ANSWER_RETOKENISED, ())
    _, evidence = investigated(recording, tmp_path)
    sides = present(evidence.sides)
    mine, theirs = (
        "".join(token.text for token in side if token.position >= sides.at)
        for side in (sides.prompt, sides.cached)
    )
    assert mine.startswith(theirs)
    assert [one.text for one in sides.prompt] != [one.text for one in sides.cached]
