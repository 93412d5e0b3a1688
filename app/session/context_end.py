"""The end of the context: what happens there, and how a conversation can go on. Nothing is ever
left out of a prompt without a word."""

from __future__ import annotations

from dataclasses import dataclass

from app.session.context_use import context_use
from app.session.model import Session
from app.session.recent import Recent, recent_part
from app.words import context_words


@dataclass(frozen=True, slots=True)
class ContextEnd:
    """What to say.

    Attributes:
        sentence: what happens, or happened.
        urgent: it has happened: an answer was cut, or the message cannot be sent.
        elsewhere: a new conversation would help.
        recent: what could go on there, None if that is not possible.
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
    """Of the characters of the next prompt: those of the next message."""
    said = sum(len(turn.text) + len(turn.thinking) for turn in session.current.turns)
    return draft / max(1, draft + said)
