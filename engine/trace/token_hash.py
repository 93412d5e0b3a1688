"""Token ids as hashes that reveal only which prefixes are equal.

The number at position i is a keyed hash of *all* tokens up to i. A hash per token would preserve
word frequencies, and with them the text; a hash per prefix repeats only where a whole prefix does,
which is all that a prefix cache can see anyway. The key is random per file and discarded.
"""

from __future__ import annotations

import secrets
from collections import deque
from hashlib import blake2b

import numpy as np

from engine.cache.journal.request_ran import TokenArray

KEY_BYTES = 32
LINK_BYTES = 16
# Prompts usually continue a recent one, whose hashes need not be recomputed.
KEPT = 4
POSITIVE = np.uint32(0x7FFFFFFF)


class TokenHasher:
    """Hashes sequences under one key, with a cache of recent ones."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = secrets.token_bytes(KEY_BYTES) if key is None else key
        self._kept: deque[tuple[TokenArray, bytes]] = deque(maxlen=KEPT)

    def hashed(self, tokens: TokenArray) -> TokenArray:
        """`[n] int64`, each in [0, 2**31)."""
        shared, links = self._longest_known(tokens)
        rest = tokens[shared:].astype("<u4").tobytes()
        links += self.extended(links[-LINK_BYTES:], rest)
        self._kept.append((tokens.copy(), links))
        return words_of(links)

    def extended(self, link: bytes, tokens: bytes) -> bytes:
        """The links of `tokens`, 4 bytes each, after a sequence that ends with `link`."""
        out = bytearray()
        for at in range(0, len(tokens), 4):
            token = tokens[at : at + 4]
            link = blake2b(link + token, digest_size=LINK_BYTES, key=self._key).digest()
            out += link
        return bytes(out)

    def name(self, text: str) -> str:
        """Another name for something that has one, 32 hexadecimal digits."""
        return blake2b(text.encode(), digest_size=LINK_BYTES, key=self._key).hexdigest()

    def _longest_known(self, tokens: TokenArray) -> tuple[int, bytes]:
        best, links = 0, b""
        for known, made in self._kept:
            length = min(len(known), len(tokens))
            same = known[:length] == tokens[:length]
            shared = length if same.all() else int(same.argmin())
            if shared > best:
                best, links = shared, made[: shared * LINK_BYTES]
        return best, links


def words_of(links: bytes) -> TokenArray:
    """`[n] int64` from the links of n tokens."""
    words = np.frombuffer(links, "<u4")[:: LINK_BYTES // 4]
    return (words & POSITIVE).astype(np.int64)
