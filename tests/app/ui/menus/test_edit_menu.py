"""The Edit menu acts on the text that has the focus, and only where there is something to do."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.user_message import UserMessage
from app.ui.menus.edit_menu import EditCommand, text_widget
from tests.app.conftest import Desk
from tests.present import present


@pytest.fixture(autouse=True)
def empty_clipboard(qapp: object) -> None:
    QGuiApplication.clipboard().clear()


def enabled(desk: Desk) -> set[str]:
    return {name for name, action in desk.window.menus.edits.items() if action.isEnabled()}


def field(desk: Desk) -> QPlainTextEdit:
    return present(desk.window.chat.composer.findChild(QPlainTextEdit))


def focus(desk: Desk, widget: QWidget) -> None:
    desk.window.activateWindow()
    widget.setFocus()
    desk.until(widget.hasFocus)


class TestComposer:
    def test_each_is_enabled_exactly_when_it_can_do_something(self, desk: Desk) -> None:
        focus(desk, field(desk))
        edits = desk.window.menus.edits
        assert set(edits) == set(get_args(EditCommand))
        assert enabled(desk) == set()
        desk.qtbot.keyClicks(field(desk), "some words")
        assert enabled(desk) == {"undo", "select_all"}
        edits["select_all"].trigger()
        assert field(desk).textCursor().selectedText() == "some words"
        assert enabled(desk) == {"undo", "cut", "copy"}
        edits["cut"].trigger()
        assert desk.window.chat.composer.text == ""
        assert QGuiApplication.clipboard().text() == "some words"
        assert enabled(desk) == {"undo", "paste"}
        edits["paste"].trigger()
        edits["paste"].trigger()
        assert desk.window.chat.composer.text == "some wordssome words"
        edits["undo"].trigger()
        assert desk.window.chat.composer.text == "some words"
        assert "redo" in enabled(desk)
        edits["redo"].trigger()
        assert desk.window.chat.composer.text == "some wordssome words"
        assert "redo" not in enabled(desk)

    @pytest.mark.parametrize("text", ["one", "two lines\nof it"])
    def test_the_keys_do_the_same(self, desk: Desk, text: str) -> None:
        focus(desk, field(desk))
        desk.window.chat.composer.set_text(text)
        control = Qt.KeyboardModifier.ControlModifier
        for key in (Qt.Key.Key_A, Qt.Key.Key_X):
            desk.qtbot.keyClick(field(desk), key, control)
        assert desk.window.chat.composer.text == ""
        desk.qtbot.keyClick(field(desk), Qt.Key.Key_V, control)
        desk.qtbot.keyClick(field(desk), Qt.Key.Key_V, control)
        assert desk.window.chat.composer.text == text * 2
        desk.qtbot.keyClick(field(desk), Qt.Key.Key_Z, control)
        assert desk.window.chat.composer.text == text

    def test_text_that_another_program_copies_can_be_pasted(self, desk: Desk) -> None:
        focus(desk, field(desk))
        assert "paste" not in enabled(desk)
        QGuiApplication.clipboard().setText("from elsewhere")
        assert "paste" in enabled(desk)


class TestOtherTexts:
    def test_an_answer_is_copied_and_not_changed(self, desk: Desk) -> None:
        desk.say("Hello")
        widget = desk.window.chat.view.widgets[desk.turns[-1].id]
        assert isinstance(widget, AnswerMessage)
        (text,) = widget.fields().values()
        focus(desk, text)
        QGuiApplication.clipboard().setText("x")
        assert enabled(desk) == {"select_all"}
        desk.window.menus.edits["select_all"].trigger()
        assert enabled(desk) == {"copy"}
        desk.window.menus.edits["copy"].trigger()
        assert QGuiApplication.clipboard().text() == "You said Hello."

    def test_a_line_of_figures_is_copied_too(self, desk: Desk) -> None:
        desk.say("Hello")
        widget = desk.window.chat.view.widgets[desk.turns[-1].id]
        assert isinstance(widget, AnswerMessage)
        focus(desk, widget.stats)
        assert enabled(desk) == {"select_all"}
        desk.window.menus.edits["select_all"].trigger()
        desk.window.edit.refresh()
        desk.window.menus.edits["copy"].trigger()
        assert QGuiApplication.clipboard().text() == widget.stats.text()

    def test_a_field_of_one_line(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.menus.find.trigger()
        line = desk.window.chat.find_bar.field
        desk.until(line.hasFocus)
        desk.qtbot.keyClicks(line, "said")
        assert enabled(desk) == {"undo", "select_all"}
        desk.window.menus.edits["select_all"].trigger()
        desk.window.menus.edits["cut"].trigger()
        assert line.text() == ""
        assert enabled(desk) == {"undo", "paste"}
        desk.window.menus.edits["undo"].trigger()
        assert line.text() == "said"
        desk.window.chat.finding.close()

    def test_where_there_is_no_text_nothing_can_be_done(self, desk: Desk) -> None:
        QGuiApplication.clipboard().setText("x")
        desk.window.chat.composer.set_text("x")
        focus(desk, desk.window.chats.list)
        assert enabled(desk) == set()
        assert text_widget(QLabel("not selectable")) is None

    def test_a_text_that_is_gone_is_no_target(self, desk: Desk) -> None:
        desk.say("Hello")
        widget = desk.window.chat.view.widgets[desk.turns[0].id]
        assert isinstance(widget, UserMessage)
        focus(desk, widget.fields()[0])
        assert enabled(desk) == {"select_all"}
        desk.window.menus.new.trigger()
        desk.until(lambda: desk.window.edit.target is not None and not desk.turns)
        assert desk.window.edit.target is field(desk)

    def test_the_menu_keeps_the_text_it_was_opened_from(self, desk: Desk) -> None:
        focus(desk, field(desk))
        desk.qtbot.keyClicks(field(desk), "word")
        desk.window.menuBar().setFocus()
        assert enabled(desk) == {"undo", "select_all"}
        focus(desk, field(desk))

    def test_fields_of_other_windows_are_not_this_menus(self, desk: Desk) -> None:
        other = QLineEdit("text")
        desk.qtbot.addWidget(other)
        other.show()
        other.activateWindow()
        other.setFocus()
        desk.until(other.hasFocus)
        assert enabled(desk) == set()


class TestShortcuts:
    def test_no_two_of_the_window_are_the_same(self, desk: Desk) -> None:
        desk.say("Say\n\n```py\nx\n```")
        window = desk.window
        keys = Counter(
            key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()
        )
        keys += Counter(shortcut.key().toString() for shortcut in window.findChildren(QShortcut))
        assert {"Ctrl+F", "Ctrl+Z", "Ctrl+O", "Esc", "Shift+F10"} <= set(keys)
        assert [key for key, count in keys.items() if count > 1] == []

    def test_no_two_menus_open_by_the_same_letter(self, desk: Desk) -> None:
        titles = [action.text() for action in desk.window.menuBar().actions()]
        letters = Counter(title[title.index("&") + 1].lower() for title in titles)
        assert max(letters.values()) == 1
        assert len(titles) == 6

    def test_text_fields_do_not_take_the_windows_keys_for_themselves(self, desk: Desk) -> None:
        """Qt's fields have keys of their own; Ctrl+F in the composer still finds."""
        desk.say("Hello")
        focus(desk, field(desk))
        desk.qtbot.keyClick(field(desk), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert desk.window.chat.finding.active
        desk.window.chat.finding.close()
