"""Append-only numeric columns, viewed without copying. Without Qt."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIRST = 1024


class Growing:
    """Rows of `width` numbers each, int64 ("q") or float64 ("d")."""

    def __init__(self, width: int, code: str) -> None:
        self._width = width
        self._code = code
        self._fresh: array[Any] = array(code)
        self._data: NDArray[Any] = np.zeros((_FIRST, width), np.dtype(code))
        self._size = 0

    def __len__(self) -> int:
        return self._size + len(self._fresh) // self._width

    def add(self, row: Iterable[float]) -> None:
        """Append one row, or several flattened ones."""
        self._fresh.extend(row)

    @property
    def rows(self) -> NDArray[Any]:
        """`[size, width]`, a view that later appends do not change."""
        return self.padded[:-1]

    @property
    def padded(self) -> NDArray[Any]:
        """The same with one more row at the end, of arbitrary values."""
        if self._fresh:
            self._flush()
        return self._data[: self._size + 1]

    def _flush(self) -> None:
        fresh = np.frombuffer(self._fresh, self._data.dtype).reshape(-1, self._width)
        end = self._size + len(fresh)
        if end >= len(self._data):
            data = np.zeros((2 * end, self._width), self._data.dtype)
            data[: self._size] = self._data[: self._size]
            self._data = data
        self._data[self._size : end] = fresh
        self._size = end
        self._fresh = array(self._code)
