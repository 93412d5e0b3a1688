"""Copies of one state, the price of a fork and of a restore."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import partial

from engine.bench.machine import seconds
from engine.planes import LIVE_SLOT
from engine.run.core import Core

# Enough states besides the live one that a copy reads its source from memory, not from a cache.
COPIED_STATES = 16
COPY_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class StateCopies:
    """Copies of one state slot; rates count bytes read plus bytes written.

    Attributes:
        restore: checkpoint to live slot; fork: live slot to checkpoint.
        of_copy_rate: the slower rate of the two as a share of a large copy's.
    """

    slot_bytes: int
    restore_s: float
    restore_bytes_s: float
    fork_s: float
    fork_bytes_s: float
    of_copy_rate: float


def state_copies(core: Core) -> tuple[int, float, float]:
    """Bytes of a slot, and median seconds of a restore and of a fork.

    Measured on a separate state plane, so that no cached state is touched.
    """
    model = core.model
    states = model.make_state_plane(1 + COPIED_STATES)
    slots = range(1, 1 + COPIED_STATES)
    for slot in slots:
        # Pages that were never written would all be read from a single page of zeros.
        states.copy(LIVE_SLOT, slot)
    restores, forks = [], []
    for _ in range(COPY_ROUNDS):
        restores += [seconds(partial(states.copy, s, LIVE_SLOT), model.device) for s in slots]
        forks += [seconds(partial(states.copy, LIVE_SLOT, s), model.device) for s in slots]
    return states.slot_bytes, statistics.median(restores), statistics.median(forks)


def copies_of(slot_bytes: int, restore_s: float, fork_s: float, copy_bytes_s: float) -> StateCopies:
    """The copies' times compared with the machine's copy rate."""
    moved = 2 * slot_bytes
    return StateCopies(
        slot_bytes=slot_bytes,
        restore_s=restore_s,
        restore_bytes_s=moved / restore_s,
        fork_s=fork_s,
        fork_bytes_s=moved / fork_s,
        of_copy_rate=moved / max(restore_s, fork_s) / copy_bytes_s,
    )
