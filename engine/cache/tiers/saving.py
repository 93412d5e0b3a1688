"""Saving: what of the device's checkpoints goes into files while nothing else is to be done."""

from __future__ import annotations

from collections.abc import Callable

from engine.cache.cache import TwoPlaneCache
from engine.cache.holding import Holding
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import Disk


class Saver:
    """Hands checkpoints that no file has to the disk, what was used last first.

    Where the disk is too small for all of them, the others are left alone, and nothing is looked
    at again until something changes on the device, or a file that was handed over could not be
    written: an idle engine comes to rest.
    """

    def __init__(
        self, device: TwoPlaneCache, disk: Disk, to_disk: Callable[[Holding], Intake]
    ) -> None:
        """to_disk: saves what a device holds; says how that went."""
        self._device = device
        self._disk = disk
        self._to_disk = to_disk
        # What the device and the disk were at then.
        self._seen: tuple[int, int] | None = None
        # Nodes whose checkpoint no file has, the one that was used last at the end.
        self._unsaved: list[int] = []

    def save_one(self) -> bool:
        """Hand one checkpoint over; False where there is none left, or the disk is not ready."""
        while self._disk.ready and (path := self._next()):
            outcome = self._to_disk(path[0])
            if outcome is Intake.TAKEN:
                return True
        return False

    def unsaved(self) -> list[tuple[Holding, int]]:
        """What would be handed over, the disk permitting, as long as nothing changes.

        With each the position from which its KV is not handed over with another.
        """
        self._look()
        waiting = {node: self._device.reader.holding(node) for node in self._unsaved}
        found = []
        for node, holding in waiting.items():
            above = (waiting[at] for at in self._device.reader.path_of(node)[:-1] if at in waiting)
            found.append((holding, max((len(one.tokens) for one in above), default=0)))
        return found

    def _next(self) -> list[Holding]:
        """The way to what was used last: the holdings to save, the shallowest first, or none.

        What lies on the way comes first, for then what goes on from it shares its KV. It is left
        out where there is no room for both.
        """
        self._look()
        while self._unsaved:
            waiting = set(self._unsaved)
            ids = [
                node for node in self._device.reader.path_of(self._unsaved[-1]) if node in waiting
            ]
            path = [self._device.reader.holding(node) for node in ids]
            while len(path) > 1 and not self._disk.fits(path):
                least = min(range(len(path) - 1), key=lambda at: _used(path[at]))
                del path[least], ids[least]
            # Whatever comes of it, it had its turn.
            self._unsaved.remove(ids[0])
            if len(path) > 1 or self._disk.fits(path):
                return path
        return []

    def _look(self) -> None:
        """Find out what no file has, where the device changed since or a file was not written."""
        now = self._device.version, self._disk.failed
        if self._seen == now:
            return
        self._seen = now
        self._unsaved = [
            node
            for node in self._device.reader.checkpoints()
            if self._wanted(self._device.reader.holding(node))
        ]

    def _wanted(self, holding: Holding) -> bool:
        held = holding.checkpoint
        return held is not None and not held.state.quarantined and not self._disk.has(holding)


def _used(holding: Holding) -> float:
    assert holding.checkpoint is not None, "only checkpoints are saved"
    return holding.checkpoint.used.time
