"""Decodes the tokens of nodes, as far as the text of their ids is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.snapshot import Speech
from engine.speech import SILENT, Marks, Voice, speech

PREVIEW_TOKENS = 24
# How many decoded spans are cached.
MOST = 100_000


@dataclass(frozen=True, slots=True)
class Told:
    """A node's first characters, its speakers, and the voices before and at its end."""

    text: str
    speech: tuple[Speech, ...]
    before: Voice
    voice: Voice


NOTHING = Told("", (), SILENT, SILENT)


class TokenText:
    """Decodes spans, and caches the results.

    Attributes:
        real: ids are those of a vocabulary, not hashes of them.
        pieces: the bytes of token ids; add to it with `learn` only.
    """

    def __init__(self, *, real: bool = False) -> None:
        self.real = real
        self.pieces: dict[int, bytes] = {}
        self._marks = Marks(())
        self._known: dict[tuple[bytes, int, Voice], Told] = {}

    def learn(self, pieces: tuple[tuple[int, bytes], ...]) -> None:
        """Add ids and their bytes."""
        self.real = True
        self.pieces.update(pieces)
        found = Marks(pieces)
        if found.names:
            self._marks = Marks(self.pieces.items())

    def told(self, tokens: bytes, start: int, before: Voice) -> Told:
        """Decode a span.

        Args:
            tokens: as in NodeAdded.
            before: the voice at the end of the span above.
        """
        if not self.pieces or not tokens:
            return NOTHING
        key = (tokens, start, before)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST:
                self._known.clear()
            known = self._known[key] = self._read(tokens, start, before)
        return known

    def speech(self, tokens: bytes) -> tuple[Speech, ...]:
        """The speakers in a whole prompt, given as in NodeAdded; empty if unknown."""
        if not self.pieces:
            return ()
        ids = np.frombuffer(tokens, "<i4")
        return speech(ids, 0, SILENT, self._marks, self.piece)[0]

    def piece(self, token: int) -> bytes:
        return self.pieces.get(token, UNKNOWN)

    def _read(self, tokens: bytes, start: int, before: Voice) -> Told:
        ids = np.frombuffer(tokens, "<i4")
        shown = b"".join(map(self.piece, ids[:PREVIEW_TOKENS].tolist()))
        stretches, voice = speech(ids, start, before, self._marks, self.piece)
        return Told(shown.decode("utf-8", errors="replace"), stretches, before, voice)


UNKNOWN = "�".encode()
