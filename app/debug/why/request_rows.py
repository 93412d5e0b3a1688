"""The lines of the history of requests: what each column says of one. Without Qt."""

from __future__ import annotations

import time
from enum import IntEnum

from app.words import format as fmt
from app.words.engine_words import said
from app.words.joining import more
from app.words.tr import tr
from engine.trace.tape import TapedRequest
from engine.trace.why.cause import NORMAL, Cause
from engine.trace.why.evidence import Evidence


class Column(IntEnum):
    NUMBER = 0
    TIME = 1
    CONVERSATION = 2
    TOKENS = 3
    REUSED = 4
    REPLAYED = 5
    NEW = 6
    MATCH = 7
    FIRST_TOKEN = 8
    CAUSE = 9


HEADINGS = {
    Column.NUMBER: tr("Request"),
    Column.TIME: tr("Time"),
    Column.CONVERSATION: tr("Conversation"),
    Column.TOKENS: tr("Tokens"),
    Column.REUSED: tr("Reused"),
    Column.REPLAYED: tr("Replayed"),
    Column.NEW: tr("New"),
    Column.MATCH: tr("Match"),
    Column.FIRST_TOKEN: tr("First token"),
    Column.CAUSE: tr("Why"),
}
HINTS = {
    Column.REUSED: tr("Tokens whose keys, values and state were in the cache"),
    Column.REPLAYED: tr("Tokens that were in the cache, but ran again to rebuild the state"),
    Column.NEW: tr("Tokens that were not in the cache"),
    Column.MATCH: tr("The prompt to scale: reused, replayed (hatched), new"),
    Column.FIRST_TOKEN: tr("Seconds from the request to its first token"),
    Column.CAUSE: tr("Why it ran what it ran"),
}
FIGURES = frozenset(
    {
        Column.NUMBER,
        Column.TIME,
        Column.TOKENS,
        Column.REUSED,
        Column.REPLAYED,
        Column.NEW,
        Column.FIRST_TOKEN,
    }
)


def text_of(
    request: TapedRequest, column: Column, title: str, evidence: Evidence | None, offset_s: float
) -> str:
    """What a cell says.

    Args:
        evidence: None while it is not known yet.
        offset_s: from the tape's clock to seconds since 1970, or to those since its start.
    """
    ran = request.ran
    match column:
        case Column.NUMBER:
            return str(request.number + 1)
        case Column.TIME:
            return clock(request.began + offset_s)
        case Column.CONVERSATION:
            return title
        case Column.TOKENS:
            return fmt.count(len(ran.prompt))
        case Column.REUSED:
            return fmt.count(ran.reused)
        case Column.REPLAYED:
            return fmt.count(ran.replayed)
        case Column.NEW:
            return fmt.count(ran.computed)
        case Column.FIRST_TOKEN:
            return "–" if ran.first_token_s is None else fmt.seconds(ran.first_token_s)
        case Column.CAUSE:
            return "…" if evidence is None else cause_text(evidence)
    return ""


def cause_text(evidence: Evidence) -> str:
    """A cause in a few words; one that nothing can be done about says so."""
    if evidence.cause is Cause.THINKING_DROPPED:
        return tr("thinking left out (normal)")
    return said(evidence.cause.value)


def worth_a_look(evidence: Evidence) -> bool:
    """Whether something could be gained."""
    return evidence.cause not in NORMAL


def clock(seconds: float) -> str:
    """A time of day, or seconds since the start where that is all that is known."""
    if seconds > 1e8:
        return time.strftime("%H:%M:%S", time.localtime(seconds))
    return f"{seconds:.1f} s"


def spoken(request: TapedRequest, title: str, evidence: Evidence | None) -> str:
    """A line for who cannot see it."""
    ran = request.ran
    why = "" if evidence is None else more(cause_text(evidence))
    return tr(
        "Request {number}, {title}: {prompt:,} tokens, {reused:,} reused, "
        "{replayed:,} replayed, {computed:,} new{why}"
    ).format(
        number=request.number + 1,
        title=title,
        prompt=len(ran.prompt),
        reused=ran.reused,
        replayed=ran.replayed,
        computed=ran.computed,
        why=why,
    )
