"""How full the model's context is, and how much of it the next prompt would reuse."""

from __future__ import annotations

from dataclasses import dataclass

from app.session.model import Session
from app.session.records import Preview, Turn

# From here on the window says what will happen at the end.
NEARLY_FULL = 0.9


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens of the current conversation, with the draft in the composer once it was probed.

    Attributes:
        used: prompt and answer so far.
        warm: those at the beginning that the next prompt reuses; None while that is not known.
        window: the longest sequence that the model and the cache have room for.
    """

    used: int
    warm: int | None
    window: int

    @property
    def share(self) -> float:
        return self.used / self.window

    @property
    def nearly_full(self) -> bool:
        return self.share >= NEARLY_FULL


def context_use(session: Session) -> ContextUse | None:
    """None while there is no model, or nothing is known of the conversation."""
    model, current = session.engine.model, session.current
    if model is None or model.context <= 0:
        return None
    draft = _of_current(session, session.forecast.preview)
    if draft is not None:
        return ContextUse(draft.plan.total, draft.plan.reused, model.context)
    gauged = _of_current(session, session.forecast.gauged)
    # Of an engine elsewhere it may not be known how long the prompt was.
    answer = next((t for t in reversed(current.turns) if t.plan is not None and t.plan.total), None)
    if answer is None or answer.plan is None:
        # A conversation of an earlier start: only the gauge has seen it.
        found = None if gauged is None else gauged.plan
        return None if found is None else ContextUse(found.total, found.reused, model.context)
    used = context_tokens(answer)
    if answer.state.active:
        return ContextUse(used, answer.plan.reused, model.context)
    warm = None if gauged is None else min(gauged.plan.reused, used)
    return ContextUse(used, warm, model.context)


def context_tokens(answer: Turn) -> int:
    """Tokens of the prompt and the generated answer."""
    return (answer.plan.total if answer.plan else 0) + answer.generated


def _of_current(session: Session, probed: Preview | None) -> Preview | None:
    return probed if probed is not None and probed.conversation == session.current.id else None
