"""The bytes of a token id in a byte-level vocabulary."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from functools import cache

from tokenizers import Tokenizer


@cache
def byte_alphabet() -> dict[str, int]:
    """Printable stand-in character to byte, as GPT-2's byte-level encoding defines it."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(plain)]
    table = {chr(byte): byte for byte in plain}
    return table | {chr(256 + rank): byte for rank, byte in enumerate(others)}


class TokenBytes:
    """Looks up the bytes of ids, with a cache; added tokens give their own text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        added = tokenizer.get_added_tokens_decoder()
        self._known = {id: token.content.encode() for id, token in added.items()}
        self._added = tuple(added)
        self.special = frozenset(id for id, token in added.items() if token.special)

    def __getitem__(self, token_id: int) -> bytes:
        """Empty for an id outside the vocabulary (models pad theirs)."""
        known = self._known.get(token_id)
        if known is None:
            known = self._known[token_id] = self._look_up(token_id)
        return known

    def added(self) -> list[tuple[int, bytes]]:
        """The added tokens: control tokens and markers."""
        return [(token_id, self._known[token_id]) for token_id in self._added]

    def join(self, ids: Sequence[int]) -> bytes:
        return b"".join([self[token_id] for token_id in ids])

    def text(self, ids: Sequence[int], *, half: bool = False) -> str:
        """The text of `ids`; bytes that can form no character become U+FFFD.

        `half`: also a character that they only begin, which is left out otherwise.
        """
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        return decoder.decode(self.join(ids), final=half)

    def _look_up(self, token_id: int) -> bytes:
        text = self._tokenizer.id_to_token(token_id)
        if text is None:
            return b""
        alphabet = byte_alphabet()
        if all(char in alphabet for char in text):
            return bytes(alphabet[char] for char in text)
        return text.encode()
