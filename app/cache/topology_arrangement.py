"""The tree as a tidy tree, in the units of its own picture. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from app.cache.axis import spread as spread_evenly
from app.cache.folding import Folding
from app.cache.icicle import standing
from app.cache.layout import Layout, moved_on, placed
from app.cache.stretches import build_stretches
from app.cache.table import TableReader
from app.cache.tidy_book import TidyBook
from app.cache.topology import spread
from engine.snapshot import CacheSnapshot

# A box at twice its size shows nothing more.
_CLOSEST = 2.0


class TopologyArrangement:
    """An Arrangement."""

    def __init__(self, folding: Folding, reader: TableReader | None = None) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self._folding = folding
        self._reader = reader or TableReader()
        self._book = TidyBook()

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        whole = self._reader.read(snapshot)
        folded = self._folding.apply(whole)
        table = folded.table
        made = spread(table, folded.least(standing(whole)), self._book)
        scale = spread_evenly(table, build_stretches(table, snapshot), made.left, made.right)
        return placed(snapshot, folded, scale, made.lane, _CLOSEST)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return moved_on(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        """Places depend on the tree alone."""

    def forget(self) -> None:
        """There is nothing to forget."""
