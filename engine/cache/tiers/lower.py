"""What the tiers below the device must be able to do: plain data in, bytes moved out of sight.

The tree and its tiers deal in numbers; whoever implements these protocols owns the memory and the
files. A simulated cache implements them with nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engine.cache.holding import Holding
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.cache.runs import Runs
from engine.cache.view.overlay import LayerNode
from engine.snapshot import DiskView
from engine.stored_state import StoredState, TierName


class Mover(Protocol):
    """Copies bytes between the planes of the device and those of the host tier.

    Every method may raise MemoryError, OSError or RuntimeError (a device that is out of memory);
    nothing counts as copied then.
    """

    def kv_to_host(self, device: Runs, host: Runs) -> None: ...

    def kv_to_device(self, host: Runs, device: Runs) -> None: ...

    def state_to_host(self, device: int, host: int) -> float:
        """Returns the largest relative error of what was stored; 0 is exact."""

    def state_to_device(self, host: int, device: int) -> None: ...


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A checkpoint in files, by the keys of its chain of segments, the first one first.

    `tags`: `[state.position] int64`, of the KV in the files.
    """

    keys: tuple[str, ...]
    tags: Tags
    state: StoredState


class FileCause(StrEnum):
    """Why a file left the disk tier."""

    NO_ROOM = "disk budget"
    DAMAGED = "file damaged"
    REPLACED = "replaced by another process"
    SUPERSEDED = "superseded"
    PARENT_GONE = "what it goes on from is gone"
    NOT_WRITTEN = "could not be written"
    QUARANTINED = "quarantined"
    DROPPED_BY_USER = "dropped by user"


class Disk(Protocol):
    """Segments of sequences in files. Nothing found on a disk raises: it is named and skipped."""

    @property
    def version(self) -> int:
        """Grows with every visible change."""

    @property
    def ready(self) -> bool:
        """Whether `save` takes something at present; where not, it will later."""

    @property
    def failed(self) -> int:
        """How many of those that `save` took could not be written."""

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        """The deepest usable checkpoint of a prompt; one at its very end needs a hidden row."""

    def restore(self, found: OnDisk, start: int, runs: Runs, slot: int) -> bool:
        """Read the KV of [start, end) into device slots and the state into a device slot.

        False where a file turned out to be damaged or gone; it is no longer found then.
        """

    def has(self, holding: Holding) -> bool:
        """Whether a file has this checkpoint, or one as good; notes when it was last used."""

    def fits(self, path: Sequence[Holding]) -> bool:
        """Whether checkpoints of one path, the shallowest first, could all be saved.

        Each may take the place only of what was used before it.
        """

    def save(self, holding: Holding, tier: TierName) -> bool:
        """Copy a checkpoint and what of its KV no file has yet; the writing happens later.

        `tier` says whose slots the holding names. False where it is there already, where nothing
        can be written at present, and where all that would have to go for it was used later.
        """

    def holds(self, tokens: Tokens) -> bool:
        """A file has, or soon will have, the checkpoint after exactly these tokens."""

    def remove(self, tokens: Tokens, beyond: int) -> None:
        """Remove what was found wrong after exactly these tokens, and what may come of it.

        That is everything whose path goes through their end, and what of this path ends beyond
        position `beyond` and no audit found right, with all that goes on from it.
        """

    def clear(self) -> None:
        """Remove every file."""

    def layer(self) -> Iterable[LayerNode]:
        """The segments for the overlay, parents before those that hang under them."""

    def view(self) -> DiskView:
        """Files and bytes."""
