"""Reads an answer with its calls out of both channels: a call also ends the thinking."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.serve.asked import Tools
from engine.serve.call_reader import OPEN, CallReader
from engine.serve.pieces import Piece, Said, Thought
from engine.text.stop_strings import held_back

# A thought may well name the tag; a call has its beginning after it.
_CALL = re.compile(r"(?:^|\n)[ \t]*(?=<tool_call>\s*(?:<function=|\{))")
_MAYBE_CALL = re.compile(r"<tool_call>\s*(?:<[a-z=]*)?\Z")


class AnswerReader:
    """Takes what the engine shows, returns pieces.

    Attributes:
        calls: reads the answer's text.
        thinking: what was returned of it.
        in_thought: a call ended the thinking, which its closing tag did not.
    """

    def __init__(self, tools: Tools, head: str = "") -> None:
        """head: what was put into the model's mouth: its text is known, its calls are not."""
        self._tools = tools
        self._held = ""
        self.calls = CallReader(tools)
        self.thinking = ""
        self.in_thought = False
        begun = self.calls.feed(head) if head else []
        self._first: Sequence[Piece] = [one for one in begun if not isinstance(one, Said)]
        self._known = len(self.calls.text)

    @property
    def text(self) -> str:
        """What was returned of the answer's text."""
        return self.calls.text[self._known :]

    def think(self, text: str) -> list[Piece]:
        """More thinking."""
        pieces = self._begin()
        if not self._tools.callable:
            return pieces + self._thought(text)
        if self.in_thought:
            return pieces + self.calls.feed(text)
        self._held += text
        found = _CALL.search(self._held)
        if found is not None:
            thought, call = self._held[: found.start()], self._held[found.end() :]
            self._held, self.in_thought = "", True
            return pieces + self._thought(thought.rstrip("\n")) + self.calls.feed(call)
        kept = len(self._held) - held_back(self._held, (f"\n{OPEN}",))
        maybe = self._maybe_call()
        if maybe is not None:
            kept = min(kept, maybe)
        elif OPEN.startswith(self._held.lstrip()) and not self.thinking:
            kept = 0
        shown, self._held = self._held[:kept], self._held[kept:]
        return pieces + self._thought(shown)

    def _maybe_call(self) -> int | None:
        """Where the end of what is held would be cut off if it begins a call on a line of its own.

        Looked for from the tag, as a thought may hold many line breaks.
        """
        tag = self._held.rfind(OPEN)
        if tag < 0 or not _MAYBE_CALL.match(self._held, tag):
            return None
        thought = len(self._held[:tag].rstrip())
        at = self._held.find("\n", thought, tag)
        return at if at >= 0 else (None if thought else 0)

    def say(self, text: str) -> list[Piece]:
        """More of the answer."""
        return self._begin() + self._release() + self.calls.feed(text)

    def finish(self, *, cut: bool) -> list[Piece]:
        """The end; `cut`: the answer would have gone on."""
        return self._begin() + self._release() + self.calls.finish(cut=cut)

    def _begin(self) -> list[Piece]:
        first, self._first = list(self._first), ()
        return first

    def _release(self) -> list[Piece]:
        held, self._held = self._held, ""
        return self._thought(held)

    def _thought(self, text: str) -> list[Piece]:
        self.thinking += text
        return [Thought(text)] if text else []
