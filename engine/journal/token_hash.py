"""Keyed hashes of token ids that reveal only which prefixes and longer passages are equal.

The number at position i is a keyed hash of the last `WINDOW` tokens up to i. So two sequences have
the same numbers exactly as far as they have the same tokens, which is all that a prefix cache can
see; after a difference they match again once `WINDOW` tokens do, which shows how much of a prompt
merely moved. A hash per token would preserve word frequencies, and with them the text; a passage
that long hardly ever repeats by chance. The key is random per file and discarded.
"""

from __future__ import annotations

import secrets
from collections import deque
from hashlib import blake2b

import numpy as np

from engine.cache.journal.request_ran import TokenArray

KEY_BYTES = 32
TOKEN_BYTES = 4
NAME_BYTES = 16
# Longer than what a template inserts between two messages, which repeats.
WINDOW = 16
# Prompts usually continue a recent one, whose hashes need not be recomputed.
KEPT = 4
POSITIVE = np.uint32(0x7FFFFFFF)


class TokenHasher:
    """Hashes sequences under one key, with a cache of recent ones."""

    def __init__(self, key: bytes | None = None, window: int = WINDOW) -> None:
        """window: tokens per hash; shorter passages are not recognised after a difference."""
        self._key = secrets.token_bytes(KEY_BYTES) if key is None else key
        self._window = window
        self._kept: deque[tuple[TokenArray, TokenArray]] = deque(maxlen=KEPT)

    def hashed(self, tokens: TokenArray) -> TokenArray:
        """`[n] int64`, each in [0, 2**31)."""
        shared, known = self._longest_known(tokens)
        raw = tokens.astype("<u4").tobytes()
        rest = self.extended(raw[: shared * TOKEN_BYTES], raw[shared * TOKEN_BYTES :])
        made = np.concatenate([known, rest])
        self._kept.append((tokens.copy(), made))
        return made

    def extended(self, before: bytes, tokens: bytes) -> TokenArray:
        """`[n] int64` for n more `tokens` that follow `before`, whose last ones count.

        Args:
            before, tokens: 4 bytes each.
        """
        width = self._window * TOKEN_BYTES
        whole = before[len(before) - min(len(before), width - TOKEN_BYTES) :] + tokens
        ends = range(len(whole) - len(tokens) + TOKEN_BYTES, len(whole) + 1, TOKEN_BYTES)
        # Only a sequence's start is hashed with fewer tokens, so no later passage matches it.
        digests = b"".join(self._digest(whole[max(end - width, 0) : end]) for end in ends)
        return (np.frombuffer(digests, "<u4") & POSITIVE).astype(np.int64)

    def name(self, text: str) -> str:
        """A replacement for a name, 32 hexadecimal digits."""
        return blake2b(text.encode(), digest_size=NAME_BYTES, key=self._key).hexdigest()

    def _digest(self, passage: bytes) -> bytes:
        return blake2b(passage, digest_size=TOKEN_BYTES, key=self._key).digest()

    def _longest_known(self, tokens: TokenArray) -> tuple[int, TokenArray]:
        best, numbers = 0, np.empty(0, np.int64)
        for known, made in self._kept:
            length = min(len(known), len(tokens))
            same = known[:length] == tokens[:length]
            shared = length if same.all() else int(same.argmin())
            if shared > best:
                best, numbers = shared, made[:shared]
        return best, numbers
