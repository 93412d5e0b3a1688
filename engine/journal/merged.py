"""The trees of all tiers merged into one, updated incrementally.

It equals the tree of an `Overlay` of the same tiers, ids included, but only what a change affects
is rebuilt. Pieces end where a node of any tier ends, or where two sequences diverge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from engine.cache.node import ROOT_ID
from engine.journal.spans import BYTES, Span
from engine.prefix_key import PrefixKey
from engine.snapshot import TIERS, NodeView

DISK = 2


class Piece:
    """A node of the merged tree.

    Attributes:
        above: None at the root.
        below: by key: the first token, or a name where the tokens are unknown.
        tokens: of its span, as in NodeAdded.
        owners: per tier, the node that it is a part of; on disk, where several segments may share
            tokens, the one that ends first.
        more: the other segments, by their ends.
        prefix: of the tokens down to its end; None if it was not requested.
        view: None if stale; `told`: its decoded text, see `TokenText`.
        seen: the id of its last view, or of that of the piece it was cut from; None if none.
        passing: the sequences that contain its first token, see `PieceOwners`; None if unknown.
    """

    __slots__ = (
        "above",
        "below",
        "end",
        "key",
        "more",
        "owners",
        "passing",
        "prefix",
        "seen",
        "tokens",
        "told",
        "view",
    )

    def __init__(self, above: Piece | None, key: Hashable, tokens: bytes, end: int) -> None:
        self.above = above
        self.key = key
        self.tokens = tokens
        self.end = end
        self.below: dict[Hashable, Piece] = {}
        self.owners: list[Span | None] = [None, None, None]
        self.more: tuple[Span, ...] = ()
        self.view: NodeView | None = None
        self.told: object = None
        self.prefix: PrefixKey | None = None
        self.seen: int | None = None
        self.passing: set[int] | None = None

    @property
    def start(self) -> int:
        return 0 if self.above is None else self.above.end

    @property
    def nearest(self) -> int:
        """The nearest tier that has it."""
        owners = self.owners
        return 0 if owners[0] is not None else 1 if owners[1] is not None else 2

    def has(self, tier: int, span: Span) -> bool:
        """Whether it is a part of a node."""
        return self.owners[tier] is span or span in self.more

    def take(self, segment: Span) -> None:
        """Add a segment that it is a part of."""
        first = self.owners[DISK]
        if first is None:
            self.owners[DISK] = segment
        else:
            self.owners[DISK], *more = sorted((first, *self.more, segment), key=_rank)
            self.more = tuple(more)

    def leave(self, tier: int, span: Span) -> None:
        """Remove a node that it was a part of."""
        if self.owners[tier] is not span:
            self.more = tuple(one for one in self.more if one is not span)
        elif tier == DISK and self.more:
            self.owners[tier], *more = self.more
            self.more = tuple(more)
        else:
            self.owners[tier] = None

    @property
    def free(self) -> bool:
        """Whether no node of any tier has it."""
        return self.owners == [None, None, None]

    def alike(self, other: Piece) -> bool:
        """Whether both are parts of the same nodes."""
        mine, theirs = (*self.owners, *self.more), (*other.owners, *other.more)
        return len(mine) == len(theirs) and all(a is b for a, b in zip(mine, theirs, strict=True))


class Merged:
    """One tree over all tiers.

    Attributes:
        root: where every sequence begins.
    """

    def __init__(self) -> None:
        self.root = Piece(None, "", b"", 0)
        self._ends: tuple[dict[int, Piece], ...] = ({}, {}, {})

    def pieces(self) -> Iterator[Piece]:
        """Every piece, parents before children."""
        stack = [self.root]
        while stack:
            piece = stack.pop()
            yield piece
            if piece.below:
                stack.extend(piece.below.values())

    def end_of(self, tier: str, node: int) -> Piece | None:
        """The piece at which a node of a tier ends."""
        return self._ends[TIERS.index(tier)].get(node)

    def walk(self, data: bytes, at: Piece | None = None) -> Iterator[tuple[Piece, int]]:
        """The pieces that share tokens with a sequence, and the position each reaches.

        at: the piece at whose end `data` continues; None: it starts at the root.
        """
        at, start = at or self.root, 0
        before = at.end
        yield at, before
        while start < len(data):
            child = at.below.get(data[start : start + BYTES])
            if child is None:
                return
            if not data.startswith(child.tokens, start):
                yield child, before + (start + _shared(child.tokens, data, start)) // BYTES
                return
            at, start = child, start + len(child.tokens)
            yield at, before + start // BYTES

    def left_of(self, piece: Piece) -> tuple[Piece, int]:
        """The last piece that shares tokens with the path to a piece, even a removed one, and
        the position it reaches."""
        gone = []
        while piece.above is not None and piece.above.below.get(piece.key) is not piece:
            gone.append(piece.tokens)
            piece = piece.above
        # Nothing can be found below unknown tokens.
        rest = b"".join(reversed(gone)) if all(gone) else b""
        *_, last = self.walk(rest, piece)
        return last

    def dissolve(self) -> None:
        """Drop every piece: they form cycles, and would wait for the garbage collector."""
        nothing: dict[Hashable, Piece] = {}
        stack = [self.root]
        while stack:
            piece = stack.pop()
            if piece.below:
                stack.extend(piece.below.values())
                piece.below = nothing
            piece.above = None
        for ends in self._ends:
            ends.clear()

    # ---- changes of one tier

    def clear(self, tier: int) -> None:
        """A tier is now empty, without even a root."""
        for piece in list(self.pieces()):
            piece.owners[tier] = None
            piece.view = None
            if tier == DISK:
                piece.more = ()
        self._ends[tier].clear()
        for piece in reversed(list(self.pieces())):
            self._tidy(piece)

    def add(self, tier: int, span: Span) -> None:
        """A new leaf."""
        ends = self._ends[tier]
        if span.parent is None:
            self.root.owners[tier] = span
            self.root.view = None
            ends[ROOT_ID] = self.root
            return
        at = ends[span.parent]
        if not span.tokens:
            lane = span.end == span.start
            ends[span.id] = self._lane(tier, span) if lane else self._unknown(at, tier, span)
            return
        rest = span.tokens
        while rest:
            child = at.below.get(rest[:BYTES])
            if child is None:
                child = Piece(at, rest[:BYTES], rest, span.end)
                at.below[child.key] = child
            else:
                shared = _shared(child.tokens, rest)
                if shared < len(child.tokens):
                    child = self._cut(child, shared)
            if tier == DISK:
                child.take(span)
            else:
                child.owners[tier] = span
            self._touch(child)
            at, rest = child, rest[len(child.tokens) :]
        ends[span.id] = at

    def restore(self, tier: int, spans: list[Span]) -> None:
        """Add nodes, parents first; almost all are new to the tree or shared with another tier."""
        ends = self._ends[tier]
        for span in spans:
            tokens = span.tokens
            at = ends.get(span.parent) if tokens and span.parent is not None else None
            if at is None:
                self.add(tier, span)
                continue
            key = tokens[:BYTES]
            child = at.below.get(key)
            if child is None:
                child = Piece(at, key, tokens, span.end)
                at.below[key] = child
            elif child.tokens != tokens or child.owners[tier] is not None or child.view is not None:
                self.add(tier, span)
                continue
            child.owners[tier] = span
            ends[span.id] = child

    def split(self, tier: int, upper: Span, lower: Span) -> None:
        """`upper` took the tokens before `lower.start`."""
        piece: Piece | None = self._ends[tier][lower.id]
        assert piece is not None
        while piece.start >= upper.end:
            self._touch(piece)
            piece = piece.above
            assert piece is not None
        if piece.end > upper.end:
            self._touch(piece)
            piece = self._cut(piece, BYTES * (upper.end - piece.start))
        self._ends[tier][upper.id] = piece
        self._hand_over(tier, piece, lower, upper)

    def join(self, tier: int, upper: Span, lower: Span) -> None:
        """The inverse of `split`."""
        end = self._ends[tier].pop(upper.id)
        self._hand_over(tier, end, upper, lower)
        self._touch(self._ends[tier][lower.id])
        self._tidy(end)

    def remove(self, tier: int, span: Span) -> None:
        """A leaf was removed."""
        piece: Piece | None = self._ends[tier].pop(span.id)
        passed = []
        while piece is not None and piece.has(tier, span):
            piece.leave(tier, span)
            self._touch(piece)
            passed.append(piece)
            piece = piece.above
        for one in passed:
            self._tidy(one)
        if piece is not None:
            self._tidy(piece)

    def changed(self, tier: int, span: Span) -> None:
        """A field of a node changed."""
        piece: Piece | None = self._ends[tier].get(span.id)
        while piece is not None and piece.owners[tier] is span:
            piece.view = None
            piece = piece.above

    # ---- inside

    def _lane(self, tier: int, span: Span) -> Piece:
        """The piece of one of several engines, which has the same number on every tier."""
        key = ("lane", span.id)
        piece = self.root.below.get(key)
        if piece is None:
            piece = self.root.below[key] = Piece(self.root, key, b"", 0)
        piece.owners[tier] = span
        piece.view = None
        return piece

    def _unknown(self, above: Piece, tier: int, span: Span) -> Piece:
        """A node whose tokens are unknown, so that it cannot be matched with other tiers."""
        piece = Piece(above, (tier, span.id), b"", span.end)
        piece.owners[tier] = span
        if tier == 0:
            above.below[piece.key] = piece
        return piece

    def _hand_over(self, tier: int, end: Piece, old: Span, new: Span) -> None:
        """Reassign the pieces of `old` from `end` upwards to `new`."""
        piece: Piece | None = end
        top = end
        while piece is not None and piece.owners[tier] is old:
            piece.owners[tier] = new
            piece.view = None
            top, piece = piece, piece.above
        self._touch(top)

    def _cut(self, piece: Piece, at: int) -> Piece:
        """Split the first `at` bytes of the tokens off as a separate piece, and return it."""
        above = piece.above
        assert above is not None
        middle = piece.start + at // BYTES
        upper = Piece(above, piece.key, piece.tokens[:at], middle)
        upper.owners, upper.more, upper.seen = piece.owners.copy(), piece.more, piece.seen
        # A piece with unknown tokens may not be in the tree.
        if above.below.get(piece.key) is piece:
            above.below[upper.key] = upper
        piece.tokens = piece.tokens[at:]
        piece.key = piece.tokens[:BYTES] or (piece.key, middle)
        piece.above = upper
        upper.below[piece.key] = piece
        piece.view = piece.told = piece.passing = None
        return upper

    def _tidy(self, piece: Piece) -> None:
        """Remove a piece without owners, or join it with the next if nothing ends at it."""
        above = piece.above
        if above is None or above.below.get(piece.key) is not piece:
            return
        if not piece.below:
            if piece.free:
                del above.below[piece.key]
                self._tidy(above)
            return
        if len(piece.below) > 1 or any(o is not None and o.end == piece.end for o in piece.owners):
            return
        (child,) = piece.below.values()
        if not piece.alike(child) or bool(piece.tokens) is not bool(child.tokens):
            return
        child.tokens = piece.tokens + child.tokens
        child.above, child.key = above, piece.key
        above.below[child.key] = child
        child.told = child.passing = None
        self._touch(child)

    def _touch(self, piece: Piece) -> None:
        """Invalidate the views of a piece and of the other pieces of its nodes: ids may change."""
        piece.view = None
        for child in piece.below.values():
            if child.owners[0] is None and any(
                child.owners[tier] is not None and child.owners[tier] is piece.owners[tier]
                for tier in (1, 2)
            ):
                self._touch(child)


class Layer:
    """Forwards the changes of one tier; see Watcher."""

    def __init__(self, merged: Merged, tier: str) -> None:
        self._merged, self._tier = merged, TIERS.index(tier)

    def cleared(self) -> None:
        self._merged.clear(self._tier)

    def added(self, span: Span) -> None:
        self._merged.add(self._tier, span)

    def restored(self, spans: list[Span]) -> None:
        self._merged.restore(self._tier, spans)

    def split(self, upper: Span, lower: Span) -> None:
        self._merged.split(self._tier, upper, lower)

    def joined(self, upper: Span, lower: Span) -> None:
        self._merged.join(self._tier, upper, lower)

    def removed(self, span: Span) -> None:
        self._merged.remove(self._tier, span)

    def changed(self, span: Span) -> None:
        self._merged.changed(self._tier, span)


def _rank(segment: Span) -> tuple[int, int]:
    """Sort key of segments with the same tokens: the one that ends first names them."""
    return segment.end, segment.id


def _shared(tokens: bytes, data: bytes, start: int = 0) -> int:
    """Bytes of whole tokens that `tokens` and `data[start:]` have in common."""
    if data.startswith(tokens, start):
        return len(tokens)
    low, high = 0, min(len(tokens), len(data) - start) // BYTES
    while low < high:
        middle = (low + high + 1) // 2
        if data.startswith(tokens[: middle * BYTES], start):
            low = middle
        else:
            high = middle - 1
    return low * BYTES
