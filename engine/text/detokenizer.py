"""Turns generated ids into text one id at a time, never showing half a character."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, cached_property

from tokenizers import Tokenizer

from engine.text.think_splitter import Tags

# Everything that tokenizers treat specially: one that reproduces it omits nothing.
_TRIAL = "  Two words,\n\n\tété 12 + 数字 = «x»! \r\n"
# Part size when searching for combining characters, and an overlap longer than any of them.
_PART_CHARS, _OVERLAP_CHARS = 1 << 16, 32
# Composed, three characters of three bytes may become one.
_COMPOSED = 3


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
        self._absorbing = any(token.lstrip or token.rstrip for token in added.values())

    def __getitem__(self, token_id: int) -> bytes:
        """Empty for an id outside the vocabulary (models pad theirs)."""
        known = self._known.get(token_id)
        if known is None:
            known = self._known[token_id] = self._look_up(token_id)
        return known

    def least_tokens(self, text: str) -> int:
        """A lower bound of the tokens in `text`: none covers more bytes than the longest.

        Computed without tokenising. 0 for a tokenizer that may omit parts of a text.
        """
        if not self.longest:
            return 0
        size = len(text.encode("utf-8", "replace"))
        if self._tokenizer.normalizer is not None and not _is_composed(text):
            size //= _COMPOSED
        return size // self.longest

    @cached_property
    def longest(self) -> int:
        """Maximum bytes of a text that one token covers; 0 if a token may cover any number."""
        if self._absorbing or repr(self._tokenizer.normalizer) not in ("None", "NFC()"):
            return 0
        coded = self._tokenizer.encode_batch([_TRIAL], add_special_tokens=False)[0]
        if self.text(coded.ids, half=True) != _TRIAL:
            return 0
        # In a byte-level vocabulary each character stands for a byte.
        words = self._tokenizer.get_vocab(with_added_tokens=False)
        return max(max(map(len, words), default=1), *map(len, self._known.values()), 1)

    def added(self) -> list[tuple[int, bytes]]:
        """The added tokens: control tokens and markers."""
        return [(token_id, self._known[token_id]) for token_id in self._added]

    def join(self, ids: Sequence[int]) -> bytes:
        return b"".join([self[token_id] for token_id in ids])

    def text(self, ids: Sequence[int], *, half: bool = False) -> str:
        """The text of `ids`; bytes that cannot form a character become U+FFFD.

        `half`: include a character that is only begun at the end, which is omitted otherwise.
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


def _is_composed(text: str) -> bool:
    """Whether normalising leaves the text as it is; in parts, since each holds Python's lock."""
    return text.isascii() or all(
        unicodedata.is_normalized("NFC", text[max(at - _OVERLAP_CHARS, 0) : at + _PART_CHARS])
        for at in range(0, len(text), _PART_CHARS)
    )


class Detokenizer:
    """Incremental: `feed` returns the text that became certain, `finish` the rest.

    Bytes of an incomplete UTF-8 character wait for the next id; bytes that can no longer form a
    character, or are still incomplete at the end, become U+FFFD. Special tokens are hidden
    unless `show_special`.

    Attributes:
        tags: the spelling of the thinking tags in the text.
    """

    def __init__(
        self,
        token_bytes: TokenBytes,
        show_special: bool = False,
        tags: Tags | None = None,
        tag_ids: Mapping[int, str] | None = None,
    ) -> None:
        """`tag_ids`: maps the thinking tags' tokens to their spelling in `tags`."""
        self.tags = tags or Tags()
        self._tag_ids = tag_ids or {}
        self._bytes = token_bytes
        self._hidden = frozenset[int]() if show_special else token_bytes.special
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def feed(self, token_id: int) -> str:
        """The text that this id completes; "" while a character is incomplete."""
        tag = self._tag_ids.get(token_id)
        if tag is not None:
            return self.finish() + tag
        if token_id in self._hidden:
            return ""
        return self._decoder.decode(self._bytes[token_id])

    def finish(self) -> str:
        """The remaining text at the end of the answer; the detokenizer can then be reused."""
        rest = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return rest
