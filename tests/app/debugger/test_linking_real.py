"""Messages, tokens, nodes, checkpoints and the timeline highlight one another: the real engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.logic.lit import covers
from app.cache.tree_painter import RULER_PX
from app.chat.answer_message import AnswerMessage
from app.chat.user_message import UserMessage
from app.core.session.model import Session
from app.core.session.passages import Passages, Place, passages
from app.debugger.logic.chosen import Chosen
from app.debugger.state import DebugState
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.tree_panel import TreePanel
from engine.cache.journal.changes import NodeAdded
from engine.config import EngineConfig
from tests.app.buttons import choose
from tests.app.test_settings_real import Program
from tests.present import present

pytestmark = pytest.mark.slow
CONFIG = EngineConfig(cache_bytes=32 << 20, threads=1)
SAID = ("Tell me of the sky above the harbour", "And of the sea?", "Now the hills, please.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("linking")


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path, CONFIG)
    made.window.resize(1366, 768)
    for text in SAID:
        made.ask(text)
    settle(made)
    yield made
    made.close()


def settle(program: Program) -> None:
    """The snapshot after the last answer is here."""
    session = program.session
    last = session.current.turns[-1].request

    def told() -> bool:
        snapshot = session.cache.snapshot
        return (
            snapshot is not None
            and snapshot.live is None
            and any(one.request == last for one in session.cache.follower.branches())
        )

    program.until(told)


def places(session: Session) -> Passages:
    """Where the messages on screen are in the cache now."""
    branches = session.cache.follower.branches(session.current.id)
    return passages(session.current, present(session.cache.snapshot), branches)


def turns(program: Program) -> list[int]:
    return [turn.id for turn in program.session.current.turns]


def message(program: Program, turn: int) -> UserMessage | AnswerMessage:
    widget = program.window.chat.view.column.ensure(turn)
    assert isinstance(widget, UserMessage | AnswerMessage)
    return widget


def enter(widget: QWidget, on: bool) -> None:
    """The pointer comes or goes."""
    at = QPointF(widget.rect().center())
    event = QEnterEvent(at, at, at) if on else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(widget, event)


def spot(canvas: TreeCanvas, node: int) -> QPoint:
    """A pixel of a node."""
    made = present(canvas.model.layout)
    row = present(made.row_of(node))
    view = canvas.viewport
    left = max(view.x(float(made.scale.left[row])), 0.0)
    right = min(view.x(float(made.scale.right[row])), view.width)
    lane = int(made.lane[row])
    return QPoint(round((left + right) / 2), round(view.y(lane) + view.lane_px / 2) + RULER_PX)


def point(program: Program, canvas: TreeCanvas, node: int) -> None:
    program.qtbot.mouseMove(canvas, QPoint(2, 2))
    program.qtbot.mouseMove(canvas, spot(canvas, node))
    QApplication.processEvents()


def debugger(program: Program) -> tuple[DebugState, TreePanel]:
    program.window.menus.debugger.trigger()
    desk = present(program.window.debugger.desk)
    tree = desk.panels["tree"]
    assert isinstance(tree, TreePanel)
    program.until(lambda: desk.state.moment.snapshot is not None)
    return desk.state, tree


def picture(widget: QWidget, name: str) -> None:
    folder = os.environ.get("BIPLANE_LINK_PICTURES")
    if folder:
        widget.grab().save(str(Path(folder) / f"{name}.png"))


class TestMessagesAndTheTree:
    def test_hover_a_message(self, program: Program) -> None:
        """Its tokens are framed in every view of the tree, and nothing scrolls."""
        canvas, column = program.window.cache.canvas, program.window.chat.view.column
        for turn in turns(program):
            widget = present(column.ensure(turn))
            enter(widget, True)
            (place, *_) = canvas.model.lights.lit
            known = places(program.session)
            assert place in known.places(turn)
            for view in canvas.views:
                canvas.show_view(view.name)
                assert covers(present(canvas.model.layout), (place,))
            enter(widget, False)
            assert canvas.model.lights.lit == ()
        canvas.show_view("messages")

    def test_the_frame_is_drawn_without_a_new_picture(self, program: Program) -> None:
        canvas, column = program.window.cache.canvas, program.window.chat.view.column
        canvas.fit()
        before, made = canvas.grab().toImage(), canvas.model.made
        enter(present(column.ensure(turns(program)[0])), True)
        assert canvas.grab().toImage() != before
        assert canvas.model.made == made
        enter(present(column.ensure(turns(program)[0])), False)
        assert canvas.grab().toImage() == before

    def test_a_hidden_pane_comes_to_show_a_message(self, program: Program) -> None:
        window, first = program.window, turns(program)[0]
        window.menus.cache.trigger()
        assert not window.cache.isVisible()
        choose(message(program, first), "Show in cache")
        program.until(lambda: bool(window.cache.canvas.model.lights.marked))
        assert window.cache.isVisible()

    def test_show_a_message_in_the_cache_by_keyboard(self, program: Program) -> None:
        window = program.window
        canvas, column = window.cache.canvas, window.chat.view.column
        first = turns(program)[0]
        canvas.zoom(8)
        canvas.pan(-4000, 0)
        more = message(program, first).menu
        more.setFocus(Qt.FocusReason.TabFocusReason)
        program.key(Qt.Key.Key_Space)
        opened = present(more.findChild(QMenu))
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
            program.qtbot.keyClick(opened, key)
        assert more.hasFocus()
        (place, *_) = canvas.model.lights.marked
        (cover, *_) = covers(present(canvas.model.layout), (place,))
        view = canvas.viewport
        assert view.x(cover.left) < view.width
        assert view.x(cover.right) > 0
        assert column._lights.marked == {first}

    def test_hover_a_node(self, program: Program) -> None:
        """The messages with tokens in it get a line at their side; the chat does not move."""
        window = program.window
        canvas, view = window.cache.canvas, window.chat.view
        canvas.fit()
        snapshot = present(program.session.cache.snapshot)
        known = places(program.session)
        place = view.verticalScrollBar().value()
        seen = set[int]()
        for node in snapshot.nodes[1:]:
            row = present(canvas.model.layout).row_of(node.id)
            if row is None or not known.turns_at(node.id):
                continue
            point(program, canvas, node.id)
            if canvas.model.hovered != row:
                continue
            assert view.column._lights.lit == known.turns_at(node.id)
            seen |= view.column._lights.lit
        assert seen, "no node could be pointed at"
        assert view.verticalScrollBar().value() == place

    def test_choose_a_node_and_show_it_in_the_chat(self, program: Program) -> None:
        window = program.window
        canvas, view = window.cache.canvas, window.chat.view
        canvas.fit()
        known = places(program.session)
        node = present(known.main_node(turns(program)[0]))
        view.go_to_end()
        end = view.verticalScrollBar().value()
        program.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=spot(canvas, node))
        assert canvas.selected == node
        assert view.column._lights.marked == known.turns_at(node)
        assert view.verticalScrollBar().value() == end
        picture(window, "node_chosen")
        canvas.setFocus()
        program.key(Qt.Key.Key_Return)
        turn = present(known.last_turn(node))
        top = view.column.top_of(turn) - view.verticalScrollBar().value()
        assert -4 <= top < view.viewport().height()


def mark_of(canvas: TreeCanvas, node: int) -> QPoint:
    """The pixel of a node's checkpoint."""
    made = present(canvas.model.layout)
    row, view = present(made.row_of(node)), canvas.viewport
    y = view.y(int(made.lane[row])) + view.lane_px / 2
    return QPoint(round(view.x(float(made.scale.right[row]))), round(y) + RULER_PX)


