"""The window of the event log: a filter, sums, the lines, and what became of the chosen one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.cache.event_chips import EventChips
from app.cache.event_table import EventFilter
from app.cache.event_view import EventView
from app.session.event_log import EventLog
from app.widgets import ElidedLabel
from app.words import format as fmt
from app.words.explain import evictions_text
from engine.snapshot import CacheSnapshot

_WIDTH_PX, _HEIGHT_PX = 1060, 460
_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX = 420, 300
_FILTER_PX = 260


class _Filter(QLineEdit):
    """Esc empties it before it closes the window; Down leads to the lines.

    Signals:
        left: Down was pressed.
    """

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class EventWindow(QDialog):
    """Stays open beside the conversation; closing only hides it.

    Attributes:
        filter: words that each shown line has.
        chips: sums, which narrow the lines to kinds and causes.
        view: the lines.
        note: what is said about the chosen line.

    Signals:
        seen(bool): it came up or went away.
    """

    seen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Event log")
        self.setMinimumSize(_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX)
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self.filter = _Filter()
        self.filter.setObjectName("search")
        self.filter.setPlaceholderText("Filter events")
        self.filter.setAccessibleName("Filter events")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(_FILTER_PX)
        self.count = ElidedLabel("faint")
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.chips = EventChips()
        self.view = EventView()
        self.note = ElidedLabel("dim")
        self._find = _button("Show in tree", "Go to the tree with this node selected (Enter)")
        self._copy = _button("Copy", "Copy the selected lines (Ctrl+C)")
        close = _button("Close", "Close this window (Esc)")
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.filter, 2)
        head.addWidget(self.count, 3)
        foot.addWidget(self.note, 1)
        for button in (self._find, self._copy, close):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.chips)
        column.addWidget(self.view, 1)
        column.addLayout(foot)
        self.filter.textChanged.connect(self._narrow)
        self.filter.left.connect(self._enter_lines)
        self.chips.changed.connect(self._narrow)
        self._find.clicked.connect(self.view.open_current)
        self._copy.clicked.connect(self._copy_lines)
        close.clicked.connect(self.close)
        self.view.selectionModel().selectionChanged.connect(self._enable)
        QShortcut(QKeySequence.StandardKey.Find, self, self._focus_filter)
        self._left_out = 0
        self._enable()
        self._show_count()

    def follow(self, log: EventLog, snapshot: CacheSnapshot | None) -> None:
        """Show what was logged since the last call."""
        changed = self.view.follow(log)
        if changed or log.left_out != self._left_out:
            self._left_out = log.left_out
            table = self.view.events.table
            self.chips.show_sums(table.kinds, table.causes)
            self._show_count()
        if snapshot is not None:
            told = "Evicted from the device since the model was opened:\n"
            self.count.setToolTip(told + evictions_text(snapshot))

    def _narrow(self) -> None:
        wanted = EventFilter(self.filter.text(), self.chips.kinds, self.chips.causes)
        self.view.narrow(wanted)
        self._show_count()
        self._enable()

    def _show_count(self) -> None:
        table = self.view.events.table
        if not table.total:
            self.count.setText("No events yet.")
            return
        narrowed = table.filter != EventFilter()
        events = fmt.plural(table.total, "event")
        shown = f"{fmt.count(len(table))} of {events}" if narrowed else events
        if not self._left_out:
            self.count.setText(shown)
            return
        verb = "is" if self._left_out == 1 else "are"
        more = f"{fmt.plural(self._left_out, 'more eviction')} {verb} not listed individually"
        self.count.setText(f"{shown} · {more}", shown)

    def _enable(self) -> None:
        some = self.view.selectionModel().hasSelection()
        for button in (self._find, self._copy):
            button.setEnabled(some)

    def _enter_lines(self) -> None:
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.view.currentIndex().isValid() and len(self.view.events.table):
            self.view.selectRow(0)

    def _focus_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def _copy_lines(self) -> None:
        self.note.setText(f"{fmt.plural(self.view.copy(), 'line')} copied.")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.seen.emit(False)


def _button(text: str, hint: str) -> QPushButton:
    made = QPushButton(text)
    # Enter in the filter or the lines must not press it.
    made.setAutoDefault(False)
    made.setProperty("kind", "small")
    made.setToolTip(hint)
    return made
