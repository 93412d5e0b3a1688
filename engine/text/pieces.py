"""Tokenises a prompt piecewise between control tokens, so that cached pieces cost nothing.

Added tokens such as `<|im_start|>` split the text before any merging, so the pieces between them
tokenise the same alone as inside the whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass

from tokenizers import Encoding, Tokenizer

from engine.text.control_tokens import SEALED, ControlTokens, without_added_tokens

CACHED_CHARS = 8_000_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens of one piece of text.

    Attributes:
        ids: the tokens.
        ends: for each token, how many characters of the piece are complete after it.
    """

    ids: tuple[int, ...]
    ends: tuple[int, ...]

    def tokens_within(self, chars: int) -> int:
        """How many tokens are in the first `chars` characters."""
        return bisect_right(self.ends, chars)


class PieceEncoder:
    """Sealed text to pieces, with a cache of recent ones (by their text, up to 8 million
    characters). Only sealed text becomes a control token.
    """

    def __init__(self, tokenizer: Tokenizer, control: ControlTokens) -> None:
        self._control = control
        self._tokenizer = without_added_tokens(tokenizer)
        # Here the words may have other ids than in the model's own tokenizer.
        self._tokenizer.add_tokens(list(control.words.values()))
        own = {self._tokenizer.token_to_id(t.content): id for id, t in control.words.items()}
        self._word_ids = {here: id for here, id in own.items() if here != id}
        self._known: OrderedDict[str, Piece] = OrderedDict()
        self._chars = 0

    def cuts(self, text: str) -> list[tuple[int, int]]:
        """[start, end) in characters of every control token in `text`, in order."""
        return [match.span() for match in SEALED.finditer(text)]

    def last_cut(self, text: str) -> int:
        """Where the last control token in `text` ends; 0 if there is none."""
        start, size = len(text), 512
        while start > 0:
            # Search near the end first, where it nearly always is.
            start, size = max(start - size, 0), size * 4
            cuts = self.cuts(text[start:])
            if cuts:
                return start + cuts[-1][1]
        return 0

    def first_piece(self, text: str) -> Piece:
        """The first piece of `text`: up to its first control token."""
        match = SEALED.search(text)
        return self.encode([text if match is None else text[: match.start()]])[0]

    def encode(self, texts: list[str]) -> list[Piece]:
        """One piece per text; each text is one sealed token, or contains none."""
        missing = list(dict.fromkeys(t for t in texts if t not in self._known))
        fresh = {
            t: Piece((id,), (len(t),))
            for t in missing
            if (id := self._control.token_id(t)) is not None
        }
        plain = [t for t in missing if t not in fresh]
        # encode_batch releases the GIL, encode does not.
        encodings = self._tokenizer.encode_batch(plain, add_special_tokens=False) if plain else []
        for text, coded in zip(plain, encodings, strict=True):
            fresh[text] = self._piece(text, coded)
        pieces = [fresh[t] if t in fresh else self._recall(t) for t in texts]
        for text, piece in fresh.items():
            self._known[text] = piece
            self._chars += len(text)
        while self._chars > CACHED_CHARS:
            old, _ = self._known.popitem(last=False)
            self._chars -= len(old)
        return pieces

    def count(self, text: str) -> int:
        """Number of tokens of a text without sealed tokens; not cached."""
        (coded,) = self._tokenizer.encode_batch([text], add_special_tokens=False)
        return len(self._piece(text, coded).ids)

    def _recall(self, text: str) -> Piece:
        self._known.move_to_end(text)
        return self._known[text]

    def _piece(self, text: str, coded: Encoding) -> Piece:
        ids = [self._word_ids.get(id, id) for id in coded.ids] if self._word_ids else coded.ids
        ends = [end for _, end in coded.offsets]
        if self._control.ids.isdisjoint(ids):
            return Piece(tuple(ids), tuple(ends))
        # Some vocabularies contain a control token that is not added: then go letter by letter.
        pairs: list[tuple[int, int]] = []
        for id, (start, end) in zip(ids, coded.offsets, strict=True):
            if id in self._control.ids:
                letters = self._tokenizer.encode_batch([*text[start:end]], add_special_tokens=False)
                pairs += [(i, start + at) for at, one in enumerate(letters, 1) for i in one.ids]
            else:
                pairs.append((id, end))
        return Piece(tuple(id for id, _ in pairs), tuple(end for _, end in pairs))
