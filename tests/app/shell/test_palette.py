"""Ctrl+K: the palette over the window, by keyboard and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from app.ui.palette.palette import Palette
from tests.app.conftest import Desk, MakeDesk
from tests.mostly_slow import mostly_slow

_Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    desk = make_desk()
    desk.open()
    desk.window.activateWindow()
    desk.window.chat.composer.focus()
    return desk


def opened(desk: Desk, text: str = "") -> Palette:
    """The palette, come up by its key."""
    focused = QApplication.focusWidget()
    assert focused is not None
    desk.qtbot.keyClick(focused, _Key.Key_K, CONTROL)
    palette = desk.window.command_palette.palette
    assert palette.isVisible()
    assert palette.field.hasFocus()
    desk.qtbot.keyClicks(palette.field, text)
    return palette


def titles(palette: Palette) -> list[str]:
    return [row.entry.title for row in palette.model.rows if row.entry is not None]


def current(palette: Palette) -> str:
    entry = palette.model.rows[palette.list.currentIndex().row()].entry
    return "" if entry is None else entry.title


SIZES = [(700, 500), (1000, 640), (1440, 900)]


class TestByKeyboard:
    def test_a_command_is_found_and_done(self, desk: Desk) -> None:
        palette = opened(desk, "pane conv")
        assert current(palette) == "Conversations"
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        assert not palette.isVisible()
        assert not desk.window.chats.isVisible()

    def test_it_is_no_taller_than_what_it_found(self, desk: Desk) -> None:
        desk.window.resize(1200, 900)
        palette = opened(desk)
        whole = palette.height()
        desk.qtbot.keyClicks(palette.field, "xyzzy")
        assert not palette.list.isVisible()
        assert palette.height() < whole // 3
        assert palette.hint.geometry().bottom() < palette.height()
        palette.field.clear()
        assert palette.height() == whole
        desk.qtbot.keyClicks(palette.field, "pane conv")
        assert palette.list.verticalScrollBar().maximum() == 0
        assert palette.height() < whole

    def test_every_command_is_there_with_its_keys(self, desk: Desk) -> None:
        palette = opened(desk, ">")
        entries = [row.entry for row in palette.model.rows if row.entry is not None]
        actions = desk.window.menus.actions
        assert len(entries) == len(actions) - 1
        keys = {entry.title: entry.keys for entry in entries}
        assert keys["New conversation"] == "Ctrl+N"
        assert keys["Fork to a new conversation"] == "Ctrl+Shift+N"

    def test_what_is_not_possible_says_why_and_is_not_done(self, desk: Desk) -> None:
        palette = opened(desk, "regenerate")
        row = palette.model.rows[palette.list.currentIndex().row()]
        assert row.entry is not None
        assert row.entry.refusal == "needs an answer"
        assert "needs an answer" in palette.field.accessibleDescription()
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        assert palette.isVisible()

    def test_a_conversation_is_opened(self, desk: Desk) -> None:
        desk.say("Tell me of zebras")
        first = desk.session.current
        desk.window.menus.new.trigger()
        assert desk.session.current is not first
        palette = opened(desk, "zebras")
        assert palette.model.rows[0].heading == "Conversations"
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        assert desk.session.current is first

    def test_a_model_is_opened(self, desk: Desk) -> None:
        desk.window.recent.show_folders((Path("/models/zephyr"), Path("/models/other")))
        palette = opened(desk, "zeph")
        assert current(palette) == "zephyr"
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        desk.until(lambda: desk.bridge.folder == Path("/models/zephyr").absolute())

    def test_the_words_can_be_searched_for_in_all_messages(self, desk: Desk) -> None:
        sought: list[str] = []
        desk.window.command_palette.search_text = sought.append
        palette = opened(desk, "unheard of")
        assert titles(palette) == ["Search all messages for “unheard of”"]
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        assert sought == ["unheard of"]

    def test_the_keys_walk_in_a_ring(self, desk: Desk) -> None:
        palette = opened(desk, ">")
        every = titles(palette)
        assert current(palette) == every[0]
        desk.qtbot.keyClick(palette.field, _Key.Key_Up)
        assert current(palette) == every[-1]
        desk.qtbot.keyClick(palette.field, _Key.Key_Down)
        desk.qtbot.keyClick(palette.field, _Key.Key_Down)
        assert current(palette) == every[1]
        desk.qtbot.keyClick(palette.field, _Key.Key_PageDown)
        assert current(palette) == every[9]

    def test_escape_leaves_without_stopping_anything(self, desk: Desk) -> None:
        composer = QApplication.focusWidget()
        stopped: list[bool] = []
        desk.window.menus.stop.triggered.connect(stopped.append)
        palette = opened(desk, "new")
        desk.qtbot.keyClick(palette.field, _Key.Key_Escape)
        assert not palette.isVisible()
        assert QApplication.focusWidget() is composer
        assert stopped == []

    def test_its_key_again_begins_anew(self, desk: Desk) -> None:
        opened(desk, "new")
        assert opened(desk).field.text() == ""


class TestByMouse:
    def test_a_click_takes_an_entry(self, desk: Desk) -> None:
        desk.qtbot.mouseClick(desk.window.chat, Qt.MouseButton.LeftButton)
        desk.window.menus.palette.trigger()
        palette = desk.window.command_palette.palette
        palette.field.setText("debugger")
        at = palette.list.visualRect(palette.list.currentIndex()).center()
        desk.qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert desk.window.debugger.on_screen

    def test_a_click_on_a_heading_does_nothing(self, desk: Desk) -> None:
        palette = opened(desk, ">")
        at = palette.list.visualRect(palette.model.index(0)).center()
        desk.qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert palette.isVisible()

    def test_a_click_elsewhere_closes_it(self, desk: Desk) -> None:
        palette = opened(desk)
        search = desk.window.chats.search
        desk.qtbot.mouseClick(search, Qt.MouseButton.LeftButton)
        search.setFocus()
        assert not palette.isVisible()
        assert search.hasFocus()


class TestRoom:
    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES))
    def test_it_stands_inside_the_window(self, desk: Desk, size: tuple[int, int]) -> None:
        desk.window.resize(*size)
        palette = opened(desk)
        corner = palette.mapTo(desk.window, QPoint(0, 0))
        assert desk.window.rect().contains(palette.rect().translated(corner))
