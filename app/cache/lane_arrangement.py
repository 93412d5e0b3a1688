"""The tree as lanes along an axis. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from app.cache.axis import Axis
from app.cache.folding import Folding
from app.cache.lane_groups import GroupedBook
from app.cache.layout import Layout, advance, lay_out
from app.cache.table import TableReader
from engine.snapshot import CacheSnapshot


class LaneArrangement:
    """An Arrangement, with lanes that stay where they are while they are not empty.

    Attributes:
        axis: what x means.
        folding: what is folded.
    """

    def __init__(
        self, axis: Axis, folding: Folding | None = None, reader: TableReader | None = None
    ) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self.axis = axis
        self.folding = Folding(on=False) if folding is None else folding
        self._reader = reader or TableReader()
        self._book = GroupedBook()

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        table = self._reader.read(snapshot)
        return lay_out(snapshot, self._book, held, self.axis, self.folding, table)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return advance(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        self._book.follow(was, now)

    def forget(self) -> None:
        self._book.forget()
