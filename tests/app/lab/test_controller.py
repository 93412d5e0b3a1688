"""View > Memory lab: beside the conversation, which goes on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.lab.logic.example import example
from app.ui import theme
from tests.app.conftest import Desk, MakeDesk
from tests.present import present


class TestMemoryLab:
    def test_the_conversation_goes_on_beside_it(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        assert lab.isVisible()
        assert not lab.isModal()
        assert not lab.memory.here.isEnabled()
        desk.say("word " * 40)
        first = _tokens(lab.memory.here.text())
        desk.say("And another one.")
        desk.until(lambda: _tokens(lab.memory.here.text()) > first)
        qtbot.mouseClick(lab.memory.here, Qt.MouseButton.LeftButton)
        assert lab.memory.tokens == _tokens(lab.memory.here.text())

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
        assert lab.memory.model.text().startswith(
            "No model is open; as an example, the bundled one."
        )
        desk.open()
        assert lab.memory.model.text().startswith("Qwen3.5-0.8B: 24 layers, 6 full and 18 linear.")
        assert [lab.memories.full.count(), lab.memories.linear.count()] == [6, 18]

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


class TestTabs:
    def test_requests_are_counted_as_they_finish(self, desk: Desk) -> None:
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        assert lab.show_tab("prefill and decode")
        assert not lab.show_tab("no such tab")
        desk.say("word " * 40)
        assert lab.phases.headline.text().startswith("1 request: ")
        desk.say("And another one.")
        assert lab.phases.headline.text().startswith("2 requests: ")
        assert len(lab.phases.bars.runs) == 2
        desk.open("another")
        desk.until(lambda: lab.phases.example)
        assert lab.phases.runs == example().runs

    def test_what_the_cache_holds_now(self, desk: Desk) -> None:
        desk.window.menus.lab.trigger()
        lab = present(desk.window.lab.window)
        desk.say("word " * 40)
        seen = present(desk.session.cache.snapshot)
        desk.until(lambda: "on the device: " in lab.memory.now.text())
        assert f"{seen.kv.cached:,} tokens" in lab.memory.now.text()
