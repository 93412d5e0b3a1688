"""Quitting while an answer is written, with the bundled model: the next start continues it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.commands.options import demo_model_dir
from app.log import Log
from app.loops import run_loop
from app.options import Options, parse
from app.run import run
from app.session.records import Turn
from app.shell.window import MainWindow
from app.store.connection import NAME
from app.store.opening import data_folder
from app.store.rows import unpacked
from engine.config import Sampling

Step = tuple[Callable[[], bool], Callable[[], object]]


@pytest.fixture(autouse=True)
def on_a_screen(qtbot: QtBot) -> None:
    """These run the program itself."""


class Program:
    """One start of the program on the real engine.

    Attributes:
        seen: what steps noted.
    """

    def __init__(self, disk: Path) -> None:
        self.seen: list[Turn] = []
        options = parse(
            ["--model", str(demo_model_dir()), "--cache-dir", str(disk), "--threads", "1"]
        )
        endless = Sampling(temperature=0, max_tokens=100_000, ignore_end=True)
        self.options: Options = replace(options, sampling=endless)

    @property
    def window(self) -> MainWindow:
        tops = QApplication.topLevelWidgets()
        return next(top for top in tops if isinstance(top, MainWindow))

    @property
    def turns(self) -> list[Turn]:
        return self.window._session.current.turns

    def idle(self) -> bool:
        tops = QApplication.topLevelWidgets()
        if not any(isinstance(top, MainWindow) and top.isVisible() for top in tops):
            return False
        session = self.window._session
        return session.engine.model is not None and not session.busy

    def written(self, tokens: int) -> Callable[[], bool]:
        return lambda: bool(self.turns) and self.turns[-1].tokens >= tokens

    def say(self, text: str) -> Callable[[], object]:
        def act() -> None:
            self.window.chat.composer.set_text(text)
            self.window.chat.composer.send()

        return act

    def note(self) -> None:
        self.seen.append(self.turns[-1])

    def close(self) -> None:
        self.window.close()

    def go(self, *steps: Step) -> None:
        left = list(steps)
        timer = QTimer()
        timer.setInterval(5)

        def look() -> None:
            if left and left[0][0]():
                left.pop(0)[1]()

        timer.timeout.connect(look)
        timer.start()
        assert run(self.options, run_loop, Log(Path("biplane.log")), ()) == 0
        timer.stop()
        assert not left


def saved() -> list[tuple[str, tuple[int, ...], str, int]]:
    """Text, ids, stop and completeness of the saved answers."""
    raw = sqlite3.connect(data_folder() / NAME)
    query = "SELECT content, token_ids, stop, complete FROM messages WHERE role = 'assistant'"
    found = [(text, unpacked(ids), stop, done) for text, ids, stop, done in raw.execute(query)]
    raw.close()
    return found


def test_the_ids_of_an_answer_outlive_the_window(tmp_path: Path) -> None:
    first = Program(tmp_path / "cache")
    first.go(
        (first.idle, first.say("Tell me a long story about the upper wing.")),
        (first.written(40), first.close),
    )
    ((text, ids, stop, complete),) = saved()
    assert stop == "cancelled"
    assert complete
    assert len(ids) >= 40
    assert text

    again = Program(tmp_path / "cache")
    again.options = replace(again.options, sampling=Sampling(temperature=0, max_tokens=4))
    again.go(
        (again.idle, again.note),
        (again.idle, again.say("And the lower one?")),
        (lambda: again.idle() and len(again.turns) == 4, again.note),
        (again.idle, again.close),
    )
    kept, following = again.seen
    assert (kept.token_ids, kept.text) == (ids, text)
    assert following.plan is not None
    assert following.plan.state is not None
    assert following.plan.state.tier == "disk"
