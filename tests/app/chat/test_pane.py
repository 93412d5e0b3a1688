"""The messages and what is below them stand in line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from app.chat.prose import ProseView
from app.chat.user_message import UserMessage
from app.settings.form import StopField
from app.ui.widgets import IconButton
from tests.app.buttons import button
from tests.app.chat import editing
from tests.app.conftest import Desk
from tests.mostly_slow import mostly_slow
from tests.present import present


def in_line(one: QWidget, other: QWidget) -> bool:
    """Whether both begin and end at the same pixel, give or take the one of rounding."""
    lefts = [widget.mapToGlobal(QPoint(0, 0)).x() for widget in (one, other)]
    rights = [left + widget.width() for left, widget in zip(lefts, (one, other), strict=True)]
    return abs(lefts[0] - lefts[1]) <= 1 and abs(rights[0] - rights[1]) <= 1


@pytest.mark.parametrize("width", mostly_slow([900, 1366, 1900]))
def test_the_composer_is_in_line_with_the_messages(desk: Desk, width: int) -> None:
    desk.window.resize(width, 700)
    chat = desk.window.chat
    bar = chat.view.verticalScrollBar()
    desk.say("One")
    desk.until(lambda: in_line(chat.composer, chat.view.widgets[desk.turns[0].id]))
    assert bar.maximum() == 0
    desk.say("Words\n" * 12)
    desk.say("Words\n" * 12)
    desk.until(lambda: bar.maximum() > 0)
    # The scroll bar takes its room from both.
    desk.until(lambda: in_line(chat.composer, next(iter(chat.view.widgets.values()))))


def test_a_click_on_think_leaves_the_cursor_in_the_message(desk: Desk) -> None:
    composer = desk.window.chat.composer
    composer.focus()
    desk.until(composer.field.hasFocus)
    think = button(composer, "Think")
    desk.qtbot.mouseClick(think, Qt.MouseButton.LeftButton)
    assert think.isChecked()
    assert composer.field.hasFocus()


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
@pytest.mark.parametrize("row", ["margin", "buttons"])
def test_a_click_anywhere_in_the_composer_lets_one_write_there(
    desk: Desk, row: str, share: float
) -> None:
    chat = desk.window.chat
    chat.show_settings(True)
    stop = present(chat.settings.findChild(StopField))
    stop.setFocus()
    desk.until(stop.hasFocus)
    box = chat.composer
    y = box.height() - (4 if row == "margin" else button(box, "Send").height() // 2 + 10)
    spot = QPoint(round(share * box.width()), y)
    desk.qtbot.mouseClick(
        box.childAt(spot) or box, Qt.MouseButton.LeftButton, pos=within(box, spot)
    )
    assert box.field.hasFocus()


def within(box: QWidget, spot: QPoint) -> QPoint:
    """A place in a box as the widget there counts it."""
    child = box.childAt(spot)
    return spot if child is None else child.mapFrom(box, spot)


def test_a_click_on_a_file_chooses_the_file(desk: Desk, tmp_path: Path) -> None:
    composer = desk.window.chat.composer
    note = tmp_path / "note.txt"
    note.write_text("A note.")
    composer.files_given.emit([note])
    desk.qtbot.waitUntil(lambda: bool(composer.chips.chips))
    desk.settle()
    desk.qtbot.mouseClick(composer.chips.chips[0], Qt.MouseButton.LeftButton)
    assert composer.chips.chips[0].hasFocus()


class TestTypingInTheConversation:
    @pytest.fixture(params=["conversation", "message", "button"])
    def reader(self, desk: Desk, request: pytest.FixtureRequest) -> QWidget:
        """What has the focus while the user reads."""
        desk.say("One")
        view = desk.window.chat.view
        asked = view.widgets[desk.turns[0].id]
        places: dict[str, QWidget] = {
            "conversation": view,
            "message": present(asked.findChild(ProseView)),
            "button": present(asked.findChild(IconButton)),
        }
        found = places[request.param]
        found.setFocus()
        desk.until(found.hasFocus)
        return found

    def test_letters_are_written_into_the_message(self, desk: Desk, reader: QWidget) -> None:
        composer = desk.window.chat.composer
        composer.set_text("Hell")
        desk.qtbot.keyClick(reader, "o")
        assert composer.field.hasFocus()
        desk.qtbot.keyClick(composer.field, "!")
        assert composer.text == "Hello!"

    @pytest.mark.parametrize(
        ("key", "held"),
        [
            (Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier),
            (Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier),
            (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier),
            (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier),
            (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier),
            (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
            (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
        ],
        ids=str,
    )
    def test_other_keys_are_not(
        self, desk: Desk, reader: QWidget, key: Qt.Key, held: Qt.KeyboardModifier
    ) -> None:
        desk.qtbot.keyClick(reader, key, held)
        assert desk.window.chat.composer.text == ""

    @pytest.mark.parametrize("where", ["find", "edit", "settings"])
    def test_letters_in_another_field_stay_there(self, desk: Desk, where: str) -> None:
        desk.say("One")
        chat = desk.window.chat
        chat.finding.open("")
        chat.show_settings(True)
        asked = chat.view.widgets[desk.turns[0].id]
        assert isinstance(asked, UserMessage)
        asked.start_edit()
        field: QWidget = {
            "find": present(chat.find_bar.findChild(QLineEdit)),
            "edit": editing.field(asked),
            "settings": present(chat.settings.findChild(StopField)),
        }[where]
        field.setFocus()
        desk.until(field.hasFocus)
        desk.qtbot.keyClick(field, "o")
        assert field.hasFocus()
        assert chat.composer.text == ""

    def test_letters_beside_the_conversation_are_not(self, desk: Desk) -> None:
        chat = desk.window.chat
        for other in (chat.settings_button, desk.window.chats.list):
            other.setFocus()
            desk.until(other.hasFocus)
            desk.qtbot.keyClick(other, "o")
            assert chat.composer.text == ""


def test_after_files_were_attached_one_goes_on_writing(desk: Desk, tmp_path: Path) -> None:
    composer = desk.window.chat.composer
    button(composer, "Think").setFocus()
    note = tmp_path / "note.txt"
    note.write_text("A note.")
    composer.files_given.emit([note])
    desk.qtbot.waitUntil(lambda: bool(desk.session.current.files))
    assert composer.field.hasFocus()
