"""An answer as a stream of pieces, common to all interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.events import TokenScore
from engine.net.server.by_name import Opened
from engine.net.server.volatile import VolatileSpan
from engine.reuse import ReuseReport

# "tools": the answer calls tools and waits for their results.
Finish = Literal["stop", "stop string", "length", "tools"]


@dataclass(frozen=True, slots=True)
class Thought:
    """More thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """More answer text; `scores` of its tokens, if the request asks for them."""

    text: str
    scores: tuple[TokenScore, ...] = ()


@dataclass(frozen=True, slots=True)
class CallBegan:
    """A tool call began; `index` counts calls from 0, `id` is unique."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CallArguments:
    """More of a call's arguments; the concatenated fragments are one JSON object."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A complete call; `arguments` is a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Over:
    """The end of an answer, with the whole of it.

    Attributes:
        unfinished: a cut-off call as generated; "" if there is none.
        volatile: spans of the system text that change with every request.
        thinking_tokens: number of generated tokens that were thinking.
        scores: of the tokens of its text, if the request asks for them.
        opened: the model that the request opened first, if any.
    """

    finish: Finish
    report: ReuseReport
    text: str
    thinking: str
    calls: tuple[Call, ...]
    unfinished: str
    thinking_tokens: int
    volatile: tuple[VolatileSpan, ...] = ()
    scores: tuple[TokenScore, ...] = ()
    opened: Opened | None = None

    @property
    def whole_text(self) -> str:
        """The text of a non-streamed answer, where half a call is text."""
        return self.text + self.unfinished


Piece = Thought | Said | CallBegan | CallArguments | Over
