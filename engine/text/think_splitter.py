"""Splits a stream of generated text into thinking and answer."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Channel
from engine.text.stop_strings import held_back

OPEN_TAG = "<think>"
CLOSE_TAG = "</think>"


@dataclass(frozen=True, slots=True)
class Tags:
    """How the thinking tags are spelt in generated text: sealed if they are control tokens."""

    opening: str = OPEN_TAG
    closing: str = CLOSE_TAG


class ThinkSplitter:
    """Takes text as it arrives, returns (channel, text) pieces.

    Tags and the line breaks next to them are dropped. An opening tag counts only at the very
    start, a closing one only while thinking: later tags are part of the answer.

    Attributes:
        thinking, answer: everything returned so far.
    """

    def __init__(self, starts_thinking: bool, tags: Tags | None = None) -> None:
        self._tags = tags or Tags()
        self._phase = "thinking" if starts_thinking else "start"
        self._held = ""
        self._fresh = starts_thinking
        self.thinking = ""
        self.answer = ""

    def feed(self, text: str) -> list[tuple[Channel, str]]:
        """What can be shown now; a possible tag and the line breaks before it are held back."""
        self._held += text
        out: list[tuple[Channel, str]] = []
        if self._phase == "start":
            self._start()
        if self._phase == "thinking":
            self._think(out)
        if self._phase == "answer":
            self._answer(out)
        return out

    def finish(self) -> list[tuple[Channel, str]]:
        """The remaining text at the end of the generation."""
        out: list[tuple[Channel, str]] = []
        if self._phase == "thinking":
            self._emit("thinking", self._held.rstrip("\n"), out)
        else:
            self._emit("answer", self._held, out)
        self._held = ""
        return out

    def _start(self) -> None:
        head = self._held.lstrip()
        opening = self._tags.opening
        if head.startswith(opening):
            self._held, self._phase, self._fresh = head[len(opening) :], "thinking", True
        elif not opening.startswith(head):
            self._phase = "answer"

    def _think(self, out: list[tuple[Channel, str]]) -> None:
        self._drop_first_line_ends()
        closing = self._tags.closing
        at = self._held.find(closing)
        if at >= 0:
            self._emit("thinking", self._held[:at].rstrip("\n"), out)
            self._held, self._phase, self._fresh = self._held[at + len(closing) :], "answer", True
            return
        safe = self._held[: len(self._held) - held_back(self._held, (closing,))].rstrip("\n")
        self._emit("thinking", safe, out)
        self._held = self._held[len(safe) :]

    def _answer(self, out: list[tuple[Channel, str]]) -> None:
        self._drop_first_line_ends()
        self._emit("answer", self._held, out)
        self._held = ""

    def _drop_first_line_ends(self) -> None:
        if self._fresh:
            self._held = self._held.lstrip("\n")
            self._fresh = not self._held

    def _emit(self, channel: Channel, text: str, out: list[tuple[Channel, str]]) -> None:
        if not text:
            return
        for spelling, tag in ((self._tags.opening, OPEN_TAG), (self._tags.closing, CLOSE_TAG)):
            text = text.replace(spelling, tag)
        out.append((channel, text))
        if channel == "thinking":
            self.thinking += text
        else:
            self.answer += text
