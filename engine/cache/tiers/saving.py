"""Selects which of the device's checkpoints to save to disk while the engine is idle."""

from __future__ import annotations

from collections.abc import Callable

from engine.cache.cache import TwoPlaneCache
from engine.cache.holding import Holding
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import Disk


class Saver:
    """Saves checkpoints that no file has, most recently used first.

    If the disk is too small for all of them, the rest are skipped, and nothing is examined again
    until something changes on the device or a file could not be written: an idle engine comes to
    rest.
    """

    def __init__(
        self, device: TwoPlaneCache, disk: Disk, to_disk: Callable[[Holding], Intake]
    ) -> None:
        """to_disk: saves a holding of the device; returns the outcome."""
        self._device = device
        self._disk = disk
        self._to_disk = to_disk
        # Versions of the device and the disk at the last scan.
        self._seen: tuple[int, int] | None = None
        # Nodes whose checkpoint no file has, most recently used last.
        self._unsaved: list[int] = []

    def save_one(self) -> bool:
        """Save one checkpoint; False if none is left or the disk is not ready."""
        while self._disk.ready and (path := self._next()):
            outcome = self._to_disk(path[0])
            if outcome is Intake.TAKEN:
                return True
        return False

    def unsaved(self) -> list[tuple[Holding, int]]:
        """What would be saved, disk permitting, if nothing changes.

        With each, the position from which its KV is not already saved with another one.
        """
        self._look()
        waiting = {node: self._device.reader.holding(node) for node in self._unsaved}
        found = []
        for node, holding in waiting.items():
            above = (waiting[at] for at in self._device.reader.path_of(node)[:-1] if at in waiting)
            found.append((holding, max((len(one.tokens) for one in above), default=0)))
        return found

    def _next(self) -> list[Holding]:
        """The holdings to save up to the most recently used one, shallowest first; or none.

        Ancestors come first, so that their descendants share their KV. They are omitted if there is
        no room for both.
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
            # Whatever the outcome, do not try it again.
            self._unsaved.remove(ids[0])
            if len(path) > 1 or self._disk.fits(path):
                return path
        return []

    def _look(self) -> None:
        """Find what no file has, if the device has changed or a file could not be written."""
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
