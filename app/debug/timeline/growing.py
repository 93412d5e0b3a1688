"""Columns of numbers that grow at their end, without copying what they hold. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIRST = 1024


class Growing:
    """Rows of `width` numbers each; rows are appended in batches.

    Attributes:
        size: rows.
    """

    def __init__(self, width: int, dtype: type[np.generic]) -> None:
        self._data: NDArray[Any] = np.empty((_FIRST, width), dtype)
        self.size = 0

    def extend(self, rows: Sequence[Sequence[float]]) -> None:
        """Append rows."""
        if not rows:
            return
        end = self.size + len(rows)
        if end > len(self._data):
            room = max(end, 2 * len(self._data))
            data = np.empty((room, self._data.shape[1]), self._data.dtype)
            data[: self.size] = self._data[: self.size]
            self._data = data
        self._data[self.size : end] = rows
        self.size = end

    @property
    def rows(self) -> NDArray[Any]:
        """`[size, width]`, a view that later growth does not change."""
        return self._data[: self.size]
