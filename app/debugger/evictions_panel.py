"""The evictions panel: what was evicted, why, and whether it was needed again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.cache.event_lines import EventLines, Kinds, small_button
from app.cache.logic.event_rows import (
    duration_column,
    eviction_columns,
    eviction_fields,
    kind_of,
    quoted,
)
from app.cache.logic.fading import eviction_sentence
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.debugger.logic.chosen import NOTHING, Chosen
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.filter import Field
from app.ui.table import Table
from app.ui.table_rows import Column, Sheet, TableRow
from app.ui.widgets import ElidedLabel, SpinBox, label
from engine.analysis.ledger import KnownEviction, Ledger
from engine.analysis.needs import Need
from engine.journal.tape import Tape
from engine.snapshot import CacheSnapshot, Evicted, NodeView

# Time budget on the GUI thread per step of following a tape.
PORTION_S = 0.006
_ROWS_AT_ONCE = 200
MOST_ROWS = 10_000
_SHOW = (
    tr("Show before"),
    tr("Show the cache just before it was evicted, with its node chosen (Enter)"),
)
_WITHIN_PX = 64
_KINDS: Kinds = {
    "regretted": (
        tr("Regretted"),
        tr("Needed again within that many requests, and on no other tier"),
    ),
    "lost": (tr("Lost"), tr("No tier had a copy, but nobody needed it within that many requests")),
    "moved": (tr("Moved down"), tr("Evicted, but still in host memory or on disk")),
    "kept": (tr("Kept"), tr("Left a tier, but a better copy or one on a faster tier remained")),
}
# An eviction counts as regretted if it was needed again within this many requests.
WITHIN = 10
MOST_WITHIN = 1000
# Tokens decoded for a line, at most.
_TEXT_TOKENS = 24
_HAPPENED = tr("When it happened, from the beginning of the recording")
_HINT = tr("Only the lines of the chosen node; once more for all (type node: and its number)")


class NodeFilter:
    """Writes the selected node into the list's filter, where it can be edited and cleared.

    Attributes:
        button: below the lines.
    """

    def __init__(self, lines: EventLines, state: DebugState) -> None:
        self._lines, self._state = lines, state
        self.button: QPushButton = small_button(tr("This node"), _HINT)
        self.button.setAccessibleName(tr("Only the lines of the chosen node"))
        self.button.clicked.connect(self._narrow)
        lines.foot.addWidget(self.button)
        state.chosen_changed.connect(self._enable)
        self._enable()

    def _narrow(self) -> None:
        wanted = f"node:{self._state.chosen.node}"
        self._lines.filter.setText("" if self._lines.filter.text() == wanted else wanted)
        self._enable()

    def _enable(self) -> None:
        narrowed = self._lines.filter.text().startswith("node:")
        self.button.setEnabled(self._state.chosen.node is not None or narrowed)


def place_in(
    known: KnownEviction, snapshot: CacheSnapshot | None, above: Mapping[int, int]
) -> NodeView | None:
    """The node that covers what was evicted, else its closest ancestor in the snapshot.

    `above`: the parent of each node that was removed since.
    """
    gone = known.evicted
    if snapshot is None or gone.tier != "device":
        return None
    nodes = {node.id: node for node in snapshot.nodes if node.parent is not None}
    node = nodes.get(gone.node)
    # A node that was split keeps only its lower part.
    while node is not None and node.start >= gone.end and node.parent is not None:
        node = nodes.get(node.parent)
    if node is not None and node.end >= gone.end:
        return node
    number, seen = gone.above, set[int]()
    while number not in nodes and number in above and number not in seen:
        seen.add(number)
        number = above[number]
    return nodes.get(number)


def entry_of(gone: Evicted, tape: Tape) -> int | None:
    """The entry of an eviction; None if the tape has forgotten it."""
    for taped in reversed(tape.evictions):
        one = taped.evicted
        if (one.tier, one.seq, one.node, one.end) == (gone.tier, gone.seq, gone.node, gone.end):
            return taped.index
    return None


@dataclass(frozen=True, slots=True)
class EvictionLine:
    """The subject of a line.

    Attributes:
        number: of the eviction in the ledger.
        seconds: since the start of the tape.
        need: what needed it again; None, if `judged`, for nothing.
        within: it is regretted if it was needed again within this many requests.
        text: the beginning of its tokens, "" if unknown.
    """

    number: int
    known: KnownEviction
    seconds: float
    need: Need | None
    judged: bool
    within: int
    text: str

    @property
    def regretted(self) -> bool:
        return self.need is not None and self.need.after <= self.within


def line_of(number: int, ledger: Ledger, tape: Tape, within: int) -> TableRow:
    """The line of the ledger's eviction `number`."""
    known = ledger.evictions[number]
    gone, judged = known.evicted, ledger.knows(number)
    seconds, text = gone.time - tape.time(0), text_of(known, tape)
    line = EvictionLine(number, known, seconds, ledger.need(number), judged, within, text)
    return SHEET.line(
        number + 1,
        line,
        "regretted" if line.regretted else kind_of(gone),
        cause=gone.cause,
        freed=known.bytes,
    )


