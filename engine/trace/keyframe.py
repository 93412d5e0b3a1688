"""A whole cache state, packed: what a tape goes back to when it is asked for an earlier moment."""

from __future__ import annotations

import marshal
import zlib
from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from engine.cache.journal.segments import DiskOpened
from engine.snapshot import LiveView
from engine.stored_state import StoredState
from engine.trace.cache_state import CacheState
from engine.trace.disk_state import DiskState
from engine.trace.spans import HeldState, Span
from engine.trace.tier_state import Beside, Sizes, TierState


@dataclass(frozen=True, slots=True, eq=False)
class _Tier:
    """One tier: its totals, its nodes as packed numbers, and what those share with other frames."""

    opened: Any
    evicted: dict[str, int]
    skipped: int
    sizes: Sizes
    live: Sizes
    beside: Beside
    numbers: bytes
    tokens: list[bytes]
    states: list[StoredState]


@dataclass(frozen=True, slots=True, eq=False)
class _Disk:
    """The disk tier in the same way."""

    opened: DiskOpened
    damaged: int
    trouble: str
    waiting: frozenset[int]
    numbers: bytes
    tokens: list[bytes]
    states: list[StoredState]


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """A state after so many entries. Immutable, and shares nothing that changes."""

    seq: int
    time: float
    live: LiveView | None
    quarantined: int
    tiers: dict[str, _Tier]
    disk: _Disk | None

    @classmethod
    def of(cls, state: CacheState) -> Keyframe:
        tiers = {name: _packed(tier) for name, tier in state.tiers.items()}
        disk = _packed_disk(state.disk)
        return cls(state.seq, state.time, state.live, state.quarantined, tiers, disk)

    def restore(self, state: CacheState) -> None:
        """Put the state into a fresh one, whose watchers are told of every node."""
        state.seq, state.time = self.seq, self.time
        state.live, state.quarantined = self.live, self.quarantined
        for name, packed in self.tiers.items():
            _unpack(packed, state.tier(name))
        if self.disk is not None:
            _unpack_disk(self.disk, state.disk)

    @property
    def nbytes(self) -> int:
        """Bytes of its own; tokens and states are shared with other frames."""
        parts = (*self.tiers.values(), *(() if self.disk is None else (self.disk,)))
        return sum(len(part.numbers) + 8 * (len(part.tokens) + len(part.states)) for part in parts)


def _packed(tier: TierState) -> _Tier:
    spans = tier.in_order()
    return _Tier(
        opened=tier.opened,
        evicted=dict(tier.evicted),
        skipped=tier.skipped,
        sizes=tier.sizes,
        live=tier.live_slots,
        beside=tier.beside,
        numbers=_numbers(spans),
        tokens=[span.tokens for span in spans],
        states=_states(spans),
    )


def _unpack(packed: _Tier, tier: TierState) -> None:
    tier.opened, tier.evicted, tier.skipped = packed.opened, Counter(packed.evicted), packed.skipped
    tier.sizes, tier.live_slots, tier.beside = packed.sizes, packed.live, packed.beside
    tier.restore(_spans(packed))


def _packed_disk(disk: DiskState) -> _Disk | None:
    if disk.opened is None:
        return None
    spans = disk.in_order()
    return _Disk(
        opened=disk.opened,
        damaged=disk.damaged,
        trouble=disk.trouble,
        waiting=frozenset(span.id for span in spans if disk.waits(span)),
        numbers=_numbers(spans),
        tokens=[span.tokens for span in spans],
        states=_states(spans),
    )


def _unpack_disk(packed: _Disk, disk: DiskState) -> None:
    disk.damaged, disk.trouble = packed.damaged, packed.trouble
    spans = _spans(packed)
    for span in spans:
        # Its own restoring counts them.
        span.children = 0
    disk.restore(packed.opened, spans, set(packed.waiting))


def _numbers(spans: list[Span]) -> bytes:
    """The numbers of all spans, column by column: so they are made again the fastest."""
    fields = [[get(span) for span in spans] for get in _OF_SPAN]
    held = [(place, span.held) for place, span in enumerate(spans) if span.held is not None]
    places = [place for place, _ in held]
    points = [[get(point) for _, point in held] for get in _OF_STATE]
    return zlib.compress(marshal.dumps((fields, places, points)), 1)


def _states(spans: list[Span]) -> list[StoredState]:
    return [span.held.state for span in spans if span.held is not None]


def _spans(packed: _Tier | _Disk) -> list[Span]:
    fields, places, points = marshal.loads(zlib.decompress(packed.numbers))
    held: list[HeldState | None] = [None] * len(packed.tokens)
    for place, point in zip(places, map(HeldState, packed.states, *points), strict=True):
        held[place] = point
    *known, children = fields
    return list(map(Span, *known, held, children, packed.tokens))


# In the order in which Span and HeldState take them.
_OF_SPAN = tuple(
    attrgetter(name)
    for name in (
        "id",
        "parent",
        "start",
        "end",
        "created",
        "last_used",
        "hits",
        "kv_lock",
        "state_lock",
        "pinned",
        "children",
    )
)
_OF_STATE = tuple(attrgetter(name) for name in ("slot", "created", "last_used", "hits", "nbytes"))
