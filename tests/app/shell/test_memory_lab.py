"""View > Memory lab: beside the conversation, which goes on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import theme
from app.lab.sentences import NO_MODEL
from tests.app.conftest import Desk, MakeDesk
from tests.present import present

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class TestMemoryLab:
    def test_the_conversation_goes_on_beside_it(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        assert lab.isVisible()
        assert not lab.isModal()
        assert not lab.here.isEnabled()
        desk.say("word " * 40)
        first = _tokens(lab.here.text())
        desk.say("And another one.")
        desk.until(lambda: _tokens(lab.here.text()) > first)
        qtbot.mouseClick(lab.here, Qt.MouseButton.LeftButton)
        assert lab.tokens == _tokens(lab.here.text())

    def test_by_key(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.activateWindow()
        qtbot.keyClick(desk.window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
        lab = present(desk.window.lab.window)
        qtbot.keyClick(lab, Qt.Key.Key_Escape)
        assert desk.window.lab.window is None

    def test_there_is_one(self, desk: Desk) -> None:
        desk.window.menus.lab.trigger()
        lab = desk.window.lab.window
        desk.window.menus.lab.trigger()
        assert desk.window.lab.window is lab
        present(lab).close()
        assert desk.window.lab.window is None
        desk.say("It goes on without.")
        desk.window.menus.lab.trigger()
        assert present(desk.window.lab.window) is not lab

    def test_it_follows_the_model(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        assert lab.model.text() == NO_MODEL
        desk.open()
        assert lab.model.text().startswith("Qwen3.5-0.8B: 24 layers, 6 full and 18 linear.")
        assert lab.slider.isVisible()

    def test_it_follows_the_theme(self, desk: Desk) -> None:
        keeper = theme.keeper()
        before = keeper.mode
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        try:
            for mode in ("dark", "light"):
                desk.window.menus.themes[mode].trigger()
                QApplication.processEvents()
                ground = lab.grab().toImage().pixelColor(3, 3)
                assert ground == theme.current().colour("window")
        finally:
            keeper.set_mode(before)


def _tokens(text: str) -> int:
    return int(text.rpartition(": ")[2].replace(",", ""))
