"""What the tiers below the device must be able to do: plain data in, bytes moved out of sight.

The tree and its tiers deal in numbers; whoever implements these protocols owns the memory and the
files. A simulated cache implements them with nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from engine.cache.holding import Holding
from engine.cache.match import Tags
from engine.cache.node import Origin, Provenance, TierName, Tokens
from engine.cache.overlay import LayerNode
from engine.cache.runs import Runs
from engine.snapshot import DiskView


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
    """A checkpoint that lies in files, by the keys of its chain of segments, the first one first.

    Attributes:
        end: position of the checkpoint, in tokens.
        tags: `[end] int64`, of the KV in the files.
    """

    keys: tuple[str, ...]
    end: int
    tags: Tags
    provenance: Provenance
    chain: int | None
    has_hidden: bool
    origin: Origin

    @property
    def exact(self) -> bool:
        """See Checkpoint.exact."""
        return self.origin.exact(self.provenance, self.chain)


class Disk(Protocol):
    """Segments of sequences in files. Nothing found on a disk raises: it is named and skipped."""

    @property
    def version(self) -> int:
        """Grows with every visible change."""

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        """The deepest usable checkpoint of a prompt; one at its very end needs a hidden row."""

    def restore(self, found: OnDisk, start: int, runs: Runs, slot: int) -> bool:
        """Read the KV of [start, end) into device slots and the state into a device slot.

        False where a file turned out to be damaged or gone; it is no longer found then.
        """

    def save(self, holding: Holding, tier: TierName) -> bool:
        """Copy a checkpoint and what of its KV no file has yet; the writing happens later.

        `tier` says whose slots the holding names. False where it is there already or cannot be.
        """

    def remove(self, tokens: Tokens) -> None:
        """Remove the checkpoint after exactly these tokens, and what goes on from it."""

    def clear(self) -> None:
        """Remove every file."""

    def layer(self) -> Iterable[LayerNode]:
        """The segments for the overlay, parents before those that hang under them."""

    def view(self) -> DiskView:
        """Files and bytes."""
