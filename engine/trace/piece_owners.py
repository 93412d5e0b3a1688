"""Whose the pieces of a merged tree are, kept up to date as the tree and the sequences change."""

from __future__ import annotations

from collections.abc import Iterator

from engine.snapshot import Branch
from engine.trace.merged import Merged, Piece
from engine.trace.owned_book import Held, HeldBy
from engine.trace.sequences import Sequences
from engine.trace.spans import BYTES

_NOBODY: HeldBy = {}
# So many pieces are told of their sequences faster one by one.
_FEW = 3


class PieceOwners:
    """Names the conversations of pieces.

    A piece knows the sequences that have its first token; a new one is told of them by the piece
    above it, and all pieces of a sequence when that comes or goes.
    """

    def __init__(self, merged: Merged, sequences: Sequences) -> None:
        self._merged, self._sequences = merged, sequences
        self._held: HeldBy = _NOBODY
        self._data: dict[int, bytes] = {}
        self._owner: dict[int, int] = {}
        self._rank: dict[int, int] = {}

    def hold(self, held: HeldBy) -> None:
        """Other sequences are held. Views of pieces whose names change have to be made anew."""
        before, self._held = self._held, held
        changed = [one for one in before if before[one] is not held.get(one)]
        changed += [one for one in held if one not in before]
        if not changed:
            return
        self._rank = {owner: place for place, owner in enumerate(held)}
        if not before:
            # Nobody has been named yet, so that there is nothing to correct.
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
        """Of one piece, the one heard of last first; those above it have to be asked first."""
        above = piece.above
        if above is None:
            return ()
        if piece.passing is None:
            self._hand_down(above)
        passing = piece.passing
        if not passing:
            return ()
        # What has its first token has that of the piece above, too.
        if above.passing and len(passing) == len(above.passing) and above.view is not None:
            return above.view.owners
        owner = self._owner
        if len(passing) == 1:
            return (owner[next(iter(passing))],)
        found = {owner[number] for number in passing}
        return tuple(found) if len(found) == 1 else tuple(sorted(found, key=self._rank.__getitem__))

    def branches(self, owner: int) -> Iterator[Branch]:
        """The sequences of a conversation that have any piece; their views have been made."""
        held = self._held.get(owner)
        for number, request in () if held is None else held.sequences:
            *_, (piece, end) = self._walk(self._data[number])
            if piece.above is not None and piece.view is not None:
                yield Branch(owner, request, piece.view.id, end)

    def _pass(self, number: int, *, stays: bool) -> None:
        """A sequence came, went, or is named at another place."""
        for piece, _ in self._walk(self._data[number]):
            piece.view = None
            if piece.passing is not None:
                (piece.passing.add if stays else piece.passing.discard)(number)
        if not stays:
            del self._data[number], self._owner[number]

    def _hand_down(self, above: Piece) -> None:
        """Tell the pieces below one of the sequences that go on there."""
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
                # A name in place of tokens is never met below.
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
                    # One that knew its sequences already has this one.
                    goes_on.passing.add(number)

    def _walk(self, data: bytes) -> Iterator[tuple[Piece, int]]:
        """The pieces that have tokens of a sequence, from the root, and how far they do."""
        at, start = self._merged.root, 0
        yield at, 0
        while start < len(data):
            child = at.below.get(data[start : start + BYTES])
            if child is None:
                return
            if not data.startswith(child.tokens, start):
                shared = _shared(child.tokens, data, start)
                yield child, (start + shared) // BYTES
                return
            at, start = child, start + len(child.tokens)
            yield at, start // BYTES


def _numbers(held: Held | None) -> list[int]:
    return [] if held is None else [number for number, _ in held.sequences]


def _shared(tokens: bytes, data: bytes, start: int) -> int:
    """Bytes of whole tokens that `tokens` and `data` from `start` on have in common."""
    low, high = 0, min(len(tokens), len(data) - start) // BYTES
    while low < high:
        middle = (low + high + 1) // 2
        if data.startswith(tokens[: middle * BYTES], start):
            low = middle
        else:
            high = middle - 1
    return low * BYTES
