"""The invariants panel: checks of the cache while it is on screen, and the sums of a moment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.cache.event_lines import small_button
from app.core.words import joining
from app.core.words.glossary import with_meanings
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.debugger.logic.sums import CheckRow, Sum, invariant_rows, status, sum_rows, sums
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.export.behind import Behind
from app.ui.file_dialog import ask_where
from app.ui.widgets import ElidedLabel, label
from engine.commands import CheckInvariants
from engine.journal.lines import entry_line
from engine.journal.tape import Tape
from engine.plain import as_plain
from engine.private_files import open_private
from engine.snapshot import CacheSnapshot, Checked

# The checks' share of the engine's time, at most; and no more often than once a second.
SHARE = 0.01
_LEAST_MS = 1000
# Checks that the user requests have the number 0.
_NUMBER = 1
# In a wider list the figures would be too far from their names.
_WIDEST_PX = 1080
_COST_S = 1.0
_NAME_PX = 144
# The latest entries of the tape.
MOST_ENTRIES = 5000
_TEXT_KEYS = frozenset({"text", "speech", "tokens", "pieces", "sentence"})


def write_dump(
    path: Path, rows: Iterable[CheckRow], snapshot: CacheSnapshot | None, tape: Tape, index: int
) -> None:
    """Write all that is known about a moment as JSON, without token ids and texts.

    Raises OSError.
    """
    first = max(index - MOST_ENTRIES, tape.first)
    numbers = {one.index for one in tape.requests}
    dump = {
        "violated": [{"name": row.name, "problem": row.problem} for row in rows if not row.holds],
        "checked": [row.name for row in rows],
        "snapshot": None if snapshot is None else _nameless(as_plain(snapshot)),
        "entries": [
            _nameless(json.loads(entry_line(tape.entry(at), 0.0)))
            for at in range(first, index)
            if at not in numbers
        ],
    }
    with open(open_private(path), "w", encoding="utf-8") as file:
        json.dump(dump, file, indent=1)


def _nameless(raw: Any) -> Any:
    """Strip everything that reveals what users wrote."""
    if isinstance(raw, dict):
        return {key: _nameless(value) for key, value in raw.items() if key not in _TEXT_KEYS}
    return [_nameless(one) for one in raw] if isinstance(raw, list) else raw


class CheckList(QWidget):
    """One line per check; a violated one shows the problem instead of its sentence."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(heading)
        self.rows: list[CheckRow] = []
        self._cells: list[tuple[QLabel, QLabel, ElidedLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(1, _NAME_PX)
        self._grid.setColumnStretch(2, 1)
        self._grid.addWidget(label(heading, "section"), 0, 0, 1, 4)

    def show_rows(self, rows: list[CheckRow]) -> None:
        if rows == self.rows:
            return
        self.rows = rows
        while len(self._cells) < len(rows):
            self._add()
        for at, cells in enumerate(self._cells):
            for cell in cells:
                cell.setVisible(at < len(rows))
            if at < len(rows):
                _show(cells, rows[at])

    def _add(self) -> None:
        cells = (label(""), label("", "dim"), ElidedLabel("faint"), label("", "figures"))
        cells[3].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, cell in enumerate(cells):
            self._grid.addWidget(cell, len(self._cells) + 1, column)
        self._cells.append(cells)


def _show(cells: tuple[QLabel, QLabel, ElidedLabel, QLabel], row: CheckRow) -> None:
    mark, name, sentence, figures = cells
    mark.setText("✓" if row.holds else "✗")
    mark.setAccessibleName(tr("holds") if row.holds else tr("violated"))
    name.setText(row.name)
    rule = joining.sentence(row.sentence)
    sentence.setText(row.problem or rule)
    sentence.setToolTip(with_meanings(rule))
    sentence.setAccessibleDescription(sentence.toolTip())
    figures.setText(row.figures)
    _style(mark, "figuresGood" if row.holds else "danger")
    _style(sentence, "faint" if row.holds else "dangerSmall")


def _style(cell: QLabel, kind: str) -> None:
    if cell.property("kind") != kind:
        cell.setProperty("kind", kind)
        cell.style().polish(cell)


class InvariantsPanel(DebugPanel):
    """Lists each invariant as held or violated; a violated state can be dumped.

    Attributes:
        invariants: of the engine's caches; empty for a file.
        moment_sums: whether the moment on screen adds up.
        said: a summary in a sentence.
        dump: the button that saves a violated state.
        cost: the time that the debugger itself takes.
    """

    title = tr("Invariants")
    name = "invariants"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.said = ElidedLabel("strong")
        self.invariants = CheckList(tr("INVARIANTS OF THE ENGINE"))
        self.none = label(
            tr("A recording has no engine whose invariants could be checked."), "faint"
        )
        self.moment_sums = CheckList(tr("SUMS AT THE MOMENT ON SCREEN"))
        self.check = small_button(tr("Check now"), tr("Check every invariant of the engine"))
        self.dump = small_button(
            tr("Save a dump…"), tr("Save what is violated, with the whole cache")
        )
        self.cost = ElidedLabel("faint")
        self.cost.setToolTip(tr("What the debugger itself costs, while it is on screen"))
        self._cost_at = 0.0
        self._sums: tuple[Sum, ...] = ()
        self._moments = self._bad = 0
        self._behind = Behind(self, state.notice.emit)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask)
        self.check.clicked.connect(self._ask)
        self.dump.clicked.connect(self._choose_file)
        self._lay_out()
        self._show()

    def show_source(self) -> None:
        self._moments = self._bad = 0
        self._sums = ()
        self._show()
        self._start()

    def show_moment(self) -> None:
        snapshot = self.state.moment.snapshot
        if not self.on_screen or snapshot is None:
            return
        self._sums = sums(snapshot)
        self._moments += 1
        self._bad += any(not one.holds for one in self._sums)
        self._show()

    def follow(self) -> None:
        if self.on_screen:
            self._show()

    def show_on_screen(self) -> None:
        if self.on_screen:
            self.show_moment()
            self._start()
        else:
            self._timer.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def save_dump(self, path: Path) -> None:
        """Write everything about the moment on screen to a file."""
        source, moment = self.state.source, self.state.moment
        if source is None:
            return
        rows = [*self.invariants.rows, *self.moment_sums.rows]
        tape = source.tape
        self._behind.run(
            lambda: write_dump(path, rows, moment.snapshot, tape, moment.index),
            lambda _: self.state.notice.emit(tr("The dump was saved in {path}.").format(path=path)),
        )

    @property
    def _checked(self) -> tuple[Checked, ...]:
        source = self.state.source
        known = None if source is None else source.checked
        return () if known is None else known.checked

    def _ask(self) -> None:
        """Request a check, and schedule the next one within the share of the engine's time."""
        source = self.state.source
        if source is None or not source.live or source.model is None:
            return
        self.state.asked.emit(CheckInvariants(_NUMBER))
        self._start()

    def _start(self) -> None:
        if self.on_screen:
            took = sum(one.seconds for one in self._checked)
            self._timer.start(max(_LEAST_MS, int(1e3 * took / SHARE)))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.said, 1)
        head.addWidget(self.check)
        head.addWidget(self.dump)
        inside = QWidget()
        lists = QVBoxLayout(inside)
        lists.setContentsMargins(0, 0, 8, 0)
        lists.setSpacing(10)
        inside.setMaximumWidth(_WIDEST_PX)
        for part in (self.invariants, self.none, self.moment_sums):
            lists.addWidget(part)
        lists.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        area.setAccessibleName(tr("Invariants and sums"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addLayout(head)
        column.addWidget(area, 1)
        column.addWidget(self.cost)

    def _show(self) -> None:
        live = self.state.source is not None and self.state.source.live
        checked = self._checked
        self.invariants.show_rows(invariant_rows(checked))
        self.none.setVisible(not live)
        self.invariants.setVisible(live)
        self.moment_sums.show_rows(sum_rows(self._sums))
        said = status(checked, self._sums, self._moments, self._bad)
        self.said.setText(in_turn(*said), said[-1] if self._bad else said[0])
        self.check.setEnabled(live)
        self._show_cost()
        rows = (*self.invariants.rows, *self.moment_sums.rows)
        self.dump.setVisible(any(not row.holds for row in rows))

    def _show_cost(self) -> None:
        """Update the cost, at most once a second to keep it legible."""
        cost, now = self.state.own_cost, monotonic()
        if cost is not None and now - self._cost_at > _COST_S:
            self._cost_at = now
            words = tr("This debugger: {cost}").format(cost=cost.words)
            self.cost.setText(words, cost.words)

    def _choose_file(self) -> None:
        path, _ = ask_where(self, "exports", tr("Save a dump"), "cache-dump.json")
        if path is not None:
            self.save_dump(path)
