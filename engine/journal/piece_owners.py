"""The conversations of a tape's sequences at a moment, and of the pieces of its merged tree."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.cache.journal.request_ran import TokenArray
from engine.cache.owners import Owners
from engine.journal.merged import Merged, Piece
from engine.journal.spans import BYTES
from engine.snapshot import Branch

# How many recent sequences a new one is compared with, and how long a chain of bases may be.
COMPARED = 8
DEEPEST = 32
# How many are cached as bytes: as many as a moment of a long trace may need.
OPEN = 16384


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The tokens after the first `shared` ones of sequence `base`; -1: all of them."""

    base: int
    shared: int
    tail: npt.NDArray[np.int32]
    depth: int


class Sequences:
    """Append-only store of token sequences, delta-encoded."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The sequences of a conversation, unchanged until its next entry.

    Attributes:
        last: index of the latest entry about it.
        sequences: number and request of each, oldest first.
    """

    last: int
    sequences: tuple[tuple[int, int], ...]


HeldBy = Mapping[int, Held]
"""By conversation, the most recently updated first."""


@dataclass(slots=True, eq=False)
class _Past:
    """What was held, by the index of the entry that said so."""

    indices: list[int] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)


class OwnedBook:
    """Append-only record of which conversation holds which sequences."""

    def __init__(self) -> None:
        self._now = Owners()
        self._past: dict[int, _Past] = {}
        self._indices: list[int] = []
        # The answer is constant between two indices.
        self._answer: tuple[int, HeldBy] | None = None

    def add(self, index: int, owner: int, number: int, tokens: TokenArray, request: int) -> None:
        """Entry `index` assigns sequence `number` to a conversation; owner 0 is none."""
        if not owner:
            return
        before = len(self._now) + (owner not in self._now)
        self._now.add(owner, tokens, request, number)
        self._note(index, owner)
        if len(self._now) < before:
            for other, past in self._past.items():
                if other not in self._now and past.held[-1].sequences:
                    self._note(index, other)

    def drop(self, index: int, owner: int) -> None:
        """Entry `index` ends a conversation's ownership of everything."""
        if owner in self._past:
            self._now.drop(owner)
            self._note(index, owner)

    def at(self, moment: int) -> HeldBy:
        """What is held after the first `moment` entries."""
        before = bisect_left(self._indices, moment)
        if self._answer is not None and self._answer[0] == before:
            return self._answer[1]
        found = []
        # While a long file loads it grows on another thread.
        for owner, past in list(self._past.items()):
            at = bisect_left(past.indices, moment) - 1
            if at >= 0 and past.held[at].sequences:
                found.append((owner, past.held[at]))
        found.sort(key=lambda one: -one[1].last)
        self._answer = before, dict(found)
        return self._answer[1]

    def _note(self, index: int, owner: int) -> None:
        insort(self._indices, index)
        self._answer = None
        past = self._past.setdefault(owner, _Past())
        past.indices.append(index)
        known = tuple((one.number, one.request) for one in self._now.held(owner))
        past.held.append(Held(index, known))


_NOBODY: HeldBy = {}
# Up to this many pieces, updating one by one is faster.
_FEW = 3


class PieceOwners:
    """Finds the conversations of pieces.

    A piece has the set of sequences that contain its first token; a new piece derives it from the
    piece above, and all pieces of a sequence are updated when it is added or removed.
    """

    def __init__(self, merged: Merged, sequences: Sequences) -> None:
        self._merged, self._sequences = merged, sequences
        self._held: HeldBy = _NOBODY
        self._data: dict[int, bytes] = {}
        self._owner: dict[int, int] = {}
        self._rank: dict[int, int] = {}
        self._asked = False

    def hold(self, held: HeldBy) -> None:
        """Set the held sequences, and invalidate the views of pieces whose owners change."""
        before, self._held = self._held, held
        changed = [one for one in before if before[one] is not held.get(one)]
        changed += [one for one in held if one not in before]
        if not changed:
            return
        self._rank = {owner: place for place, owner in enumerate(held)}
        if not self._asked:
            # No owners were computed yet, so there is nothing to correct.
            for owner, one in held.items():
                for number, _ in one.sequences:
                    self._data[number] = self._sequences.data(number)
                    self._owner[number] = owner
            return
        for owner in changed:
            gone, come = _numbers(before.get(owner)), _numbers(held.get(owner))
            for number in gone:
                self._pass(number, stays=number in come)
            for number in come:
                if number not in self._data:
                    self._data[number] = self._sequences.data(number)
                    self._owner[number] = owner
                    self._pass(number, stays=True)

    def owners(self, piece: Piece) -> tuple[int, ...]:
        """The owners of a piece, most recently updated first; query the pieces above it first."""
        above = piece.above
        self._asked = True
        if above is None:
            return ()
        if piece.passing is None:
            self._hand_down(above)
        passing = piece.passing
        if not passing:
            return ()
        # Every sequence with its first token also has that of the piece above.
        if above.passing and len(passing) == len(above.passing) and above.view is not None:
            return above.view.owners
        owner = self._owner
        if len(passing) == 1:
            return (owner[next(iter(passing))],)
        found = {owner[number] for number in passing}
        return tuple(found) if len(found) == 1 else tuple(sorted(found, key=self._rank.__getitem__))

    def branches(self, owner: int | None) -> Iterator[Branch]:
        """The sequences of a conversation that have any piece; views must be up to date.

        owner: None: of all, the most recently updated first.
        """
        for one in self._held if owner is None else {owner} & self._held.keys():
            for number, request in self._held[one].sequences:
                *_, (piece, end) = self._merged.walk(self._data[number])
                if piece.above is not None and piece.view is not None:
                    yield Branch(one, request, piece.view.id, end)

    def _pass(self, number: int, *, stays: bool) -> None:
        """A sequence was added, removed, or its owner changed rank."""
        for piece, _ in self._merged.walk(self._data[number]):
            piece.view = None
            if piece.passing is not None:
                (piece.passing.add if stays else piece.passing.discard)(number)
        if not stays:
            del self._data[number], self._owner[number]

    def _hand_down(self, above: Piece) -> None:
        """Pass a piece's sequences on to the pieces below where they continue."""
        root = above.above is None
        known = self._data if root else above.passing or ()
        if not known:
            for piece in above.below.values():
                if piece.passing is None:
                    piece.passing = set()
            return
        start, tokens, held = BYTES * above.start, above.tokens, self._data
        fresh = [piece for piece in above.below.values() if piece.passing is None]
        if len(fresh) <= _FEW:
            for piece in fresh:
                key = piece.key
                # A name in place of tokens never matches below.
                met = tokens + key if isinstance(key, bytes) else None
                piece.passing = (
                    set() if met is None else {n for n in known if held[n].startswith(met, start)}
                )
            return
        for piece in fresh:
            piece.passing = set()
        end = start + len(tokens)
        for number in known:
            data = held[number]
            if data.startswith(tokens, start):
                goes_on = above.below.get(data[end : end + BYTES])
                if goes_on is not None and goes_on.passing is not None:
                    # A piece with a computed set already contains this one.
                    goes_on.passing.add(number)


def _numbers(held: Held | None) -> list[int]:
    return [] if held is None else [number for number, _ in held.sequences]
