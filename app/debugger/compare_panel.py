"""The compare panel: the requests of two traces side by side, and the sums."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.words.joining import titled
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.comparing import SHEET, Compared, compared, settings_text, sum_sentence
from app.debugger.logic.source import FileSource, Source
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.debugger.timeline.panel import TimelinePanel
from app.ui.export.behind import Behind
from app.ui.file_dialog import ask_which
from app.ui.table import Table
from app.ui.table_rows import TableRow
from app.ui.widgets import label, measured

TRACES = tr("Traces (*.jsonl *.jsonl.gz)")
_EMPTY = tr(
    "Open a second trace to compare it with this one, request by request: the "
    "same messages with another budget, say. It also appears on the timeline, "
    "below this one's tracks."
)


class ComparePanel(DebugPanel):
    """The table, and the buttons that open and close the second trace.

    Attributes:
        table: the requests.
        rows: its content.
        other: the second trace, or None.
        open_button, close_button: open a second trace, close it.
    """

    title = tr("Compare")
    name = "compare"

    def __init__(
        self, state: DebugState, timeline: TimelinePanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(state, parent)
        self._timeline = timeline
        self.other: Source | None = None
        self.behind = Behind(self, state.notice.emit)
        self.rows: tuple[Compared, ...] = ()
        self.table = Table(SHEET, tr("Requests of both traces"))
        self.summary = label("", wrap=True, selectable=True)
        self.settings = label("", "faint", wrap=True, selectable=True)
        self.empty = label(_EMPTY, "dim", wrap=True)
        self.open_button = QPushButton(tr("Compare with a trace…"))
        self.open_button.setProperty("kind", "small")
        self.open_button.clicked.connect(self.ask)
        self.close_button = QPushButton(tr("Close the comparison"))
        self.close_button.setProperty("kind", "small")
        self.close_button.clicked.connect(self.close_other)
        self._build()
        self._show()

    def _build(self) -> None:
        self.table.chosen.connect(self._choose)
        row = QHBoxLayout()
        row.addWidget(self.open_button)
        row.addWidget(self.close_button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        column.addLayout(row)
        column.addLayout(measured(self.empty))
        column.addWidget(self.summary)
        column.addWidget(self.settings)
        column.addWidget(self.table, 1)
        column.addStretch(0)

    def ask(self) -> None:
        """Let the user choose a file."""
        path = ask_which(self, "traces", tr("Compare with a trace"), TRACES)
        if path is not None:
            self.compare(path)

    def compare(self, path: Path) -> None:
        """Read a trace in the background, and show it next to this one."""
        self.summary.setText(tr("Reading {name}…").format(name=path.name))
        self.behind.run(lambda: FileSource(path), self._take)

    def close_other(self) -> None:
        """Close the second trace."""
        self._take(None)

    def show_source(self) -> None:
        self._show()

    def follow(self) -> None:
        if self.other is not None:
            self._show()

    def show_chosen(self) -> None:
        number, current = self.state.chosen.request, self.table.current
        if number is not None and (current is None or current.number != number):
            self.table.show_number(number)

    def _take(self, other: object) -> None:
        self.other = other if isinstance(other, FileSource) else None
        self._timeline.compare(self.other)
        self._show()

    def _show(self) -> None:
        mine, other = self.state.source, self.other
        both = mine is not None and other is not None
        self.empty.setVisible(not both)
        for widget in (self.table, self.close_button, self.settings, self.summary):
            widget.setVisible(both)
        rows = (
            ()
            if mine is None or other is None
            else compared(mine.tape.requests, other.tape.requests, mine.title)
        )
        if rows != self.rows:
            self.rows = rows
            self.table.show_rows([SHEET.line(row.number, row) for row in rows])
        if mine is None or other is None:
            return
        self.summary.setText(sum_sentence(rows))
        unknown = tr("settings not known")
        lines = [
            f"{letter}  {titled(source.name, settings_text(source.tape.header) or unknown)}"
            for letter, source in (("A", mine), ("B", other))
        ]
        self.settings.setText("\n".join(lines))

    def _choose(self, row: TableRow) -> None:
        mine, number = self.state.source, row.number
        if mine is not None and number < len(mine.tape.requests):
            self.state.choose(Chosen(request=number, entry=mine.tape.requests[number].index))
