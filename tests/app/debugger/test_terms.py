"""The debugger's terms are explained where they stand: by hover, by key, and underlined."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from app.cache.legend import MarkFilter
from app.cache.logic.mark_table import MARKS
from app.core.session.model import Session
from app.core.words.glossary import explanation
from app.debugger.evictions_panel import SHEET, EvictionsPanel
from app.debugger.invariants_panel import InvariantsPanel
from app.debugger.logic.source import FileSource, LiveSource
from app.debugger.logic.sums import SENTENCES, CheckRow
from app.debugger.node_panel import NodePanel
from app.debugger.state import DebugState
from app.debugger.timeline.logic.events import KINDS, EventRow
from app.debugger.why.inquiry import Inquiry
from app.ui.glossed import GlossedLabel
from engine.snapshot import InvariantName
from tests.app.debugger.conftest import Debugger
from tests.app.debugger.recorded_day import save_day
from tests.app.samples import node, snapshot
from tests.engine.analysis.test_ledger import Day
from tests.present import present

CAUSE = SHEET.titles.index("Cause")


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a day on small caches, with many evictions."""
    return save_day(Day(4), tmp_path_factory.mktemp("trace") / "day.jsonl")


@pytest.fixture
def panel(debugger: Debugger, qtbot: QtBot, trace: Path) -> EvictionsPanel:
    made = debugger.show(EvictionsPanel, FileSource(trace))
    total = len(present(debugger.state.source).tape.evictions)
    qtbot.waitUntil(lambda: len(made.view.rows) == total)
    return made


def cause_of(panel: EvictionsPanel, line: int) -> str:
    return str(panel.view.shown.index(line, CAUSE).data())


class TestEvictions:
    def test_hovering_over_a_cause_explains_it(self, panel: EvictionsPanel) -> None:
        model = panel.view.shown
        for line in range(min(20, model.rowCount())):
            meaning = explanation(cause_of(panel, line))
            told = model.index(line, CAUSE).data(Qt.ItemDataRole.ToolTipRole)
            heard = model.index(line, CAUSE).data(Qt.ItemDataRole.AccessibleDescriptionRole)
            assert meaning
            assert told.endswith(f"\n{meaning}")
            assert heard.endswith(f"\n{meaning}")

    def test_a_key_explains_the_line_one_is_on(self, panel: EvictionsPanel) -> None:
        panel.view.selectRow(0)
        QTest.keyClick(panel.view, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
        assert explanation(cause_of(panel, 0)) in QToolTip.text()
        QToolTip.hideText()

    def test_so_does_its_menu(self, panel: EvictionsPanel) -> None:
        panel.view.selectRow(0)
        reason = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(panel.view, QContextMenuEvent(reason, QPoint(5, 5), QPoint(5, 5)))
        menu = present(panel.view.findChild(QMenu))
        action = next(one for one in menu.actions() if one.text() == "What it means")
        action.trigger()
        menu.close()
        assert explanation(cause_of(panel, 0)) in QToolTip.text()
        QToolTip.hideText()

    def test_the_sums_explain_their_cause(self, panel: EvictionsPanel) -> None:
        for cause, chip in panel.lines.chips._causes.items():
            assert chip.toolTip().endswith(explanation(cause))
            assert chip.accessibleDescription() == explanation(cause) != ""


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind.key for kind in KINDS])
def test_every_kind_of_event_is_explained(number: int) -> None:
    meanings = EventRow(number, "tombstone chain", "device", "").meanings
    assert len(meanings) == 2
    assert meanings[1] == explanation("tombstone chain")


def test_a_mark_is_explained_by_its_meaning_and_by_its_term(qtbot: QtBot) -> None:
    marks = MarkFilter()
    qtbot.addWidget(marks)
    for kind in MARKS:
        told = marks._chips[kind.key].toolTip()
        assert told.startswith(kind.meaning)
        if kind.group in ("why", "audit"):
            assert explanation(kind.key) in told, kind.key
    assert explanation("tombstone") in marks._chips["tombstone"].toolTip()
    assert explanation("in use") in marks._chips["locked"].toolTip()


def test_invariants_explain_the_words_they_are_made_of(debugger: Debugger) -> None:
    assert set(SENTENCES) == set(get_args(InvariantName))
    panel = debugger.show(InvariantsPanel)
    panel.invariants.show_rows([CheckRow("tombstones", SENTENCES["tombstones"], "", "")])
    tips = [one.toolTip() for one in panel.invariants.findChildren(QLabel) if one.toolTip()]
    assert len(tips) == 1
    assert tips[0].startswith(SENTENCES["tombstones"])
    assert explanation("tombstone") in tips[0]


class TestNode:
    @pytest.fixture
    def panel(self, qtbot: QtBot) -> NodePanel:
        session = Session()
        session.cache.snapshot = snapshot(node(1, 0, 0, 100, "prefill"), node(2, 1, 100, 160))
        state = DebugState()
        made = NodePanel(state, Inquiry(state))
        state.setParent(made)
        qtbot.addWidget(made)
        with qtbot.waitActive(made):
            made.show()
        state.show_source(LiveSource(session))
        state.follow()
        return made

    def values(self, panel: QWidget) -> dict[str, GlossedLabel]:
        found = panel.findChildren(GlossedLabel)
        return {one.text(): one for one in found}

    def test_a_tombstone_is_underlined_and_reached_by_tab(self, panel: NodePanel) -> None:
        panel.state.choose_node(2)
        value = self.values(panel)["none (tombstone)"]
        panel.repaint()
        QApplication.processEvents()
        assert value.focusPolicy() == Qt.FocusPolicy.StrongFocus
        value.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(value, Qt.Key.Key_Return)
        assert QToolTip.text() == explanation("tombstone")
        QToolTip.hideText()

    def test_the_name_of_a_fact_explains_it_too(self, panel: NodePanel) -> None:
        panel.state.choose_node(1)
        names = {one.text(): one.toolTip() for one in panel.findChildren(QLabel)}
        assert explanation("KV") in names["KV"]
        assert explanation("checkpoint") in names["Checkpoint"]
        assert explanation("audit") in names["Audit"]
