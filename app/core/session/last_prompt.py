"""The last prompt of the conversation on screen: whose it is, and what it reused."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.conversations import Conversations
from app.core.session.names import name_of
from engine.reuse import ReusePlan


@dataclass(frozen=True, slots=True)
class LastPrompt:
    """The prompt of the last answer on the branch on screen.

    Attributes:
        title: of its conversation, distinct from those of others.
        plan: what it reused.
        request: that ran it; None if that was before this start.
        over: the request has ended.
    """

    title: str
    plan: ReusePlan
    request: int | None
    over: bool


def last_prompt(session: Conversations) -> LastPrompt | None:
    """None while the conversation on screen has had no request."""
    conversation = session.current
    for turn in reversed(conversation.turns):
        if turn.is_answer and turn.plan is not None:
            title = name_of(conversation.id, session.conversations)
            return LastPrompt(title, turn.plan, turn.request, not turn.state.active)
    return None