def sums_text(ledger: Ledger, within: int) -> tuple[str, ...]:
    """The number, bytes and regretted evictions in one line, and in shorter ones."""
    total = len(ledger.evictions)
    if not total:
        return tr("Nothing was evicted."), tr("None.")
    freed = fmt.byte_size(sum(known.bytes for known in ledger.evictions))
    regretted = [need for need in ledger.needs.values() if need.after <= within]
    share = fmt.percent(len(regretted) / total)
    again = sum(need.tokens for need in regretted)
    short = tr("{evictions} · {freed} · {share} regretted").format(
        evictions=fmt.plural(total, "eviction"), freed=freed, share=share
    )
    whole = (
        tr("{short}, which cost {tokens}").format(short=short, tokens=fmt.plural(again, "token"))
        if regretted
        else short
    )
    return (
        whole,
        short,
        tr("{total} · {share} regretted").format(total=fmt.count(total), share=share),
    )


def needed_words(need: Need | None) -> str:
    """ "next, 320 tok" for the very next request; "no" if it was not needed again."""
    if need is None:
        return tr("no")
    when = tr("next") if need.after == 1 else tr("{after} later").format(after=need.after)
    return tr("{when}, {tokens} tok").format(when=when, tokens=fmt.count(need.tokens))


def text_of(known: KnownEviction, tape: Tape) -> str:
    """The beginning of its tokens; "" if unknown."""
    ran, gone = known.request, known.evicted
    if ran is None or not tape.pieces:
        return ""
    start = gone.start if gone.plane != "state" else max(gone.end - _TEXT_TOKENS, 0)
    end = min(start + _TEXT_TOKENS, gone.end)
    total = len(ran.prompt)
    tokens: Iterable[int] = (
        *ran.prompt[start:end].tolist(),
        *ran.decoded[max(start - total, 0) : max(end - total, 0)].tolist(),
    )
    return tape.text(tokens)


def _afterwards(need: Need | None, within: int) -> str:
    if need is None:
        return ""
    verdict = (
        ""
        if need.after <= within
        else tr(", which is more than {within} and counts as none").format(within=within)
    )
    later = fmt.plural(need.after, "request")
    tokens = fmt.plural(need.tokens, "token")
    return tr(
        "It was needed {later} later{verdict}: with it, {tokens} fewer would have run."
    ).format(later=later, verdict=verdict, tokens=tokens)


def _sentence(line: EvictionLine) -> str:
    return f"{eviction_sentence(line.known.evicted)} {_afterwards(line.need, line.within)}".strip()


def _rank(known: KnownEviction) -> str:
    if not known.rank:
        return ""
    return tr("{rank} of {among}").format(rank=known.rank, among=known.among)


def _gone(line: EvictionLine) -> Evicted:
    return line.known.evicted


