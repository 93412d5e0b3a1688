"""The window of the event log."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.cache.event_lines import EventLines, small_button
from app.cache.event_view import LogView
from app.core.session.event_log import EventLog
from app.core.words import format as fmt
from app.core.words.explain import evictions_text
from app.core.words.tr import tr, trn
from engine.snapshot import CacheSnapshot

_WIDTH_PX, _HEIGHT_PX = 1060, 460
_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX = 420, 300


class EventWindow(QDialog):
    """A modeless window next to the conversation; closing only hides it.

    Attributes:
        lines: its whole content.
        view, filter, chips, note, count: parts of `lines`.

    Signals:
        seen(bool): it was shown or hidden.
    """

    seen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Event log"))
        self.setMinimumSize(_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX)
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self.view = LogView()
        self.lines = EventLines(self.view, "event")
        self.lines.column.setSpacing(10)
        close = small_button(tr("Close"), tr("Close this window (Esc)"))
        self.lines.foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.addWidget(self.lines)
        self.filter, self.chips = self.lines.filter, self.lines.chips
        self.note, self.count = self.lines.note, self.lines.count
        close.clicked.connect(self.close)
        QShortcut(QKeySequence.StandardKey.Find, self, self.lines.filter.begin)
        self._left_out = 0

    def follow(self, log: EventLog, snapshot: CacheSnapshot | None) -> None:
        """Show what was logged since the last call."""
        changed = self.view.follow(log)
        if changed or log.left_out != self._left_out:
            self._left_out = log.left_out
            self.lines.show_sums(left_out_words(log.left_out))
        if snapshot is not None:
            heading = tr("Evicted from the device since the model was opened:\n")
            self.count.setToolTip(heading + evictions_text(snapshot))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.seen.emit(False)


def left_out_words(count: int) -> str:
    """What an event log's list leaves out, "" if it is complete."""
    if not count:
        return ""
    return trn(
        "{count} more eviction is not listed individually",
        "{count} more evictions are not listed individually",
        count,
    ).format(count=fmt.count(count))
