"""The tree as an icicle: bytes to the right, levels downward. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from app.cache.axis import spread
from app.cache.folding import Folding
from app.cache.icicle import Icicle, hang, own_bytes, standing
from app.cache.layout import Layout, moved_on, placed
from app.cache.stretches import build_stretches
from app.cache.table import TableReader
from engine.snapshot import CacheSnapshot

# The smallest box can be made so wide, in pixels.
_CLOSEST_PX = 240.0


class IcicleArrangement:
    """An Arrangement.

    Attributes:
        icicle: of the last layout.
    """

    def __init__(self, folding: Folding, reader: TableReader | None = None) -> None:
        """reader: shared by all arrangements that show the same snapshots."""
        self._folding = folding
        self._reader = reader or TableReader()
        self.icicle: Icicle | None = None

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        whole = self._reader.read(snapshot)
        folded = self._folding.apply(whole)
        (kv, state), table = own_bytes(snapshot, whole), folded.table
        # A chip weighs what its nodes do; of a chain, what hangs below it is not its own.
        rank = folded.least(standing(whole))
        made = hang(table, folded.sums(kv), folded.sums(state), rank)
        weights = made.weights
        self.icicle = made
        left = made.left.astype(np.float64)
        right = (made.left + weights.whole).astype(np.float64)
        scale = spread(table, build_stretches(table, snapshot), left, right)
        bytes_seen = weights.whole[weights.whole > 0]
        closest = _CLOSEST_PX / float(bytes_seen.min(initial=2**62)) if len(bytes_seen) else 1.0
        return replace(placed(snapshot, folded, scale, made.depth, closest), pointed=False)

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        return moved_on(before, snapshot)

    def follow(self, was: int, now: int) -> None:
        """Places depend on the tree alone."""

    def forget(self) -> None:
        """There is nothing to forget."""
