"""Turns generated ids into text one id at a time, never showing half a character."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from engine.text.think_splitter import Tags
from engine.text.token_bytes import TokenBytes


class Detokenizer:
    """Incremental: `feed` returns the text that became certain, `finish` the rest.

    Bytes of an incomplete UTF-8 character wait for the next id; bytes that can no longer form a
    character, or are still incomplete at the end, become U+FFFD. Special tokens are hidden
    unless `show_special`.

    Attributes:
        tags: how the thinking tags are spelt in the text.
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
