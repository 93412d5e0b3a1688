"""Many token sequences that mostly continue one another, each kept as what it adds."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.cache.journal.request_ran import TokenArray

# How many recent sequences a new one is compared with, and how many bases one may stand on.
COMPARED = 8
DEEPEST = 32
# How many are held as bytes: as many as a moment of a long trace may ask for.
OPEN = 16384


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The tokens after the first `shared` ones of sequence `base`; -1: all of them."""

    base: int
    shared: int
    tail: npt.NDArray[np.int32]
    depth: int


class Sequences:
    """Grows at its end only."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        self._recent: deque[tuple[int, npt.NDArray[np.int32]]] = deque(maxlen=COMPARED)
        self._open: OrderedDict[int, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, tokens: TokenArray) -> int:
        """Keep a sequence; returns its number."""
        whole = tokens.astype(np.int32)
        base, shared = -1, 0
        for at, known in self._recent:
            length = min(len(known), len(whole))
            same = known[:length] == whole[:length]
            found = length if same.all() else int(same.argmin())
            if found > shared and self._kept[at].depth < DEEPEST:
                base, shared = at, found
        depth = self._kept[base].depth + 1 if base >= 0 else 0
        self._kept.append(_Kept(base, shared, whole[shared:].copy(), depth))
        self._recent.append((len(self._kept) - 1, whole))
        return len(self._kept) - 1

    def __getitem__(self, number: int) -> TokenArray:
        """`[n] int64`."""
        parts, length = [], None
        at = number
        while at >= 0:
            kept = self._kept[at]
            tail = kept.tail if length is None else kept.tail[: max(length - kept.shared, 0)]
            parts.append(tail)
            length = kept.shared if length is None else min(length, kept.shared)
            at = kept.base
        return np.concatenate(parts[::-1]).astype(np.int64)

    def data(self, number: int) -> bytes:
        """`[n] int32` as bytes, little-endian, as in NodeAdded."""
        found = self._open.get(number)
        if found is None:
            kept = self._kept[number]
            above = b"" if kept.base < 0 else self.data(kept.base)[: 4 * kept.shared]
            found = self._open[number] = above + kept.tail.astype("<i4").tobytes()
            if len(self._open) > OPEN:
                self._open.popitem(last=False)
        else:
            self._open.move_to_end(number)
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of all tokens kept."""
        return sum(kept.tail.nbytes for kept in self._kept)
