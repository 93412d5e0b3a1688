"""From generated ids to the two channels of text a user sees."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Channel
from engine.text.detokenizer import Detokenizer
from engine.text.stop_strings import StopStrings
from engine.text.think_splitter import ThinkSplitter

Piece = tuple[Channel, str]


class AnswerStream:
    """Ids in, pieces of thinking and answer out; stop strings end the answer.

    Attributes:
        stopped: a stop string was hit; no text follows it.
    """

    def __init__(
        self, detokenizer: Detokenizer, starts_thinking: bool, stops: Sequence[str]
    ) -> None:
        self._detokenizer = detokenizer
        self._splitter = ThinkSplitter(starts_thinking, detokenizer.tags)
        self._stops = StopStrings(stops)
        self.text = ""
        self.thinking = ""

    @property
    def stopped(self) -> bool:
        return bool(self._stops.hit)

    def feed(self, token: int) -> list[Piece]:
        """The text that this id settles."""
        return self._show(self._splitter.feed(self._detokenizer.feed(token)))

    def finish(self) -> list[Piece]:
        """The text held back until the end."""
        pieces = self._show(self._splitter.feed(self._detokenizer.finish()))
        pieces += self._show(self._splitter.finish())
        if not self.stopped and (rest := self._stops.finish()):
            self.text += rest
            pieces.append(("answer", rest))
        return pieces

    def _show(self, pieces: list[Piece]) -> list[Piece]:
        """Stop strings count only in the answer: a thought may well mention one."""
        shown: list[Piece] = []
        for channel, text in pieces:
            if channel == "answer":
                text = self._stops.feed(text)
                self.text += text
            else:
                self.thinking += text
            if text:
                shown.append((channel, text))
        return shown
