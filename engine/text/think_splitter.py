"""Splits a stream of generated text into thinking and answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Channel

OPEN_TAG = "<think>"
CLOSE_TAG = "</think>"


class StopStrings:
    """Passes text through, holding back only what may be the start of a stop string.

    Attributes:
        hit: the stop string that was found, "" until then.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = ""

    def feed(self, text: str) -> str:
        """The part of the text so far that is safe to show; "" once a stop string was hit."""
        if self.hit:
            return ""
        self._held += text
        found = [(at, stop) for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if found:
            # The one that completes first, as if the text arrived letter by letter.
            at, self.hit = min(found, key=lambda pair: (pair[0] + len(pair[1]), pair[0]))
            shown, self._held = self._held[:at], ""
            return shown
        cut = len(self._held) - held_back(self._held, self._stops)
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown

    def resume(self, text: str) -> str:
        """Continue an answer cut after `text`; returns all of it but what is held back.

        A stop string inside `text` did not end it; one may have begun at its end.
        """
        cut = len(text) - held_back(text, self._stops)
        self._held = text[cut:]
        return text[:cut]

    def finish(self) -> str:
        """The text still held back at the end of the answer."""
        rest, self._held = self._held, ""
        return rest


def held_back(text: str, marks: Sequence[str]) -> int:
    """How many characters at the end of `text` could be the start of one of `marks`."""
    longest = max((len(mark) for mark in marks), default=0)
    for keep in range(min(longest - 1, len(text)), 0, -1):
        tail = text[-keep:]
        if any(mark.startswith(tail) for mark in marks):
            return keep
    return 0


@dataclass(frozen=True, slots=True)
class Tags:
    """The spelling of the thinking tags in generated text: sealed if they are control tokens."""

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
        """What can be emitted now; a possible tag and the line breaks before it are held back."""
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
