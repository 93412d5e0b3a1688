"""What a search found, in place of the list of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from app.chats.result_painter import ResultPainter
from app.chats.results_model import ResultRow, ResultsModel
from app.session.search import FoundConversation
from app.widgets import label
from app.words.tr import tr


class _ResultList(QListView):
    """A list that is left with Esc, as the field above it is.

    Signals:
        left: Esc was pressed.
    """

    left = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            # Esc would stop a running answer.
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.left.emit()
            return True
        return super().event(event)


class Results(QWidget):
    """The results, and a line about them.

    Attributes:
        list: a row for each conversation and each of its messages.
        line: how many there are; a sentence where there is none.

    Signals:
        chosen: the `ResultRow` to open.
        left: Esc was pressed in the list.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ResultsModel()
        self.model.setParent(self)
        self.list = _ResultList()
        self.list.setModel(self.model)
        self.list.setItemDelegate(ResultPainter(self.list))
        self.list.setAccessibleName(tr("Search results"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.clicked.connect(self._clicked)
        self.list.activated.connect(self._clicked)
        self.line = label("", "faint", wrap=True)
        self.line.setContentsMargins(16, 6, 12, 6)
        self.list.left.connect(self.left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.line)
        column.addWidget(self.list, 1)

    def show_found(self, found: Sequence[FoundConversation], line: str) -> None:
        """Show results; the one that the user stood on stays current."""
        stood = self._current()
        self.model.show(found, date.today())
        self.line.setText(line)
        if stood is not None and self._current() is None:
            keys = [row.key for row in self.model.rows]
            if stood.key in keys:
                self.list.setCurrentIndex(self.model.index(keys.index(stood.key)))

    def step(self, count: int) -> None:
        """Go to another result; beyond the last one is the last one."""
        stops = [at for at, row in enumerate(self.model.rows) if row.chosen]
        if not stops:
            return
        index = self.list.currentIndex()
        if not index.isValid():
            at = 0 if count > 0 else len(stops) - 1
        else:
            before = sum(stop < index.row() for stop in stops)
            at = min(max(before + count, 0), len(stops) - 1)
        self.list.setCurrentIndex(self.model.index(stops[at]))

    def open(self) -> None:
        """Open the current result, or the first one."""
        if self._current() is None:
            self.step(1)
        row = self._current()
        if row is not None:
            self.chosen.emit(row)

    def _current(self) -> ResultRow | None:
        index = self.list.currentIndex()
        return self.model.rows[index.row()] if index.isValid() else None

    def _clicked(self, index: QModelIndex) -> None:
        """A title that does not match itself leads to the message below it."""
        at = index.row()
        if not self.model.rows[at].chosen and at + 1 < len(self.model.rows):
            at += 1
        self.list.setCurrentIndex(self.model.index(at))
        self.chosen.emit(self.model.rows[at])
