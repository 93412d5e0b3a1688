"""Bytes of the disk tier over time, in the form of the other tiers' levels. Without Qt."""

from __future__ import annotations

from app.debug.timeline.growing import Growing
from app.debug.timeline.levels import Levels
from engine.cache.journal.segments import DiskOpened
from engine.trace.file_bytes import FileBytes
from engine.trace.tape import Tape


class FileLevels:
    """Follows the entries of the disk tier; empty for a tape that knows nothing of its files.

    What a file holds besides KV counts as state. There is one budget for all, which stands where
    the other tiers have that of KV.
    """

    def __init__(self) -> None:
        self._files = FileBytes()
        self._rows = Growing(5, "q")
        self._times = Growing(1, "d")
        self._budgets = Growing(3, "d")
        self._top = 0

    def levels(self) -> Levels:
        """All rows so far."""
        rows, padded = self._rows.rows, self._rows.padded
        times, budgets = self._times.rows[:, 0], self._budgets.rows
        return Levels(times, rows[:, 0], rows[:, 1:], budgets, self._top, padded[:, 1:])

    def follow(self, index: int, time: float, what: object) -> None:
        """Take over an entry; whatever changes no bytes is ignored."""
        if not self._files.follow(what):
            return
        if isinstance(what, DiskOpened):
            self._allow(time, what.budget_bytes)
        self._note(index, time)

    def resume(self, index: int, time: float, tape: Tape) -> None:
        """Go on with the files as a tape has them at a moment; what came before is not known."""
        snapshot, series = tape.snapshot(index), tape.series()
        if snapshot.disk is None:
            return
        row = int(series.index.searchsorted(index, side="right")) - 1
        kv, rest = (int(series.bytes["disk", plane][row]) for plane in ("kv", "state"))
        budget = snapshot.disk.budget_bytes
        self._files.resume(DiskOpened(budget, snapshot.kv.slot_bytes), kv, rest)
        self._allow(time, budget)
        self._note(index, time)

    def _note(self, index: int, time: float) -> None:
        kv = self._files.kv
        whole = kv + self._files.rest
        self._times.add((time,))
        self._rows.add((index, kv, kv, whole, whole))
        self._top = max(self._top, whole)

    def _allow(self, time: float, budget: int) -> None:
        self._budgets.add((time, budget, 0))
        self._top = max(self._top, budget)
