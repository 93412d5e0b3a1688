"""Settings on the real engine, typed into the panel: what they do, and that they are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.session.records import Turn
from app.core.store.opening import open_store
from app.settings.form import NumberField
from engine.config import EngineConfig
from tests.app.real_window import RealWindow

# The same bits whatever is cached: only then has a seed one answer.
CONFIG = EngineConfig(mode="exact", cache_bytes=32 << 20, threads=1)


class Program(RealWindow):
    """The window on the bundled model, with conversations in a folder."""

    def __init__(self, qtbot: QtBot, folder: Path, config: EngineConfig = CONFIG) -> None:
        self.said = list[str]()
        super().__init__(qtbot, Session(given={"max_tokens": 24}), config)
        self.keeper = Keeper(self.session, open_store(folder, self.said.append).store, print)
        self.keeper.restore()
        self.bridge.changed.connect(self.keeper.keep)
        self.open()

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        target = QApplication.focusWidget()
        assert target is not None
        self.qtbot.keyClick(target, key, held)
        QApplication.processEvents()

    def set(self, name: str, text: str) -> None:
        """Type a setting into the panel."""
        if not self.window.chat.settings.isVisible():
            self.window.menus.chat_settings.trigger()
        field = self.window.chat.settings.rows[name].field
        field.setFocus()
        self.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.key(Qt.Key.Key_Delete)
        self.qtbot.keyClicks(field, text)

    def shown(self, name: str) -> str:
        field = self.window.chat.settings.rows[name].field
        return field.lineEdit().text() if isinstance(field, NumberField) else field.toPlainText()

    def ask(self, text: str) -> Turn:
        self.say(text)
        return self.answered()

    def again(self) -> Turn:
        self.window.menus.regenerate.trigger()
        return self.answered()

    def answered(self) -> Turn:
        self.until(lambda: not self.session.busy)
        turn = self.session.current.turns[-1]
        assert turn.is_answer, turn.text
        return turn

    def close(self) -> None:
        self.bridge.changed.disconnect(self.keeper.keep)
        super().close()
        assert self.keeper.close()
        assert self.said == []


Start = Callable[[], Program]


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path) -> Iterator[Start]:
    """Begin a run, after ending the one before it."""
    running: list[Program] = []

    def make() -> Program:
        while running:
            running.pop().close()
        running.append(Program(qtbot, tmp_path / "data"))
        return running[-1]

    yield make
    while running:
        running.pop().close()


class TestSampling:
    def test_a_seed_means_one_answer_also_after_a_restart(self, start: Start) -> None:
        program = start()
        program.set("temperature", "4")
        program.set("top_k", "0")
        program.set("top_p", "1")
        program.set("seed", "7")
        first = program.ask("Tell me about the cache.").text
        assert program.again().text == first
        program.set("seed", "8")
        assert program.again().text != first
        program.set("seed", "7")
        again = start()
        assert [again.shown(name) for name in ("temperature", "top_k", "top_p", "seed")] == [
            "4",
            "0",
            "1",
            "7",
        ]
        assert again.window.chat.settings_button.text() == "4"
        assert again.again().text == first

    def test_temperature_zero_is_greedy_whatever_the_seed(self, start: Start) -> None:
        program = start()
        program.set("temperature", "0")
        program.set("seed", "1")
        first = program.ask("Tell me about the cache.").text
        program.set("seed", "2")
        assert program.again().text == first
        program.set("temperature", "3")
        program.set("top_k", "0")
        program.set("top_p", "1")
        assert program.again().text != first

    def test_a_stop_string_ends_the_answer_before_it(self, start: Start) -> None:
        program = start()
        program.set("temperature", "0")
        whole = program.ask("Tell me about the cache.")
        word = whole.text.split()[3]
        program.set("stop", word)
        cut = program.again()
        assert cut.stop == "stop string"
        assert cut.text == whole.text[: whole.text.index(word)]

    def test_an_answer_cut_at_its_length_goes_on_where_it_ended(self, start: Start) -> None:
        program = start()
        program.set("temperature", "0")
        whole = program.ask("Tell me about the cache.").text
        program.set("max_tokens", "5")
        cut = program.again()
        assert (cut.stop, cut.tokens) == ("length", 5)
        program.set("max_tokens", "19")
        program.window.menus.continue_.trigger()
        went_on = program.answered()
        assert went_on.id == cut.id
        assert went_on.text == whole


class TestSystemText:
    def test_it_is_weighed_applied_and_kept(self, start: Start) -> None:
        program = start()
        program.ask("Tell me about the cache.")
        program.window.menus.chat_settings.trigger()
        system = program.window.chat.settings.system
        system.editor.setFocus()
        program.qtbot.keyClicks(system.editor, "You are a pilot.")
        program.until(lambda: "re-reads" in system.cost.text())
        weighing = program.session.weighing
        assert weighing is not None
        assert weighing.then is not None
        # The templates agree on a few tokens at most, and everything after them is new.
        promised = weighing.then.replayed + weighing.then.computed
        program.until(lambda: weighing.tokens is not None)
        assert system.cost.text().startswith(f"{weighing.tokens} tokens. Applying it re-reads ")
        assert f"re-reads {promised:,} tokens" in system.cost.text()
        program.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        program.qtbot.keyClicks(system.editor, " Be brief.")
        asked = program.ask("And what else?")
        assert asked.plan is not None
        # What the question itself adds was not in the question that was weighed.
        assert promised <= asked.plan.replayed + asked.plan.computed <= promised + 12
        again = start()
        again.window.menus.chat_settings.trigger()
        shown = again.window.chat.settings.system
        assert again.session.current.system == "You are a pilot."
        assert shown.text == "You are a pilot. Be brief."
        assert shown.pending
