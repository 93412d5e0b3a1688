"""The events of the selected checkpoint's life as a list; choosing one goes to its moment."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.debugger.logic.chapters import SHEET, ChapterLine
from app.ui.table import Table
from app.ui.table_rows import TableRow
from app.ui.widgets import label
from engine.analysis.why.checkpoint_history import Chapter
from engine.journal.tape import Tape

_MOST_LINES = 8


class CheckpointHistory(QWidget):
    """Hidden while there is nothing to tell.

    Attributes:
        table: the newest event first.

    Signals:
        wanted(object): go to the moment of this Chapter.
    """

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Chapter, ...] = ()
        self.table = Table(SHEET, tr("History of the checkpoint"), tr("Go to this moment"))
        self.table.horizontalHeader().hide()
        self.table.clicked.connect(lambda _: self.table.open_current())
        self.table.opened.connect(self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(label(tr("HISTORY"), "section"))
        column.addWidget(self.table)
        self.hide()

    def show_chapters(self, chapters: Sequence[Chapter], tape: Tape) -> None:
        """Show the events of a checkpoint of this tape."""
        if tuple(chapters) == self._shown:
            return
        self._shown = tuple(chapters)
        start = tape.time(0)
        lines = (ChapterLine(one, tape.time(one.index + 1) - start) for one in chapters)
        self.table.show_rows([SHEET.line(number, line) for number, line in enumerate(lines)])
        rows = min(len(chapters), _MOST_LINES)
        height = rows * self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(height + 2 * self.table.frameWidth() + 2)
        self.setVisible(bool(chapters))

    def _open(self, row: TableRow) -> None:
        self.wanted.emit(row.subject.chapter)
