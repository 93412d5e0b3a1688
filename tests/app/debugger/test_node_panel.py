"""The details of the chosen node: facts, speakers, actions, and why some cannot be done."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from app.cache.checkpoint_dialog import CheckpointDialog, NodeMenu
from app.core.session.model import Session
from app.core.words.node_actions import EARLIER, NO_MODEL
from app.core.words.node_link import read_link
from app.debugger.logic.source import FileSource, LiveSource
from app.debugger.node_panel import GONE, NOTHING_CHOSEN, WHY_WORDS, NodePanel, debug_facts
from app.debugger.state import DebugState
from app.debugger.why.inquiry import Inquiry
from engine.commands import Act, Command, DescribeNode, UndoAct, VerifyNode
from engine.events import Acted, ActProgress, NodeOwner, NodeText
from engine.snapshot import NodeView, Speech
from engine.stored_state import StoredState
from tests.app.conftest import Desk
from tests.app.debugger.conftest import Debugger
from tests.app.samples import node, snapshot
from tests.assets.make_traces import TRACES
from tests.present import present

SAID = (Speech(0, "system", "Be still.", True), Speech(60, "user", "Why?", True))
FIRST = structs.replace(
    node(1, 0, 0, 100, "prefill", text="Be still."), speech=SAID, key="ab12cd34"
)
BARE = node(2, 1, 100, 160, text="and")
LEAF = node(3, 2, 160, 200, "decode", text="so")


class Bench:
    """A panel on a live source, and what it asked for."""

    def __init__(self, qtbot: QtBot) -> None:
        self.session = Session()
        self.session.cache.snapshot = snapshot(FIRST, BARE, LEAF)
        self.state = DebugState()
        self.panel = NodePanel(self.state, Inquiry(self.state))
        self.state.setParent(self.panel)
        qtbot.addWidget(self.panel)
        self.asked: list[Command] = []
        self.said: list[str] = []
        self.state.asked.connect(self.asked.append)
        self.state.notice.connect(self.said.append)
        self.panel.resize(360, 640)
        self.panel.show()
        self.state.show_source(LiveSource(self.session))

    def follow(self) -> None:
        self.state.follow()

    def button(self, text: str) -> bool:
        return self.panel.deeds.buttons[text].isEnabled()


@pytest.fixture
def bench(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(LiveSource, "model", object())
    return Bench(qtbot)


class TestFacts:
    def test_nothing_is_chosen_and_what_is_chosen_can_go(self, bench: Bench) -> None:
        assert bench.panel.empty.text() == NOTHING_CHOSEN
        bench.state.choose_node(3)
        assert not bench.panel.empty.isVisible()
        assert bench.panel.heading.text() == "Node 3"
        bench.session.cache.snapshot = snapshot(FIRST)
        bench.follow()
        assert bench.panel.empty.text() == GONE
        assert bench.panel.empty.isVisible()

    def test_its_conversations_are_named(self, bench: Bench) -> None:
        first = bench.session.current
        first.title = "Walks"
        leaf = structs.replace(LEAF, owners=(first.id, 77))
        bench.session.cache.snapshot = snapshot(FIRST, BARE, leaf)
        bench.follow()
        bench.state.choose_node(3)
        told = [one.text() for one in bench.panel._facts.findChildren(QLabel)]
        assert told[:2] == ["Conversations", "Walks\nDeleted conversation"]

    def test_why_a_state_is_kept_and_the_prefix(self) -> None:
        point = present(FIRST.checkpoint)
        state = StoredState(100, cut_hash=0xF00D, why="system end")
        told = {
            fact.name: fact.value
            for fact in debug_facts(
                structs.replace(FIRST, checkpoint=structs.replace(point, state=state)), 0.0, str
            )
        }
        assert told["Why it is kept"] == WHY_WORDS["system end"]
        assert told["Cuts"] == "000000000000f00d"
        assert told["Prefix"] == "ab12cd34"
        assert "Pinned" not in told
        pinned = debug_facts(structs.replace(FIRST, pinned=True), 0.0, str)
        assert any(fact.name == "Pinned" for fact in pinned)

    def test_the_text_and_the_owners_are_the_engines(self, bench: Bench) -> None:
        bench.state.choose_node(1)
        assert bench.asked == [DescribeNode(1)]
        assert bench.panel.text.toPlainText() == "Be still."
        bench.session.cache.node_text = NodeText(
            node=1, start=0, end=100, text="Be still. Why?", owners=(NodeOwner(7, 90),)
        )
        bench.follow()
        assert bench.panel.text.toPlainText() == "Be still. Why?"
        heard: list[object] = []
        bench.state.owner_opened.connect(heard.append)
        bench.panel.owners.links[0].click()
        assert heard == [NodeOwner(7, 90)]

    def test_it_is_copied_as_text_json_and_link(self, bench: Bench) -> None:
        bench.state.choose_node(1)
        copied = []
        for kind in ("Copy text", "Copy JSON", "Copy link"):
            made = bench.panel.findChildren(type(bench.panel.deeds.undo))
            next(one for one in made if one.text() == kind).click()
            copied.append(QGuiApplication.clipboard().text())
        assert copied[0] == "Be still."
        assert json.loads(copied[1])["checkpoint"]["position"] == 100
        assert present(read_link(copied[2])).key == "ab12cd34"
        assert bench.said[-1] == "Link of the node copied."


class TestActions:
    def test_a_button_asks_and_shows_the_answer_and_its_undo(self, bench: Bench) -> None:
        bench.state.choose_node(3)
        bench.panel.deeds.buttons["Pin"].click()
        asked = bench.asked[-1]
        assert isinstance(asked, Act)
        assert (asked.action, asked.node) == ("pin", 3)
        assert "Waiting" in bench.panel.deeds.result.text()
        assert bench.panel.deeds.stop.isVisible()
        bench.session.acts.take(
            Acted(number=asked.number, node=3, done=True, sentence="Pinned.", undo="Unpin it")
        )
        bench.follow()
        assert bench.panel.deeds.result.text() == "Pinned."
        assert bench.panel.deeds.undo.toolTip() == "Unpin it (Ctrl+Z)"
        bench.panel.deeds.undo.click()
        undone = bench.asked[-1]
        assert isinstance(undone, UndoAct)
        assert undone.of == asked.number

    def done(self, bench: Bench, undo: str) -> None:
        """The last action that was asked for is done."""
        asked = bench.asked[-1]
        assert isinstance(asked, Act)
        bench.session.acts.take(
            Acted(number=asked.number, node=asked.node, done=True, sentence="Done.", undo=undo)
        )

    def test_what_was_warmed_stays_chosen_though_the_device_names_it_anew(
        self, bench: Bench
    ) -> None:
        below = structs.replace(LEAF, tier="host", key="77aa")
        bench.session.cache.snapshot = snapshot(FIRST, BARE, below)
        bench.follow()
        bench.state.choose_node(3)
        bench.panel.deeds.buttons["Warm this prefix"].click()
        self.done(bench, "Drop the state again")
        bench.session.cache.snapshot = snapshot(
            FIRST, BARE, structs.replace(LEAF, id=8, key="77aa")
        )
        bench.follow()
        assert bench.state.chosen.node == 8
        assert bench.panel.heading.text() == "Node 8"
        assert bench.panel.deeds.undo.isVisible()

    def test_after_evicting_what_is_left_above_is_chosen(self, bench: Bench) -> None:
        bench.state.choose_node(3)
        bench.panel.deeds.buttons["Evict"].click()
        self.done(bench, "")
        bench.session.cache.snapshot = snapshot(FIRST)
        bench.follow()
        assert bench.state.chosen.node == 1

    def test_an_earlier_action_can_be_taken_back_with_nothing_chosen(self, bench: Bench) -> None:
        bench.state.choose_node(1)
        bench.panel.deeds.buttons["Unpin" if FIRST.pinned else "Pin"].click()
        self.done(bench, "Unpin it")
        bench.panel.deeds.buttons["Evict"].click()
        self.done(bench, "")
        bench.session.cache.snapshot = snapshot()
        bench.follow()
        assert bench.panel.empty.isVisible()
        assert bench.panel.deeds.undo.isVisible()
        bench.panel.deeds.undo.click()
        assert isinstance(bench.asked[-1], UndoAct)

    def test_evicting_much_is_asked_first_with_its_cost(self, bench: Bench) -> None:
        long = structs.replace(LEAF, end=1160)
        bench.session.cache.snapshot = snapshot(FIRST, BARE, long)
        bench.follow()
        bench.state.choose_node(3)
        known = len(bench.asked)
        for button in ("Keep", "Evict"):
            bench.panel.deeds.buttons["Evict"].click()
            box = present(bench.panel.findChild(QMessageBox))
            assert "computes 1,000 tokens again" in box.informativeText()
            assert present(box.defaultButton()).text() == "Keep"
            assert len(bench.asked) == known
            next(one for one in box.buttons() if one.text() == button).click()
            QApplication.sendPostedEvents(box, QEvent.Type.DeferredDelete)
        asked = bench.asked[-1]
        assert isinstance(asked, Act)
        assert (asked.action, asked.node) == ("evict", 3)

    def test_without_anything_to_undo_it_says_so(self, bench: Bench) -> None:
        bench.panel.undo()
        assert bench.said == ["There is nothing to undo in the cache."]

    def test_progress_is_shown(self, bench: Bench) -> None:
        bench.state.choose_node(2)
        assert not bench.button("Pin")
        bench.panel.deeds.buttons["Checkpoint here…"].click()
        dialog = present(bench.panel.findChild(CheckpointDialog))
        assert dialog.position.value() == 160
        dialog.store.click()
        asked = bench.asked[-1]
        assert isinstance(asked, Act)
        assert (asked.action, asked.node, asked.position) == ("checkpoint", 2, 160)
        bench.session.acts.take(ActProgress(number=asked.number, done=20, total=60))
        bench.follow()
        assert bench.panel.deeds.result.text() == "Computing: 20 of 60 tokens."

    def test_an_earlier_moment_cannot_be_changed(self, bench: Bench) -> None:
        bench.state.choose_node(3)
        assert bench.button("Evict")
        bench.state.moment = replace(bench.state.moment, follows=False)
        bench.state.moved.emit()
        assert not any(map(bench.button, bench.panel.deeds.buttons))
        assert bench.panel.deeds.reason.text() == EARLIER
        assert EARLIER in bench.panel.deeds.buttons["Evict"].toolTip()
        asked = len(bench.asked)
        bench.panel.undo()
        assert len(bench.asked) == asked

    def test_without_a_model_nothing_can_be_done(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(LiveSource, "model", None)
        bench = Bench(qtbot)
        bench.state.choose_node(3)
        assert bench.panel.deeds.reason.text() == NO_MODEL

    def test_the_menu_has_the_same_actions(self, bench: Bench) -> None:
        bench.panel.show_menu(3, QPoint(5, 5), 180)
        menu = present(bench.panel.findChild(NodeMenu))
        actions = {action.text(): action for action in menu.actions() if action.text()}
        assert actions["Pin"].isEnabled()
        actions["Checkpoint here…"].trigger()
        dialog = present(bench.panel.findChild(CheckpointDialog))
        # The last token has a state already.
        assert (dialog.position.minimum(), dialog.position.maximum()) == (161, 199)
        assert dialog.position.value() == 180
        dialog.close()
        actions["Drop state"].trigger()
        actions["Verify checkpoint"].trigger()
        menu.close()
        done, verified = bench.asked[-2:]
        assert isinstance(done, Act)
        assert done.action == "drop state"
        assert verified == VerifyNode(3)

    def test_a_prompt_to_warm_is_asked_for_by_button_and_menu(self, bench: Bench) -> None:
        wanted: list[bool] = []
        bench.state.warming_wanted.connect(lambda: wanted.append(True))
        bench.state.choose_node(3)
        bench.panel.deeds.warm.click()
        bench.panel.show_menu(3, QPoint(5, 5), None)
        menu = present(bench.panel.findChild(NodeMenu))
        next(one for one in menu.actions() if one.text() == "Warm a prompt…").trigger()
        menu.close()
        assert wanted == [True, True]

    def test_everything_fits_a_narrow_dock(self, bench: Bench, qtbot: QtBot) -> None:
        bench.state.choose_node(1)
        qtbot.wait(1)
        area = present(bench.panel._body.parentWidget())
        assert bench.panel._body.width() <= area.width()


def test_the_window_has_it_with_undo_and_go_to_link(desk: Desk) -> None:
    desk.window.debugger.show(True)
    made = present(desk.window.debugger.desk)
    assert isinstance(made.panels["node"], NodePanel)
    QGuiApplication.clipboard().setText("biplane://cache?start=0&end=5&key=00&text=x")
    desk.window.menus.go_to_link.trigger()
    finding = made.panels["tree"].finding  # type: ignore[attr-defined]
    desk.qtbot.waitUntil(lambda: not finding.searching)
    assert finding.bar.field.text().startswith("biplane://")
    assert "not in the cache" in finding.note.text()


class TestHistory:
    """Of a checkpoint of a recording with three tiers, in the middle of it."""

    @pytest.fixture
    def panel(self, debugger: Debugger) -> NodePanel:
        panel = debugger.show(NodePanel, FileSource(TRACES / "tiers.jsonl.gz"))
        panel.state.seek(len(present(panel.state.source).tape) // 2)
        return panel

    def choose(self, panel: NodePanel, end: int) -> NodeView:
        nodes = present(panel.state.moment.snapshot).nodes
        found = next(one for one in nodes if one.end == end and one.checkpoint is not None)
        panel.state.choose_node(found.id)
        return found

    def test_every_event_is_listed_with_its_time_the_newest_first(
        self, panel: NodePanel, qtbot: QtBot
    ) -> None:
        self.choose(panel, 90)
        qtbot.waitUntil(panel.history.isVisible)
        rows = panel.history.table.rows.shown[-5:]
        assert [row.cells[1] for row in rows] == [
            "Request 3 resumed from it",
            "Promoted from the disk",
            "Moved to the disk",
            "Moved to host memory",
            "Stored",
        ]
        assert [row.sentence.partition(" ")[2] for row in rows[2:]] == [
            "Moved to the disk (in host memory, state pressure).",
            "Moved to host memory (on the device, state pressure).",
            "Stored (on the device, branch).",
        ]

    def test_choosing_one_goes_to_its_moment_with_the_checkpoint_chosen(
        self, panel: NodePanel, qtbot: QtBot
    ) -> None:
        chosen = self.choose(panel, 90)
        qtbot.waitUntil(panel.history.isVisible)
        table = panel.history.table
        table.enter()
        table.selectRow(len(table.rows) - 2)
        qtbot.keyClick(table, Qt.Key.Key_Return)
        row = present(table.current)
        state = panel.state
        assert state.moment.index == state.chosen.entry == row.subject.chapter.index
        nodes = {one.id: one for one in present(state.moment.snapshot).nodes}
        found = nodes[present(state.chosen.node)]
        assert (found.key, found.end) == (chosen.key, 90)
        assert present(found.checkpoint).state.tier == "device"
        assert panel.history.isVisible()

    def test_a_node_without_a_checkpoint_has_none(self, panel: NodePanel, qtbot: QtBot) -> None:
        self.choose(panel, 90)
        qtbot.waitUntil(panel.history.isVisible)
        nodes = present(panel.state.moment.snapshot).nodes
        bare = next(one for one in nodes if one.parent is not None and one.checkpoint is None)
        panel.state.choose_node(bare.id)
        assert panel.history.isHidden()
