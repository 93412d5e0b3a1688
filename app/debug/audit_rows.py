"""The checkpoints of a snapshot as lines with what audits found. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import cast

from app.cache.event_rows import EventRow, Kind, Sheet
from app.cache.table import TIERS
from app.debug.audit_book import AuditBook
from app.words import format as fmt
from app.words.engine_words import said
from app.words.explain import clip
from app.words.tr import tr
from engine.snapshot import CacheSnapshot, CheckpointView, NodeView

# The most recently used ones; a table of more would not be read.
MOST_ROWS = 2000
BY_WORDS = {"asked": tr("asked"), "idle": tr("while idle"), "copied": tr("with a copy")}


class Column(IntEnum):
    """The columns, from left to right."""

    AUDITED = 0
    NODE = 1
    POSITION = 2
    TIER = 3
    WRITTEN = 4
    VERDICT = 5
    LARGEST = 6
    KL = 7
    BY = 8
    USED = 9
    TEXT = 10


HEADINGS = (
    tr("Audited"),
    tr("Node"),
    tr("Token"),
    tr("Tier"),
    tr("Written by"),
    tr("Verdict"),
    tr("Difference"),
    "KL",
    tr("Audit"),
    tr("Used"),
    tr("Text"),
)
HINTS = (
    tr("How long before the moment on screen it was audited"),
    tr("The node at whose end it is, by its number on the device; nodes of other tiers have none"),
    tr("The state is the one after so many tokens"),
    tr("The nearest tier that has it"),
    tr("How it was computed"),
    tr("What an audit found; empty if none has looked at it"),
    tr("The largest relative difference from a cold run, in a state, a key, a value or a logit"),
    tr("Divergence of the next token's distribution from that of a cold run, in nats"),
    tr("Asked for, or done while the engine was idle"),
    tr("How often a request resumed from it"),
    tr("How the node begins"),
)


def audit_rows(snapshot: CacheSnapshot, book: AuditBook | None) -> list[EventRow]:
    """A line for each checkpoint, by ascending node."""
    held = [
        (node, node.checkpoint)
        for node in snapshot.nodes
        if node.checkpoint is not None and node.checkpoint.state.tier != "disk"
    ]
    latest = sorted(held, key=lambda pair: -pair[1].last_used)[:MOST_ROWS]
    latest.sort(key=lambda pair: pair[0].id)
    return [_row(node, point, snapshot.time, book) for node, point in latest]


def wanted_audits(snapshot: CacheSnapshot) -> list[int]:
    """The checkpoints on the device that were resumed from but never audited, used last first."""
    found = [
        (node.checkpoint.last_used, node.id)
        for node in snapshot.nodes
        if can_verify(node)
        and node.checkpoint is not None
        and node.checkpoint.hits
        and node.checkpoint.state.verdict is None
    ]
    return [number for _, number in sorted(found, reverse=True)]


def can_verify(node: NodeView | None) -> bool:
    """Whether the engine can audit it: a checkpoint on the device."""
    return (
        node is not None
        and node.checkpoint is not None
        and node.tier == "device"
        and node.checkpoint.state.tier == "device"
    )


def sums_text(rows: Iterable[EventRow], wanted: int, running: int, asked: int) -> str:
    """What was verified and what is left, in a line."""
    kinds = [row.kind for row in rows]
    if not kinds:
        return tr("There is no checkpoint.")
    audited = sum(kind != "unaudited" for kind in kinds)
    text = tr("{audited} of {checkpoints} audited").format(
        audited=fmt.count(audited), checkpoints=fmt.plural(len(kinds), "checkpoint")
    )
    wrong = kinds.count("quarantined")
    if wrong:
        text += tr(", {wrong} quarantined").format(wrong=fmt.count(wrong))
    if running:
        return tr("{text} · verifying {asked} of {asked2}").format(
            text=text, asked=asked - running + 1, asked2=asked
        )
    return (
        tr("{text} · {wanted} resumed from and not audited").format(
            text=text, wanted=fmt.count(wanted)
        )
        if wanted
        else text
    )


def _row(node: NodeView, point: CheckpointView, now: float, book: AuditBook | None) -> EventRow:
    state, verdict = point.state, point.state.verdict
    kind = "unaudited" if verdict is None else verdict.status
    by = None
    if verdict is not None and book is not None:
        by = book.asked_by(node.id, verdict.time)
    age = None if verdict is None else max(now - verdict.time, 0.0)
    text = clip(node.text)
    cells = (
        tr("never") if age is None else fmt.age(age),
        str(node.id) if node.tier == "device" else "",
        fmt.count(state.position),
        said(state.tier),
        said(state.provenance),
        "" if verdict is None else said(verdict.status),
        "" if verdict is None else f"{verdict.largest:.1e}",
        "" if verdict is None else f"{verdict.kl:.1e}",
        BY_WORDS.get(by or "", ""),
        fmt.count(point.hits),
        f"“{text}”" if text else "",
    )
    keys = (
        -1.0 if verdict is None else verdict.time,
        float(node.id),
        float(state.position),
        float(TIERS.index(state.tier)),
        state.provenance,
        cells[Column.VERDICT],
        -1.0 if verdict is None else verdict.largest,
        -1.0 if verdict is None else verdict.kl,
        cells[Column.BY],
        float(point.hits),
        text.casefold(),
    )
    sentence = _sentence(node, point)
    return EventRow(
        number=node.id,
        kind=cast("Kind", kind),
        cause="",
        cells=cells,
        keys=keys,
        freed=0,
        sentence=sentence,
        sought=f"{' '.join(cells)} {sentence}".casefold(),
        entry=node,
    )


def _sentence(node: NodeView, point: CheckpointView) -> str:
    verdict = point.state.verdict
    where = tr("The state at token {position} of node {id}").format(
        position=fmt.count(point.state.position), id=node.id
    )
    if verdict is None:
        used = fmt.plural(point.hits, "request") if point.hits else tr("no request")
        return tr("{where} was never audited; {used} resumed from it.").format(
            where=where, used=used
        )
    meaning = {
        "verified": tr("is as near to a cold run as its kind can be"),
        "unclear": tr("differs no more than rounding can explain, but too far to tell"),
        "drifted": tr("differs more than rounding explains, but gives the same next token"),
        "quarantined": tr("was found wrong and is never used again"),
    }[verdict.status]
    return tr("{where} {meaning}.").format(where=where, meaning=meaning)


def _tone(row: EventRow, column: int) -> str:
    if column == Column.VERDICT and row.kind in ("quarantined", "drifted"):
        return "danger"
    if column == Column.VERDICT and row.kind == "verified":
        return "good"
    return "text" if column in (Column.VERDICT, Column.TEXT) else "dim"


SHEET = Sheet(
    HEADINGS,
    HINTS,
    frozenset({Column.NODE, Column.POSITION, Column.LARGEST, Column.KL, Column.USED}),
    {
        Column.AUDITED: "88 min ago",
        # Those of the host's tree have large numbers.
        Column.NODE: "888888888888",
        Column.POSITION: "888,888",
        Column.TIER: "device",
        Column.WRITTEN: tr("Written by"),
        Column.VERDICT: "quarantined",
        Column.LARGEST: tr("Difference"),
        Column.KL: "8.8e-08",
        Column.BY: "with a copy",
        Column.USED: tr("Used 8"),
    },
    Column.AUDITED,
    _tone,
    (Column.BY, Column.WRITTEN, Column.KL, Column.LARGEST),
)
