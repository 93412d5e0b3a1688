"""Reading while an answer is written: what is selected stays, the view stays, the cost stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent, QTextCursor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QProgressBar,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.bench.stream import WORKLOADS, between, measure
from app.chat.answer_message import AnswerMessage
from app.chat.body import CodeBlock, MessageBody
from app.chat.prose import ProseView
from app.chat.user_message import UserMessage
from app.chat.view import ChatView
from app.core.session.changes import Changed
from app.core.session.records import Conversation, Turn, TurnState
from app.ui import theme
from engine.bench.harness import quantile
from tests.app.conftest import Desk, MakeDesk
from tests.app.settle import settle
from tests.present import present


@pytest.fixture
def body(qtbot: QtBot) -> Iterator[MessageBody]:
    theme.keeper()
    host = QScrollArea()
    qtbot.addWidget(host)
    host.resize(600, 500)
    host.setWidgetResizable(True)
    inside = QWidget()
    host.setWidget(inside)
    made = MessageBody()
    column = QVBoxLayout(inside)
    column.addWidget(made)
    column.addStretch(1)
    host.show()
    QApplication.processEvents()
    yield made
    host.close()


def spot(view: QTextEdit, position: int) -> QPoint:
    """Where a character is, in the view's viewport."""
    cursor = QTextCursor(view.document())
    cursor.setPosition(position)
    rect = view.cursorRect(cursor)
    return QPoint(rect.x(), rect.center().y())


def drag(start: QTextEdit, first: int, end: QTextEdit, last: int) -> None:
    """Select with the mouse from a character of one view to one of another."""
    settle()
    first_spot = spot(start, first)
    target = end.viewport().mapTo(start.window(), spot(end, last))
    here = start.viewport().mapFrom(start.window(), target)
    mouse(start, QEvent.Type.MouseButtonPress, first_spot)
    # Qt starts a selection only once the mouse has moved a little.
    mouse(start, QEvent.Type.MouseMove, (first_spot + here) / 2)
    mouse(start, QEvent.Type.MouseMove, here)
    mouse(start, QEvent.Type.MouseButtonRelease, here)


