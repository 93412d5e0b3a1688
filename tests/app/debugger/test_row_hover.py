"""Rows of the debugger's tables under the pointer are lit in the tree and on the timeline."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from app.cache.logic.lit import covers
from app.debugger.evictions_panel import EvictionsPanel, entry_of
from app.debugger.logic.chosen import NOTHING
from app.debugger.logic.entry_place import entry_place
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.tree_panel import TreePanel
from app.debugger.why.requests_panel import RequestsPanel
from engine.analysis.ledger import KnownEviction
from engine.journal.tape import Tape
from tests.app.debugger.conftest import Debugger, OfTape
from tests.engine.journal.taped import TapedCaches
from tests.present import present


@pytest.fixture(scope="module")
def tape() -> Tape:
    """Of small caches on device and host, with many evictions."""
    caches = TapedCaches(5)
    for _ in range(60):
        caches.ask()
    return caches.tape


class Stage:
    """The desk on a recorded day."""

    def __init__(self, debugger: Debugger, qtbot: QtBot, tape: Tape) -> None:
        self.debugger, self.qtbot = debugger, qtbot
        self.state = debugger.state
        self.tape = tape
        self.timeline = debugger.show(TimelinePanel, OfTape(tape))
        self.canvas = debugger.panel(TreePanel).canvas
        qtbot.waitUntil(
            lambda: len(present(self.timeline.series).requests) == len(self.tape.requests)
        )

    def point(self, table: QTableView, index: QModelIndex) -> None:
        """Move the pointer onto a row, from outside of it."""
        table.scrollTo(index)
        self.qtbot.mouseMove(table.viewport(), QPoint(1, 1))
        self.qtbot.mouseMove(table.viewport(), table.visualRect(index).center())
        QApplication.processEvents()

    def lit(self) -> bool:
        """Whether the tree frames something, in the colour and width of what is not chosen."""
        assert self.canvas.model.lights.marked == ()
        found = self.canvas.model.lights.lit
        return bool(covers(present(self.canvas.model.layout), found))


@pytest.fixture
def stage(debugger: Debugger, qtbot: QtBot, tape: Tape) -> Stage:
    return Stage(debugger, qtbot, tape)


@pytest.fixture
def evictions(stage: Stage) -> EvictionsPanel:
    made = stage.debugger.show(EvictionsPanel)
    stage.qtbot.waitUntil(lambda: len(made.view.rows) == len(stage.tape.evictions))
    return made


@pytest.fixture
def requests(stage: Stage) -> RequestsPanel:
    made = stage.debugger.show(RequestsPanel)
    stage.qtbot.waitUntil(lambda: len(made.table.rows) == len(stage.tape.requests))
    return made


def known(panel: EvictionsPanel, line: int) -> KnownEviction:
    one = panel.view.rows.row(line).subject.known
    assert isinstance(one, KnownEviction)
    return one


class TestEvictions:
    def test_its_entry_and_what_is_left_of_its_node_are_lit(
        self, stage: Stage, evictions: EvictionsPanel
    ) -> None:
        tiers, left = set[str](), 0
        shown = {one.id for one in present(stage.state.moment.snapshot).nodes}
        for line in range(30):
            one = known(evictions, line)
            stage.point(evictions.view, evictions.view.shown.index(line, 2))
            assert stage.state.hovered.entry == one.index
            assert present(stage.timeline.view.of_hovered.event) >= 0
            node = stage.state.hovered.node
            assert node is None or node in shown
            assert stage.lit() is (node not in (None, 0))
            tiers.add(one.evicted.tier)
            left += node is not None
        assert {"device", "host"} <= tiers
        assert left > 5
        assert stage.state.chosen == NOTHING

    def test_leaving_darkens_all(self, stage: Stage, evictions: EvictionsPanel) -> None:
        stage.point(evictions.view, evictions.view.shown.index(0, 0))
        assert stage.state.hovered != NOTHING
        QApplication.sendEvent(evictions.view.viewport(), QEvent(QEvent.Type.Leave))
        assert stage.state.hovered == NOTHING
        assert stage.canvas.model.lights.lit == ()
        assert stage.timeline.view.of_hovered.event is None

    def test_rows_that_scroll_under_the_pointer_count(
        self, stage: Stage, evictions: EvictionsPanel
    ) -> None:
        stage.point(evictions.view, evictions.view.shown.index(0, 0))
        evictions.view.verticalScrollBar().setValue(3)
        assert stage.state.hovered.entry == known(evictions, 3).index

    def test_the_keyboard_chooses_the_same_place(
        self, stage: Stage, evictions: EvictionsPanel
    ) -> None:
        evictions.view.setFocus()
        evictions.view.selectRow(0)
        for line in range(1, 12):
            stage.qtbot.keyClick(evictions.view, Qt.Key.Key_Down)
            stage.point(evictions.view, evictions.view.shown.index(line, 0))
            assert stage.state.chosen.entry == stage.state.hovered.entry
            assert stage.state.chosen.node == stage.state.hovered.node

    def test_no_new_picture_of_the_tree(self, stage: Stage, evictions: EvictionsPanel) -> None:
        line = next(n for n in range(60) if known(evictions, n).evicted.tier == "device")
        made = stage.canvas.model.made
        stage.point(evictions.view, evictions.view.shown.index(line, 0))
        stage.canvas.grab()
        assert stage.canvas.model.made == made

    def test_the_tape_finds_the_entry_of_an_eviction(self, stage: Stage) -> None:
        for taped in stage.tape.evictions:
            assert entry_of(taped.evicted, stage.tape) == taped.index


class TestRequests:
    def test_its_slice_and_what_is_left_of_its_path_are_lit(
        self, stage: Stage, requests: RequestsPanel
    ) -> None:
        lit = 0
        for line in range(min(8, len(requests.table.rows))):
            stage.point(requests.table, requests.table.shown.index(line, 0))
            number = requests.table.rows.row(line).number
            assert stage.state.hovered.request == number
            assert stage.timeline.view.of_hovered.requests.tolist() == [number]
            lit += stage.lit()
        assert lit > 0
        QApplication.sendEvent(requests.table.viewport(), QEvent(QEvent.Type.Leave))
        assert stage.state.hovered == NOTHING

    def test_of_the_newest_one_the_whole_path_is_there(
        self, stage: Stage, requests: RequestsPanel
    ) -> None:
        stage.point(requests.table, requests.table.shown.index(0, 0))
        nodes = {one.id: one for one in present(stage.state.moment.snapshot).nodes}
        node = nodes[present(stage.state.hovered.node)]
        assert node.end == len(stage.tape.requests[-1].ran.sequence)


def test_an_entry_of_the_timeline_whose_node_is_gone(stage: Stage) -> None:
    """The pointer on its mark lights what choosing it chooses."""
    view = stage.timeline.view
    series = present(stage.timeline.series)
    snapshot, moment = present(stage.state.moment.snapshot), stage.state.moment.index
    shown = {one.id for one in snapshot.nodes}
    found = 0
    for number in range(len(series.events)):
        meant = view.event_choice(number)
        if meant.node in shown:
            continue
        view.hovered.emit(meant)
        place = entry_place(stage.tape, present(meant.entry), snapshot, moment)
        assert stage.state.hovered.node == place.node
        assert stage.state.hovered.entry == meant.entry
        found += place.node not in (None, 0)
    assert found > 5
