"""A prompt's sealed text aligned with its tokens: which token ends where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

from engine.text.pieces import Piece, PieceEncoder


@dataclass(frozen=True, slots=True)
class RawSpan:
    """Characters [start, end) of a prompt that represent generated ids put back verbatim."""

    start: int
    end: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class _Stretch:
    start: int
    first_token: int
    piece: Piece
    plain: bool


class PrefixDigests:
    """Digests of prefixes of one text; for ever longer prefixes it reads the text only once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._chars = 0
        self._hash = blake2b(digest_size=16)

    def of(self, chars: int) -> bytes:
        """The digest of the first `chars` characters."""
        if chars < self._chars:
            self._chars, self._hash = 0, blake2b(digest_size=16)
        more = self._text[self._chars : chars]
        self._hash.update(more.encode("utf-8", "surrogatepass"))
        self._chars = chars
        return self._hash.digest()


class PromptTokens:
    """Sealed `text` tokenised in pieces, with generated ids in place of the raw spans.

    Attributes:
        ids: all tokens of the prompt.
    """

    def __init__(self, encoder: PieceEncoder, text: str, raw: Sequence[RawSpan] = ()) -> None:
        """`raw` is in order and does not overlap."""
        self.text = text
        self._encoder = encoder
        self._digests = PrefixDigests(text)
        self._stretches = _stretches(encoder, text, raw)
        self._starts = [stretch.start for stretch in self._stretches]
        pieces = (stretch.piece.ids for stretch in self._stretches)
        self.ids: tuple[int, ...] = tuple(chain.from_iterable(pieces))

    def prefix_digest(self, chars: int) -> bytes:
        """The `PrefixDigests` of the text."""
        return self._digests.of(chars)

    def tokens_before(self, chars: int) -> int:
        """How many tokens are entirely in the first `chars` characters."""
        at = bisect_right(self._starts, chars) - 1
        if at < 0:
            return 0
        stretch = self._stretches[at]
        return stretch.first_token + stretch.piece.tokens_within(chars - stretch.start)

    def common_tokens(self, chars: int, others: Sequence[tuple[int, str]]) -> int:
        """Tokens shared with texts that equal this one for `chars` characters only.

        Each of `others` is (position of its first character, text from there on), where the
        position is the end of a control token at or before `chars`, or 0.
        """
        at = max(bisect_right(self._starts, chars) - 1, 0)
        # A piece that ends at `chars` may continue in the other text and end in another token.
        if at > 0 and self._starts[at] == chars and self._stretches[at - 1].plain:
            at -= 1
        if not self._stretches:
            return 0
        stretch = self._stretches[at]
        if not stretch.plain:
            return stretch.first_token + stretch.piece.tokens_within(chars - stretch.start)
        shared = len(stretch.piece.ids)
        for position, tail in others:
            assert position <= stretch.start <= chars
            other = self._encoder.first_piece(tail[stretch.start - position :])
            shared = min(shared, _common(stretch.piece.ids, other.ids))
        return stretch.first_token + shared


def _stretches(encoder: PieceEncoder, text: str, raw: Sequence[RawSpan]) -> list[_Stretch]:
    bounds: list[tuple[int, int, Piece | None, bool]] = []
    cursor = 0
    for span in raw:
        bounds += _plain(encoder, text, cursor, span.start)
        bounds.append((span.start, span.end, span.piece, False))
        cursor = span.end
    bounds += _plain(encoder, text, cursor, len(text))
    fresh = iter(encoder.encode([text[a:b] for a, b, piece, _ in bounds if piece is None]))
    stretches = []
    count = 0
    for start, _, given, plain in bounds:
        piece = given if given is not None else next(fresh)
        stretches.append(_Stretch(start, count, piece, plain))
        count += len(piece.ids)
    return stretches


def _plain(
    encoder: PieceEncoder, text: str, start: int, end: int
) -> list[tuple[int, int, Piece | None, bool]]:
    """The pieces of text[start:end]: control tokens and the text between them."""
    bounds: list[tuple[int, int, Piece | None, bool]] = []
    cursor = start
    for a, b in encoder.cuts(text[start:end]):
        if start + a > cursor:
            bounds.append((cursor, start + a, None, True))
        bounds.append((start + a, start + b, None, False))
        cursor = start + b
    if end > cursor:
        bounds.append((cursor, end, None, True))
    return bounds


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return at
    return min(len(one), len(other))