def mouse(view: QTextEdit, kind: QEvent.Type, at: QPoint) -> None:
    """What the left button does; a text view does not accept the release, which QTest minds."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    released, moved = kind is QEvent.Type.MouseButtonRelease, kind is QEvent.Type.MouseMove
    event = QMouseEvent(
        kind,
        QPointF(at),
        QPointF(view.viewport().mapToGlobal(at)),
        none if moved else left,
        none if released else left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)


class TestSelection:
    def test_it_survives_what_is_written_after_it(self, body: MessageBody) -> None:
        text = "The quick **brown fox** jumps over"
        body.show_text(text, finished=False)
        view = body.parts[0].text_view
        drag(view, 4, view, 15)
        assert body.selection.text == "quick brown"
        for word in (" the lazy dog.", "\n\nAnd so ", "on **and on", "** it goes.\n"):
            text += word
            body.show_text(text, finished=False)
            assert body.selection.text == "quick brown"
        body.show_text(text.strip(), finished=True)
        assert body.selection.text == "quick brown"
        QTest.keyClick(body.parts[0].text_view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "quick brown"

    def test_it_follows_its_words_when_marks_before_them_go(self, body: MessageBody) -> None:
        body.show_text("so **bold and `more` words", finished=False)
        view = body.parts[0].text_view
        start = view.toPlainText().index("words")
        drag(view, start, view, start + 5)
        assert body.selection.text == "words"
        body.show_text("so **bold and `more` words** are", finished=False)
        assert view.toPlainText().index("words") == start - 2
        assert body.selection.text == "words"

    def test_in_code_it_does_not_grow_with_the_code(self, body: MessageBody) -> None:
        body.show_text("```py\nx = 1\ny = 2", finished=False)
        view = body.parts[0].text_view
        drag(view, 6, view, 11)
        assert body.selection.text == "y = 2"
        body.show_text("```py\nx = 1\ny = 2\nz = 3\n```\n", finished=True)
        assert body.selection.text == "y = 2"

    def test_it_goes_on_from_part_to_part(self, body: MessageBody) -> None:
        body.show_text("Before it.\n\n```py\nx = 1\n```\n\nAfter it.", finished=True)
        QApplication.processEvents()
        first, _, last = (part.text_view for part in body.parts)
        drag(first, 7, last, 5)
        assert body.selection.text == "it.\n\nx = 1\n\nAfter"
        QTest.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "it.\n\nx = 1\n\nAfter"
        drag(last, 5, first, 7)
        assert body.selection.text == "it.\n\nx = 1\n\nAfter"
        drag(last, 0, last, 5)
        assert body.selection.text == "After"

    def test_all_of_a_message_by_key(self, body: MessageBody) -> None:
        body.show_text("One.\n\n```py\nx\n```\nTwo.", finished=True)
        QTest.keyClick(body.parts[0].text_view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert body.selection.text == "One.\n\nx\n\nTwo."

    def test_another_theme_leaves_it(self, body: MessageBody) -> None:
        body.show_text("Some words.", finished=True)
        drag(body.parts[0].text_view, 0, body.parts[0].text_view, 4)
        body.restyle()
        assert body.selection.text == "Some"


def streaming(make_desk: MakeDesk) -> Desk:
    """A window in which a long answer is being written."""
    words = "\n\n".join(["Some words of a paragraph, long enough for two lines. " * 3] * 60)
    desk = make_desk(answer=lambda _: ("", words), steps=4)
    desk.open()
    desk.window.resize(1100, 600)
    desk.say("Go", wait=False)
    view = desk.window.chat.view
    desk.until(lambda: view.verticalScrollBar().maximum() > 400 and view.following)
    return desk


def grow(desk: Desk) -> None:
    tokens = desk.turns[-1].tokens
    desk.until(lambda: desk.turns[-1].tokens > tokens + 120)


def answer_of(desk: Desk) -> AnswerMessage:
    widget = desk.window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    return widget


def wheel(view: ChatView, delta: int) -> None:
    """Turn the wheel, or move two fingers, by so many eighths of a degree."""
    at = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        at,
        QPointF(view.viewport().mapToGlobal(at.toPoint())),
        QPoint(0, 0),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


class TestScrolling:
    def test_the_smallest_step_up_is_respected(self, make_desk: MakeDesk) -> None:
        desk = streaming(make_desk)
        view = desk.window.chat.view
        bar = view.verticalScrollBar()
        desk.until(lambda: bar.value() == bar.maximum())
        wheel(view, 12)
        here = bar.value()
        assert bar.maximum() - 12 <= here < bar.maximum()
        grow(desk)
        assert bar.value() == here

    def test_no_other_news_moves_the_view(self, make_desk: MakeDesk) -> None:
        desk = streaming(make_desk)
        bar = desk.window.chat.view.verticalScrollBar()
        bar.setValue(40)
        desk.window.apply(frozenset({Changed.ENGINE, Changed.CONVERSATIONS}))
        grow(desk)
        assert bar.value() == 40

    def test_a_button_leads_to_the_end(self, make_desk: MakeDesk) -> None:
        desk = streaming(make_desk)
        view = desk.window.chat.view
        desk.window.menus.stop.trigger()
        desk.until(lambda: not desk.session.busy)
        view.verticalScrollBar().setValue(40)
        assert view.ends.jump.isVisible()
        desk.qtbot.mouseClick(view.ends.jump, Qt.MouseButton.LeftButton)
        assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
        assert view.following
        assert not view.ends.jump.isVisible()

    def test_what_is_being_selected_stays_under_the_mouse(self, make_desk: MakeDesk) -> None:
        desk = streaming(make_desk)
        bar = desk.window.chat.view.verticalScrollBar()
        view = answer_of(desk).body.parts[-1].text_view
        mouse(view, QEvent.Type.MouseButtonPress, spot(view, 0))
        mouse(view, QEvent.Type.MouseMove, spot(view, 3))
        mouse(view, QEvent.Type.MouseMove, spot(view, 10))
        here = bar.value()
        grow(desk)
        assert bar.value() == here
        mouse(view, QEvent.Type.MouseButtonRelease, spot(view, 10))
        grow(desk)
        assert bar.value() == here
        assert answer_of(desk).body.selection.text == "Some words"

    def test_a_mere_click_does_not_stop_following(self, make_desk: MakeDesk) -> None:
        desk = streaming(make_desk)
        view = desk.window.chat.view
        part = answer_of(desk).body.parts[-1].text_view
        desk.qtbot.mouseClick(part.viewport(), Qt.MouseButton.LeftButton)
        grow(desk)
        assert view.following

    def test_one_message_at_a_time_has_a_selection(self, qtbot: QtBot) -> None:
        view = ChatView()
        qtbot.addWidget(view)
        view.resize(700, 500)
        talk = Conversation(1, turns=[Turn(1, "user", "A question"), Turn(2, "assistant", "Yes.")])
        view.show()
        view.show_conversation(talk)
        QApplication.processEvents()
        asked, answered = view.widgets[1], view.widgets[2]
        assert isinstance(asked, UserMessage)
        assert isinstance(answered, AnswerMessage)
        drag(asked.body.parts[0].text_view, 0, asked.body.parts[0].text_view, 10)
        assert asked.body.selection.text == "A question"
        drag(answered.body.parts[0].text_view, 0, answered.body.parts[0].text_view, 3)
        assert answered.body.selection.text == "Yes"
        assert asked.body.selection.text == ""


PASTE = "Look at this:\n\ndef f(x):\n    return x\n\nand say\nwhat\nyou think."


@pytest.mark.usefixtures("mode")
class TestUserMessage:
    def message(self, qtbot: QtBot, text: str) -> UserMessage:
        view = ChatView()
        qtbot.addWidget(view)
        view.resize(800, 600)
        view.show_conversation(Conversation(1, turns=[Turn(1, "user", text)]))
        view.show()
        settle()
        made = view.widgets[1]
        assert isinstance(made, UserMessage)
        return made

    def test_lines_are_no_paragraphs_and_code_has_its_face(self, qtbot: QtBot) -> None:
        message = self.message(qtbot, PASTE)
        kinds = [type(part) for part in message.body.parts]
        assert kinds == [ProseView, CodeBlock, ProseView]
        block = message.body.parts[1]
        assert isinstance(block, CodeBlock)
        assert block.code == "def f(x):\n    return x"
        assert block.text_view.font().family() == theme.mono_family()
        document = message.body.parts[2].text_view.document()
        line = document.begin()
        while line.isValid():
            assert line.blockFormat().bottomMargin() == 0
            line = line.next()
        assert message.body.parts[2].text_view.toPlainText() == "and say\nwhat\nyou think."

    @pytest.mark.parametrize(
        "long", ["first(), " * 30 + "last()", "x" * 300], ids=["words", "word"]
    )
    def test_long_lines_of_code_wrap(self, qtbot: QtBot, long: str) -> None:
        message = self.message(qtbot, f"What is this?\n```\n{long}\nshort()\n```")
        block = message.body.parts[-1]
        view = block.text_view
        tall = block.height()
        assert view.horizontalScrollBar().maximum() == 0
        assert view.document().size().height() <= view.viewport().height()
        message.window().resize(500, 600)
        qtbot.waitUntil(lambda: block.height() > tall)
        settle()
        assert view.horizontalScrollBar().maximum() == 0
        assert view.document().size().height() <= view.viewport().height()
        assert message.body.rect().contains(block.geometry())

    @pytest.mark.parametrize("text", ["line\n" * 300, "word " * 1500, "x\n\n```\n" + "y\n" * 99])
    def test_a_long_paste_is_folded_and_nothing_is_covered(self, qtbot: QtBot, text: str) -> None:
        message = self.message(qtbot, text)
        for _ in range(3):
            assert message.more.isVisible()
            body, bubble = message.body, bubble_of(message)
            assert body.geometry().bottom() < message.more.geometry().top()
            assert bubble.rect().contains(message.more.geometry())
            last = body.parts[-1]
            assert last.geometry().bottom() <= body.rect().bottom()
            view = last.text_view
            assert view.document().size().height() <= view.viewport().height()
            if message.more.text() != "Show less":
                assert bubble.height() < 330
            desk_click(qtbot, message)
        assert message.more.text() == "Show less"
        qtbot.waitUntil(lambda: message.height() > 600)

    def test_it_is_still_there_in_the_other_theme(self, qtbot: QtBot) -> None:
        message = self.message(qtbot, "line\n" * 300)
        theme.keeper().set_mode("light" if theme.current().dark else "dark")
        message.restyle()
        settle()
        assert message.body.geometry().bottom() < message.more.geometry().top()


def bubble_of(message: UserMessage) -> QFrame:
    return present(message.findChild(QFrame, "bubble"))


def desk_click(qtbot: QtBot, message: UserMessage) -> None:
    qtbot.mouseClick(message.more, Qt.MouseButton.LeftButton)
    bubble = bubble_of(message)
    qtbot.waitUntil(lambda: bubble.height() == bubble.sizeHint().height())


class TestComposer:
    def test_it_grows_with_one_long_line(self, desk: Desk) -> None:
        composer = desk.window.chat.composer
        field = composer.field
        low = field.height()
        QGuiApplication.clipboard().setText("word " * 1500)
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert len(composer.text) == 7500
        desk.until(lambda: field.height() > 8 * low // 2)
        assert field.height() == 12 * field.fontMetrics().lineSpacing() + 8
        desk.until(lambda: field.verticalScrollBar().maximum() > 10)
        assert field.rect().contains(field.cursorRect())
        assert desk.window.rect().contains(composer.geometry())
        field.selectAll()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        desk.until(lambda: field.height() == low)

    def test_two_wrapped_lines_make_two(self, desk: Desk) -> None:
        field = desk.window.chat.composer.field
        width = field.viewport().width() // field.fontMetrics().horizontalAdvance("word ")
        desk.window.chat.composer.set_text("word " * (width + 4))
        assert field.height() == 2 * field.fontMetrics().lineSpacing() + 8


class TestProgress:
    def test_the_bar_says_how_fast_and_how_long(self, make_desk: MakeDesk) -> None:
        desk = make_desk(steps=1)
        desk.open()
        desk.say("word " * 3000, wait=False)
        desk.until(lambda: 1000 < desk.turns[-1].done < desk.turns[-1].total)
        answer = answer_of(desk)
        bar = answer.findChild(QProgressBar)
        assert bar is not None
        assert bar.isVisible()
        assert (bar.value(), bar.maximum()) == (desk.turns[-1].done, desk.turns[-1].total)
        texts = [label.text() for label in answer.findChildren(QLabel) if label.isVisible()]
        (progress,) = (text for text in texts if " tok/s · " in text)
        assert progress.endswith(" left")
        desk.window.menus.stop.trigger()
        desk.until(lambda: not desk.session.busy)
        assert not bar.isVisible()


class TestMarkdown:
    def test_a_quotation_has_a_bar_without_gaps(self, body: MessageBody) -> None:
        body.show_text("> One\n>\n> two\n>> deeper", finished=True)
        view = body.parts[0]
        assert isinstance(view, ProseView)
        image = QImage(view.viewport().size(), QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.white)
        view.viewport().render(image)
        column = [image.pixelColor(1, y).lightness() < 250 for y in range(image.height())]
        first, last = column.index(True), len(column) - column[::-1].index(True)
        assert all(column[first:last])
        assert last - first > image.height() / 2

    def test_check_boxes_belong_to_their_list_alone(self, body: MessageBody) -> None:
        body.show_text("- [ ] to do\n- [x] done\n\n> quoted\n\n| a |\n|---|\n| b |", finished=True)
        block = body.parts[0].text_view.document().begin()
        marked = []
        while block.isValid():
            if block.blockFormat().marker().value:
                marked.append(block.text())
            block = block.next()
        assert marked == ["to do", "done"]

    def test_a_heading_is_as_large_as_we_say(self, body: MessageBody) -> None:
        body.show_text("# Title\n\ntext", finished=True)
        block = body.parts[0].text_view.document().begin()
        heading = block.begin().fragment().charFormat()
        assert heading.font().pixelSize() == 20
        assert not heading.hasProperty(heading.Property.FontSizeAdjustment)
        assert body.parts[0].height() > 20 + 14 + 20


class TestCost:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", list(WORKLOADS))
    def test_a_flush_costs_the_same_late_as_early(self, qtbot: QtBot, name: str) -> None:
        made = measure(name, 240_000)
        early, late = (
            quantile(between(made.thread_ms, 0, 0.3), 0.5),
            quantile(between(made.thread_ms, 0.7), 0.5),
        )
        print(f"{name}: {early:.2f} ms early, {late:.2f} ms late")
        assert late < 1.7 * early + 1

    def test_what_is_complete_is_not_written_again(self, qtbot: QtBot) -> None:
        view = ChatView()
        qtbot.addWidget(view)
        view.resize(700, 500)
        view.show()
        turn = Turn(1, "assistant", state=TurnState.WRITING)
        view.show_conversation(Conversation(1, turns=[turn]))
        turn.text = "Words of it. " * 90 + "\n\nMore of them\n\nand "
        view.show_turn(turn)
        widget = view.widgets[1]
        assert isinstance(widget, AnswerMessage)
        before = list(widget.body.parts)
        revisions = [part.text_view.document().revision() for part in before[:-1]]
        turn.text += "on and on. " * 300
        view.show_turn(turn)
        assert widget.body.parts[: len(before)] == before
        after = [part.text_view.document().revision() for part in before[:-1]]
        assert after == revisions
