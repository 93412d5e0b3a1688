"""The tree's panel: views by button, search in all of a node's text, the legend that filters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.cache.logic.mark_table import BITS
from app.debugger.planes_panel import PlanesPanel
from app.debugger.state import DebugState
from app.debugger.tree_panel import TreePanel
from engine.cache.journal.changes import CacheOpened, NodeAdded
from engine.cache.journal.journal import Entry
from engine.journal.lines import TraceEntry
from engine.journal.tape import Tape
from engine.snapshot import CacheSnapshot
from tests.app.cache.test_views import pixels
from tests.app.conftest import Desk
from tests.app.samples import node, snapshot
from tests.present import present

WORDS = {1: "you are helpful", 2: "why is the sky blue", 3: "tell me of the sea"}
NODES = (
    node(1, 0, 0, 15, "prefill", text="you"),
    node(2, 1, 15, 34, text="why"),
    node(3, 1, 15, 33, "decode", text="tell"),
)


class Told:
    """A source whose tokens are the codes of its characters; see Source."""

    name = "told"
    live = False
    model = None
    current = None
    counters = None
    checked = None
    verifying: frozenset[int] = frozenset()

    def __init__(self, given: CacheSnapshot) -> None:
        self.given = given
        self.tape = Tape()
        changes = [CacheOpened("lru", 1000, 10, 10, 1000)]
        entries = [Entry(1, 0.0, "device", changes[0])]
        for number, one in enumerate(given.nodes[1:], 2):
            tokens = np.array([ord(c) for c in WORDS[one.id]], "<i4").tobytes()
            added = NodeAdded(one.id, one.parent or 0, one.start, one.end, tokens)
            entries.append(Entry(number, float(number), "device", added))
        self.tape.append([TraceEntry(entry, None) for entry in entries])

    def newest(self) -> CacheSnapshot | None:
        return self.given

    def title(self, session: int) -> str:
        return f"Conversation {session}"

    owner_title = title

    def also_on(self, node: int) -> str | None:
        return None


@pytest.fixture
def panel(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> TreePanel:
    monkeypatch.setattr(Tape, "text", lambda _, ids: "".join(map(chr, ids)))
    state = DebugState()
    made = TreePanel(state)
    state.setParent(made)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    state.show_source(Told(snapshot(*NODES)))
    return made


def find(panel: TreePanel, qtbot: QtBot, text: str) -> None:
    panel.look_up()
    panel.finding.bar.field.clear()
    qtbot.keyClicks(panel.finding.bar.field, text)
    qtbot.waitUntil(lambda: not panel.finding.searching)


class TestNothingThere:
    def test_a_sentence_stands_in_place_of_an_empty_tree(self, panel: TreePanel) -> None:
        assert (panel.canvas.isVisible(), panel.empty.isVisible()) == (True, False)
        panel.state.show_source(Told(snapshot()))
        assert (panel.canvas.isVisible(), panel.empty.isVisible()) == (False, True)
        assert "Nothing is cached" in panel.empty.text()

    def test_and_of_the_planes_without_a_moment(self, qtbot: QtBot) -> None:
        state = DebugState()
        planes = PlanesPanel(state)
        state.setParent(planes)
        qtbot.addWidget(planes)
        planes.show()
        planes.show_moment()
        assert (planes.planes.isVisible(), planes.empty.isVisible()) == (False, True)
        state.show_source(Told(snapshot(*NODES)))
        assert (planes.planes.isVisible(), planes.empty.isVisible()) == (True, False)


class TestViews:
    def test_a_button_shows_its_view_and_a_key_presses_its_button(
        self, panel: TreePanel, qtbot: QtBot
    ) -> None:
        panel.switch.buttons["memory"].click()
        assert panel.canvas.view.name == "memory"
        qtbot.keyClicks(panel.canvas, "4")
        assert panel.switch.buttons["topology"].isChecked()
        assert not panel.switch.buttons["memory"].isChecked()


class TestFind:
    def test_hits_are_counted_marked_and_walked_through(
        self, panel: TreePanel, qtbot: QtBot
    ) -> None:
        find(panel, qtbot, "the s")
        assert panel.finding.hits == [2, 3]
        assert panel.finding.bar.count.text() == "1 of 2"
        assert panel.canvas.selected == panel.state.chosen.node == 2
        qtbot.keyClick(panel.finding.bar.field, Qt.Key.Key_Return)
        assert panel.canvas.selected == 3
        assert panel.finding.bar.count.text() == "2 of 2"
        qtbot.keyClick(panel.finding.bar.field, Qt.Key.Key_Return)
        assert panel.canvas.selected == 2
        qtbot.keyClick(
            panel.finding.bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier
        )
        assert panel.canvas.selected == 3

    @pytest.mark.parametrize("view", ["cells", "tokens", "memory", "topology"])
    def test_hits_are_marked_in_every_view(self, panel: TreePanel, qtbot: QtBot, view: str) -> None:
        panel.canvas.show_view(view)
        find(panel, qtbot, "sea")
        panel.canvas.select(None)
        after = pixels(panel.canvas.grab().toImage())
        panel.canvas.show_found(frozenset())
        before = pixels(panel.canvas.grab().toImage())
        assert (before != after).sum() > 100

    @pytest.mark.parametrize(
        ("asked", "hits"), [(f"#{ord('b')}", [2]), ("@20", [2, 3]), ("@15", [1, 2, 3])]
    )
    def test_tokens_and_positions(
        self, panel: TreePanel, qtbot: QtBot, asked: str, hits: list[int]
    ) -> None:
        find(panel, qtbot, asked)
        assert panel.finding.hits == hits

    def test_what_cannot_be_read_is_explained_and_kept(
        self, panel: TreePanel, qtbot: QtBot
    ) -> None:
        find(panel, qtbot, "#sky")
        assert panel.finding.note.isVisible()
        assert "A token id is a number" in panel.finding.note.text()
        assert panel.finding.bar.field.text() == "#sky"
        find(panel, qtbot, "sky")
        assert not panel.finding.note.isVisible()

    def test_escape_ends_it(self, panel: TreePanel, qtbot: QtBot) -> None:
        find(panel, qtbot, "sea")
        qtbot.keyClick(panel.finding.bar.field, Qt.Key.Key_Escape)
        assert not panel.finding.bar.isVisible()
        assert panel.canvas.model.folding.found == frozenset()

    def test_a_growing_tree_is_searched_again(self, panel: TreePanel, qtbot: QtBot) -> None:
        find(panel, qtbot, "more")
        assert panel.finding.hits == []
        later = node(4, 3, 33, 40, text="and more")
        panel.state.source = Told(snapshot(*NODES))
        panel.state.source.given = snapshot(*NODES, later, version=2)
        panel.state.follow()
        qtbot.waitUntil(lambda: panel.finding.hits == [4])

    def test_control_f_finds_in_the_debugger(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        tree = present(desk.window.debugger.desk).panels["tree"]
        assert isinstance(tree, TreePanel)
        assert desk.window.menus.find.isEnabled()
        desk.window.menus.find.trigger()
        assert tree.finding.bar.isVisible()
        assert QApplication.focusWidget() is tree.finding.bar.field


def tombstones(panel: TreePanel) -> QPushButton:
    """What marks the tombstones, and filters them."""
    chips = panel.marks.findChildren(QPushButton)
    return next(chip for chip in chips if chip.text().startswith("tombstone"))


class TestFilter:
    def test_marks_that_there_are_have_counts(self, panel: TreePanel) -> None:
        chips = panel.marks.findChildren(QPushButton)
        shown = [chip.text() for chip in chips if chip.isVisible()]
        assert shown == ["on device 3", "tombstone 1", "on device 2", "prefill 1", "decode 1"]
        tombstone = tombstones(panel)
        assert tombstone.accessibleName() == "Checkpoint: tombstone, 1 node"
        assert "Press to dim" in tombstone.toolTip()

    @pytest.mark.parametrize("view", ["tokens", "memory", "topology"])
    def test_what_is_not_wanted_is_dimmed_and_the_rest_is_not(
        self, panel: TreePanel, view: str
    ) -> None:
        panel.canvas.set_folded(False)
        panel.canvas.show_view(view)
        canvas = panel.canvas
        layout = present(canvas.model.layout)
        bare, other = present(layout.row_of(2)), present(layout.row_of(3))
        before = canvas.grab().toImage()
        tombstones(panel).click()
        after = canvas.grab().toImage()
        changed = differ(before, after)
        assert share(panel, changed, bare) < 0.2
        assert share(panel, changed, other) > 0.7
        assert present(canvas.model.bright)[bare]
        tombstones(panel).click()
        assert canvas.model.bright is None
        assert (pixels(canvas.grab().toImage()) == pixels(before)).all()

    def test_a_pressed_mark_stays_when_there_are_none_any_more(self, panel: TreePanel) -> None:
        tombstones(panel).click()
        panel.canvas.show_snapshot(snapshot(NODES[0], version=2))
        panel.marks.show_counts({"resident": 1})
        assert tombstones(panel).isVisible()
        assert tombstones(panel).text() == "tombstone 0"

    def test_pinned_nodes_are_marked(self, panel: TreePanel) -> None:
        pinned = snapshot(replace(NODES[0], pinned=True), *NODES[1:], version=2)
        panel.canvas.show_snapshot(pinned)
        table = present(panel.canvas.model.layout).table
        assert table.ids[table.marks & BITS["pinned"] > 0].tolist() == [1]


def differ(before: QImage, after: QImage) -> npt.NDArray[np.bool_]:
    """Pixels of which some channel is clearly another."""
    parts = [pixels(image)[..., None] >> np.array([16, 8, 0]) & 255 for image in (before, after)]
    made: npt.NDArray[np.bool_] = np.abs(parts[0].astype(int) - parts[1]).max(axis=2) > 24
    return made


def share(panel: TreePanel, changed: npt.NDArray[np.bool_], row: int) -> float:
    """Of a row's box, how much has changed."""
    layout, view = present(panel.canvas.model.layout), panel.canvas.viewport
    left, right = (round(view.x(float(x[row]))) for x in (layout.scale.left, layout.scale.right))
    top = round(view.y(int(layout.lane[row])) + view.lane_px / 2) + 24
    return float(changed[top - 2 : top + 4, left + 8 : right - 12].mean())
