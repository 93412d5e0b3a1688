"""Takes in a sequence from another tier: room, bytes, then the tree; all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engine.cache.cache import TwoPlaneCache
from engine.cache.extents import Extents, join, part
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.stored_state import StoredState

# A state that cannot be moved is a missed opportunity, never the end of a request.
MOVE_ERRORS = (MemoryError, OSError, RuntimeError)

# Copies the KV of positions [start, end) into the extents and the state into the slot. Returns what
# was stored, or None if the bytes turned out to be missing.
Fetch = Callable[[int, Extents, int], StoredState | None]


class Intake(StrEnum):
    """The outcome of a copy between tiers."""

    TAKEN = "taken in"
    PRESENT = "there already"
    NO_ROOM = "no room"
    FAILED = "copy failed"


@dataclass(frozen=True, slots=True)
class Incoming:
    """The tokens of a checkpoint, and how the KV below it was computed.

    Attributes:
        tokens: `[n] int32`.
        tags: `[n] int64`, of the KV of [0, n).
        exact: the checkpoint needs exactly the KV that was computed with it.
        one_shot: only one-shot requests used it; see Node.
    """

    tokens: Tokens
    tags: Tags
    exact: bool
    one_shot: bool = False


def take_in(target: TwoPlaneCache, incoming: Incoming, fetch: Fetch) -> Intake:
    """Make `incoming` a checkpoint of `target`, with the KV below it that `target` lacks.

    Evicts by the target's policy to make room. Whatever happens, no slot and no lock leaks.
    """
    on_target = target.reader.probe(incoming.tokens, tags=incoming.tags)
    valid = on_target.kv_valid if incoming.exact else on_target.matched
    lock = target.lock(on_target)
    extents = target.alloc_kv(len(incoming.tokens) - valid)
    slot = target.alloc_state()
    try:
        if extents is None or slot is None:
            return Intake.NO_ROOM
        try:
            state = fetch(valid, tuple(extents), slot)
        except MOVE_ERRORS:
            state = None
        if state is None:
            return Intake.FAILED
        target.insert(
            incoming.tokens,
            join((part(on_target.extents, 0, valid), extents)),
            owned_from=valid,
            lock=lock,
            tags=incoming.tags,
            prefer_new=incoming.exact,
            one_shot=incoming.one_shot,
        )
        extents = None
        target.donate(lock, slot, state)
        slot = None
        return Intake.TAKEN
    finally:
        if extents:
            target.free_kv(extents)
        if slot is not None:
            target.free_state(slot)
        target.unlock(lock)
