"""The desk's Export button: pictures of panels, tables, and the trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMenu, QMessageBox, QPushButton, QWidget

from app.cache.legend import TreeLegend
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.compare_panel import ComparePanel
from app.debugger.desk import Desk
from app.debugger.export.logic.tables import comparison_csv, evictions_csv, requests_csv
from app.debugger.export.logic.trace_events import trace_events
from app.debugger.logic.comparing import settings_text
from app.debugger.panel import DebugPanel
from app.debugger.timeline.draw_requests import LAYER_TOKENS, PART_TOKENS, REUSE_TOKENS
from app.debugger.timeline.logic.cards import clock_text
from app.debugger.timeline.logic.columns import PARTS
from app.debugger.timeline.panel import TimelinePanel
from app.ui.export.behind import Behind
from app.ui.export.picture import Legend, Picture, ask_file, ask_picture, save_picture, save_text
from app.ui.file_dialog import ask_where
from app.ui.widgets import CheckBox
from engine.journal.saving import save_tape

_NOTHING = tr("Nothing has been watched yet; send a message, or open a trace.")
TIMELINE_LEGEND: Legend = (
    *zip(PART_TOKENS, PARTS, strict=True),
    *zip(REUSE_TOKENS, (tr("reused"), tr("replayed"), tr("new")), strict=True),
    *zip(
        LAYER_TOKENS,
        (
            tr("KV of the tree"),
            tr("KV of requests"),
            tr("states of the tree"),
            tr("states of requests"),
        ),
        strict=True,
    ),
    ("lost", tr("evicted, no copy left")),
    ("host", tr("copied to another tier")),
)


class ExportButton(QPushButton):
    """Opens the menu; everything except pictures is written in the background.

    Attributes:
        behind: writes the files.
    """

    def __init__(self, desk: Desk, timeline: TimelinePanel, compare: ComparePanel) -> None:
        super().__init__(tr("Export"))
        self.setProperty("kind", "small")
        self.setToolTip(tr("Save a picture, a table or the trace"))
        self._desk, self._state = desk, desk.state
        self._timeline, self._compare = timeline, compare
        self.behind = Behind(self, self._state.notice.emit)
        self._menu = QMenu(self)
        self._pictures = self._menu.addMenu(tr("Picture of"))
        self._pictures.aboutToShow.connect(self._list_panels)
        tables = self._menu.addMenu(tr("Table as CSV"))
        tables.addAction(tr("Requests…"), lambda: self._ask("requests.csv", self.save_requests))
        tables.addAction(tr("Evictions…"), lambda: self._ask("evictions.csv", self.save_evictions))
        self._comparison = tables.addAction(
            tr("Comparison…"), lambda: self._ask("comparison.csv", self.save_comparison)
        )
        self._menu.addSeparator()
        self._menu.addAction(tr("Trace as JSON lines…"), self.ask_trace)
        self._menu.addAction(
            tr("Timeline for Perfetto or Chrome…"),
            lambda: self._ask("timeline.json", self.save_events),
        )
        self._menu.aboutToShow.connect(
            lambda: self._comparison.setEnabled(self._compare.other is not None)
        )
        self.setMenu(self._menu)

    # ---- pictures

    def picture(self, panel: DebugPanel) -> Picture:
        """Render a panel as a picture."""
        source = self._state.source
        body: QWidget = panel
        legend: Legend = ()
        below: QWidget | None = None
        if panel is self._timeline:
            body, legend = self._timeline.view.unrolled(), TIMELINE_LEGEND
        elif panel.name == "tree" and panel.findChild(TreeLegend) is None:
            below = TreeLegend()
        name = "" if source is None else tr(" of {name}").format(name=source.name)
        return Picture(f"{panel.title}{name}", body, below, legend, self.lines())

    def lines(self) -> tuple[str, ...]:
        """The caption: the settings, and the moment on screen."""
        source, moment = self._state.source, self._state.moment
        if source is None:
            return ()
        tape = source.tape
        settings = settings_text(tape.header)
        since = clock_text(max(moment.time - tape.time(0), 0.0))
        at = tr("Entry {index} of {tape}, {since} after the first").format(
            index=fmt.count(moment.index), tape=fmt.count(len(tape)), since=since
        )
        return tuple(line for line in (settings, at) if line)

    def save_picture(self, panel: DebugPanel, path: Path) -> None:
        """Write a picture, which must be drawn on the GUI thread."""
        self._state.notice.emit(save_picture(self.picture(panel), path))

    def _list_panels(self) -> None:
        self._pictures.clear()
        for panel in self._desk.panels.values():
            self._pictures.addAction(f"{panel.title}…", self._asking(panel))

    def _asking(self, panel: DebugPanel) -> Callable[[], None]:
        def ask() -> None:
            path = ask_picture(self, panel.title, panel.name)
            if path is not None:
                self.save_picture(panel, path)

        return ask

    # ---- tables and traces

    def save_requests(self, path: Path) -> None:
        source = self._state.source
        if source is not None:
            self._write(path, lambda: requests_csv(source.tape))

    def save_evictions(self, path: Path) -> None:
        source = self._state.source
        if source is not None:
            self._write(path, lambda: evictions_csv(source.tape))

    def save_comparison(self, path: Path) -> None:
        rows = self._compare.rows
        self._write(path, lambda: comparison_csv(rows))

    def save_events(self, path: Path) -> None:
        """The timeline in the trace event format."""
        source, series = self._state.source, self._timeline.series
        if source is None or series is None:
            self._state.notice.emit(_NOTHING)
            return
        header = source.tape.header
        name = "Biplane" if header is None else f"Biplane: {header.model}"
        self._write(path, lambda: trace_events(source.tape, series, name))

    def save_trace(self, path: Path, *, text: bool) -> None:
        """The whole tape."""
        source = self._state.source
        if source is None or not len(source.tape):
            self._state.notice.emit(_NOTHING)
            return
        tape = source.tape
        self.behind.run(
            lambda: save_tape(tape, path, text=text),
            lambda lines: self._state.notice.emit(
                tr("{lines:,} lines were saved to {name}.").format(lines=lines, name=path.name)
            ),
        )

    def ask_trace(self) -> None:
        """Ask for a file, and whether it may contain text."""
        source = self._state.source
        if source is None or not len(source.tape):
            self._state.notice.emit(_NOTHING)
            return
        filters = tr("Traces (*.jsonl *.jsonl.gz)")
        path, _ = ask_where(self, "traces", tr("Save trace"), "biplane.trace.jsonl.gz", filters)
        if path is None:
            return
        header = source.tape.header
        readable = header is not None and not header.hashed
        text = self._ask_text() if readable else False
        if text is not None:
            self.save_trace(path, text=text)

    def _ask_text(self) -> bool | None:
        """Whether to keep the text; None: cancel."""
        box = QMessageBox(self)
        box.setWindowTitle(tr("Save trace"))
        box.setText(tr("Save the trace without the text of the conversations?"))
        box.setInformativeText(
            tr(
                "Without it, token ids are written as hashes: everything about the "
                "cache can be looked at, but nothing of what was said."
            )
        )
        keep = CheckBox(tr("Include token ids and text"))
        box.setCheckBox(keep)
        box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
        wanted = box.exec() == QMessageBox.StandardButton.Save
        return keep.isChecked() if wanted else None

    def _ask(self, name: str, save: Callable[[Path], None]) -> None:
        path = ask_file(self, name)
        if path is not None:
            save(path)

    def _write(self, path: Path, text: Callable[[], str]) -> None:
        save_text(self.behind, path, text, self._state.notice.emit)
