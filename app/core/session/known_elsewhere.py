"""What an engine elsewhere reports of its cache, and what it does not, in sentences. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.model import Session
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from engine.reuse import ReusePlan


@dataclass(frozen=True, slots=True)
class Known:
    """One item that may be known.

    Attributes:
        told: the engine reports it; if not, it is hatched.
        shows_tree: the tree can be shown.
    """

    title: str
    sentence: str
    told: bool
    shows_tree: bool = False


def known_elsewhere(session: Session, events: str = "") -> tuple[Known, ...]:
    """Empty unless an engine elsewhere is in use.

    events: where the engine publishes its KV events; "" if not given.
    """
    model = session.engine.model
    if model is None or not model.remote:
        return ()
    return (
        _requests(session, model.remote),
        _tree(events),
        Known(
            tr("States of the linear layers"),
            tr("Not known: no server reports at which positions it holds one."),
            told=False,
        ),
        _counters(session),
    )


def _tree(events: str) -> Known:
    title = tr("Tree of prefixes")
    if events:
        said = tr("Published at {place}. The debugger rebuilds it from what comes from now on.")
        return Known(title, said.format(place=events), told=True, shows_tree=True)
    said = tr(
        "Not known: vLLM and SGLang tell it by KV events, whose address File > Connect… takes."
    )
    return Known(title, said, told=False)


def _requests(session: Session, program: str) -> Known:
    title = tr("What each request reuses")
    plans = [ran.report.plan for ran in session.ledger.runs if ran.report.plan.reported_by]
    if not plans:
        return Known(title, tr("Not known yet: no request has ended."), told=False)
    told = [plan for plan in plans if not plan.unknown and plan.total]
    if not told:
        return Known(title, said(plans[-1].detail), told=False)
    return Known(title, _sum(told, len(plans)), told=True)


def _sum(told: list[ReusePlan], requests: int) -> str:
    total, reused = sum(plan.total for plan in told), sum(plan.reused for plan in told)
    text = tr("{reused} of {total} prompt tokens were reused, by the server's own count.").format(
        reused=fmt.count(reused), total=fmt.count(total)
    )
    silent = requests - len(told)
    if silent:
        text += " " + tr("Of {count} it said nothing.").format(count=fmt.plural(silent, "request"))
    return text


def _counters(session: Session) -> Known:
    counters, title = session.counters, tr("Counters")
    if counters.sentence:
        return Known(title, said(counters.sentence), told=False)
    if not counters.points:
        return Known(title, tr("Not known yet."), told=False)
    count = fmt.plural(len(counters.tracks), "counter")
    text = tr("{count} read every two seconds.").format(count=count)
    return Known(title, text, told=True)
