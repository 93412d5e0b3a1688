"""How tall the items of a column are: what was measured, and estimates for the rest. Without Qt."""

from __future__ import annotations

from bisect import bisect_right


class Heights:
    """Items below each other, with a gap before each.

    Changing an item costs no more than the items below it.
    """

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._gaps: list[int] = []
        self._measured: list[bool] = []
        self._tops: list[int] = []

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """The height of the whole column."""
        return self.bottom(len(self) - 1) if self._heights else 0

    def put(self, index: int, height: int, *, gap: int | None = None, measured: bool) -> None:
        """Set an item, or append one; without a gap it keeps the one it has."""
        if index == len(self._heights):
            self._heights.append(height)
            self._gaps.append(gap or 0)
            self._measured.append(measured)
            return
        if gap is not None and gap != self._gaps[index]:
            self._gaps[index] = gap
            del self._tops[index:]
        if height != self._heights[index]:
            self._heights[index] = height
            del self._tops[index + 1 :]
        self._measured[index] = measured

    def cut(self, length: int) -> None:
        """Drop the items from an index on."""
        for values in (self._heights, self._gaps, self._measured, self._tops):
            del values[length:]

    def rescale(self, ratio: float) -> None:
        """The column has another width: what was measured is only an estimate now."""
        self._heights = [max(1, round(height * ratio)) for height in self._heights]
        self._measured = [False] * len(self._measured)
        self._tops = []

    def measured(self, index: int) -> bool:
        return self._measured[index]

    def height(self, index: int) -> int:
        return self._heights[index]

    def top(self, index: int) -> int:
        tops = self._tops
        while len(tops) <= index:
            at = len(tops)
            above = tops[at - 1] + self._heights[at - 1] if at else 0
            tops.append(above + self._gaps[at])
        return tops[index]

    def bottom(self, index: int) -> int:
        return self.top(index) + self._heights[index]

    def at(self, y: int) -> int:
        """The item at a height, or the one above the gap there; the nearest one beyond the ends.

        There must be one.
        """
        assert self._heights
        self.top(len(self._heights) - 1)
        return max(0, bisect_right(self._tops, y) - 1)
