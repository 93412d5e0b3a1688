"""What is blamed where several things went wrong, and where the tape tells only a part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.analysis.why.cause import Cause
from engine.analysis.why.evidence import Evidence, Investigator
from engine.analysis.why.suggestion import suggest
from engine.cache.journal.changes import Stamped
from engine.cache.tiers.by_hand import drop_state
from engine.journal.settings import WhatIf
from tests.engine.analysis.why.played import Played, words
from tests.engine.analysis.why.puzzles import ROOMY, quarantined
from tests.present import present


def explained(played: Played) -> tuple[Investigator, Evidence]:
    investigator = Investigator(played.tape())
    assert investigator.follow()
    return investigator, investigator.explain(len(investigator.tape.requests) - 1)


class TestBlame:
    def test_the_larger_loss_is_the_cause(self, tmp_path: Path) -> None:
        """A state at 100 was evicted, but none was ever taken in the 1,900 tokens after it."""
        played = Played(tmp_path, replace(ROOMY, interval=4096, state_slots=3))
        document = words(1, 3000)
        played.ask(document, words(2, 20), 100)
        played.ask(words(3, 500), words(4, 20), 200, 300)
        played.ask([*document[:2000], *words(5, 50)])
        _, evidence = explained(played)
        assert evidence.cause is Cause.INTERVAL_TOO_WIDE
        assert present(evidence.obstacle).position == 2000

    def test_an_eviction_that_cost_more_is(self, tmp_path: Path) -> None:
        """The other way round: the evicted state lay 100 tokens before the end."""
        played = Played(tmp_path, replace(ROOMY, interval=4096, state_slots=4))
        document = words(1, 3000)
        played.ask(document, words(2, 20), 1900)
        played.ask(words(3, 500), words(4, 20), 200, 300)
        played.ask([*document[:2000], *words(5, 50)])
        _, evidence = explained(played)
        assert evidence.cause is Cause.BUDGET_TOO_SMALL
        assert present(evidence.obstacle).position == 1900

    def test_a_later_eviction_that_cost_little_is_not(self, tmp_path: Path) -> None:
        """Pressure took the state at 100 after the user had dropped the one at 1,900."""
        played = Played(tmp_path, replace(ROOMY, interval=4096, state_slots=6))
        document = words(1, 3000)
        played.ask(document, words(2, 20), 100, 1900)
        drop_state(played.tiers, np.array(document[:1900], np.int32))
        played.ask(words(3, 500), words(4, 20), 100, 200, 300, 400)
        played.ask([*document[:2000], *words(5, 50)])
        _, evidence = explained(played)
        assert evidence.cause is Cause.REMOVED
        assert present(evidence.obstacle).position == 1900

    def test_a_verdict_is_found_by_its_entry(self, tmp_path: Path) -> None:
        investigator = Investigator(quarantined(tmp_path))
        investigator.follow()
        obstacle = present(investigator.explain(1).obstacle)
        assert obstacle.position == 800
        assert isinstance(investigator.tape.entry(present(obstacle.index)).what, Stamped)

    def test_a_few_tokens_are_no_cause(self, tmp_path: Path) -> None:
        """Six tokens run again before two thousand new ones: those took the time."""
        played = Played(tmp_path, ROOMY)
        played.ask(words(1, 6), words(2, 300))
        played.ask([*words(1, 6), *words(2, 4), *words(3, 2000)])
        _, evidence = explained(played)
        assert evidence.cause not in (Cause.INTERVAL_TOO_WIDE, Cause.CHECKPOINT_EVICTED)

    def test_what_the_user_dropped_is_not_the_budgets_fault(self, tmp_path: Path) -> None:
        played = Played(tmp_path, ROOMY)
        said = played.ask(words(1, 700), words(2, 20))
        played.tiers.clear()
        played.ask([*said, *words(3, 20)])
        _, evidence = explained(played)
        assert evidence.cause is Cause.REMOVED
        assert present(evidence.obstacle).named == "dropped by user"


class TestAdvice:
    @pytest.mark.parametrize(("edit", "interval"), [(2500, 2048), (1000, 256), (600, 512)])
    def test_the_widest_interval_that_does_most_of_it(
        self, tmp_path: Path, edit: int, interval: int
    ) -> None:
        played = Played(tmp_path, replace(ROOMY, interval=4096))
        document = words(1, 3000)
        played.ask(document, words(2, 20))
        played.ask([*document[:edit], *words(3, 100)])
        investigator, evidence = explained(played)
        assert suggest(investigator.lives, evidence).change == WhatIf(interval=interval)

    def test_room_that_no_budget_can_give_is_not_promised(self, tmp_path: Path) -> None:
        """Fifty long chats in turn, each far larger than the cache: eight times is not enough."""
        played = Played(tmp_path, replace(ROOMY, kv_slots=900, state_slots=4))
        chats = [words(seed, 800) for seed in range(1, 21)]
        for _ in range(2):
            for chat in chats:
                played.ask(chat, words(99, 4))
        investigator, evidence = explained(played)
        assert evidence.cause is Cause.BUDGET_TOO_SMALL
        found = suggest(investigator.lives, evidence)
        assert found.nothing
        assert found.tried == 30


class TestPartOfTheStory:
    def test_a_recording_that_begins_late_knows_whose_states_there_were(
        self, tmp_path: Path
    ) -> None:
        played = Played(tmp_path, replace(ROOMY, kv_slots=1300))
        said = played.ask(words(1, 700), words(2, 20))
        played.record_anew()
        played.ask(words(3, 700), words(4, 20))
        played.ask([*said, *words(5, 20)])
        investigator, evidence = explained(played)
        assert len(investigator.tape.requests) == 2
        # That its tokens had run is not on the tape; that its state went is.
        assert evidence.nearest is None
        assert (evidence.cause, evidence.needed, evidence.ran) == (
            Cause.BUDGET_TOO_SMALL,
            720,
            740,
        )

    def test_hashed_tokens_tell_the_same_cause(self, tmp_path: Path) -> None:
        causes = []
        for hashed in (False, True):
            folder = tmp_path / str(hashed)
            folder.mkdir()
            played = Played(folder, replace(ROOMY, kv_slots=1300), hashed=hashed)
            said = played.ask(words(1, 700), words(2, 20))
            played.ask(words(3, 700), words(4, 20))
            played.ask([*said, *words(5, 20)])
            _, evidence = explained(played)
            causes.append((evidence.cause, evidence.needed))
        assert causes[0] == causes[1] == (Cause.BUDGET_TOO_SMALL, 720)
