"""Detects the speaker of each token, from the marks that chat templates put around messages.

The marks are those of ChatML, as the Qwen family and the bundled model write them: `<|im_start|>`,
the role and a line break open a message, `<|im_end|>` ends it; tags set thinking and tool results
apart. Only control tokens count, never the same letters spelt out in a message.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.snapshot import Speech

Tokens = npt.NDArray[np.integer]
Piece = Callable[[int], bytes]
"""The bytes of a token id."""

TEXT_TOKENS = 24
# No role is longer; a header that continues past this without a line break is not one.
LONGEST_HEADER = 32
_NAMES = {
    b"<|im_start|>": "opening",
    b"<|im_end|>": "closing",
    b"<|endoftext|>": "closing",
    b"<think>": "think",
    b"</think>": "thought",
    b"<tool_response>": "result",
    b"</tool_response>": "result's end",
}
MARKS = tuple(_NAMES)
_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


class Marks:
    """The ids of a vocabulary's marks."""

    def __init__(self, ids: Iterable[tuple[int, bytes]]) -> None:
        """ids: of any tokens, with their bytes; those that are not marks are skipped."""
        self.names = {token: _NAMES[piece] for token, piece in ids if piece in _NAMES}
        self._sorted = np.array(sorted(self.names), np.int64)

    def places(self, tokens: Tokens) -> list[int]:
        """The indices of the marks."""
        return [int(at) for at in np.flatnonzero(np.isin(tokens, self._sorted))]


@dataclass(frozen=True, slots=True)
class Voice:
    """The speaker at the end of some tokens, for those that follow.

    Attributes:
        role: as in `Speech`.
        phase: "silent" before any mark, then "header" between a message's first mark and its line
            break, "message" inside it, "after" behind its end, "outside" if other text follows.
        header: the header's bytes so far.
        fresh: the next token is the first of the role's stretch.
        blank: only white space so far since the header.
    """

    role: str = ""
    phase: Literal["silent", "header", "message", "after", "outside"] = "silent"
    header: bytes = b""
    fresh: bool = False
    blank: bool = False


SILENT = Voice()


def speech(
    tokens: Tokens, start: int, voice: Voice, marks: Marks, piece: Piece
) -> tuple[tuple[Speech, ...], Voice]:
    """The speech in `tokens`, and the voice at their end.

    A message starts at its first mark; white space right after its end belongs to it. An answer's
    header belongs to the thinking that follows at once. A header that continues after `tokens` has
    no speaker yet, and its message opens where it is complete.

    Args:
        tokens: `[n]`, a node's span; `start` is its first position.
        voice: at the end of the tokens above, SILENT at the root.

    Returns:
        The stretches in order, without gaps; empty if there is no mark here or above.
    """
    scan = _Scan(tokens, voice, marks, piece)
    scan.run()
    if scan.voice.phase == "silent":
        return (), scan.voice
    return tuple(scan.told(start)), scan.voice


@dataclass(slots=True)
class _Stretch:
    """A stretch from index `at` on; its text begins at `text` or later."""

    at: int
    text: int
    role: str
    opens: bool


