"""Protocols of the tiers below the device: plain data in, the bytes move behind the scenes.

The tree and its tiers deal in numbers; the implementation of these protocols owns the memory and
the files. A simulated cache implements them with no-ops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engine.cache.extents import Extents
from engine.cache.holding import Holding
from engine.cache.lines import Line
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.snapshot import DiskView
from engine.stored_state import StoredState, TierName


class Mover(Protocol):
    """Copies bytes between the planes of the device and those of the host tier.

    Every method may raise MemoryError, OSError or RuntimeError (a device that is out of memory);
    nothing counts as copied then.
    """

    def kv_to_host(self, device: Extents, host: Extents) -> None: ...

    def kv_to_device(self, host: Extents, device: Extents) -> None: ...

    def state_to_host(self, device: int, host: int) -> float:
        """Returns the largest relative error of what was stored; 0 is exact."""

    def state_to_device(self, host: int, device: int) -> None: ...


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A checkpoint in files, given by the keys of its lineage of segments, first to last.

    `tags`: `[state.position] int64`, of the KV in the files.
    """

    keys: tuple[str, ...]
    tags: Tags
    state: StoredState


class FileCause(StrEnum):
    """Why a file was removed from the disk tier."""

    NO_ROOM = "disk budget"
    DAMAGED = "file damaged"
    GONE = "file deleted"
    REPLACED = "replaced by another process"
    SUPERSEDED = "superseded"
    PARENT_GONE = "what it goes on from is gone"
    NOT_WRITTEN = "could not be written"
    QUARANTINED = "quarantined"
    DROPPED_BY_USER = "dropped by user"
    DELETED = "conversation deleted"


class Disk(Protocol):
    """Segments of sequences in files. Nothing found on a disk raises: it is logged and skipped."""

    def settle(self) -> None:
        """Process what the writer has finished."""

    @property
    def ready(self) -> bool:
        """Whether `save` currently accepts anything; if not, it will later."""

    @property
    def failed(self) -> int:
        """The number of accepted checkpoints that could not be written."""

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        """The deepest usable checkpoint of a prompt; one at its very end needs a hidden row."""

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        """Read the KV of [start, end) into device slots and the state into a device slot.

        False if a file turned out to be damaged or missing; `find` no longer returns it then.
        """

    def has(self, holding: Holding) -> bool:
        """Whether a file has this checkpoint or one as good; updates when it was last used."""

    def fits(self, path: Sequence[Holding]) -> bool:
        """Whether checkpoints of one path, shallowest first, could all be saved.

        Each may only displace what was used before it.
        """

    def save(self, holding: Holding, tier: TierName) -> bool:
        """Copy a checkpoint and the part of its KV that no file has; it is written later.

        `tier` is the tier of the holding's slots. False if it is already stored, if nothing can
        currently be written, or if everything it would displace was used later.
        """

    def lines(self, known: Callable[[Tokens], int], overlap: int, limit: int) -> tuple[Line, ...]:
        """The paths in files, least recently used first, without what is known of each.

        Args:
            known: how many tokens of a path need not be told.
            overlap: tokens before the first that is told.
            limit: tokens of the paths that are looked at, the most recently used first.
        """

    def holds(self, tokens: Tokens) -> bool:
        """Whether a file has, or soon will have, the checkpoint after exactly these tokens."""

    def remove(self, tokens: Tokens, beyond: int) -> None:
        """Remove what was found wrong after exactly these tokens, and whatever may derive from it.

        That is every path through their end, and every checkpoint on this path beyond position
        `beyond` that no audit verified, with all its descendants.
        """

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        """Remove every sequence that begins with `tokens`, written or not."""

    def clear(self) -> None:
        """Remove every file."""

    def view(self) -> DiskView:
        """Files and bytes, as of the last `settle`."""