class TestCheckpoints:
    """A checkpoint is a place of its own, between two tokens."""

    def test_hover_and_choose_one(self, program: Program) -> None:
        canvas = program.window.cache.canvas
        column = program.window.chat.view.column
        canvas.fit()
        snapshot = present(program.session.cache.snapshot)
        known, tried = places(program.session), 0
        for node in snapshot.nodes:
            if node.checkpoint is None or present(canvas.model.layout).row_of(node.id) is None:
                continue
            at = mark_of(canvas, node.id)
            row = canvas.row_at(QPointF(at))
            if row != present(canvas.model.layout).row_of(node.id):
                continue
            point_of = Place(node.id, node.end, node.end)
            program.qtbot.mouseMove(canvas, QPoint(2, 2))
            program.qtbot.mouseMove(canvas, at)
            QApplication.processEvents()
            assert canvas.model.lights.lit == (point_of,)
            assert column._lights.lit == known.turns_in(node.id, node.end - 1, node.end)
            program.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
            assert canvas.model.lights.marked == (point_of,)
            (ring,) = covers(present(canvas.model.layout), (point_of,))
            assert ring.left == ring.right
            tried += 1
        assert tried, "no checkpoint could be pointed at"

    def test_a_click_beside_it_means_the_node_again(self, program: Program) -> None:
        state, tree = debugger(program)
        canvas = tree.canvas
        canvas.fit()
        snapshot = present(state.moment.snapshot)
        node = next(
            one
            for one in snapshot.nodes
            if one.checkpoint is not None
            and canvas.model.on_checkpoint(
                present(canvas.model.layout).row_of(one.id),
                mark_of(canvas, one.id).x(),
                mark_of(canvas, one.id).y() - RULER_PX,
            )
        )
        at = mark_of(canvas, node.id)
        program.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at)
        assert state.chosen == Chosen(node.id, span=(node.end, node.end))
        program.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=at - QPoint(12, 0))
        assert state.chosen == Chosen(node.id)

    def test_walk_to_one_by_keyboard(self, program: Program) -> None:
        state, tree = debugger(program)
        tree.canvas.fit()
        tree.canvas.setFocus()
        program.key(Qt.Key.Key_Period)
        program.key(Qt.Key.Key_Period)
        assert state.chosen.is_checkpoint
        assert state.chosen.node == tree.canvas.selected


