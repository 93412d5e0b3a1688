"""Answers to commands that were never carried out, so that no caller waits for ever."""

from __future__ import annotations

from engine import commands, events
from engine.reuse import Reason, ReusePlan, ReuseReport

CLOSED = "The engine is closed."


def never_started(request: int) -> events.RequestFinished:
    """The end of a request that was cancelled while it was queued."""
    plan = ReusePlan(0, 0, 0, 0, Reason.NONE, "The request was cancelled before it started.")
    return events.RequestFinished(
        request=request,
        stop="cancelled",
        report=ReuseReport(plan, 0, None, 0.0, None, 0.0, 0.0, 0.0),
        text="",
        thinking="",
        token_ids=(),
    )


def closed_answer(command: object) -> events.Event | None:
    """What a command gets after the engine's end; None for those that nobody waits for."""
    match command:
        case commands.Submit():
            return events.RequestFailed(request=command.request, sentence=CLOSED)
        case commands.Forget():
            return events.Forgotten(number=command.number, bytes=0, files=0, sentence=CLOSED)
        case commands.Act() | commands.UndoAct() | commands.WarmPrompt():
            return events.Acted(number=command.number, node=None, done=False, sentence=CLOSED)
    return None
