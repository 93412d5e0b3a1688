"""The program on the bundled model: quitting in the middle of an answer, files, queued messages."""

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
from app.session.attachments import parted
from app.session.records import Turn
from app.session.settings import Overrides
from app.shell.window import MainWindow
from app.store.connection import NAME
from app.store.opening import data_folder
from app.store.rows import unpacked

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
        endless: Overrides = {"temperature": 0.0, "max_tokens": 100_000, "ignore_end": True}
        self.options: Options = replace(options, given=endless)

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
        self.seen.append(replace(self.turns[-1]))

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
    again.options = replace(again.options, given={"temperature": 0.0, "max_tokens": 4})

    def go_on() -> None:
        session = again.window._session
        again.window._bridge.perform(session.continue_answer())

    again.go(
        (again.idle, again.note),
        (again.idle, go_on),
        (lambda: again.idle() and len(again.seen) == 1, again.note),
        (again.idle, again.close),
    )
    kept, going = again.seen
    assert (kept.token_ids, kept.text) == (ids, text)
    assert going.text.startswith(text)
    assert going.token_ids[: len(ids)] == ids
    plan = going.plan
    assert plan is not None
    # All that was said is known: the prompt, and every generated token but the last.
    assert plan.reused >= plan.total - 1 > len(ids)
    assert plan.state is not None
    assert plan.state.tier == "disk"


def test_files_and_queued_messages_with_the_bundled_model(tmp_path: Path) -> None:
    (tmp_path / "spars.txt").write_text("A spar is made of spruce.\n" * 12)
    (tmp_path / "wing.png").write_bytes(b"PNG\0")
    ran = Program(tmp_path / "cache")
    given: Overrides = {"temperature": 0.0, "max_tokens": 80, "ignore_end": True}
    ran.options = replace(ran.options, given=given)
    tokens: list[int] = []

    def attach() -> None:
        ran.window.attaching.add([tmp_path / "spars.txt", tmp_path / "wing.png"])

    def counted() -> bool:
        files = ran.window._session.current.files
        return bool(files) and files[0].tokens is not None

    def ask() -> None:
        tokens.append(ran.window._session.current.files[0].tokens or 0)
        assert ran.window.chat.composer.problem == "wing.png is no text file."
        ran.say("What is a spar made of?")()

    queued: list[int] = []

    def queue() -> None:
        ran.say("And a rib?")()
        ran.say("And a strut?")()
        queued.append(len(ran.window.chat.queue.rows))

    ran.go(
        (ran.idle, attach),
        (counted, ask),
        (ran.written(5), queue),
        (lambda: ran.idle() and len(ran.turns) == 6, lambda: ran.seen.extend(ran.turns)),
        (ran.idle, ran.close),
    )
    assert queued == [2]
    texts = [turn.text for turn in ran.seen if turn.role == "user"]
    assert [parted(text).text for text in texts] == [
        "What is a spar made of?",
        "And a rib?",
        "And a strut?",
    ]
    plans = [turn.plan for turn in ran.seen if turn.plan is not None]
    assert plans[0].total > tokens[0] > 50
    # The files are read once: the next messages find them in the cache.
    assert all(plan.reused > tokens[0] for plan in plans[1:])
