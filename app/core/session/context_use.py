"""How full the model's context is, and how much of it the next prompt would reuse."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.model import Session
from app.core.session.recent import Recent, recent_part
from app.core.session.records import Preview, Turn
from app.core.words import context_words

# Above this fraction the window warns about the end of the context.
NEARLY_FULL = 0.9


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens of the current conversation, with the draft in the composer once it was probed.

    Attributes:
        used: prompt and answer so far.
        warm: leading tokens that the next prompt reuses; None until known.
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
    # The prompt length of an engine elsewhere may be unknown.
    answer = next((t for t in reversed(current.turns) if t.plan is not None and t.plan.total), None)
    if answer is None or answer.plan is None:
        # A conversation of an earlier start: only a probe has its length.
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


@dataclass(frozen=True, slots=True)
class ContextEnd:
    """What to say about the end of the context.

    Attributes:
        sentence: what will happen, or has happened.
        urgent: it has happened: an answer was cut off, or the message cannot be sent.
        elsewhere: a new conversation would help.
        recent: the part that a new conversation could continue with; None if there is none.
    """

    sentence: str
    urgent: bool = False
    elsewhere: bool = True
    recent: Recent | None = None


def context_end(session: Session) -> ContextEnd | None:
    """None while the end is far away, or nothing is known."""
    model, current = session.engine.model, session.current
    if model is None or model.context <= 0:
        return None
    window = model.context
    refused = session.forecast.refusal
    if refused is not None and refused.tokens is not None:
        draft = len(current.draft) + sum(len(file.text) for file in current.files)
        recent = recent_part(current.turns, refused.tokens, window, draft)
        alone = not current.turns or _share(session, draft) * refused.tokens > window
        sentence = context_words.refused_prompt(refused.tokens, window, alone=alone)
        return ContextEnd(sentence, urgent=True, elsewhere=not alone, recent=recent)
    use = context_use(session)
    last = current.last
    if use is None or current.running is not None:
        used = 0 if use is None else use.used
    else:
        full = session.forecast.full
        used = full.tokens if full is not None and full.tokens is not None else use.used
        if last is not None and last.stop == "context":
            recent = recent_part(current.turns, used, window)
            return ContextEnd(context_words.cut_answer(window), urgent=True, recent=recent)
    if use is None or not (use.nearly_full or used > use.used):
        return None
    recent = recent_part(current.turns, used, window) if current.running is None else None
    return ContextEnd(context_words.context_warning(used, window), recent=recent)


def _share(session: Session, draft: int) -> float:
    """The next message's share of the next prompt's characters."""
    said = sum(len(turn.text) + len(turn.thinking) for turn in session.current.turns)
    return draft / max(1, draft + said)
