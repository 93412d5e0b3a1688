"""The read-only questions of a session: what the prompts that may come next would reuse.

Functions of a session, as the reducer's are. None of them asks while something is running.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.session import unsent
from app.session.changes import NOTHING, Outcome, PreviewChanged
from app.session.forecast import Subject
from app.session.records import EnginePhase, Turn
from engine.commands import Probe
from engine.message import Message, PromptOptions

if TYPE_CHECKING:
    from app.session.model import Session

# Branch points whose other branches are probed, the last ones of the branch on screen.
_MOST_FORKS = 3


def probe_draft(session: Session, text: str) -> Outcome:
    """Keep the composer's text, and ask what the message that it makes would reuse."""
    kept = session.keep_draft(text)
    message = unsent.message_of(session.current, text)
    if not message:
        return kept | Outcome.of(PreviewChanged()) if session.forecast.drop_draft() else kept
    return kept | _probe(session, "draft", session.current.turns, message)


def probe_conversation(session: Session) -> Outcome:
    """Ask what the conversation on screen would reuse as it stands."""
    if not session.current.turns:
        return NOTHING
    return _probe(session, "conversation", session.current.turns)


def probe_next(session: Session) -> Outcome:
    """Ask what the next prompt would reuse, with what is in the composer and without."""
    asked = probe_conversation(session) | probe_draft(session, session.current.draft)
    return asked | unsent.count_tokens(session)


def probe_sibling(session: Session) -> Outcome:
    """Ask what going on from another branch would reuse, for one that is not known yet."""
    tree, forecast = session.current.tree, session.forecast
    forks = [turn for turn in session.current.turns if len(tree.siblings(turn.id)) > 1]
    for turn in reversed(forks[-_MOST_FORKS:]):
        siblings = [sibling.id for sibling in tree.siblings(turn.id)]
        at = siblings.index(turn.id)
        for other in (*siblings[max(0, at - 1) : at], *siblings[at + 1 : at + 2]):
            if other not in forecast.siblings and not forecast.asked(other):
                return _probe(session, other, tree.path(tree.leaf_below(other)))
    return NOTHING


def with_question(messages: Sequence[Message], question: str = "") -> tuple[Message, ...]:
    """A prompt that can be probed: what the template drops of an answer, it drops then."""
    return (*messages, Message("user", question))


def _probe(session: Session, subject: Subject, turns: list[Turn], question: str = "") -> Outcome:
    if session.busy or session.engine.phase is not EnginePhase.READY:
        return NOTHING
    number, current = next(session.numbers), session.current
    session.forecast.ask(number, subject)
    prompt = with_question(current.messages(session.model_folder, turns), question)
    options = PromptOptions(thinking=current.thinking)
    return Outcome.of(commands=(Probe(number, prompt, options, current.id),))