class TestTheDebugger:
    def test_a_message_is_chosen_there_too(self, program: Program) -> None:
        """In the tree and on the timeline, and in the past."""
        window, first = program.window, turns(program)[0]
        choose(message(program, first), "Show in cache")
        state, tree = debugger(program)
        assert state.chosen.turn == first
        assert tree.canvas.model.lights.marked == state.chosen.places
        assert state.chosen.node in {one.id for one in present(state.moment.snapshot).nodes}
        timeline = present(window.debugger.desk).panels["timeline"]
        assert isinstance(timeline, TimelinePanel)
        tape = present(state.source).tape
        program.until(lambda: len(tape.requests) == 3)
        program.until(lambda: len(present(timeline.series).requests) == 3)
        # Its first request read it, and nobody since.
        assert timeline.view.of_chosen.requests.tolist() == [0]
        picture(window, "debugger_message")

    def test_a_node_has_its_events_on_the_timeline(self, program: Program) -> None:
        state, tree = debugger(program)
        timeline = present(program.window.debugger.desk).panels["timeline"]
        assert isinstance(timeline, TimelinePanel)
        tape = present(state.source).tape
        program.until(lambda: len(tape.requests) == 3)
        program.until(lambda: len(present(timeline.series).requests) == 3)
        added = [tape.entry(at).what for at in range(len(tape))]
        tree.canvas.fit()
        shown = present(tree.canvas.model.layout)
        node = next(
            one.node
            for one in added
            if isinstance(one, NodeAdded) and shown.row_of(one.node) is not None
        )
        program.qtbot.mouseClick(
            tree.canvas, Qt.MouseButton.LeftButton, pos=spot(tree.canvas, node)
        )
        assert state.chosen.node == node
        events = present(timeline.series).events
        told = [tape.entry(int(events.index[n])).what for n in timeline.view.of_chosen.events]
        assert {type(one) for one in told} >= {NodeAdded}
        assert {one.node for one in told} == {node}  # type: ignore[union-attr]

    def test_an_event_is_chosen_by_keyboard(self, program: Program) -> None:
        """The tree shows its node, and the chat the messages in it."""
        state, tree = debugger(program)
        timeline = present(program.window.debugger.desk).panels["timeline"]
        assert isinstance(timeline, TimelinePanel)
        program.until(lambda: len(present(state.source).tape.requests) == 3)
        program.until(lambda: len(present(timeline.series).requests) == 3)
        timeline.view.setFocus()
        timeline.view.acts.cursor = (0, "events")
        for _ in range(3):
            program.qtbot.keyClick(timeline.view, Qt.Key.Key_Right)
        assert state.chosen.entry is not None
        assert tree.canvas.selected == state.chosen.node is not None
        known = places(program.session)
        lit = program.window.chat.view.column._lights.marked
        node, span = present(state.chosen.node), state.chosen.span
        assert lit
        assert lit == (known.turns_at(node) if span is None else known.turns_in(node, *span))

    def test_a_node_of_a_past_moment_lights_its_messages(self, program: Program) -> None:
        state, _ = debugger(program)
        tape = present(state.source).tape
        program.until(lambda: len(tape.requests) == 3)
        state.seek(tape.requests[1].index + 1)
        past = present(state.moment.snapshot)
        owner = program.session.current.id
        mine = [node for node in past.nodes if owner in node.owners]
        assert mine
        shown = turns(program)
        told = set[int]()
        for node in mine:
            state.hover(Chosen(node=node.id))
            told |= program.window.chat.view.column._lights.lit
        # The third question had not been asked.
        assert told == set(shown[:4])

    def test_focus_on_the_chat_works_in_the_past(self, program: Program) -> None:
        program.window.menus.new.trigger()
        program.ask("Something else entirely")
        settle(program)
        state, tree = debugger(program)
        tape = present(state.source).tape
        program.until(lambda: len(tape.requests) == 4)
        state.seek(len(tape) - 1)
        tree.canvas.set_focused(True)
        kinds = [chip.kind for chip in present(tree.canvas.model.layout).folded.chips.values()]
        assert "chat" in kinds
        titles = tree.canvas.model.folding.chats.titles
        assert "Tell me of the sky above the harbour" in titles.values()

    def test_enter_on_a_node_leads_back_to_the_chat(self, program: Program) -> None:
        state, tree = debugger(program)
        known = places(program.session)
        node = present(known.main_node(turns(program)[0]))
        state.choose_node(node)
        tree.canvas.setFocus()
        program.qtbot.keyClick(tree.canvas, Qt.Key.Key_Return)
        assert not program.window.debugger.on_screen
