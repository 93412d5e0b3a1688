"""The lines of the event log: what stands in each column, and what it is sorted by. Without Qt."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from app.cache.fading import eviction_sentence, fate_of, state_alone_lost
from app.session.event_log import Logged, LoggedEviction, LoggedNotice
from app.words import format as fmt
from app.words.engine_words import said
from app.words.explain import clip
from app.words.tr import tr
from engine.snapshot import TIERS, Evicted

Kind = Literal[
    "notice",
    "lost",
    "moved",
    "kept",
    "regretted",
    "unaudited",
    "verified",
    "unclear",
    "drifted",
    "quarantined",
]


class Column(IntEnum):
    """The columns, from left to right."""

    TIME = 0
    EVENT = 1
    PLANE = 2
    NODE = 3
    LEFT = 4
    WENT = 5
    TOKENS = 6
    BYTES = 7
    AGE = 8
    TEXT = 9


HEADINGS = (
    tr("Time"),
    tr("Event"),
    tr("Plane"),
    tr("Node"),
    tr("Left"),
    tr("Copy", "what is left"),
    tr("Tokens"),
    tr("Bytes"),
    tr("Age"),
    tr("Text"),
)
HINTS = (
    tr("When it happened"),
    tr("The cause of an eviction, or a notice"),
    tr("What was evicted: keys and values, the state, or both"),
    tr("The node's number on the device; nodes of other tiers have none"),
    tr("The tier that it left"),
    tr("Where a copy is left, if anywhere"),
    tr("Its span in the prompt; a state is the one at a position"),
    tr("Bytes freed on the tier that it left"),
    tr("How long it had been stored, where that is known"),
    tr("How it begins, where that is known; or the notice"),
)
# Right-aligned, in figures of one width.
FIGURES = (Column.TIME, Column.NODE, Column.TOKENS, Column.BYTES, Column.AGE)
NOTICE = tr("notice")
PLANE_WORDS = {"kv": "KV", "state": tr("state"), "both": tr("KV + state")}


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line.

    Attributes:
        number: of the entry; later ones have a higher one.
        cause: as the journal names it, "" of a notice.
        cells, keys: a text and what to sort by, per column.
        freed: bytes.
        sentence: all of it in words.
        sought: what a filter looks for words in, in lower case.
        entry: what it tells of; None of a notice.
    """

    number: int
    kind: Kind
    cause: str
    cells: tuple[str, ...]
    keys: tuple[float | str, ...]
    freed: int
    sentence: str
    sought: str
    entry: object = None

    @property
    def node(self) -> int | None:
        """The device's node that it tells of."""
        gone = getattr(self.entry, "evicted", None)
        return gone.node if isinstance(gone, Evicted) and gone.tier == "device" else None


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The columns of a table of events; the last one takes what room is left.

    Attributes:
        headings, hints: of each column.
        figures: columns of numbers, in figures of one width, on the right.
        usual: what usually stands in a column.
        time: the column of the time, by which they are sorted at first, the newest first.
        tone: the theme's colour of a cell.
        spare: columns that may be left out, in that order, where there is no room for all.
    """

    headings: tuple[str, ...]
    hints: tuple[str, ...]
    figures: frozenset[int]
    usual: Mapping[int, str]
    time: int
    tone: Callable[[EventRow, int], str]
    spare: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        return len(self.headings) - 1


def row_of(entry: Logged) -> EventRow:
    """The line of an entry."""
    return _notice(entry) if isinstance(entry, LoggedNotice) else _eviction(entry)


def rows_text(rows: Iterable[EventRow], headings: Iterable[str] = HEADINGS) -> str:
    """Lines for the clipboard: columns between tabs, under their headings."""
    lines = ["\t".join(headings)]
    lines += ["\t".join(" ".join(cell.split()) for cell in row.cells) for row in rows]
    return "\n".join(lines)


def kind_of(gone: Evicted) -> Kind:
    """What became of it; of a superseded state nothing is lost."""
    fate = fate_of(gone)
    return "kept" if gone.cause == "superseded" and fate == "lost" else fate


def rows_csv(rows: Iterable[EventRow], headings: Iterable[str]) -> str:
    """Lines as comma-separated values, under their headings."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows([" ".join(cell.split()) for cell in row.cells] for row in rows)
    return made.getvalue()


