"""What begins with a given prefix leaves every tier, and nothing else does."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engine.cache.cache import TwoPlaneCache
from engine.cache.eviction.cause import Cause
from engine.cache.tiers.lower import FileCause
from tests.engine.cache.tiers.three_tiers import Looked, Prefix, ThreeTiers

# Enough room that nothing is evicted, so that the sequences asked for are all there.
ROOM: dict[str, Any] = {"device": (6000, 200), "host": (6000, 200), "files": 200}
TIGHT: dict[str, Any] = {"device": (300, 5), "host": (500, 8), "files": 20}
Held = set[tuple[str, Prefix]]


def tree_sequences(cache: TwoPlaneCache) -> set[Prefix]:
    """Every path from the root to the end of a node."""
    nodes = [node.id for node in cache.reader.nodes() if node.parent is not None]
    return {tuple(cache.reader.holding(node).tokens.tolist()) for node in nodes}


def tree_states(cache: TwoPlaneCache) -> set[Prefix]:
    return {tuple(cache.reader.holding(n).tokens.tolist()) for n in cache.reader.checkpoints()}


def states(on: ThreeTiers) -> Held:
    """The checkpoints of all tiers."""
    assert on.host is not None
    assert on.disk is not None
    held = {("device", one) for one in tree_states(on.cache)}
    held |= {("host", one) for one in tree_states(on.host)}
    return held | {("disk", one) for one in on.disk.files}


def sequences(on: ThreeTiers) -> Held:
    """Everything with tokens on any tier."""
    assert on.host is not None
    assert on.disk is not None
    held = {("device", one) for one in tree_sequences(on.cache)}
    held |= {("host", one) for one in tree_sequences(on.host)}
    return held | {("disk", one) for one in on.disk.files}


def check_forgotten(on: ThreeTiers, prefix: Prefix, before: Held) -> None:
    """The naive computation: of the states before, those stay that do not begin so."""
    size = len(prefix)
    assert {one for one in sequences(on) if one[1][:size] == prefix} == set()
    assert states(on) == {one for one in before if one[1][:size] != prefix}
    on.verify()


def conversations(rng: random.Random) -> list[Prefix]:
    """Prompts that share beginnings of many lengths."""
    made: list[Prefix] = []
    for _ in range(12):
        start = rng.choice(made)[: rng.randrange(1, 60)] if made and rng.random() < 0.8 else ()
        rest = tuple(rng.randrange(1000) for _ in range(rng.randrange(20, 80)))
        made.append((*start, *rest))
    return made


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("room", [ROOM, TIGHT], ids=["roomy", "tight"])
def test_exactly_what_begins_so_goes(seed: int, room: dict[str, Any]) -> None:
    rng = random.Random(seed)
    on = ThreeTiers(**room)
    prompts = conversations(rng)
    for prompt in prompts:
        on.run(prompt, anchors=(rng.randrange(4, 18),), decode=(7, 8))
        if rng.random() < 0.5:
            on.tiers.save()
        if rng.random() < 0.3:
            on.cache.evict_state(2)
    for _ in range(6):
        prompt = rng.choice(prompts)
        prefix = prompt[: rng.randrange(1, len(prompt) + 1)]
        before = states(on)
        on.tiers.forget(prefix)
        check_forgotten(on, prefix, before)
    on.run(prompts[0])
    on.verify()


@pytest.mark.parametrize("tier", ["device", "host", "disk"])
def test_the_check_notices_a_tier_that_keeps_it(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on = ThreeTiers(**ROOM)
    prompt = tuple(range(40))
    on.run(prompt, anchors=(20,))
    on.tiers.save()
    on.cache.evict_state(1)
    on.run((*prompt, 77))
    before = states(on)
    assert {name for name, _ in before} == {"device", "host", "disk"}
    if tier == "disk":
        monkeypatch.setattr(on.disk, "forget", lambda tokens: None)
    else:
        kept = on.cache if tier == "device" else on.host
        monkeypatch.setattr(kept, "drop_passing", lambda tokens, cause: 0)
    on.tiers.forget(prompt[:10])
    with pytest.raises(AssertionError):
        check_forgotten(on, prompt[:10], before)


def test_what_lies_above_stays_with_its_state() -> None:
    on = ThreeTiers(**ROOM)
    system = tuple(range(100, 130))
    on.run((*system, *range(200, 240)), anchors=(30,))
    on.run((*system, *range(300, 340)), anchors=(30,))
    on.tiers.forget((*system, 200))
    assert on.cache.reader.probe((*system, 5)).resume == 30
    assert on.cache.reader.probe((*system, *range(300, 340), 1)).resume == 70
    assert on.cache.reader.probe((*system, *range(200, 240), 1)).matched == 30


def test_a_prefix_that_nothing_begins_with_changes_nothing() -> None:
    on = ThreeTiers(**ROOM)
    on.run(tuple(range(40)))
    before, version = states(on), on.cache.version
    on.tiers.forget((*range(39), 99))
    on.tiers.forget((*range(40), 1))
    assert (states(on), on.cache.version) == (before, version)


def test_every_eviction_names_the_cause() -> None:
    on = ThreeTiers(**ROOM)
    on.run(tuple(range(40)), anchors=(20,))
    on.tiers.save()
    looked = Looked(on)
    on.tiers.forget(np.arange(10))
    told = {(gone.tier, gone.cause) for gone in looked.look().evictions}
    assert told == {("device", str(Cause.DELETED)), ("disk", str(FileCause.DELETED))}
    assert on.tiers.held_bytes() == 0
