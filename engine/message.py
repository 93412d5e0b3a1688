"""One message of a conversation, as the chat template sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """A role and its text.

    Attributes:
        role: "system", "user", "assistant" or "tool".
        content: the visible text.
        thinking: the reasoning of an assistant turn, without its tags.
        tool_calls: calls of an assistant turn, `{"name": str, "arguments": dict}` each.
        token_ids: the ids the model generated for this turn (including thinking, without the end
        token). They are put back verbatim where the template allows (faithful tokens).
    """

    role: str
    content: str
    thinking: str = ""
    tool_calls: tuple[dict[str, Any], ...] = ()
    token_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """The template's inputs besides the messages.

    Attributes:
        thinking: passed as `enable_thinking`.
        tools: JSON-schema tool descriptions, passed as `tools`.
        continues: the last message, an assistant's, is continued instead of answered: the prompt is
            that of the messages before it, followed by its `token_ids`, or else by its text.
        keeps_thinking: earlier turns are written as they were while they were the last, with their
            thinking, which most templates leave out then.
    """

    thinking: bool = False
    tools: tuple[dict[str, Any], ...] = ()
    continues: bool = False
    keeps_thinking: bool = False
