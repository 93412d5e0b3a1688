"""What is said of recordings whose cause is known beforehand is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.debugger.why.logic.words import Known, facts, sentence
from engine.analysis.why.cause import Cause
from tests.engine.analysis.why.recordings import RECORDINGS, Recording, investigated

# An eviction that a policy decided.
CHOSEN = (Cause.CHECKPOINT_EVICTED, Cause.BUDGET_TOO_SMALL, Cause.HOST_FULL)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda one: one.name)
def test_the_sentence_says_what_is_true(recording: Recording, tmp_path: Path) -> None:
    investigator, evidence = investigated(recording, tmp_path)
    tape = investigator.tape
    known = Known(
        title=lambda session: f"Chat {session + 1}",
        ago=lambda index: evidence.request.began - tape.time(index + 1),
        session=lambda number: tape.requests[number].session,
        policy="lru",
        gone=investigator.eviction(evidence),
    )
    said = sentence(evidence, known)
    assert all(part in said for part in recording.says), said
    assert said.endswith(".")
    assert said.count(". ") == 0, "one sentence"
    listed = {fact.name: fact.value for fact in facts(evidence, known)}
    assert ("Would have been needed" in listed) is (evidence.obstacle is not None)
    if recording.cause not in CHOSEN:
        assert "Its rank then" not in listed, "nobody chose it"
    if evidence.obstacle is not None and evidence.obstacle.cause is Cause.NOT_EXACT:
        assert listed["What became of it"] == "still there, but not bit-exact for this prompt"