_PLANE, _LEFT, _SPAN, _BYTES = eviction_columns(_gone)
SHEET: Sheet[EvictionLine] = Sheet(
    (
        Column(
            tr("Time"),
            lambda line: fmt.clock(line.seconds),
            lambda line: line.seconds,
            hint=_HAPPENED,
            figures="left",
            usual="00:00.0",
        ),
        Column(
            tr("Cause"),
            lambda line: said(line.known.evicted.cause),
            lambda line: line.known.evicted.cause,
            hint=tr("Why it was evicted"),
            usual="tombstone chain",
            tone=lambda _: "text",
            term=lambda line: line.known.evicted.cause,
        ),
        _PLANE,
        Column(
            tr("Node"),
            lambda line: "" if line.known.evicted.tier == "disk" else str(line.known.evicted.node),
            lambda line: -1.0 if line.known.evicted.tier == "disk" else line.known.evicted.node,
            hint=tr("The node's number on the tier that it left"),
            figures="right",
            usual="8888",
        ),
        _LEFT,
        _SPAN,
        _BYTES,
        duration_column(
            tr("Age"), lambda line: line.known.age_s, tr("How long it had been stored")
        ),
        duration_column(
            tr("Unused"), lambda line: line.known.unused_s, tr("How long it had not been used")
        ),
        Column(
            tr("Rank"),
            lambda line: _rank(line.known),
            lambda line: line.known.rank / line.known.among if line.known.among else -1.0,
            hint=tr(
                "Its place by last use among those of its kind on that tier: 1 was unused "
                "the longest. A policy other than lru may let another go first"
            ),
            figures="right",
            usual="88 of 88",
        ),
        Column(
            tr("Needed again"),
            lambda line: needed_words(line.need) if line.judged else tr("not known"),
            lambda line: -1.0 if line.need is None else line.need.tokens,
            hint=tr(
                "The first request that had to run its tokens again: how many requests "
                "later, and how many tokens a copy of it would have saved"
            ),
            usual="8 later, 888 tok",
            tone=lambda line: "danger" if line.regretted else "dim",
            term=lambda line: "regretted" if line.regretted else "",
        ),
        Column(
            tr("Text"),
            lambda line: quoted(line.text),
            lambda line: line.text.casefold(),
            hint=tr("How it begins, where that is known"),
            tone=lambda _: "text",
        ),
    ),
    _sentence,
    lambda line: f"{_sentence(line)}\n{quoted(line.text)}".strip(),
    tone="dim",
    spare=(8, 7, 9, 0, 5),
    fields=(
        *eviction_fields(_gone),
        Field("age", "seconds", lambda line: line.known.age_s, tr("How long it had been stored")),
        Field(
            "unused",
            "seconds",
            lambda line: line.known.unused_s,
            tr("How long it had not been used"),
        ),
        Field(
            "again",
            "count",
            lambda line: None if line.need is None else line.need.tokens,
            tr("Tokens that a copy of it would have saved the first request that needed it"),
        ),
        Field(
            "later",
            "count",
            lambda line: None if line.need is None else line.need.after,
            tr("How many requests later it was needed again"),
        ),
        Field("at", "seconds", lambda line: line.seconds, _HAPPENED),
        Field("text", "text", lambda line: line.text, tr("How it begins, where that is known")),
    ),
)


