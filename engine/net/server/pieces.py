"""An answer as it comes, piece by piece, for every interface alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.net.server.volatile import VolatileSpan
from engine.reuse import ReuseReport

# "tools": the answer calls tools and waits for their results.
Finish = Literal["stop", "stop string", "length", "tools"]


@dataclass(frozen=True, slots=True)
class Thought:
    """More of the thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """More of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallBegan:
    """The answer calls a tool; `index` counts its calls from 0, `id` is unique."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CallArguments:
    """More of a call's arguments: all fragments in a row are one JSON object."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A whole call; `arguments` is a JSON object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Over:
    """The end of an answer, and all of it.

    Attributes:
        unfinished: a call that was cut off, as it was written; "" if there is none.
        volatile: spans of the system text that change with every request.
        thinking_tokens: how many of the generated tokens were thinking.
    """

    finish: Finish
    report: ReuseReport
    text: str
    thinking: str
    calls: tuple[Call, ...]
    unfinished: str
    thinking_tokens: int
    volatile: tuple[VolatileSpan, ...] = ()

    @property
    def whole_text(self) -> str:
        """The text of an answer that is sent whole: half a call is text there."""
        return self.text + self.unfinished


Piece = Thought | Said | CallBegan | CallArguments | Over
