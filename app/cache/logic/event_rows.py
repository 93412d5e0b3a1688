"""The lines of the event log: the text and the sort key of each column. Without Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from app.cache.logic.fading import eviction_sentence, fate_of, state_alone_lost
from app.core.session.event_log import Logged, LoggedEviction, LoggedNotice
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.explain import clip
from app.core.words.tr import tr
from app.ui.filter import Field
from app.ui.table_rows import Column, Sheet, TableRow
from engine.snapshot import TIERS, Evicted

S = TypeVar("S")
NOTICE = tr("notice")
PLANE_WORDS = {"kv": "KV", "state": tr("state"), "both": tr("KV + state")}


def row_of(entry: Logged) -> TableRow:
    """The line of an entry."""
    if isinstance(entry, LoggedNotice):
        return LOG.line(entry.number, entry, "notice")
    gone = entry.evicted
    return LOG.line(
        entry.number,
        entry,
        kind_of(gone),
        cause=gone.cause,
        freed=freed(gone),
    )


def kind_of(gone: Evicted) -> str:
    """The fate of an eviction; a superseded state loses nothing."""
    fate = fate_of(gone)
    return "kept" if gone.cause == "superseded" and fate == "lost" else fate


def _sentence(entry: Logged) -> str:
    if isinstance(entry, LoggedNotice):
        return said(entry.sentence)
    sentence = eviction_sentence(entry.evicted)
    if entry.unused_s is None:
        return sentence
    return tr("{sentence} It had last been used {span} before.").format(
        sentence=sentence, span=_span_words(entry.unused_s)
    )


def _copy(gone: Evicted) -> str:
    if gone.cause == "superseded":
        return tr("replaced")
    if gone.copy:
        return said(gone.copy)
    return tr("KV only") if state_alone_lost(gone) else tr("lost")


def _clock(clock: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(clock))


def freed(gone: Evicted) -> int:
    """Bytes."""
    return gone.kv_bytes + gone.state_bytes


def _span_words(seconds: float | None) -> str:
    """A duration: "0.4 s", "12 s", "3 min", "2 h"; "" if unknown."""
    if seconds is None:
        return ""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return tr("{minutes:.0f} min").format(minutes=seconds / 60)
    return tr("{hours:.1f} h").format(hours=seconds / 3600)


def _span_text(gone: Evicted) -> str:
    """Its span in the prompt; for a state, its position."""
    if gone.plane == "state":
        return fmt.count(gone.end)
    return tr("{start} to {end}").format(start=fmt.count(gone.start), end=fmt.count(gone.end))


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, "" for none."""
    text = clip(text)
    return f"“{text}”" if text else ""


def _text(entry: Logged) -> str:
    return said(entry.sentence) if isinstance(entry, LoggedNotice) else quoted(entry.text)


def _reader(read: Callable[[LoggedEviction], Any], otherwise: Any = "") -> Callable[[Logged], Any]:
    """Applies `read` to an eviction; `otherwise` for a notice."""
    return lambda entry: otherwise if isinstance(entry, LoggedNotice) else read(entry)


def eviction_columns(gone: Callable[[S], Evicted | None]) -> tuple[Column[S], ...]:
    """The plane, the tier that it left, its span and its bytes; empty for other subjects."""

    def reader(read: Callable[[Evicted], Any], otherwise: Any) -> Callable[[S], Any]:
        def of(subject: S) -> Any:
            found = gone(subject)
            return otherwise if found is None else read(found)

        return of

    return (
        Column(
            tr("Plane"),
            reader(lambda one: PLANE_WORDS[one.plane], ""),
            hint=tr("What was evicted: keys and values, the state, or both"),
            usual=tr("KV + state"),
        ),
        Column(
            tr("Left"),
            reader(lambda one: said(one.tier), ""),
            reader(lambda one: TIERS.index(one.tier), -1),
            hint=tr("The tier that it left"),
            usual="device",
            term=reader(lambda one: one.tier, ""),
        ),
        Column(
            tr("Tokens"),
            reader(_span_text, ""),
            reader(lambda one: one.end if one.plane == "state" else one.start, -1),
            hint=tr("Its span in the prompt; a state is the one at a position"),
            figures="right",
            usual="8,888 to 8,888",
        ),
        Column(
            tr("Bytes"),
            reader(lambda one: fmt.byte_size(freed(one)), ""),
            reader(freed, -1),
            hint=tr("Bytes freed on the tier that it left"),
            figures="right",
            usual="88.8 MiB",
        ),
    )