def _notice(told: LoggedNotice) -> EventRow:
    sentence = said(told.sentence)
    cells = (_clock(told.clock), NOTICE, *[""] * (len(Column) - 3), sentence)
    keys: list[float | str] = ["" for _ in Column]
    keys[Column.TIME] = told.clock
    keys[Column.EVENT] = NOTICE
    keys[Column.TEXT] = sentence.casefold()
    for column in (Column.NODE, Column.LEFT, Column.TOKENS, Column.BYTES, Column.AGE):
        keys[column] = -1.0
    return EventRow(
        told.number,
        "notice",
        "",
        cells,
        tuple(keys),
        0,
        sentence,
        f"{cells[Column.TIME]} {NOTICE} {sentence}".casefold(),
    )


def _eviction(logged: LoggedEviction) -> EventRow:
    gone = logged.evicted
    freed = gone.kv_bytes + gone.state_bytes
    on_device = gone.tier == "device"
    state = gone.plane == "state"
    text = clip(logged.text)
    cells = (
        _clock(logged.clock),
        said(gone.cause),
        PLANE_WORDS[gone.plane],
        str(gone.node) if on_device else "",
        said(gone.tier),
        _copy(gone),
        fmt.count(gone.end)
        if state
        else tr("{start} to {end}").format(start=fmt.count(gone.start), end=fmt.count(gone.end)),
        fmt.byte_size(freed),
        "" if logged.age_s is None else span_words(logged.age_s),
        f"“{text}”" if text else "",
    )
    keys = (
        logged.clock,
        gone.cause,
        cells[Column.PLANE],
        float(gone.node) if on_device else -1.0,
        float(TIERS.index(gone.tier)),
        cells[Column.WENT],
        float(gone.end if state else gone.start),
        float(freed),
        -1.0 if logged.age_s is None else logged.age_s,
        text.casefold(),
    )
    sentence = _sentence(logged)
    sought = f"{' '.join(cells)} {sentence}".casefold()
    kind = kind_of(gone)
    return EventRow(logged.number, kind, gone.cause, cells, keys, freed, sentence, sought, logged)


def _sentence(logged: LoggedEviction) -> str:
    sentence = eviction_sentence(logged.evicted)
    if logged.unused_s is None:
        return sentence
    return tr("{sentence} It had last been used {span} before.").format(
        sentence=sentence, span=span_words(logged.unused_s)
    )


def _copy(gone: Evicted) -> str:
    if gone.cause == "superseded":
        return tr("replaced")
    if gone.copy:
        return said(gone.copy)
    return tr("KV only") if state_alone_lost(gone) else tr("lost")


def _clock(clock: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(clock))


def span_words(seconds: float) -> str:
    """A duration: "0.4 s", "12 s", "3 min", "2 h"."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return tr("{minutes:.0f} min").format(minutes=seconds / 60)
    return tr("{hours:.1f} h").format(hours=seconds / 3600)


def _tone(row: EventRow, column: int) -> str:
    """What is lost stands out, what is kept does not."""
    if column == Column.WENT and row.kind == "lost":
        return "danger"
    if row.kind == "notice":
        return "text" if column == Column.TEXT else "dim"
    return "text" if column in (Column.EVENT, Column.TEXT) else "dim"


LOG = Sheet(
    HEADINGS,
    HINTS,
    frozenset(FIGURES),
    {
        Column.TIME: "00:00:00",
        Column.EVENT: "tombstone chain",
        Column.PLANE: tr("KV + state"),
        Column.NODE: "8888",
        Column.LEFT: "device",
        Column.WENT: "replaced",
        Column.TOKENS: "8,888 to 8,888",
        Column.BYTES: "88.8 MiB",
        Column.AGE: "88 min",
    },
    Column.TIME,
    _tone,
    (Column.AGE, Column.PLANE, Column.TOKENS),
)
