"""The columns and lines of the request history. Without Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import more
from app.core.words.tr import tr
from app.ui.filter import Field
from app.ui.table_rows import Column, Sheet
from engine.analysis.why.cause import NORMAL, Cause
from engine.analysis.why.evidence import Evidence
from engine.journal.tape import TapedRequest

_REUSED = tr("Tokens whose keys, values and state were in the cache")
_REPLAYED = tr("Tokens that were in the cache, but ran again to rebuild the state")
_NEW = tr("Tokens that were not in the cache")
_FIRST = tr("Seconds from the request to its first token")


@dataclass(frozen=True, slots=True)
class RequestLine:
    """The subject of a line.

    Attributes:
        title: of its conversation.
        evidence: None if not known yet.
        offset_s: from the tape's clock to seconds since 1970, or to those since its start.
    """

    request: TapedRequest
    title: str
    evidence: Evidence | None
    offset_s: float

    @property
    def first_token_s(self) -> float:
        """Seconds to the first token, -1 if there was none."""
        first = self.request.ran.first_token_s
        return -1.0 if first is None else first


def cause_text(evidence: Evidence) -> str:
    """A cause in a few words, marked as normal if nothing can be done about it."""
    if evidence.cause is Cause.THINKING_DROPPED:
        return tr("thinking left out (normal)")
    return said(evidence.cause.value)


def worth_a_look(evidence: Evidence) -> bool:
    """Whether something could be gained."""
    return evidence.cause not in NORMAL


def clock(seconds: float) -> str:
    """A time of day, or seconds since the start if the time of day is unknown."""
    if seconds > 1e8:
        return time.strftime("%H:%M:%S", time.localtime(seconds))
    return f"{seconds:.1f} s"


def spoken(line: RequestLine) -> str:
    """A line as text for a screen reader."""
    ran = line.request.ran
    return tr(
        "Request {number}, {title}: {prompt:,} tokens, {reused:,} reused, "
        "{replayed:,} replayed, {computed:,} new{why}"
    ).format(
        number=line.request.number + 1,
        title=line.title,
        prompt=len(ran.prompt),
        reused=ran.reused,
        replayed=ran.replayed,
        computed=ran.computed,
        why="" if line.evidence is None else more(cause_text(line.evidence)),
    )


def _tokens(
    title: str, of: Callable[[RequestLine], int], hint: str = "", usual: str = "88,888"
) -> Column[RequestLine]:
    return Column(
        title,
        lambda line: fmt.count(of(line)),
        of,
        hint=hint,
        figures="right",
        usual=usual,
    )


SHEET: Sheet[RequestLine] = Sheet(
    (
        Column(
            tr("Request"),
            lambda line: str(line.request.number + 1),
            lambda line: line.request.number,
            figures="right",
            usual=tr("Request"),
        ),
        Column(
            tr("Time"),
            lambda line: clock(line.request.began + line.offset_s),
            lambda line: line.request.began,
            figures="right",
            usual="00:00:00",
        ),
        Column(
            tr("Conversation"),
            lambda line: line.title,
            usual=tr("A conversation with"),
            most_px=360,
        ),
        _tokens(tr("Tokens"), lambda line: len(line.request.ran.prompt)),
        _tokens(
            tr("Reused"),
            lambda line: line.request.ran.reused,
            _REUSED,
        ),
        _tokens(
            tr("Replayed"),
            lambda line: line.request.ran.replayed,
            _REPLAYED,
            tr("Replayed"),
        ),
        _tokens(
            tr("New"),
            lambda line: line.request.ran.computed,
            _NEW,
        ),
        # A bar is painted there.
        Column(
            tr("Match"),
            lambda _: "",
            lambda line: line.request.ran.reused / max(len(line.request.ran.prompt), 1),
            hint=tr("The prompt to scale: reused, replayed (hatched), new"),
            usual=tr("a bar of this"),
            most_px=240,
        ),
        Column(
            tr("First token"),
            lambda line: "–" if line.first_token_s < 0 else fmt.seconds(line.first_token_s),
            lambda line: line.first_token_s,
            hint=_FIRST,
            figures="right",
            usual=tr("First token"),
        ),
        Column(
            tr("Why"),
            lambda line: "…" if line.evidence is None else cause_text(line.evidence),
            hint=tr("Why it ran what it ran"),
            term=lambda line: "" if line.evidence is None else line.evidence.cause,
            tone=lambda line: (
                "text" if line.evidence is None or worth_a_look(line.evidence) else "faint"
            ),
        ),
    ),
    spoken,
    first=-1,
    spare=(1, 3, 7, 8),
    last_px=130,
    fields=(
        Field(
            "cause",
            "text",
            lambda line: None if line.evidence is None else cause_text(line.evidence),
            tr("Why it ran what it ran"),
        ),
        Field(
            "chat",
            "text",
            lambda line: line.title,
            tr("A conversation, by a part of its name or by its number"),
            number=lambda line: line.request.session + 1,
        ),
        Field("tokens", "count", lambda line: line.request.total, tr("Tokens of its prompt")),
        Field("reused", "count", lambda line: line.request.bare.reused, _REUSED),
        Field("replayed", "count", lambda line: line.request.bare.replayed, _REPLAYED),
        Field("new", "count", lambda line: line.request.bare.computed, _NEW),
        Field(
            "lost",
            "count",
            lambda line: None if line.evidence is None else line.evidence.again,
            tr("Tokens that had run before and ran again"),
        ),
        Field("first", "seconds", lambda line: line.request.bare.first_token_s, _FIRST),
        Field("took", "seconds", lambda line: line.request.bare.total_s, tr("Seconds to its end")),
        Field(
            "tier",
            "text",
            lambda line: said(line.request.bare.resumed_from),
            tr("Where the checkpoint was that it resumed from"),
        ),
        Field("request", "count", lambda line: line.request.number + 1, tr("Its number")),
    ),
)
# What is known of a request only once it is explained.
EXPLAINED = frozenset({"cause", "lost"})
