"""Finds lines that some agents change in their system text with every request.

Everything after such a line is recomputed each time, often tens of thousands of tokens. They are
always reported; whether they are omitted from the prompt is for the user to decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.message import Message
from engine.reuse import ReusePlan
from engine.sentence import say


@dataclass(frozen=True, slots=True)
class VolatileSpan:
    """A span of a system text that changes from request to request.

    Attributes:
        what: a short description.
        message: index of its message.
        start, end: its characters there.
        text: its content.
        removed: whether it was omitted from the prompt.
    """

    what: str
    message: int
    start: int
    end: int
    text: str
    removed: bool

    def saves(self, plan: ReusePlan) -> int:
        """Maximum number of prompt tokens that could have come from the cache without it."""
        at = plan.divergence
        if self.removed or at is None or at.message not in (None, self.message):
            return 0
        return plan.total - plan.reused

    @property
    def sentence(self) -> str:
        """For the list of requests."""
        shown = self.text.strip()
        shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
        done = (
            say("It was left out.")
            if self.removed
            else say("What follows it is read again each time.")
        )
        return say(
            'The system text holds {what}: "{shown}". {done}',
            what=self.what,
            shown=shown,
            done=done,
        )


# A pattern per kind: only lines that mean nothing to the model, and the seconds of a clock.
_UUID = say("an id that is new each time, perhaps")
_KINDS = (
    (
        say("a billing header with a new code"),
        re.compile(r"^x-anthropic-billing-header:[^\n]*\n?", re.MULTILINE),
    ),
    (
        say("the number of tokens that are left"),
        re.compile(r"<total_tokens>[^<\n]*(?:</total_tokens>)?\n?"),
    ),
    (
        say("a clock with seconds"),
        re.compile(r"(?<=\d{2}:\d{2}):\d{2}(?:\.\d+)?(?!\d|:)"),
    ),
    (
        _UUID,
        re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE),
    ),
)


def volatile_spans(messages: Sequence[Message], *, removed: bool) -> tuple[VolatileSpan, ...]:
    """The spans in the system text at the start of a conversation, in order."""
    if not messages or messages[0].role != "system":
        return ()
    text = messages[0].content
    found = [
        # An id may be part of a path that the model needs.
        VolatileSpan(what, 0, match.start(), match.end(), match[0], removed and what is not _UUID)
        for what, pattern in _KINDS
        for match in pattern.finditer(text)
    ]
    return tuple(sorted(found, key=lambda span: span.start))


def without(messages: tuple[Message, ...], spans: Sequence[VolatileSpan]) -> tuple[Message, ...]:
    """The conversation without these spans."""
    if not spans:
        return messages
    text, kept, at = messages[0].content, [], 0
    for span in spans:
        if not span.removed:
            continue
        # Two kinds may overlap.
        kept.append(text[at : max(span.start, at)])
        at = max(span.end, at)
    kept.append(text[at:])
    return (replace(messages[0], content="".join(kept)), *messages[1:])
