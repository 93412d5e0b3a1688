"""The engines that run elsewhere: what is known of each, what is not, and who has a prefix."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.debug.panel import DebugPanel
from app.debug.plain_table import PlainTable
from app.debug.remote.rows import COLUMNS, cells, holders_sentence, sentences
from app.debug.remote.source import RemoteSource
from app.debug.remote.words import untold_sentence
from app.debug.state import DebugState
from app.widgets import label
from app.words.engine_words import said
from app.words.tr import tr
from engine.remote.tree.finding_words import finding_sentence

_SAY_MS = 1000
_FINDINGS = 4
_LINE = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft


class EnginesPanel(DebugPanel):
    """One row for each engine, and sentences below.

    Attributes:
        table: the engines.
        said: everything else, a sentence a line.
    """

    title = tr("Engines")
    name = "engines"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        figures = range(1, len(COLUMNS))
        self.table = PlainTable(tr("Engines that run elsewhere"), COLUMNS, figures)
        self.said = label("", "faint")
        self.said.setAlignment(_LINE)
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.said)
        column.addWidget(self.table, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAY_MS)
        self._timer.timeout.connect(self._show)
        self._show()

    def show_source(self) -> None:
        self._show()

    def show_chosen(self) -> None:
        self._show()

    def show_on_screen(self) -> None:
        if self.on_screen:
            self._show()
        else:
            self._timer.stop()

    def follow(self) -> None:
        if self.on_screen and not self._timer.isActive():
            self._timer.start()

    def _show(self) -> None:
        source = self.state.source
        header = None if source is None else source.tape.header
        untold = "" if header is None else untold_sentence(header.untold)
        watched = source if isinstance(source, RemoteSource) else None
        self.table.setVisible(watched is not None)
        self.said.setAlignment(_LINE if watched is not None else Qt.AlignmentFlag.AlignCenter)
        if watched is None:
            none = tr("No engine elsewhere is watched yet: biplane view --events begins that.")
            self.said.setText(untold or none)
            return
        if not self.on_screen:
            return
        facts = watched.facts()
        snapshot, chosen = self.state.moment.snapshot, self.state.chosen.node
        node = None
        if snapshot is not None and chosen is not None:
            node = next((one for one in snapshot.nodes if one.id == chosen), None)
        holds = None if node is None else watched.fleet.holders(node.id)
        self.table.fill([cells(one, holds[n] if holds else None) for n, one in enumerate(facts)])
        lines = [untold, *sentences(facts)]
        if node is not None and holds is not None and len(facts) > 1:
            labels = [one.label for one in facts]
            lines.insert(0, holders_sentence(labels, holds, node.end))
        lines += [said(finding_sentence(found)) for found in watched.findings[-_FINDINGS:]]
        self.said.setText("\n".join(line for line in lines if line))
