"""The evictions of the tape: what left, why, and whether it was needed again."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.event_chips import Kinds
from app.cache.event_lines import EventLines, small_button
from app.cache.event_rows import EventRow
from app.cache.event_view import EventView
from app.debug.chosen import NOTHING, Chosen
from app.debug.eviction_place import place_in
from app.debug.eviction_rows import MOST_WITHIN, SHEET, WITHIN, row_of, sums_text
from app.debug.node_filter import NodeFilter
from app.debug.panel import DebugPanel
from app.debug.row_hover import RowHover
from app.debug.state import DebugState
from app.spin_box import SpinBox
from app.widgets import ElidedLabel, label
from app.words import format as fmt
from app.words.tr import tr
from engine.trace.ledger import KnownEviction, Ledger
from engine.trace.tape import Tape

# What following a tape may take of the window's thread at a time.
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


class EvictionsPanel(DebugPanel):
    """A table of them, with sums by kind and by cause.

    Attributes:
        lines: the table, its filter and its sums.
        sums: all evictions in a line.
        within: in how many requests an eviction must be needed again to count as regretted.
    """

    title = tr("Evictions")
    name = "evictions"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.view = EventView(SHEET)
        self.view.setAccessibleName(tr("Evictions"))
        self.view.open_words = _SHOW[0]
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
        self.only_node = NodeFilter(self.lines, state)
        self.setTabOrder(self.lines.filter, self.within)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.lines)
        self._ledger: Ledger | None = None
        self._rows = 0
        # How many evictions `_left` tells, see `_above`.
        self._told = 0
        self._left: dict[int, int] = {}
        self._hover = RowHover(self.view)
        self._hover.pointed.connect(self._point)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self.within.valueChanged.connect(self._judge_again)
        self._csv.clicked.connect(self._copy_csv)
        self.view.chosen.connect(self._choose)
        self.view.opened.connect(self._open)
        find = QShortcut(QKeySequence.StandardKey.Find, self, self.lines.focus_filter)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._show_sums()

    @property
    def ledger(self) -> Ledger | None:
        """The evictions as far as they are known; None before a source is shown."""
        return self._ledger

    def show_source(self) -> None:
        tape = self._tape()
        self._ledger = None if tape is None else Ledger(tape)
        self._rows = self._told = 0
        self._left = {}
        self.view.clear()
        self._start()

    def follow(self) -> None:
        self._start()

    def show_chosen(self) -> None:
        """Select the line of a chosen entry."""
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
        """Follow the tape for a moment, and come back while there is more."""
        ledger, tape = self._ledger, self._tape()
        if ledger is None or tape is None or not self.on_screen:
            return
        done = ledger.follow(PORTION_S)
        total, within = len(ledger.evictions), self.within.value()
        # Of very many only the latest are listed.
        self._rows = max(self._rows, total - MOST_ROWS)
        last = min(total, self._rows + _ROWS_AT_ONCE)
        again = [number for number in ledger.take_needs() if number < self._rows]
        fresh = [row_of(number, ledger, tape, within) for number in range(self._rows, last)]
        self._rows = last
        if fresh:
            self.view.add(fresh, (0, last - MOST_ROWS + 1))
        listed = last - MOST_ROWS
        self.view.replace(
            [row_of(number, ledger, tape, within) for number in again if number >= listed]
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
            [row_of(n, ledger, tape, within) for n in listed if ledger.need(n) is not None]
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

    def _choose(self, row: EventRow) -> None:
        self.state.choose(self._place(row))
        self.lines.note.setText(row.sentence)

    def _point(self, index: QModelIndex) -> None:
        row = self.view.events.row(index)
        self.state.hover(NOTHING if row is None else self._place(row))

    def _place(self, row: EventRow) -> Chosen:
        """Its entry and its node, or the nearest one that is left."""
        known = _known(row)
        gone = known.evicted
        node = place_in(known, self.state.moment.snapshot, self._above())
        if node is None:
            return Chosen(entry=known.index)
        span = (gone.start, gone.end) if node.end >= gone.end else None
        return Chosen(node.id, span, None, known.index)

    def _above(self) -> dict[int, int]:
        """Of each node that left the device, the node it was below."""
        assert self._ledger is not None
        fresh = self._ledger.evictions[self._told :]
        self._told += len(fresh)
        self._left.update(
            (one.evicted.node, one.evicted.above)
            for one in fresh
            if one.evicted.tier == "device" and one.evicted.plane != "state"
        )
        return self._left

    def _open(self, row: EventRow) -> None:
        """Show the moment before, when it was still there, with its node chosen."""
        known = _known(row)
        self.state.seek(known.index)
        self._choose(row)

    def _copy_csv(self) -> None:
        self.lines.note.setText(
            tr("{lines} copied as CSV.").format(lines=fmt.plural(self.view.copy_csv(), "line"))
        )


def _known(row: EventRow) -> KnownEviction:
    assert isinstance(row.entry, KnownEviction)
    return row.entry
