"""Eviction policies: pure functions from plain facts to a worth; the lowest goes first."""

from __future__ import annotations

from collections.abc import Sequence
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
        chance: how likely a prompt that comes back to this path resumes here; where checkpoints
            between here and the next live ones below are gone, it resumes here in their place.
        rate: matches that go through here per match, where that is more than recency says.
        consumed: serial of the operation that last consumed (or stored) it.
    """

    position: int
    replay: int
    chance: float
    rate: float
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


@dataclass(frozen=True, slots=True)
class Field:
    """What a worth is seen against.

    Attributes:
        oldest: matches since the candidate was used that nobody used for longer.
        most: the largest worth among the candidates.
        ratios: by `age.bit_length()`, how much likelier a return is than a hyperbola says.
    """

    oldest: int
    most: float
    ratios: Sequence[float]


class Policy(Protocol):
    """What decides; has no state and sees no tree.

    Attributes:
        fades: whether a worth depends on the time since the last use.
    """

    fades: bool

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        """What a checkpoint is worth to the state plane when just used."""

    def leaf_value(self, facts: LeafFacts) -> float:
        """What a leaf is worth to the KV plane when just used."""

    def faded(self, worth: float, age: int, field: Field) -> float:
        """What it is worth `age` matches later; grows with `worth`, falls with `age`."""


class Lru:
    """Least recently used first, for each plane by its own recency."""

    fades = False

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        return float(facts.consumed)

    def leaf_value(self, facts: LeafFacts) -> float:
        return float(facts.used)

    def faded(self, worth: float, age: int, field: Field) -> float:
        return worth


# Where attention over what went before costs as much as all the rest of a token: 9B shape.
EVEN_CONTEXT = 137_000
# Marconi tunes its alpha for every workload; this one did best over all of ours.
ALPHA = 2.0


class Flops:
    """Recency plus the FLOPs saved per byte, both normalised: the idea of Marconi (MLSys 2025).

    What is saved counts from the nearest live ancestor checkpoint.
    """

    fades = True

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        middle = facts.position - facts.replay / 2
        return facts.replay * (1.0 + middle / EVEN_CONTEXT)

    def leaf_value(self, facts: LeafFacts) -> float:
        return self.checkpoint_value(facts.checkpoint) / facts.slots

    def faded(self, worth: float, age: int, field: Field) -> float:
        recency = 1.0 - age / max(field.oldest, 1)
        return recency + ALPHA * worth / max(field.most, 1e-9)


# A path that so many matches passed by is half as likely to be the next.
HALF_LIFE_MATCHES = 5


class Coverage:
    """Fewest expected replay tokens per byte first.

    Expected replay: tokens back to the nearest live ancestor checkpoint, times how likely a prompt
    that comes back to this path resumes here, times how likely the path is the next one that a
    prompt comes back to. The first is a fact, the second is learned online (see habits.py), the
    third falls hyperbolically with age, since times between uses of a chat are heavy-tailed. Among
    equals a path is thinned evenly, so its shallow checkpoints are never the first to go as a
    block. Bytes are those of the plane under pressure: one state slot each, or the KV slots that
    come free.
    """

    fades = True

    def checkpoint_value(self, facts: CheckpointFacts) -> float:
        return facts.replay * facts.chance * max(1.0, facts.rate * HALF_LIFE_MATCHES)

    def leaf_value(self, facts: LeafFacts) -> float:
        return self.checkpoint_value(facts.checkpoint) / facts.slots

    def faded(self, worth: float, age: int, field: Field) -> float:
        return worth * field.ratios[age.bit_length()] / (HALF_LIFE_MATCHES + age)


POLICIES: dict[str, type[Lru] | type[Flops] | type[Coverage]] = {
    "coverage": Coverage,
    "flops": Flops,
    "lru": Lru,
}


def make_policy(name: str) -> Policy:
    """The policy called `name`. Raises CacheError where there is none."""
    if name not in POLICIES:
        known = ", ".join(f'"{known}"' for known in sorted(POLICIES))
        raise CacheError(f'There is no eviction policy "{name}"; choose one of {known}.')
    return POLICIES[name]()
