"""Files in the composer and in messages, with the mouse and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QTextCursor,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPlainTextEdit, QWidget

from app.chat.file_chips import FileChip
from app.chat.user_message import UserMessage
from app.core.session.attachments import MOST_FILE_BYTES, MOST_FILES, parted
from app.ui.widgets import IconButton
from engine.commands import Submit
from tests.app.buttons import button
from tests.app.chat import editing
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import messages_of
from tests.mostly_slow import mostly_slow
from tests.present import present


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str, text: str = "one\ntwo\nthree\n") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return make


def chips(desk: Desk) -> list[FileChip]:
    return desk.window.chat.composer.chips.chips


def names(desk: Desk) -> list[str]:
    return [chip.file.name for chip in chips(desk)]


def attach(desk: Desk, *paths: Path) -> None:
    """Attach files and wait until they are there, or the reason why not."""
    composer = desk.window.chat.composer
    before = names(desk)
    composer.show_problem("")
    desk.window.attaching.add(paths)
    desk.window.attaching.wait()
    desk.until(lambda: names(desk) != before or bool(composer.problem))


def data_of(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(widget: QWidget, data: QMimeData) -> bool:
    """What Qt delivers while files are dragged onto a widget; whether they were taken."""
    spot = QPoint(5, 5)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    enters = QDragEnterEvent(spot, copy, data, buttons, keys)
    QApplication.sendEvent(widget, enters)
    if not enters.isAccepted():
        return False
    drops = QDropEvent(QPointF(spot), copy, data, buttons, keys)
    QApplication.sendEvent(widget, drops)
    return drops.isAccepted()


def field(desk: Desk) -> QPlainTextEdit:
    return present(desk.window.chat.composer.findChild(QPlainTextEdit))


class TestAttaching:
    def test_it_is_a_chip_with_its_name_and_size(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        attach(desk, write("spars.txt"))
        (chip,) = chips(desk)
        assert chip.isVisible()
        assert "spars.txt" in chip.accessibleName()
        assert "13 B" in chip.accessibleName()
        desk.until(lambda: chip.file.tokens is not None)
        assert f"{chip.file.tokens} tokens" in chip.accessibleName()
        assert "one\ntwo\nthree" in chip.toolTip()

    def test_it_becomes_part_of_the_message(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, write("spars.txt"))
        desk.say("Sum up")
        (asked,) = (c for c in desk.loop.posted if isinstance(c, Submit))
        message = messages_of(asked)[-1].content
        assert message == "File: spars.txt\n```\none\ntwo\nthree\n```\n\nSum up"
        assert chips(desk) == []

    def test_files_alone_can_be_sent(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, write("spars.txt"))
        send = button(desk.window.chat.composer, "Send")
        assert send.isEnabled()
        QTest.mouseClick(send, Qt.MouseButton.LeftButton)
        desk.until(lambda: len(desk.turns) == 2)
        assert parted(desk.turns[0].text).text == ""

    @pytest.mark.parametrize("target", ["input", "conversation", "composer"])
    def test_dropped(self, desk: Desk, write: Callable[..., Path], target: str) -> None:
        chat = desk.window.chat
        onto = {"input": field(desk).viewport(), "conversation": chat, "composer": chat.composer}
        assert drop(onto[target], data_of(write("a.txt"), write("b.txt")))
        desk.window.attaching.wait()
        desk.until(lambda: names(desk) == ["a.txt", "b.txt"])
        assert chat.composer.text == ""

    def test_a_drop_that_is_no_file_is_not_taken(self, desk: Desk) -> None:
        data = QMimeData()
        data.setUrls([QUrl("https://example.org/x.txt")])
        assert not drop(desk.window.chat, data)

    def test_a_text_dropped_on_the_conversation_is_written(self, desk: Desk) -> None:
        composer = desk.window.chat.composer
        composer.set_text("One ")
        field(desk).moveCursor(QTextCursor.MoveOperation.End)
        data = QMimeData()
        data.setText("two")
        assert drop(desk.window.chat, data)
        assert composer.text == "One two"
        assert field(desk).hasFocus()

    def test_an_image_that_is_pasted_is_refused_in_a_sentence(self, desk: Desk) -> None:
        image = QImage(4, 4, QImage.Format.Format_RGB32)
        QGuiApplication.clipboard().setImage(image)
        QTest.keyClick(field(desk), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        composer = desk.window.chat.composer
        assert composer.problem == (
            "An image cannot be sent: the models that Biplane runs read text alone."
        )
        assert composer.text == ""
        # What offers itself as text is text.
        data = QMimeData()
        data.setImageData(image)
        data.setText("A table")
        QGuiApplication.clipboard().setMimeData(data)
        QTest.keyClick(field(desk), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert composer.text == "A table"
        assert composer.problem == ""
        QGuiApplication.clipboard().clear()

    def test_the_composer_shows_that_it_takes_a_drop(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        chat = desk.window.chat
        buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        data = data_of(write("a.txt"))
        QApplication.sendEvent(
            chat, QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
        )
        assert chat.composer.property("dropping") is True
        QApplication.sendEvent(chat, QDragLeaveEvent())
        assert chat.composer.property("dropping") is False

    def test_pasted(self, desk: Desk, write: Callable[..., Path]) -> None:
        data = data_of(write("a.txt"))
        # As file managers do.
        data.setText("/somewhere/a.txt")
        QGuiApplication.clipboard().setMimeData(data)
        QTest.keyClick(field(desk), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        desk.window.attaching.wait()
        desk.until(lambda: names(desk) == ["a.txt"])
        assert desk.window.chat.composer.text == ""
        QGuiApplication.clipboard().clear()

    def test_chosen_from_the_menu(self, desk: Desk, write: Callable[..., Path]) -> None:
        path = write("a.txt")
        desk.window.menus.attach.trigger()
        dialog = present(desk.window.findChild(QFileDialog))
        dialog.filesSelected.emit([str(path)])
        dialog.close()
        desk.window.attaching.wait()
        desk.until(lambda: names(desk) == ["a.txt"])

    def test_the_button_asks_too(self, desk: Desk) -> None:
        attach_files = button(desk.window.chat.composer, "Attach text files")
        QTest.mouseClick(attach_files, Qt.MouseButton.LeftButton)
        present(desk.window.findChild(QFileDialog)).close()

    def test_one_that_cannot_be_read_is_said_and_the_rest_is_there(
        self, desk: Desk, tmp_path: Path, write: Callable[..., Path]
    ) -> None:
        (tmp_path / "wing.png").write_bytes(b"\x89PNG\0\1\2")
        big = write("big.log", "x" * (MOST_FILE_BYTES + 1))
        attach(desk, tmp_path / "wing.png", write("a.txt"), big)
        composer = desk.window.chat.composer
        assert names(desk) == ["a.txt"]
        assert composer.problem.split("\n") == [
            "wing.png is not a text file.",
            "big.log is too large: a file may have at most 1.00 MiB.",
        ]
        shown = next(one for one in composer.findChildren(QLabel) if one.text() == composer.problem)
        assert shown.isVisible()
        QTest.keyClicks(field(desk), "x")
        assert not shown.isVisible()

    def test_more_than_a_message_may_have(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, *(write(f"{n}.txt", f"text {n}") for n in range(MOST_FILES + 3)))
        assert len(chips(desk)) == MOST_FILES
        assert "3 files too many" in desk.window.chat.composer.problem

    def test_they_wait_in_the_conversation_they_were_dropped_into(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        desk.say("One")
        first = desk.session.current.id
        desk.window.attaching.add([write("a.txt")])
        desk.window.drafts.new_conversation()
        desk.window.attaching.wait()
        desk.until(lambda: bool(desk.session.conversation(first).files))
        assert names(desk) == []
        desk.window.drafts.select(first)
        assert names(desk) == ["a.txt"]

    def test_they_go_along_into_a_new_conversation(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        desk.say("One")
        first = desk.session.current
        attach(desk, write("a.txt"))
        desk.window.chat.composer.set_text("Two")
        desk.window.drafts.go_on()
        assert (names(desk), desk.window.chat.composer.text) == (["a.txt"], "Two")
        assert first.files == []


class TestRemoving:
    def test_by_keyboard(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, write("a.txt"), write("b.txt", "b"), write("c.txt", "c"))
        desk.window.activateWindow()
        field(desk).setFocus()
        QTest.keyClick(field(desk), Qt.Key.Key_Backtab)
        focus = QApplication.focusWidget()
        assert isinstance(focus, FileChip)
        assert focus.file.name == "c.txt"
        QTest.keyClick(focus, Qt.Key.Key_Delete)
        assert names(desk) == ["a.txt", "b.txt"]
        focus = QApplication.focusWidget()
        assert isinstance(focus, FileChip)
        assert focus.file.name == "b.txt"
        QTest.keyClick(focus, Qt.Key.Key_Backspace)
        QTest.keyClick(present(QApplication.focusWidget()), Qt.Key.Key_Delete)
        assert names(desk) == []
        assert QApplication.focusWidget() is field(desk)
        assert not desk.window.chat.composer.chips.isVisible()

    def test_by_mouse(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, write("a.txt"), write("b.txt", "b"))
        remove = present(chips(desk)[0].findChild(IconButton))
        QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
        assert names(desk) == ["b.txt"]


class TestSizes:
    @pytest.mark.parametrize("width", mostly_slow([700, 1366, 1000]))
    def test_ten_with_long_names_leave_room_for_the_conversation(
        self, desk: Desk, write: Callable[..., Path], width: int
    ) -> None:
        desk.window.resize(width, 700)
        paths = [write(f"{n} {'a long name ' * 8}.txt", f"text {n}") for n in range(10)]
        attach(desk, *paths)
        desk.settle()
        composer = desk.window.chat.composer
        assert composer.chips.height() < 130
        assert composer.height() < 260
        for chip in chips(desk):
            assert chip.width() <= composer.chips.viewport().width()
        chips(desk)[-1].setFocus()
        QApplication.processEvents()
        assert not chips(desk)[-1].visibleRegion().isEmpty()


class TestSent:
    def test_it_is_folded_and_unfolds(self, desk: Desk, write: Callable[..., Path]) -> None:
        attach(desk, write("spars.txt", "\n".join(f"spar {n}" for n in range(300))))
        desk.say("Sum up")
        desk.window.chat.view.verticalScrollBar().setValue(0)
        message = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(message, UserMessage)
        (chip,) = message.files.chips
        assert chip.isVisible()
        assert message.height() < 160
        assert message.fields() == {}
        assert message.more.text() == "Show all 305 lines"
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        # What is out of sight has no field yet.
        last = desk.window.chat.view.reveal(message.turn.id, len(message.body.text.blocks) - 2)
        assert "spar 299" in present(last).toPlainText()
        assert not message.files.isVisible()
        message.more.click()
        QTest.keyClick(message.files.chips[0], Qt.Key.Key_Return)
        assert message.fields()

    def test_of_a_large_one_the_beginning_unfolds(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        lines = (f"line {n:03} " + "x" * 200 for n in range(1000))
        attach(desk, write("a.log", "\n".join(lines)))
        desk.say("Sum up")
        desk.window.chat.view.verticalScrollBar().setValue(0)
        message = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(message, UserMessage)
        message.unfold()
        shown = "\n".join(block.text for block in message.body.text.blocks)
        assert "line 100" in shown
        assert "more lines, not shown" in shown
        assert len(shown) < 70_000
        assert "line 999" in desk.turns[0].text

    def test_find_looks_into_it(self, make_desk: MakeDesk, write: Callable[..., Path]) -> None:
        desk = make_desk(answer=lambda _: ("", "Many."))
        desk.open()
        attach(desk, write("spars.txt", "\n".join(f"spar {n}" for n in range(300))))
        desk.say("Sum up")
        finding = desk.window.chat.finding
        finding.open("spar 271")
        desk.until(lambda: len(finding.hits) == 1 and finding.at == 0)
        finding.step(forward=True)
        desk.window.chat.view.verticalScrollBar().setValue(0)
        message = desk.window.chat.view.widgets[desk.turns[0].id]
        assert message.fields()

    def test_edit_changes_the_text_and_keeps_the_files(
        self, desk: Desk, write: Callable[..., Path]
    ) -> None:
        attach(desk, write("spars.txt"))
        desk.say("Sum up")
        desk.window.chat.view.verticalScrollBar().setValue(0)
        message = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(message, UserMessage)
        message.start_edit()
        assert editing.field(message).toPlainText() == "Sum up"
        assert message.files.isVisible()
        editing.field(message).setPlainText("Count them")
        QTest.keyClick(editing.field(message), Qt.Key.Key_Return)
        desk.until(lambda: not desk.session.busy and len(desk.turns) == 2)
        found = parted(desk.turns[0].text)
        assert found.text == "Count them"
        assert [file.name for file in found.files] == ["spars.txt"]
