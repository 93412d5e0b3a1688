"""Conversations of a megabyte: only what is near the screen exists, and all of it works."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.bench.stream import mixed
from app.chat import typesetting
from app.chat.answer_message import AnswerMessage
from app.chat.body import CodeBlock
from app.chat.find_bar import FindBar
from app.chat.finding import Finding
from app.chat.logic.markdown_stream import split
from app.chat.prose import ProseView
from app.chat.rendered import block_text
from app.chat.user_message import UserMessage
from app.chat.view import ChatView
from app.core.session.records import Conversation, Role, Turn, TurnState
from app.ui import theme
from tests.app.buttons import button
from tests.app.chat import editing
from tests.app.chat.test_reading import drag, mouse, spot
from tests.present import present

MEGABYTE = mixed(1_000_000)
# Widgets of messages and of parts at once: those of a few screens.
_MOST_PARTS = 160


def talk_of(*texts: str, id: int = 1) -> Conversation:
    roles: tuple[Role, Role] = ("user", "assistant")
    turns = [Turn(n + 1, roles[n % 2], text) for n, text in enumerate(texts)]
    return Conversation(id, turns=turns)


def huge() -> Conversation:
    """A question, a megabyte, and a short end."""
    return talk_of("What?", MEGABYTE, "And?", "That is all.")


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatView]:
    theme.keeper()
    # However slow the machine is, formulas are typeset as they come into view.
    monkeypatch.setattr(typesetting, "WAIT_MS", 60_000)
    made = ChatView()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    QApplication.processEvents()
    yield made
    made.close()


def settle(qtbot: QtBot, view: ChatView) -> None:
    qtbot.waitUntil(lambda: not view._ahead.isActive())


def answer(view: ChatView, turn: int = 2) -> AnswerMessage:
    found = view.widgets[turn]
    assert isinstance(found, AnswerMessage)
    return found


def parts(view: ChatView) -> int:
    return sum(len(body.parts) for widget in view.widgets.values() for body in widget.bodies)


def on_screen(view: ChatView) -> dict[tuple[int, int], int]:
    """Where the parts that can be seen begin, by turn and part."""
    seen = {}
    for turn, widget in view.widgets.items():
        for part, field in widget.fields().items():
            if not field.visibleRegion().isEmpty():
                seen[turn, part] = field.mapTo(view.viewport(), QPoint(0, 0)).y()
    return seen


class TestOpening:
    def test_only_what_is_seen_is_read_as_markdown(
        self, view: ChatView, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rendered: list[str] = []
        real = ProseView._render

        def spy(self: ProseView) -> None:
            rendered.append(self.source_text)
            real(self)

        monkeypatch.setattr(ProseView, "_render", spy)
        view.show_conversation(talk_of("What?", MEGABYTE))
        assert view.following
        assert 0 < len(rendered) < 30
        assert sum(len(text) for text in rendered) < 30_000

    def test_there_are_no_holes_on_screen(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        for share in (1.0, 0.0, 0.31, 0.5, 0.83):
            bar.setValue(round(share * bar.maximum()))
            seen = on_screen(view)
            inside = sorted(part for turn, part in seen if turn == 2)
            assert inside == list(range(inside[0], inside[-1] + 1))
            body = answer(view).body
            last = body.text.heights.bottom(inside[-1])
            below = body.mapTo(view.viewport(), QPoint(0, last)).y()
            assert below >= view.viewport().height() or inside[-1] == len(body.text.blocks) - 1
            above = body.mapTo(view.viewport(), QPoint(0, body.text.heights.top(inside[0]))).y()
            assert above <= 10 or inside[0] == 0


class TestScrolling:
    def test_nothing_jumps_and_little_exists(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        for step in range(300):
            move = -37 if step < 200 else 53
            before, value = on_screen(view), bar.value()
            bar.setValue(value + move)
            after = on_screen(view)
            common = before.keys() & after.keys()
            assert common
            assert {after[key] - before[key] for key in common} == {-move}
            assert parts(view) < _MOST_PARTS
            if step % 20 == 0:
                QApplication.processEvents()

    def test_looking_ahead_moves_nothing(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 3)
        before = on_screen(view)
        settle(qtbot, view)
        assert on_screen(view) == before
        assert parts(view) > len(before)

    @pytest.mark.slow
    def test_going_through_everything_keeps_nothing(self, qtbot: QtBot, view: ChatView) -> None:
        texts = [text for n in range(120) for text in (f"Question {n}", mixed(2000))]
        view.show_conversation(talk_of(*texts))
        bar, most = view.verticalScrollBar(), 0
        seen: set[int] = set()
        while bar.value():
            seen |= {turn for turn, _ in on_screen(view)}
            bar.setValue(bar.value() - 300)
            most = max(most, len(view.widgets))
            QApplication.processEvents()
            QApplication.sendPostedEvents(None, 52)
        seen |= {turn for turn, _ in on_screen(view)}
        assert seen == set(range(1, 241))
        assert most < 30
        assert len(view.column.findChildren(QWidget)) < 2500

    def test_the_bar_leads_to_either_end(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(0)
        assert next(iter(view.widgets)) == 1
        assert (2, 0) in on_screen(view)
        QTest.keyClick(view, Qt.Key.Key_PageDown)
        assert bar.value() > 0
        view.go_to_end()
        assert bar.value() == bar.maximum()
        assert view.following
        assert 4 in view.widgets

    def test_another_width_keeps_the_text_that_is_read(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        settle(qtbot, view)
        first = min(on_screen(view))
        view.resize(560, 600)
        assert first in on_screen(view)
        view.resize(900, 500)
        assert first in on_screen(view)


class TestSelecting:
    def test_all_of_a_megabyte_is_copied(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        field = answer(view).body.parts[0].text_view
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert parts(view) < _MOST_PARTS
        QTest.keyClick(field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        copied = QGuiApplication.clipboard().text()
        assert copied == "\n\n".join(block_text(b, markdown=True) for b in split(MEGABYTE))

    def test_dragging_far_selects_what_lies_between(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(0)
        body = answer(view).body
        start = body.fields()[0]
        here = spot(start, 2)
        mouse(start, QEvent.Type.MouseButtonPress, here)
        mouse(start, QEvent.Type.MouseMove, here + QPoint(30, 0))
        below = here
        for _ in range(120):
            # The view scrolls on under the mouse.
            below = start.viewport().mapFrom(
                view.viewport(), QPoint(200, view.viewport().height() + 99)
            )
            mouse(start, QEvent.Type.MouseMove, below)
        mouse(start, QEvent.Type.MouseButtonRelease, below)
        assert bar.value() > 4000
        text = body.selection.text
        assert text.startswith("rt 0")
        blocks = split(MEGABYTE)
        middle = [block_text(block, markdown=True) for block in blocks[1:16]]
        # A table begins and ends with an empty line, or without one.
        assert " ".join(" ".join(middle).split()) in " ".join(text.split())
        bar.setValue(bar.maximum())
        assert parts(view) < _MOST_PARTS
        assert answer(view).body.selection.text == text

    def test_it_is_still_there_after_scrolling_away(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        index, field = sorted(answer(view).body.fields().items())[2]
        drag(field, 1, field, 6)
        chosen = answer(view).body.selection.text
        assert len(chosen) == 5
        value = bar.value()
        bar.setValue(0)
        assert index not in answer(view).body.fields()
        assert answer(view).body.selection.text == chosen
        bar.setValue(bar.maximum())
        bar.setValue(value)
        view.reveal(2, index)
        again = answer(view).body.fields()[index].textCursor()
        assert again.selectedText() == chosen
        assert (again.anchor(), again.position()) == (1, 6)

    def test_a_click_elsewhere_takes_it_away(self, qtbot: QtBot, view: ChatView) -> None:
        view.show_conversation(huge())
        field = answer(view).body.parts[-1].text_view
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert answer(view).body.selection.active
        other = answer(view, 4).body.parts[0].text_view
        mouse(other, QEvent.Type.MouseButtonPress, spot(other, 1))
        mouse(other, QEvent.Type.MouseButtonRelease, spot(other, 1))
        assert not answer(view).body.selection.active


class TestUsing:
    def many(self, view: ChatView) -> Conversation:
        texts = [text for n in range(60) for text in (f"Question {n}", mixed(1500))]
        talk = talk_of(*texts)
        view.show_conversation(talk)
        return talk

    def test_an_editor_stays_while_one_looks_elsewhere(self, qtbot: QtBot, view: ChatView) -> None:
        self.many(view)
        view.go_to(119)
        asked = view.widgets[119]
        assert isinstance(asked, UserMessage)
        asked.start_edit()
        editing.field(asked).setPlainText("half a thought")
        bar = view.verticalScrollBar()
        bar.setValue(0)
        settle(qtbot, view)
        assert view.widgets[119] is asked
        view.go_to_end()
        assert asked.editing
        assert editing.field(asked).toPlainText() == "half a thought"

    def test_what_was_unfolded_still_is(self, qtbot: QtBot, view: ChatView) -> None:
        lines = "\n".join(f"line {number}" for number in range(300))
        thought = "A thought. " * 50
        talk = talk_of(lines, "Yes.", *["And?", mixed(3000)] * 30)
        talk.turns[1].thinking = thought
        view.show_conversation(talk)
        view.go_to(1)
        settle(qtbot, view)
        view.go_to(2)
        answer(view).thinking.toggle()
        QApplication.processEvents()
        tall = view.widgets[1].height(), view.widgets[2].height()
        assert tall[0] > 3000
        view.go_to_end()
        settle(qtbot, view)
        assert 1 not in view.widgets
        view.go_to(2)
        settle(qtbot, view)
        assert answer(view).thinking.unfolded
        assert view.widgets[2].height() == tall[1]
        view.go_to(1)
        assert view.widgets[1].height() == tall[0]

    def test_a_long_paste_unfolds_to_what_fits_on_screen(
        self, qtbot: QtBot, view: ChatView
    ) -> None:
        view.show_conversation(talk_of("2026-11-21 a line of a log\n" * 30_000, "Yes."))
        view.go_to(1)
        assert view.widgets[1].height() > 300_000
        assert 0 < len(present(view.widgets[1].body).parts) < 30

    def test_a_long_block_of_code_is_copied_whole(self, qtbot: QtBot, view: ChatView) -> None:
        code = "\n".join(f"x_{number} = {number}" for number in range(5000))
        view.show_conversation(talk_of("What?", f"Here:\n\n```python\n{code}\n```\n"))
        view.reveal(2, 1)
        block = answer(view).body.parts[1]
        assert isinstance(block, CodeBlock)
        assert parts(view) < 12
        qtbot.mouseClick(button(block, "Copy code"), Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == code
        QTest.keyClick(block.text_view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(block.text_view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == f"Here:\n\n{code}"

    def test_a_message_shows_nothing_of_the_one_before_in_its_widget(
        self, qtbot: QtBot, view: ChatView
    ) -> None:
        talk = self.many(view)
        bar = view.verticalScrollBar()
        for share in (0.0, 0.4, 0.7, 0.2, 1.0):
            bar.setValue(round(share * bar.maximum()))
            settle(qtbot, view)
            for id, widget in view.widgets.items():
                turn = talk.turns[id - 1]
                assert widget.turn is turn
                blocks = present(widget.body).text.blocks
                for part, field in widget.fields().items():
                    assert field.toPlainText() == block_text(blocks[part], markdown=turn.is_answer)

    def test_tab_goes_through_the_messages_in_order(self, qtbot: QtBot, view: ChatView) -> None:
        self.many(view)
        view.activateWindow()
        view.verticalScrollBar().setValue(0)
        settle(qtbot, view)
        view.setFocus()
        visited: list[int] = []
        for _ in range(70):
            QTest.keyClick(QApplication.focusWidget() or view, Qt.Key.Key_Tab)
            QApplication.processEvents()
            turn = view.focused_turn()
            if turn is not None and turn not in visited[-1:]:
                visited.append(turn)
        assert len(visited) > 10
        assert visited == list(range(visited[0], visited[0] + len(visited)))
        QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Backtab)
        assert view.focused_turn() in visited[-2:]

    def test_the_place_is_kept_while_an_answer_streams(self, qtbot: QtBot, view: ChatView) -> None:
        talk = talk_of("What?", MEGABYTE, "More?", "")
        last = talk.turns[-1]
        last.state = TurnState.WRITING
        view.show_conversation(talk)
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        settle(qtbot, view)
        before = on_screen(view)
        for number in range(60):
            last.text += f"Some words of part {number}. " * 8 + "\n\n"
            view.show_turn(last)
        QApplication.processEvents()
        assert on_screen(view) == before
        assert not view.following
        view.ends.pill.click()
        assert view.following
        assert bar.value() == bar.maximum()
        shown = answer(view, 4).body
        assert list(shown.fields().values())[-1].toPlainText().endswith("Some words of part 59.")


class TestFinding:
    @pytest.fixture
    def finding(self, qtbot: QtBot, view: ChatView) -> Iterator[Finding]:
        bar = FindBar(view)
        made = Finding(bar, view)
        yield made
        made.close()

    def test_a_hit_deep_in_a_long_answer_is_gone_to(
        self, qtbot: QtBot, view: ChatView, finding: Finding
    ) -> None:
        text = MEGABYTE[:600_000] + "\n\nThe **needle** is here.\n\n" + MEGABYTE[600_000:]
        talk = talk_of("What?", text)
        view.show_conversation(talk)
        finding.show_conversation(talk)
        finding.open("needle is")
        qtbot.waitUntil(lambda: not finding.searching)
        assert len(finding.hits) == 1
        hit = finding.hits[0]
        field = answer(view).body.fields()[hit.part]
        (mark,) = field.extraSelections()
        assert mark.cursor.selectedText() == "needle is"
        y = field.viewport().mapTo(view.viewport(), field.cursorRect(mark.cursor).center()).y()
        assert 0 <= y < view.viewport().height()

    def test_every_hit_is_counted_and_can_be_gone_to(
        self, qtbot: QtBot, view: ChatView, finding: Finding
    ) -> None:
        talk = talk_of("What?", mixed(100_000))
        view.show_conversation(talk)
        finding.show_conversation(talk)
        finding.open("e")
        qtbot.waitUntil(lambda: not finding.searching)
        shown = [block_text(block, markdown=True) for block in split(talk.turns[1].text)]
        assert len(finding.hits) == sum(text.lower().count("e") for text in shown)
        # On from where one reads, round and round, in jumps.
        for at in (5, len(finding.hits) // 2, len(finding.hits) - 1):
            finding.at = at - 1
            finding.step(forward=True)
            hit = finding.hits[at]
            marks = answer(view).body.fields()[hit.part].extraSelections()
            assert len(marks) == shown[hit.part].lower().count("e")
            field = answer(view).body.fields()[hit.part]
            cursor: QTextCursor = marks[hit.number].cursor
            y = field.viewport().mapTo(view.viewport(), field.cursorRect(cursor).center()).y()
            assert 0 <= y < view.viewport().height()

    def test_what_scrolls_into_sight_is_marked(
        self, qtbot: QtBot, view: ChatView, finding: Finding
    ) -> None:
        talk = huge()
        view.show_conversation(talk)
        finding.show_conversation(talk)
        finding.open("item")
        qtbot.waitUntil(lambda: not finding.searching)
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 4)
        fields = answer(view).body.fields().values()
        for field in fields:
            assert len(field.extraSelections()) == field.toPlainText().lower().count("item")
        assert any(field.extraSelections() for field in fields)
