"""Eviction policies: pure functions from plain facts to a value; the lowest value goes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.errors import CacheError


@dataclass(frozen=True, slots=True)
class CheckpointFacts:
    """One checkpoint that could be evicted.

    Attributes:
        position: tokens it stands for.
        replay: tokens from the nearest *live* ancestor checkpoint (or 0) to here: what a request
            that resumes here would have to run again without it.
        diverging: how likely a next prompt parts from what is cached between here and the next live
            checkpoints below; freshness times the share of the path that lies there, summed over
            branches.
        continuing: how likely a next prompt goes on from here; 0 where a live checkpoint is below.
        heat: decayed count of how often it was consumed.
        consumed: serial of the operation that last consumed (or stored) it.
    """

    position: int
    replay: int
    diverging: float
    continuing: float
    heat: float
    consumed: int


@dataclass(frozen=True, slots=True)
class LeafFacts:
    """One leaf whose KV, and checkpoint with it, could be evicted.

    Attributes:
        slots: KV slots that come free, with the bare tombstones above it.
        checkpoint: facts of its checkpoint.
        used: serial of the operation that last went through it.
    """

    slots: int
    checkpoint: CheckpointFacts
    used: int


class Policy(Protocol):
    """What decides; has no state and sees no tree."""

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        """What a checkpoint is worth to the state plane."""

    def leaf_value(self, facts: LeafFacts) -> float:
        """What a leaf is worth to the KV plane."""


class Lru:
    """Least recently used first, for each plane by its own recency."""

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        return float(facts.consumed)

    def leaf_value(self, facts: LeafFacts) -> float:
        return float(facts.used)


# Weights of the three ways to resume at a checkpoint, against going on from a path's end. Found by
# replaying seeded traces of plain, edited, branched and mixed chats at 6 to 80 slots.
PARTING_WEIGHT = 4.0
HEAT_WEIGHT = 0.2


class Coverage:
    """Fewest expected replay tokens per byte first.

    expected replay = tokens back to the nearest live ancestor checkpoint, times how likely a prompt
    resumes here: it parts in the stretch that this checkpoint covers, it continues from here, or
    it does again what it did before (heat). Among equals a path is thinned evenly, so its shallow
    checkpoints are never the first to go as a block. Bytes are those of the plane under pressure:
    one state slot each, or the KV slots that come free.
    """

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        chance = PARTING_WEIGHT * facts.diverging + facts.continuing + HEAT_WEIGHT * facts.heat
        return facts.replay * chance

    def leaf_value(self, facts: LeafFacts) -> float:
        return self.checkpoint_value(facts.checkpoint) / facts.slots


POLICIES: dict[str, type[Lru] | type[Coverage]] = {"lru": Lru, "coverage": Coverage}


def make_policy(name: str) -> Policy:
    """The policy called `name`. Raises CacheError where there is none."""
    if name not in POLICIES:
        known = ", ".join(f'"{known}"' for known in sorted(POLICIES))
        raise CacheError(f'There is no eviction policy "{name}"; choose one of {known}.')
    return POLICIES[name]()