def duration_column(title: str, of: Callable[[S], float | None], hint: str) -> Column[S]:
    """Seconds; unknown ones sort as the shortest."""

    def key(subject: S) -> float:
        seconds = of(subject)
        return -1.0 if seconds is None else seconds

    return Column(
        title,
        lambda subject: _span_words(of(subject)),
        key,
        hint=hint,
        figures="right",
        usual="88 min",
    )


def eviction_fields(gone: Callable[[S], Evicted | None]) -> tuple[Field[S], ...]:
    """What filters can ask of an eviction; other subjects have none of it."""

    def reader(read: Callable[[Evicted], Any]) -> Callable[[S], Any]:
        def of(subject: S) -> Any:
            found = gone(subject)
            return None if found is None else read(found)

        return of

    return (
        Field("cause", "text", reader(lambda one: said(one.cause)), tr("Why it was evicted")),
        Field("node", "count", reader(device_node), tr("The node's number on the device")),
        Field(
            "tokens",
            "count",
            reader(lambda one: one.end - (0 if one.plane == "state" else one.start)),
            tr("The length of its span; of a state, the tokens before it"),
        ),
        Field("bytes", "bytes", reader(freed), tr("Bytes freed on the tier that it left")),
        Field("left", "text", reader(lambda one: said(one.tier)), tr("The tier that it left")),
        Field(
            "plane",
            "text",
            reader(lambda one: PLANE_WORDS[one.plane]),
            tr("What was evicted: keys and values, the state, or both"),
        ),
        Field("copy", "text", reader(_copy), tr("Where a copy is left, if anywhere")),
    )


def device_node(gone: Evicted) -> int | None:
    """Its node's number on the device; None for another tier's."""
    return gone.node if gone.tier == "device" else None


_PLANE, _LEFT, _SPAN, _BYTES = eviction_columns(_reader(lambda one: one.evicted, None))
LOG: Sheet[Logged] = Sheet(
    (
        Column(
            tr("Time"),
            lambda entry: _clock(entry.clock),
            lambda entry: entry.clock,
            hint=tr("When it happened"),
            figures="left",
            usual="00:00:00",
        ),
        Column(
            tr("Event"),
            _reader(lambda one: said(one.evicted.cause), NOTICE),
            _reader(lambda one: one.evicted.cause, NOTICE),
            hint=tr("The cause of an eviction, or a notice"),
            usual="tombstone chain",
            tone=_reader(lambda _: "text", "dim"),
            term=_reader(lambda one: one.evicted.cause),
        ),
        _PLANE,
        Column(
            tr("Node"),
            _reader(lambda one: str(one.evicted.node) if one.evicted.tier == "device" else ""),
            _reader(lambda one: one.evicted.node if one.evicted.tier == "device" else -1, -1),
            hint=tr("The node's number on the device; nodes of other tiers have none"),
            figures="right",
            usual="8888",
        ),
        _LEFT,
        Column(
            tr("Copy", "what is left"),
            _reader(lambda one: _copy(one.evicted)),
            hint=tr("Where a copy is left, if anywhere"),
            usual="replaced",
            # What is lost stands out, what is kept does not.
            tone=_reader(lambda one: "danger" if kind_of(one.evicted) == "lost" else "dim", "dim"),
        ),
        _SPAN,
        _BYTES,
        duration_column(
            tr("Age"),
            _reader(lambda one: one.age_s, None),
            tr("How long it had been stored, where that is known"),
        ),
        Column(
            tr("Text"),
            _text,
            lambda entry: _text(entry).casefold(),
            hint=tr("How it begins, where that is known; or the notice"),
            tone=lambda _: "text",
        ),
    ),
    _sentence,
    lambda entry: "\n".join(dict.fromkeys((_sentence(entry), _text(entry)))).strip(),
    tone="dim",
    spare=(8, 2, 6),
    fields=(
        *eviction_fields(_reader(lambda one: one.evicted, None)),
        Field(
            "age",
            "seconds",
            _reader(lambda one: one.age_s, None),
            tr("How long it had been stored, where that is known"),
        ),
        Field("text", "text", _text, tr("How it begins, where that is known; or the notice")),
    ),
)
