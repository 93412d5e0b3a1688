"""The interface of an arrangement, the half of a view that places nodes. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from app.cache.logic.layout import Layout
from engine.snapshot import CacheSnapshot


class Arrangement(Protocol):
    """Makes layouts: places in world units, which the viewport maps to pixels.

    Each arrangement chooses its horizontal unit (tokens, bytes, ...); the vertical one is a lane.
    It may remember places, so that nothing jumps from one snapshot to the next.
    """

    def lay_out(
        self, snapshot: CacheSnapshot, held: Iterable[tuple[int, float, float]] = ()
    ) -> Layout:
        """Place every node.

        Args:
            held: lane, left and right of what is on screen besides the tree, in these units.
        """
        ...

    def advance(self, before: Layout, snapshot: CacheSnapshot) -> Layout | None:
        """`before` with only the running request moved on; None if more than that changed."""
        ...

    def follow(self, was: int, now: int) -> None:
        """Transfer remembered places from a node's old id to its new one."""
        ...

    def forget(self) -> None:
        """Forget remembered places: the next layout is as tidy as it can be."""
        ...
