"""The messages and what is below them stand in line."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from tests.app.conftest import Desk


def in_line(one: QWidget, other: QWidget) -> bool:
    """Whether both begin and end at the same pixel, give or take the one of rounding."""
    lefts = [widget.mapToGlobal(QPoint(0, 0)).x() for widget in (one, other)]
    rights = [left + widget.width() for left, widget in zip(lefts, (one, other), strict=True)]
    return abs(lefts[0] - lefts[1]) <= 1 and abs(rights[0] - rights[1]) <= 1


@pytest.mark.parametrize("width", [900, 1366, 1900])
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
    desk.until(composer._input.hasFocus)
    desk.qtbot.mouseClick(composer._thinking, Qt.MouseButton.LeftButton)
    assert composer._thinking.isChecked()
    assert composer._input.hasFocus()


def test_after_files_were_attached_one_goes_on_writing(desk: Desk, tmp_path: Path) -> None:
    composer = desk.window.chat.composer
    composer._thinking.setFocus()
    note = tmp_path / "note.txt"
    note.write_text("A note.")
    composer.files_given.emit([note])
    desk.qtbot.waitUntil(lambda: bool(desk.session.current.files))
    assert composer._input.hasFocus()
