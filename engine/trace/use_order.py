"""Nodes in the order of their last use."""

from __future__ import annotations

from bisect import bisect_left, insort


class UseOrder:
    """Nodes by the time of their last use, the longest unused first."""

    def __init__(self) -> None:
        self._used: dict[int, float] = {}
        self._order: list[tuple[float, int]] = []

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, node: int) -> bool:
        return node in self._used

    def put(self, node: int, used: float) -> None:
        """Enter a node, or move it to another time."""
        if self._used.get(node) == used:
            return
        self.drop(node)
        self._used[node] = used
        insort(self._order, (used, node))

    def drop(self, node: int) -> None:
        """Remove a node, if it is in."""
        used = self._used.pop(node, None)
        if used is not None:
            del self._order[bisect_left(self._order, (used, node))]

    def rank(self, node: int) -> int:
        """Its place, from 1; nodes of the same time share the first one's. 0 if it is not in."""
        used = self._used.get(node)
        return 0 if used is None else bisect_left(self._order, (used, -1)) + 1
