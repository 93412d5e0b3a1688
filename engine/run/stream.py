"""From generated ids to the two channels of text a user sees."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from engine.events import Channel
from engine.text.detokenizer import Detokenizer
from engine.text.prompt import BegunAnswer
from engine.text.stop_strings import StopStrings
from engine.text.think_splitter import ThinkSplitter

Piece = tuple[Channel, str]


class AnswerStream:
    """Ids in, pieces of thinking and answer out; stop strings end the answer.

    An answer that was cut is taken up with `resume`: its ids are read again without being shown,
    so that what goes across the cut (a character, a tag, a stop string) comes out as in one go.

    Attributes:
        stopped: a stop string was hit; no text follows it.
    """

    def __init__(
        self, detokenizer: Detokenizer, starts_thinking: bool, stops: Sequence[str]
    ) -> None:
        self._detokenizer = detokenizer
        self._splitter = ThinkSplitter(starts_thinking, detokenizer.tags)
        self._stops = StopStrings(stops)
        self._text = _nothing()
        # Of an answer that was cut: what it said, and how its ids show that.
        self._before = self._old = _nothing()

    @property
    def stopped(self) -> bool:
        return bool(self._stops.hit)

    @property
    def text(self) -> str:
        """The answer; complete after `finish`."""
        return self._whole("answer")

    @property
    def thinking(self) -> str:
        """The thinking; complete after `finish`."""
        return self._whole("thinking")

    def resume(self, begun: BegunAnswer) -> None:
        """Take up an answer, before anything else is fed. No stop string in it ends it."""
        self._before = {"thinking": begun.thinking, "answer": begun.text}
        self._splitter.feed("".join(map(self._detokenizer.feed, begun.ids)))
        ended = copy(self._splitter)
        ended.finish()
        self._old = {"thinking": ended.thinking, "answer": ended.answer}
        self._text["thinking"] = self._splitter.thinking
        self._text["answer"] = self._stops.resume(self._splitter.answer)

    def feed(self, token: int) -> list[Piece]:
        """The text that this id settles."""
        return self._show(self._splitter.feed(self._detokenizer.feed(token)))

    def finish(self, *, cut: bool = False) -> list[Piece]:
        """The text held back until the end.

        `cut`: the answer may go on; a character that has only begun is then left to its rest.
        """
        pieces = [] if cut else self._show(self._splitter.feed(self._detokenizer.finish()))
        pieces += self._show(self._splitter.finish())
        if not self.stopped:
            pieces += self._add("answer", self._stops.finish())
        return pieces

    def _show(self, pieces: list[Piece]) -> list[Piece]:
        """Stop strings count only in the answer: a thought may well mention one."""
        shown: list[Piece] = []
        for channel, text in pieces:
            shown += self._add(channel, self._stops.feed(text) if channel == "answer" else text)
        return shown

    def _add(self, channel: Channel, text: str) -> list[Piece]:
        """What of it is new: the end of an answer that was cut may have been held back again."""
        known = max(len(self._text[channel]), len(self._old[channel]))
        self._text[channel] += text
        new = self._text[channel][known:]
        return [(channel, new)] if new else []

    def _whole(self, channel: Channel) -> str:
        text, old = self._text[channel], self._old[channel]
        # Else what was shown turned out to begin a tag or a stop string.
        return self._before[channel] + text[len(old) :] if text.startswith(old) else text


def _nothing() -> dict[Channel, str]:
    return {"thinking": "", "answer": ""}