class EvictionsPanel(DebugPanel):
    """A table of evictions, with sums by kind and by cause.

    Attributes:
        lines: the table, its filter and its sums.
        sums: a line on all evictions.
        missed: leads to the request that missed what the current one took.
        within: a regretted eviction was needed again within this many requests.
    """

    title = tr("Evictions")
    name = "evictions"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.view = Table(SHEET, tr("Evictions"), _SHOW[0])
        self.lines = EventLines(self.view, "eviction", _KINDS, _SHOW, summed=True)
        self.sums = ElidedLabel("strong")
        self.within = SpinBox()
        self.within.setRange(1, MOST_WITHIN)
        self.within.setValue(WITHIN)
        self.within.setAccessibleName(tr("Regretted if needed again within this many requests"))
        self.within.setToolTip(self.within.accessibleName())
        self._within_label = label(tr("regretted within"), "faint")
        self._within_label.setBuddy(self.within)
        self.within.setMaximumWidth(_WITHIN_PX)
        self.within.lineEdit().setTextMargins(4, 0, 0, 0)
        head = self.lines.head
        head.insertWidget(0, self.sums, 6)
        head.addWidget(self._within_label)
        head.addWidget(self.within)
        head.addWidget(label(tr("requests"), "faint"))
        self._csv = small_button(
            tr("Copy CSV"), tr("Copy the selected lines, or all of them, as CSV")
        )
        self.lines.foot.addWidget(self._csv)
        self.missed = small_button(
            tr("Show request"), tr("Choose the request that missed what it took, and why it ran")
        )
        self.missed.clicked.connect(self._show_missed)
        self.lines.foot.addWidget(self.missed)
        self.view.selectionModel().selectionChanged.connect(self._enable)
        self._enable()
        self.only_node = NodeFilter(self.lines, state)
        self.setTabOrder(self.lines.filter, self.within)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.lines)
        self._ledger: Ledger | None = None
        self._rows = 0
        # Number of evictions in `_left`, see `_above`.
        self._mapped = 0
        self._left: dict[int, int] = {}
        self.view.pointed.connect(self._point)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self.within.valueChanged.connect(self._judge_again)
        self._csv.clicked.connect(self._copy_csv)
        self.view.chosen.connect(self._choose)
        self.view.opened.connect(self._open)
        find = QShortcut(QKeySequence.StandardKey.Find, self, self.lines.filter.begin)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._show_sums()

    @property
    def ledger(self) -> Ledger | None:
        """The evictions known so far; None before a source is shown."""
        return self._ledger

    def show_source(self) -> None:
        tape = self._tape()
        self._ledger = None if tape is None else Ledger(tape)
        self._rows = self._mapped = 0
        self._left = {}
        self.view.show_rows(())
        self._start()

    def follow(self) -> None:
        self._start()

    def show_chosen(self) -> None:
        """Select the line of the selected entry."""
        entry, current = self.state.chosen.entry, self.view.current
        if entry is None or self._ledger is None:
            return
        if current is not None and _known(current).index == entry:
            return
        for number, known in enumerate(self._ledger.evictions):
            if known.index == entry:
                self.view.show_number(number + 1)
                return

    def show_on_screen(self) -> None:
        self._start()

    def _tape(self) -> Tape | None:
        return None if self.state.source is None else self.state.source.tape

    def _start(self) -> None:
        if self.on_screen and not self._timer.isActive():
            self._timer.start()

    def _go_on(self) -> None:
        """Follow the tape for one step, and reschedule while there is more."""
        ledger, tape = self._ledger, self._tape()
        if ledger is None or tape is None or not self.on_screen:
            return
        done = ledger.follow(PORTION_S)
        total, within = len(ledger.evictions), self.within.value()
        # Only the latest ones are listed.
        self._rows = max(self._rows, total - MOST_ROWS)
        last = min(total, self._rows + _ROWS_AT_ONCE)
        again = [number for number in ledger.take_needs() if number < self._rows]
        fresh = [line_of(number, ledger, tape, within) for number in range(self._rows, last)]
        self._rows = last
        if fresh:
            self.view.add(fresh, (0, last - MOST_ROWS + 1))
        listed = last - MOST_ROWS
        self.view.replace(
            [line_of(number, ledger, tape, within) for number in again if number >= listed]
        )
        if fresh or again or done:
            self._show_sums()
        if not done or last < total:
            self._timer.start()

    def _judge_again(self) -> None:
        ledger, tape = self._ledger, self._tape()
        if ledger is None or tape is None:
            return
        listed = range(max(self._rows - MOST_ROWS, 0), self._rows)
        within = self.within.value()
        self.view.replace(
            [line_of(n, ledger, tape, within) for n in listed if ledger.need(n) is not None]
        )
        self._show_sums()

    def _show_sums(self) -> None:
        ledger = self._ledger
        if ledger is None:
            self.sums.setText("")
            return
        self.sums.setText(*sums_text(ledger, self.within.value()))
        more = len(ledger.evictions) - MOST_ROWS
        self.lines.show_sums(
            tr("{more} earlier ones are not listed").format(more=fmt.count(more))
            if more > 0
            else ""
        )

    def _choose(self, row: TableRow) -> None:
        self.state.choose(self._place(row))
        self.lines.note.setText(row.sentence)

    def _point(self, row: TableRow | None) -> None:
        self.state.hover(NOTHING if row is None else self._place(row))

    def _place(self, row: TableRow) -> Chosen:
        """Its entry and its node, or the closest remaining ancestor."""
        known = _known(row)
        gone = known.evicted
        node = place_in(known, self.state.moment.snapshot, self._above())
        if node is None:
            return Chosen(entry=known.index)
        span = (gone.start, gone.end) if node.end >= gone.end else None
        return Chosen(node.id, span, None, known.index)

    def _above(self) -> dict[int, int]:
        """The former parent of each node that left the device."""
        assert self._ledger is not None
        fresh = self._ledger.evictions[self._mapped :]
        self._mapped += len(fresh)
        self._left.update(
            (one.evicted.node, one.evicted.above)
            for one in fresh
            if one.evicted.tier == "device" and one.evicted.plane != "state"
        )
        return self._left

    def _open(self, row: TableRow) -> None:
        """Show the moment before the eviction, with the node selected."""
        known = _known(row)
        self.state.seek(known.index)
        self._choose(row)

    def _enable(self) -> None:
        row = self.view.current
        self.missed.setEnabled(row is not None and row.subject.need is not None)

    def _show_missed(self) -> None:
        row = self.view.current
        if row is not None and row.subject.need is not None:
            self.state.choose(Chosen(request=row.subject.need.request))
            self.state.panel_wanted.emit("why")

    def _copy_csv(self) -> None:
        self.lines.note.setText(
            tr("{lines} copied as CSV.").format(lines=fmt.plural(self.view.copy_csv(), "line"))
        )


def _known(row: TableRow) -> KnownEviction:
    assert isinstance(row.subject, EvictionLine)
    return row.subject.known
