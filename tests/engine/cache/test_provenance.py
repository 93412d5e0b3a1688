"""A checkpoint's attributes survive every copy, and decide which one replaces another."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.cache import TwoPlaneCache
from engine.cache.lease import Lease
from engine.stored_state import StoredState
from engine.verdict import Verdict
from tests.engine.cache.conftest import Driver
from tests.engine.cache.tiers.three_tiers import ThreeTiers
from tests.present import present

A = list(range(100, 120))
HERE: dict[str, object] = {}
PACKED: dict[str, object] = {"tier": "disk", "stored": "int8", "error": 0.02}
WRONG = Verdict("quarantined", 1.0, 1.0, 0.0)


def chat(seed: int, length: int) -> list[int]:
    made: list[int] = np.random.default_rng(seed).integers(1, 50_000, length).tolist()
    return made


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [(PACKED, HERE, True), (HERE, PACKED, False), (PACKED, PACKED, False), (HERE, HERE, False)],
    ids=["whole for packed", "packed for whole", "packed for packed", "whole for whole"],
)
def test_unpacked_bytes_replace_packed_ones_and_never_the_other_way_round(
    driver: type[Driver], old: dict[str, Any], new: dict[str, Any], taken: bool
) -> None:
    d = driver()
    d.run(A, **old)
    lock, match = d.start(A)
    d.put(lock, A, match)
    assert d.donate(lock, 20, **new) is taken
    d.cache.unlock(lock)
    held = d.cache.reader.probe([*A, 1]).checkpoint
    assert held is not None
    assert held.state.stored == (new if taken else old).get("stored", "none")


def test_a_state_that_was_ever_packed_is_marked_even_after_an_unpacked_copy() -> None:
    """Packed on disk, then copied to a host tier that packs nothing: its bytes stay rounded."""
    world = ThreeTiers(device=(500, 3), host=(2000, 40), files=None)
    first = chat(1, 60)
    world.run(first)
    for node in world.cache.reader.checkpoints():
        held = world.cache.reader.holding(node).checkpoint
        assert held is not None
        held.state = replace(held.state, stored="int8", error=0.02)
    for seed in range(2, 6):
        world.run(chat(seed, 60))
    assert world.cache.reader.probe([*first, 1]).resume == 0
    world.tiers.promote([*first, 1])
    back = world.cache.match([*first, 1]).checkpoint
    assert back is not None
    assert (back.state.tier, back.state.stored, back.state.error) == ("host", "int8", 0.02)
    world.verify()


def test_what_the_device_has_is_not_promoted_again() -> None:
    world = ThreeTiers(device=(500, 3), host=(2000, 40), files=None)
    first = chat(1, 200)
    for seed in range(1, 5):
        world.run(chat(seed, 200))
    assert world.run([*first, 5]) == (200, "host")
    copies = sum(world.tiers.moved.values())
    assert world.tiers.promote([*first, 6]) == "device"
    assert sum(world.tiers.moved.values()) == copies


def test_what_derives_from_a_wrong_state_is_evicted_with_it(driver: type[Driver]) -> None:
    """A state further down the path may have been computed from the wrong one."""
    d = driver()
    d.run(A, at=[4, 8, 14, 20])
    d.run([*A[:8], 1, 2], at=[10])
    d.run([*A[:4], 5, 6], at=[6])
    wrong = next(node for node, end in d.checkpoints().items() if end == 8)
    d.cache.stamp(wrong, WRONG)
    d.cache.reader.check()
    assert d.positions() == [4, 6, 8]
    assert d.cache.reader.evicted["quarantined above"] == 3
    match = d.cache.reader.probe([*A, 1])
    assert (match.resume, match.kv_valid) == (4, 4)


def test_a_drifted_state_is_kept_and_used(driver: type[Driver]) -> None:
    """The other verdict is a figure in the panel only; nothing is evicted."""
    d = driver()
    d.run(A, at=[8, 20])
    for node in d.checkpoints():
        d.cache.stamp(node, Verdict("drifted", 0.1, 0.01, 0.0))
    assert d.cache.reader.probe([*A, 1]).resume == 20
    assert d.positions() == [8, 20]


class TestWhatComesOfAState:
    """A state computed from another is no better than that one."""

    def run(
        self,
        cache: TwoPlaneCache,
        tokens: list[int],
        *,
        exact: bool = False,
        at: int | None = None,
        resume: bool = True,
    ) -> int:
        """A request that stores a state at its end (or at `at`); returns where it resumed."""
        ids, end = np.asarray(tokens, np.int64), len(tokens)
        question = exact_question(end) if exact else {}
        match = cache.match(tokens, usable=lambda held: resume, **question)
        lease = Lease(cache, exact=exact)
        marks = {"tags": question["tags"], "cut_hashes": CUT_HASHES} if exact else {}
        assert lease.open(ids, match, **marks)
        lease.store(lease.take_states((at or end,)), end, "prefill")
        lease.close()
        cache.reader.check()
        return match.resume

    def mark(self, cache: TwoPlaneCache, end: int, **known: Any) -> None:
        for node in cache.reader.checkpoints():
            held = cache.reader.holding(node)
            if len(held.tokens) == end:
                checkpoint = present(held.checkpoint)
                checkpoint.state = replace(checkpoint.state, **known)

    def at(self, cache: TwoPlaneCache, end: int) -> StoredState:
        held = [cache.reader.holding(node) for node in cache.reader.checkpoints()]
        return next(present(h.checkpoint).state for h in held if len(h.tokens) == end)

    @pytest.mark.parametrize(
        ("known", "said"),
        [
            ({"stored": "int8", "error": 0.004}, ("int8", 0.004)),
            ({"stored": "bfloat16", "error": 0.002}, ("bfloat16", 0.002)),
            ({"verdict": Verdict("drifted", 0.07, 1e-3, 0.0)}, ("none", 0.07)),
            (
                {
                    "stored": "int8",
                    "error": 0.004,
                    "verdict": Verdict("drifted", 0.07, 1e-3, 0.0),
                },
                ("int8", 0.07),
            ),
            ({"verdict": Verdict("verified", 0.01, 1e-4, 0.0)}, ("none", 0.0)),
        ],
        ids=["int8", "bfloat16", "drifted", "both", "verified"],
    )
    def test_it_records_what_it_derives_from(
        self, driver: type[Driver], known: dict[str, Any], said: tuple[str, float]
    ) -> None:
        cache = driver().cache
        self.run(cache, A)
        self.mark(cache, len(A), **known)
        assert self.run(cache, [*A, 1, 2]) == len(A)
        first = self.at(cache, len(A) + 2)
        assert (first.stored, first.error) == said
        # The next one gets a verdict of its own later.
        assert first.verdict is None
        assert self.run(cache, [*A, 1, 2, 3]) == len(A) + 2
        second = self.at(cache, len(A) + 3)
        assert (second.stored, second.error) == said

    @pytest.mark.parametrize(
        "known",
        [{"stored": "int8", "error": 0.004}, {"verdict": Verdict("drifted", 0.07, 1e-3, 0.0)}],
        ids=["int8", "drifted"],
    )
    def test_exact_mode_does_not_use_it(self, driver: type[Driver], known: dict[str, Any]) -> None:
        """The chain and the tags alone would permit it: only the label prevents it."""
        cache, longer = driver().cache, [*A, 1, 2]
        self.run(cache, A, exact=True)
        source = self.at(cache, len(A))
        for planted in (False, True):
            if planted:
                self.mark(cache, len(A), **known)
                source = StoredState(1).computed_from(self.at(cache, len(A)))
            lease = Lease(cache, exact=True)
            question = exact_question(len(longer))
            # As a fast run would resume.
            match = cache.match(longer)
            assert match.resume == len(A)
            assert lease.open(
                np.asarray(longer, np.int64), match, tags=question["tags"], cut_hashes=CUT_HASHES
            )
            lease.store(lease.take_states((len(longer),)), len(longer), "prefill")
            lease.close()
            held = self.at(cache, len(longer))
            assert (held.stored, held.error) == (source.stored, source.error)
            found = cache.reader.probe([*longer, 7], **exact_question(len(longer) + 1))
            assert found.resume == (0 if planted else len(longer))
            if not planted:
                cache.drop_all()
                self.run(cache, A, exact=True)

    @pytest.mark.parametrize(
        "known",
        [{"stored": "int8", "error": 0.004}, {"error": 0.07}],
        ids=["int8", "of a drifted one"],
    )
    def test_a_run_from_the_beginning_heals_it(
        self, driver: type[Driver], known: dict[str, Any]
    ) -> None:
        cache = driver().cache
        self.run(cache, A)
        self.mark(cache, len(A), **known)
        assert self.run(cache, A, resume=False) == 0
        healed = self.at(cache, len(A))
        assert (healed.stored, healed.error) == ("none", 0.0)

    def test_a_coarser_one_never_replaces_a_finer_one(self, driver: type[Driver]) -> None:
        order: tuple[dict[str, Any], ...]
        order = ({}, {"error": 0.07}, {"stored": "bfloat16"}, {"stored": "int8"})
        for finer, coarser in itertools.combinations(order, 2):
            cache = driver().cache
            self.run(cache, A[:8])
            self.run(cache, A, resume=False)
            self.mark(cache, 8, **coarser)
            self.mark(cache, len(A), **finer)
            # It resumes at 8 and passes the other's position.
            assert self.run_past(cache, finer, coarser)

    def run_past(
        self, cache: TwoPlaneCache, finer: dict[str, Any], coarser: dict[str, Any]
    ) -> bool:
        lease, longer = Lease(cache, exact=False), [*A, 3]
        match = cache.match(longer, usable=lambda held: held.position == 8)
        assert match.resume == 8
        assert lease.open(np.asarray(longer, np.int64), match)
        lease.store(lease.take_states((len(A),)), len(longer), "prefill")
        lease.close()
        held, wanted = self.at(cache, len(A)), {"stored": "none", "error": 0.0} | finer
        return (held.stored, held.error) == (wanted["stored"], wanted["error"])


CUT_HASHES = {end: 1000 + end for end in range(64)}


def exact_question(end: int) -> dict[str, Any]:
    """The arguments of exact mode: every position may be cut, and all KV has the same tag."""
    return {"cut_hash_at": CUT_HASHES.get, "tags": np.full(end, 5, np.int64)}


def test_what_derives_from_a_state_no_longer_exact_is_evicted_with_it(driver: type[Driver]) -> None:
    """No longer exact: neither is anything computed from it, whatever its chain says."""
    d = driver()
    for promised in (True, False):
        d.cache.drop_all()
        d.run(A, at=[8, 20], cut_hash=7 if promised else None)
        node = next(node for node, end in d.checkpoints().items() if end == 8)
        d.cache.stamp(node, Verdict("drifted", 1e-6, 1e-9, 0.0))
        d.cache.reader.check()
        assert d.positions() == ([8] if promised else [8, 20])
    assert d.cache.reader.evicted["drifted above"] == 1
