"""Taking a sequence in from another tier: room, bytes, then tree; all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from engine.cache.cache import TwoPlaneCache
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.cache.runs import Runs, join, part
from engine.stored_state import StoredState

# A state that cannot be moved is a missed chance, never the end of a request.
MOVE_ERRORS = (MemoryError, OSError, RuntimeError)

# Copies the KV of positions [start, end) into the runs and the state into the slot. Gives what was
# stored, or None where the bytes turned out not to be there.
Fetch = Callable[[int, Runs, int], StoredState | None]


class Intake(StrEnum):
    """How it went."""

    TAKEN = "taken in"
    THERE = "there already"
    NO_ROOM = "no room"
    FAILED = "copy failed"


@dataclass(frozen=True, slots=True)
class Incoming:
    """The tokens of a checkpoint, and how the KV below it was computed.

    Attributes:
        tokens: `[n] int32`.
        tags: `[n] int64`, of the KV of [0, n).
        exact: the checkpoint needs the very KV that was computed with it.
    """

    tokens: Tokens
    tags: Tags
    exact: bool


def take_in(target: TwoPlaneCache, incoming: Incoming, fetch: Fetch) -> Intake:
    """Make `incoming` a checkpoint of `target`, with what it lacks of the KV under it.

    Evicts by the target's policy to make room. Whatever happens, no slot and no lock is left over.
    """
    here = target.reader.probe(incoming.tokens, tags=incoming.tags)
    valid = here.kv_valid if incoming.exact else here.matched
    lock = target.lock(here)
    runs = target.alloc_kv(len(incoming.tokens) - valid)
    slot = target.alloc_state()
    try:
        if runs is None or slot is None:
            return Intake.NO_ROOM
        try:
            state = fetch(valid, tuple(runs), slot)
        except MOVE_ERRORS:
            state = None
        if state is None:
            return Intake.FAILED
        target.insert(
            incoming.tokens,
            join((part(here.runs, 0, valid), runs)),
            owned_from=valid,
            lock=lock,
            tags=incoming.tags,
            prefer_new=incoming.exact,
        )
        runs = None
        target.donate(lock, slot, state)
        slot = None
        return Intake.TAKEN
    finally:
        if runs:
            target.free_kv(runs)
        if slot is not None:
            target.free_state(slot)
        target.unlock(lock)
