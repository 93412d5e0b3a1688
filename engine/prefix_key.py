"""The key of a prefix: equal for equal tokens, however they are split into nodes.

It identifies a place in a cache where node ids differ: after a restart, in another tree, in a
trace with real token ids.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

KEY_BYTES = 8


class PrefixKey:
    """The key of the tokens so far; immutable: continuing returns a new one."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=KEY_BYTES)

    def then(self, tokens: npt.NDArray[np.integer]) -> PrefixKey:
        """The key with more tokens."""
        return self.then_bytes(tokens.astype("<i4").tobytes())

    def then_bytes(self, tokens: bytes) -> PrefixKey:
        """The same with tokens as little-endian int32."""
        longer = PrefixKey.__new__(PrefixKey)
        longer._hash = self._hash.copy()
        longer._hash.update(tokens)
        return longer

    @property
    def text(self) -> str:
        """16 hexadecimal digits."""
        return self._hash.hexdigest()
