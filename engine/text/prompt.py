"""A rendered conversation: token ids, and what is known about positions in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AnchorKind = Literal["system", "user", "answer", "next turn", "tool call"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A prompt position (tokens, 0 < position < n) where other prompts are expected to diverge.

    Attributes:
        kind: "system" before the first user text where a system message comes first; "user" before
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
class RenderedPrompt:
    """A conversation as the model reads it.

    Attributes:
        ids: the whole prompt, up to where the answer starts.
        anchors: by ascending position, without duplicates.
        spans: one per message, ascending, empty if the template omitted the message.
        retokenised: messages whose generated ids are not in the prompt, although their text is.
        edited: messages whose text no longer matches their generated ids.
    """

    ids: tuple[int, ...]
    anchors: tuple[Anchor, ...] = ()
    spans: tuple[MessageSpan, ...] = ()
    retokenised: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
