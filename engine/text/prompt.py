"""What rendering a conversation gives: token ids, and what is known about places in them."""

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
            "next turn" where the prompt of the next user turn will leave this one;
            "tool call" where the arguments of the last tool call start.
    """

    position: int
    kind: AnchorKind


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """Tokens [start, end) of message `index`, its role header and its end marker included."""

    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A conversation as the model reads it.

    Attributes:
        ids: the whole prompt, up to where the answer starts.
        anchors: by ascending position, no position twice.
        spans: one per message, ascending, empty where the template left a message out.
        retokenised: messages whose generated ids are not in the prompt, though their text is.
        edited: messages whose text is no longer what their generated ids say.
    """

    ids: tuple[int, ...]
    anchors: tuple[Anchor, ...] = ()
    spans: tuple[MessageSpan, ...] = ()
    retokenised: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
