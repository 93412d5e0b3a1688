"""Tokenises a prompt in pieces between added tokens, so that known pieces cost nothing.

Added tokens such as `<|im_start|>` cut the text before any merging, so the pieces between them
tokenise alone as they do inside the whole. Where a tokenizer's own settings break that rule (a
prefix space, a start token) the whole text is one piece.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass

from tokenizers import Tokenizer

CACHED_CHARS = 8_000_000
_SAMPLES = ("Then", " then,", "\nthen\n", "  ", "\n\n", "été 12 is")


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens of one stretch of text.

    Attributes:
        ids: the tokens.
        ends: for each token, how many characters of the stretch are complete after it.
    """

    ids: tuple[int, ...]
    ends: tuple[int, ...]

    def tokens_within(self, chars: int) -> int:
        """How many tokens lie in the first `chars` characters."""
        return bisect_right(self.ends, chars)


class PieceEncoder:
    """Text to pieces, with a memory of recent ones (by their text, up to 8 million characters).

    Attributes:
        cuts_at_added: whether pieces end at added tokens (else the whole text is one piece).
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: OrderedDict[str, Piece] = OrderedDict()
        self._chars = 0
        added = tokenizer.get_added_tokens_decoder()
        self._ids = {
            token.content: id
            for id, token in added.items()
            if token.content
            and not (token.normalized and tokenizer.normalizer is not None)
            and not (token.lstrip or token.rstrip or token.single_word)
        }
        longest_first = sorted(self._ids, key=len, reverse=True)
        self._cut = re.compile("|".join(map(re.escape, longest_first))) if self._ids else None
        self.cuts_at_added = self._cut is not None and self._is_concatenative()

    def cuts(self, text: str) -> list[tuple[int, int]]:
        """[start, end) in characters of every added token in `text`, in order."""
        if self._cut is None or not self.cuts_at_added:
            return []
        return [match.span() for match in self._cut.finditer(text)]

    def last_cut(self, text: str, limit: int) -> int:
        """Where the last added token that lies in `text[:limit]` ends; 0 where there is none."""
        last = 0
        for _, end in self.cuts(text):
            if end > limit:
                break
            last = end
        return last

    def first_piece(self, text: str) -> Piece:
        """The piece that `text` starts with: up to its first added token."""
        if self.cuts_at_added and self._cut is not None:
            match = self._cut.search(text)
            if match is not None:
                text = text[: match.start()]
        return self.encode([text])[0]

    def encode(self, texts: list[str]) -> list[Piece]:
        """One piece per text; a text that is an added token is that token."""
        missing = list(dict.fromkeys(t for t in texts if t not in self._known))
        # encode_batch releases the GIL, encode does not.
        encodings = (
            self._tokenizer.encode_batch(missing, add_special_tokens=False) if missing else []
        )
        fresh = {
            text: Piece(tuple(coded.ids), tuple(end for _, end in coded.offsets))
            for text, coded in zip(missing, encodings, strict=True)
        }
        pieces = [fresh[t] if t in fresh else self._recall(t) for t in texts]
        for text, piece in fresh.items():
            self._known[text] = piece
            self._chars += len(text)
        while self._chars > CACHED_CHARS and len(self._known) > 1:
            old, _ = self._known.popitem(last=False)
            self._chars -= len(old)
        return pieces

    def _recall(self, text: str) -> Piece:
        self._known.move_to_end(text)
        return self._known[text]

    def _is_concatenative(self) -> bool:
        """Compares whole and piecewise tokenisation around every added token."""
        pairs = [
            (before, token, after)
            for rank, token in enumerate(self._ids)
            for before, after in [
                (_SAMPLES[rank % len(_SAMPLES)], _SAMPLES[(rank + 1) % len(_SAMPLES)]),
                ("Then", "Then"),
            ]
        ]
        wholes = [before + token + after for before, token, after in pairs]
        parts = [part for pair in pairs for part in pair]
        coded = self._tokenizer.encode_batch(wholes + parts, add_special_tokens=False)
        ids = [tuple(one.ids) for one in coded]
        alone = ids[len(wholes) :]
        return all(
            whole == alone[3 * at] + alone[3 * at + 1] + alone[3 * at + 2]
            for at, whole in enumerate(ids[: len(wholes)])
        )