class _Scan:
    """One pass over a node's tokens, from mark to mark."""

    def __init__(self, tokens: Tokens, voice: Voice, marks: Marks, piece: Piece) -> None:
        self._tokens = tokens
        self._marks = marks
        self._places = marks.places(tokens)
        self._piece = piece
        self.voice = voice
        self._stretches = [_Stretch(0, 0, voice.role, voice.fresh)]
        # Where the current header began; 0 if that was in a node above.
        self._header_at = 0
        # Everything since the header was checked up to here.
        self._looked = 0

    def run(self) -> None:
        at = 0
        while at < len(self._tokens):
            if self.voice.phase == "header" and not self._is_mark(at):
                self._read_header(at)
                at += 1
            elif self.voice.phase == "after" and not self._is_mark(at):
                if not self._is_blank(at):
                    self._begin(at, "")
                    self.voice = Voice(phase="outside")
                at += 1
            else:
                after = bisect_left(self._places, at)
                if after == len(self._places):
                    break
                at = self._places[after]
                self._read_mark(at)
                at += 1
        self._look(len(self._tokens))
        if self.voice.fresh and self._stretches[-1].at < len(self._tokens):
            self.voice = replace(self.voice, fresh=False)

    def told(self, start: int) -> Iterable[Speech]:
        ends = [stretch.at for stretch in self._stretches[1:]] + [len(self._tokens)]
        for stretch, end in zip(self._stretches, ends, strict=True):
            if stretch.at < end:
                text = self._text(min(stretch.text, end), end)
                yield Speech(start + stretch.at, stretch.role, text, stretch.opens)

    # ---- steps

    def _read_mark(self, at: int) -> None:
        name = self._marks.names[int(self._tokens[at])]
        self._look(at)
        voice = self.voice
        if name == "opening":
            self._header_at = at
            self._begin(at, "", opens=False)
            self.voice = Voice(phase="header")
        elif name == "closing":
            if voice.phase in ("message", "header"):
                self.voice = Voice(voice.role, "after")
        elif voice.phase == "message":
            self._read_tag(at, name)

    def _read_tag(self, at: int, name: str) -> None:
        voice = self.voice
        if name == "think" and voice.role == "assistant" and voice.blank:
            self._open(at, "thinking")
        elif name == "thought" and voice.role == "thinking":
            self._begin(at + 1, "assistant")
            self.voice = Voice("assistant", "message", fresh=True)
            self._looked = at + 1
        elif name == "result" and (voice.role == "tool" or (voice.role == "user" and voice.blank)):
            self._open(at, "tool")

    def _read_header(self, at: int) -> None:
        """One more token of a header; the message opens when it is complete."""
        header = self.voice.header + self._piece(int(self._tokens[at]))
        name, line_end, _ = header.partition(b"\n")
        if not line_end and len(header) <= LONGEST_HEADER:
            self.voice = replace(self.voice, header=header)
            return
        role = _ROLES.get(name.decode("utf-8", errors="replace").strip(), "")
        stretch = self._stretches[-1]
        stretch.role, stretch.opens, stretch.text = role, role != "", at + 1
        self.voice = Voice(role, "message", blank=True)
        self._looked = at + 1

    def _open(self, at: int, role: str) -> None:
        """A tag at `at` shows that the message, or a part of it, is `role`'s."""
        stretch = self._stretches[-1]
        if self.voice.blank and stretch.opens:
            # The message has nothing but its header so far.
            stretch.role, stretch.text = role, at + 1
        else:
            self._begin(at, role)
            self._stretches[-1].text = at + 1
        self.voice = Voice(role, "message")

    def _begin(self, at: int, role: str, opens: bool = True) -> None:
        self._stretches.append(_Stretch(at, at, role, opens and role != ""))

    def _look(self, end: int) -> None:
        """Note whether anything but white space occurred since the header."""
        if self.voice.blank and not all(map(self._is_blank, range(self._looked, end))):
            self.voice = replace(self.voice, blank=False)
        self._looked = end

    # ---- tokens

    def _is_mark(self, at: int) -> bool:
        return int(self._tokens[at]) in self._marks.names

    def _is_blank(self, at: int) -> bool:
        return not self._is_mark(at) and not self._piece(int(self._tokens[at])).strip()

    def _text(self, at: int, end: int) -> str:
        """The first characters of a message's own text in [at, end)."""
        while at < end and self._is_blank(at):
            at += 1
        shown = []
        for token in self._tokens[at : min(at + TEXT_TOKENS, end)]:
            if int(token) in self._marks.names:
                break
            shown.append(self._piece(int(token)))
        return b"".join(shown).decode("utf-8", errors="replace").rstrip()
