"""The window, driven as a user would, on a fake engine."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QPlainTextEdit,
    QStyle,
    QStyleOptionFrame,
    QToolButton,
)

from app.cache.logic.fading import FADE_S, HOLD_S
from app.chat.answer_message import AnswerMessage
from app.chat.body import CodeBlock
from app.chat.prose import ProseView
from app.chat.turn_widgets import ErrorMessage
from app.chat.user_message import UserMessage
from app.core.session.records import TurnState
from app.core.words import format as fmt
from app.ui.widgets import IconButton
from engine import commands
from tests.app.conftest import Desk, MakeDesk
from tests.present import present

LONG = (
    "Think about it.",
    "One two three.\n\n```python\nx = 1\n```\n\n" + "More words follow. " * 60,
)


def answer_of(desk: Desk) -> AnswerMessage:
    widget = desk.window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    return widget


class TestStreaming:
    def test_an_answer_streams_in_and_ends_with_its_figures(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: LONG, steps=2)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: desk.turns[-1].text.count("words") > 3)
        widget = answer_of(desk)
        kinds = [type(part) for part in widget.body.parts]
        assert kinds == [ProseView, CodeBlock, ProseView]
        block = widget.body.parts[1]
        assert isinstance(block, CodeBlock)
        assert block.code == "x = 1"
        assert block.closed
        first = widget.body.parts[0]
        desk.until(lambda: not desk.session.busy)
        assert widget.body.parts[0] is first
        shown = widget.stats.text().replace("\u00a0", " ").replace("\u2060", "")
        assert re.fullmatch(r"[\d.]+ s · [\d,]+ tok/s", shown)
        figures, why, *_ = widget.stats.toolTip().split("\n")
        assert figures.startswith("reused 0 · replayed 0 · new ")
        assert why == "Nothing of this prompt was seen before."

    def test_the_prompts_progress_shows(self, make_desk: MakeDesk) -> None:
        desk = make_desk(steps=1)
        desk.open()
        desk.say("word " * 3000, wait=False)
        desk.until(lambda: desk.turns[-1].done > 1000)
        texts = [w.text() for w in answer_of(desk).findChildren(type(answer_of(desk).stats))]
        assert any(
            t.startswith("Reading prompt 1,0") or t.startswith("Reading prompt 1,") for t in texts
        )

    def test_thinking_is_folded_and_unfolds(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: LONG)
        desk.open()
        desk.session.set_thinking(True)
        desk.say("Go")
        fold = answer_of(desk).thinking
        assert fold.title.startswith("Thought for ")
        assert not fold.unfolded
        fold.toggle()
        thought = fold.body.parts[0]
        assert isinstance(thought, ProseView)
        assert thought.source_text == "Think about it."

    def test_html_and_pictures_of_a_model_are_not_followed(self, make_desk: MakeDesk) -> None:
        evil = "<b>bold</b> ![x](file:///etc/passwd) <img src='http://x/y.png'>"
        desk = make_desk(answer=lambda _: ("", evil))
        desk.open()
        desk.say("Go")
        part = answer_of(desk).body.parts[0]
        assert isinstance(part, ProseView)
        assert "<b>bold</b>" in part.toPlainText()
        assert part.loadResource(2, "file:///etc/passwd") is None

    def test_the_view_follows_only_from_the_end(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: LONG, steps=2)
        desk.open()
        for _ in range(3):
            desk.say("Go")
        view = desk.window.chat.view
        bar = view.verticalScrollBar()
        assert bar.maximum() > 0
        assert bar.value() == bar.maximum()
        desk.say("Go", wait=False)
        desk.until(lambda: desk.turns[-1].tokens > 5)
        bar.setValue(10)
        desk.until(lambda: not desk.session.busy)
        assert bar.value() == 10
        assert not view.following
        view.go_to_end()
        assert view.following


class TestStop:
    def test_escape_stops_and_the_text_stays(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: LONG, steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: len(desk.turns[-1].text) > 40)
        assert desk.window.menus.stop.isEnabled()
        desk.window.menus.stop.trigger()
        desk.until(lambda: not desk.session.busy)
        turn = desk.turns[-1]
        assert turn.state is TurnState.STOPPED
        assert 40 < len(turn.text) < len(LONG[1])
        assert turn.token_ids
        assert not desk.window.menus.stop.isEnabled()

    def test_a_second_conversation_waits_its_turn(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: LONG, steps=1)
        desk.open()
        desk.say("First", wait=False)
        desk.until(lambda: desk.turns[-1].tokens > 0)
        desk.window.menus.new.trigger()
        desk.say("Second", wait=False)
        desk.until(lambda: desk.turns[-1].state is TurnState.QUEUED)
        desk.until(lambda: not desk.session.busy)
        assert all(len(c.turns) == 2 for c in desk.session.conversations)


class TestAgain:
    def test_regenerate_replaces_the_answer_and_reuses_the_prompt(self, desk: Desk) -> None:
        desk.say("word " * 400)
        first = desk.turns[-1]
        desk.window.menus.regenerate.trigger()
        desk.until(lambda: not desk.session.busy)
        again = desk.turns[-1]
        assert again is not first
        assert len(desk.turns) == 2
        assert present(again.report).plan.reused > 400
        assert first.id not in desk.window.chat.view.widgets

    def test_editing_a_message_cuts_and_asks_again(self, desk: Desk) -> None:
        desk.say("One")
        desk.say("Two")
        widget = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(widget, UserMessage)
        widget.start_edit()
        editor = present(widget.findChild(QPlainTextEdit))
        editor.setPlainText("Uno")
        desk.qtbot.keyClick(editor, Qt.Key.Key_Return)
        desk.until(lambda: not desk.session.busy)
        assert [turn.text for turn in desk.turns] == ["Uno", "You said **Uno**."]

    def test_a_failed_message_comes_back_to_the_composer(self, desk: Desk) -> None:
        desk.say("Fine")
        desk.say("FAIL please")
        assert desk.window.chat.composer.text == "FAIL please"
        widgets = list(desk.window.chat.view.widgets.values())
        assert isinstance(widgets[-1], ErrorMessage)
        assert len(widgets) == 3


class TestComposer:
    def test_enter_sends_and_shift_enter_breaks_the_line(self, desk: Desk) -> None:
        field = desk.window.chat.composer.findChild(QPlainTextEdit)
        desk.qtbot.keyClicks(field, "ab")
        desk.qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        desk.qtbot.keyClicks(field, "c")
        desk.qtbot.keyClick(field, Qt.Key.Key_Return)
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[0].text == "ab\nc"
        assert desk.window.chat.composer.text == ""

    def test_it_says_what_a_text_would_reuse(self, desk: Desk) -> None:
        desk.say("word " * 300)
        composer = desk.window.chat.composer
        composer.set_text("And now?")
        composer.paused.emit(composer.text)
        desk.until(lambda: composer.hint != "")
        assert composer.hint.startswith("will reuse 3")

    def test_a_draft_belongs_to_its_conversation(self, desk: Desk) -> None:
        desk.say("One")
        first = desk.session.current.id
        desk.window.chat.composer.set_text("half a thought")
        desk.window.menus.new.trigger()
        assert desk.window.chat.composer.text == ""
        desk.window.chats.chosen.emit(first)
        assert desk.window.chat.composer.text == "half a thought"


class TestChats:
    def test_the_field_of_a_new_name_has_room_for_its_letters(self, desk: Desk) -> None:
        desk.say("A river that flows from the mountain to the sea, as long as it is")
        desk.window.chats.resize(180, desk.window.chats.height())
        desk.window.chats.rename_current()
        field = present(desk.window.chats.list.findChild(QLineEdit))
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        inside = field.style().subElementRect(part, option, field)
        assert inside.height() >= field.fontMetrics().height()
        view = desk.window.chats.list.viewport()
        assert view.rect().adjusted(4, 0, -4, 0).contains(field.geometry())

    def test_rename_and_delete_by_key(self, desk: Desk) -> None:
        desk.say("One")
        desk.window.menus.new.trigger()
        desk.say("Two")
        chats = desk.window.chats.list
        chats.setFocus()
        desk.window.chats.rename_current()
        editor = present(chats.findChild(QLineEdit))
        editor.setText("Renamed")
        desk.qtbot.keyClick(editor, Qt.Key.Key_Return)
        desk.until(lambda: desk.session.current.title == "Renamed")
        desk.window.chats.delete_current()
        assert [c.title for c in desk.session.conversations] == ["One"]
        assert desk.session.current.title == "One"
        desk.window.menus.restore.trigger()
        assert desk.session.current.title == "Renamed"
        assert not desk.window.menus.restore.isEnabled()


class TestCachePane:
    def test_it_shows_the_snapshots_sums(self, desk: Desk) -> None:
        desk.say("word " * 500)
        cache = desk.window.cache
        cache.show_figures(["prompt"])
        snapshot = present(desk.session.cache.snapshot)
        memory = snapshot.memory
        held = memory.weights + memory.kv_plane + memory.state_plane + memory.workspace
        assert sum(part.bytes for part in cache.planes.bar.parts) == held
        assert cache.planes.total.text() == fmt.byte_size(held)
        plan = present(desk.turns[-1].report).plan
        counts = {k: each.text() for k, each in cache.match.counts.items() if each.isVisible()}
        assert counts == {"reused": "0", "replayed": "0", "computed": f"{plan.computed:,}"}
        assert cache.match.reason.text() == plan.detail
        assert present(cache.canvas.model.layout).extent == snapshot.nodes[-1].end

    def test_a_node_can_be_chosen_and_is_described(self, desk: Desk) -> None:
        desk.say("word " * 500)
        canvas = desk.window.cache.canvas
        view = canvas.viewport
        from PySide6.QtCore import QPoint

        from app.cache.tree_painter import RULER_PX

        spot = QPoint(round(view.x(300)), round(RULER_PX + view.y(0) + view.lane_px / 2))
        desk.qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=spot)
        assert canvas.selected is not None
        assert commands.DescribeNode(canvas.selected) in desk.loop.posted
        desk.until(lambda: "word" in desk.window.cache.drawer.text)
        assert desk.window.cache.drawer.isVisible()
        canvas.select(None)
        assert not desk.window.cache.drawer.isVisible()

    def test_keys_move_the_view(self, desk: Desk) -> None:
        desk.say("word " * 500)
        canvas = desk.window.cache.canvas
        fitted = canvas.viewport
        desk.qtbot.keyClick(canvas, Qt.Key.Key_W)
        assert canvas.viewport.px_per_unit > fitted.px_per_unit
        desk.qtbot.keyClick(canvas, Qt.Key.Key_F)
        layout = present(canvas.model.layout)
        assert canvas.viewport.shows(layout.extent, layout.lanes)
        desk.qtbot.keyClick(canvas, Qt.Key.Key_Right)
        assert canvas.selected is not None

    def test_the_invariants_are_checked_on_demand(self, desk: Desk) -> None:
        desk.window.menus.check.trigger()
        desk.until(lambda: "every invariant holds" in desk.window.status.currentMessage())

    def test_emptying_the_cache_empties_the_tree_once_what_went_has_faded(self, desk: Desk) -> None:
        canvas = desk.window.cache.canvas
        canvas.clock = lambda: 0.0
        desk.say("word " * 500)
        held = [
            node for node in present(desk.session.cache.snapshot).nodes if node.parent is not None
        ]
        desk.window.menus.drop.trigger()
        desk.until(lambda: len(present(desk.session.cache.snapshot).nodes) == 1)
        marks = [m for m in canvas.marks if m.evicted.cause == "dropped by user"]
        assert {(m.left, m.right) for m in marks} == {(node.start, node.end) for node in held}
        assert len(marks) == len(held)
        assert not canvas.empty
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert canvas.empty

    def test_what_goes_while_the_pane_is_hidden_is_drawn_once_it_is_shown(self, desk: Desk) -> None:
        canvas = desk.window.cache.canvas
        desk.say("word " * 100)
        desk.window.menus.cache.trigger()
        desk.window.menus.drop.trigger()
        desk.until(lambda: not desk.loop.cache.nodes[0].children)
        assert list(canvas.marks) == []
        desk.window.menus.cache.trigger()
        desk.until(lambda: len(canvas.marks) > 0)
        told = [mark.evicted.seq for mark in canvas.marks]
        assert told == [gone.seq for gone in desk.session.log.after(0)]


class TestStatus:
    def test_the_figures_are_on_screen(self, desk: Desk) -> None:
        desk.say("word " * 50)
        status = desk.window.status
        figures = status.context
        assert figures.text()
        assert status.rect().contains(figures.geometry())
        assert figures.height() >= figures.fontMetrics().height()


class TestAccess:
    def test_every_control_has_a_name(self, desk: Desk) -> None:
        desk.say("Say\n\n```py\nx\n```")
        nameless = [
            button
            for button in desk.window.findChildren(QAbstractButton)
            if not (button.accessibleName() or button.text())
            and not button.objectName().startswith("qt_")
            and not type(button).__module__.startswith("pyqtgraph")
        ]
        assert nameless == []
        fields = [f for f in desk.window.findChildren(QPlainTextEdit) if not f.accessibleName()]
        assert fields == []
        icons = [b for b in desk.window.findChildren(QToolButton) if isinstance(b, IconButton)]
        assert icons
        assert all(button.toolTip() for button in icons)

    def test_small_windows_keep_the_conversation(self, desk: Desk) -> None:
        desk.window.resize(700, 520)
        desk.until(lambda: not desk.window.chats.isVisible())
        assert desk.window.chat.width() >= 560
        desk.window.resize(1300, 800)
        desk.until(lambda: desk.window.chats.isVisible())
