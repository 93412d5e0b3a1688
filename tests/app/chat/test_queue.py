"""Messages that wait for the running answer, with the mouse and the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.chat.queue_view import QueueView, queue_line
from app.core.session.attachments import attachment, joined
from engine.commands import Submit
from tests.app.buttons import button
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import messages_of
from tests.present import present

LONG = "word " * 300


@pytest.fixture
def busy(make_desk: MakeDesk) -> Desk:
    """A window whose engine is writing the answer to "One", word by word."""
    desk = make_desk(answer=lambda messages: ("", LONG if len(messages) < 2 else "Done."))
    desk.open()
    desk.loop.steps = 1
    desk.say("One", wait=False)
    desk.until(lambda: len(desk.turns) == 2 and len(desk.turns[1].text) > 10)
    return desk


def field(desk: Desk) -> QPlainTextEdit:
    return present(desk.window.chat.composer.findChild(QPlainTextEdit))


def enter(desk: Desk, text: str) -> None:
    QTest.keyClicks(field(desk), text)
    QTest.keyClick(field(desk), Qt.Key.Key_Return)


def queue(desk: Desk) -> QueueView:
    return desk.window.chat.queue


def lines(desk: Desk) -> list[str]:
    return [row.text.text() for row in queue(desk).rows]


def asked(desk: Desk) -> list[str]:
    submits = [c for c in desk.loop.posted if isinstance(c, Submit)]
    return [messages_of(submit)[-1].content for submit in submits]


def over(desk: Desk) -> None:
    desk.loop.steps = 60
    desk.until(lambda: not desk.session.busy)


class TestQueue:
    def test_enter_queues_and_it_is_sent_in_order(self, busy: Desk) -> None:
        assert not queue(busy).isVisible()
        enter(busy, "Two")
        enter(busy, "Three")
        assert lines(busy) == ["Next: Two", "Then: Three"]
        assert queue(busy).isVisible()
        assert busy.window.chat.composer.text == ""
        assert asked(busy) == ["One"]
        over(busy)
        assert asked(busy) == ["One", "Two", "Three"]
        assert [turn.text for turn in busy.turns[2:]] == ["Two", "Done.", "Three", "Done."]
        assert not queue(busy).isVisible()

    def test_by_mouse(self, busy: Desk) -> None:
        composer = busy.window.chat.composer
        send = button(composer, "Send after this answer")
        assert not send.isVisible()
        assert button(composer, "Stop").isVisible()
        composer.set_text("Two")
        assert send.isVisible()
        assert send.accessibleName() == "Send after this answer"
        QTest.mouseClick(send, Qt.MouseButton.LeftButton)
        assert lines(busy) == ["Next: Two"]

    def test_the_composer_says_what_enter_does_now(self, busy: Desk) -> None:
        assert "sent after this answer" in field(busy).placeholderText()
        over(busy)
        assert field(busy).placeholderText() == "Write a message"

    def test_esc_stops_and_the_queue_waits(self, busy: Desk) -> None:
        enter(busy, "Two")
        busy.window.menus.stop.trigger()
        over(busy)
        assert asked(busy) == ["One"]
        assert lines(busy) == ["Next: Two"]
        assert queue(busy).why.isVisible()
        assert queue(busy).why.text() == "Waiting, because the answer was stopped."
        QTest.mouseClick(queue(busy).send, Qt.MouseButton.LeftButton)
        over(busy)
        assert asked(busy) == ["One", "Two"]
        assert not queue(busy).isVisible()

    def test_removed_by_mouse_and_by_keyboard(self, busy: Desk) -> None:
        for text in ("Two", "Three", "Four"):
            enter(busy, text)
        QTest.mouseClick(queue(busy).rows[0].remove, Qt.MouseButton.LeftButton)
        assert lines(busy) == ["Next: Three", "Then: Four"]
        busy.window.activateWindow()
        queue(busy).rows[0].remove.setFocus()
        QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Space)
        assert lines(busy) == ["Next: Four"]
        assert QApplication.focusWidget() is queue(busy).rows[0].remove
        QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Space)
        assert not queue(busy).isVisible()
        assert QApplication.focusWidget() is field(busy)

    def test_edit_returns_it_before_what_is_written(self, busy: Desk) -> None:
        enter(busy, "Two")
        busy.window.chat.composer.set_text("Three")
        QTest.mouseClick(queue(busy).rows[0].edit, Qt.MouseButton.LeftButton)
        assert busy.window.chat.composer.text == "Two\nThree"
        assert not queue(busy).isVisible()

    def test_edit_returns_its_files(self, busy: Desk) -> None:
        file = attachment("spars.txt", "spruce", 6)
        busy.bridge.perform(busy.session.attach(busy.session.current.id, [file]).outcome)
        enter(busy, "Two")
        assert busy.window.chat.composer.chips.chips == []
        assert lines(busy) == ["Next: Two (1 file)"]
        QTest.mouseClick(queue(busy).rows[0].edit, Qt.MouseButton.LeftButton)
        assert [chip.file.name for chip in busy.window.chat.composer.chips.chips] == ["spars.txt"]

    def test_it_belongs_to_its_conversation(self, busy: Desk) -> None:
        first = busy.session.current.id
        enter(busy, "Two")
        busy.window.drafts.new_conversation()
        assert not queue(busy).isVisible()
        busy.window.chat.composer.set_text("Other")
        over(busy)
        assert asked(busy) == ["One", "Two"]
        assert busy.window.chat.composer.text == "Other"
        busy.window.drafts.select(first)
        assert [turn.text for turn in busy.turns[2:]] == ["Two", "Done."]

    def test_a_refused_one_returns_to_the_composer_and_the_others_wait(self, busy: Desk) -> None:
        enter(busy, "FAIL")
        enter(busy, "Three")
        busy.window.chat.composer.set_text("Half")
        over(busy)
        assert busy.window.chat.composer.text == "FAIL\nHalf"
        assert lines(busy) == ["Next: Three"]
        assert queue(busy).why.text() == "Waiting, because the answer failed."

    def test_many_scroll(self, busy: Desk) -> None:
        for number in range(9):
            enter(busy, f"Message {number} " + "and more " * 30)
        QApplication.processEvents()
        assert queue(busy).height() < 130
        busy.window.activateWindow()
        QApplication.processEvents()
        queue(busy).rows[-1].remove.setFocus()
        QApplication.processEvents()
        assert not queue(busy).rows[-1].visibleRegion().isEmpty()


class TestLine:
    def test_a_long_message_is_one_line(self) -> None:
        assert queue_line("a\n\nb", first=True) == "Next: a b"

    def test_files_alone(self) -> None:
        files = [attachment("a", "x", 1), attachment("b", "y", 1)]
        assert queue_line(joined(files, ""), first=False) == "Then: 2 files"
