"""A rendered conversation: token ids, and metadata of positions in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AnchorKind = Literal["system", "user", "answer", "next turn", "tool call"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A prompt position (tokens, 0 < position < n) where other prompts are expected to diverge.

    Attributes:
        kind: "system" before the first user text if a system message comes first; "user" before
            another user text; "answer" where an earlier turn's answer starts in history;
            "next turn" where the prompt of the next user turn will diverge from this one;
            "tool call" where the arguments of the last tool call start.
    """

    position: int
    kind: AnchorKind


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """Tokens [start, end) of message `index`, including its role header and end marker."""

    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BegunAnswer:
    """The answer at the end of a prompt, to be continued.

    Attributes:
        start: tokens of the prompt before it.
        ids: its tokens, up to the end of the prompt.
        text, thinking: the parts displayed so far.
    """

    start: int
    ids: tuple[int, ...]
    text: str
    thinking: str


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A conversation as the model reads it.

    Attributes:
        ids: the whole prompt, up to where the answer starts or is continued.
        anchors: by ascending position, without duplicates.
        spans: one per message, ascending, empty if the template omitted the message.
        retokenised: messages whose generated ids are not in the prompt, although their text is.
        edited: messages whose text no longer matches their generated ids.
        begun: the answer to be continued; None if a new one is requested.
    """

    ids: tuple[int, ...]
    anchors: tuple[Anchor, ...] = ()
    spans: tuple[MessageSpan, ...] = ()
    retokenised: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
    begun: BegunAnswer | None = None

    @property
    def head(self) -> tuple[int, ...]:
        """The prompt up to where the answer starts, whether or not it has begun."""
        return self.ids if self.begun is None else self.ids[: self.begun.start]
