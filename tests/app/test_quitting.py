"""Quitting: in the middle of an answer, on the bundled model, and where nothing can be saved."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.core.log import Log
from app.core.loops import run_loop
from app.core.options.shared import demo_model_dir
from app.core.session.attachments import parted
from app.core.session.records import Turn
from app.core.session.settings import Overrides
from app.core.store import writer
from app.core.store.connection import NAME
from app.core.store.importing import read_file
from app.core.store.opening import data_folder
from app.core.store.rows import unpacked
from app.shell.farewell import Unsaved
from app.shell.options import Options, parse
from app.shell.run import run
from app.shell.window import MainWindow
from tests.app.test_restart import Program as FakeProgram

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
        assert ran.window.chat.composer.problem == "wing.png is not a text file."
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


class Disk:
    """The disk of the conversations, which is full while a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        real = writer._commit

        def commit(connection: sqlite3.Connection, batch: list[writer.Write]) -> bool:
            if self.full:
                raise sqlite3.OperationalError("database or disk is full")
            return real(connection, batch)

        monkeypatch.setattr(writer, "_commit", commit)

    def fill(self) -> None:
        self.full = True

    def empty(self) -> None:
        self.full = False


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


class Leaving(FakeProgram):
    """A start of the program that somebody quits."""

    def leave(self, *steps: Step) -> None:
        assert self.go(parse(["--model", "/models/a"]), *steps) == 0

    def quit(self) -> None:
        # Not in the step itself: the next one comes while the question is open.
        QTimer.singleShot(0, self.close)

    def interrupt(self) -> None:
        QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGINT))

    @property
    def dialog(self) -> QDialog | None:
        asked = (w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog))
        return next((dialog for dialog in asked if dialog.isVisible()), None)

    def asked(self) -> bool:
        return isinstance(self.dialog, QMessageBox)

    def question(self) -> tuple[str, set[str]]:
        """The text and the buttons of what is asked."""
        assert isinstance(self.dialog, QMessageBox)
        return self.dialog.text(), {button.text() for button in self.dialog.buttons()}

    def press(self, name: str) -> Callable[[], object]:
        def act() -> None:
            assert isinstance(self.dialog, QMessageBox)
            next(button for button in self.dialog.buttons() if button.text() == name).click()

        return act

    def choosing(self) -> bool:
        return isinstance(self.dialog, QFileDialog)

    def choose_nothing(self) -> None:
        assert isinstance(self.dialog, QFileDialog)
        self.dialog.reject()

    def choose(self, path: Path) -> Callable[[], object]:
        def act() -> None:
            assert isinstance(self.dialog, QFileDialog)
            self.dialog.selectFile(str(path))
            self.dialog.accept()

        return act


def said() -> list[str]:
    """What users said, as the database has it."""
    raw = sqlite3.connect(data_folder() / NAME)
    found = raw.execute("SELECT content FROM messages WHERE role = 'user' ORDER BY id").fetchall()
    raw.close()
    return [text for (text,) in found]


class TestWhereNothingCanBeSaved:
    def test_it_asks_and_the_window_stays_until_there_is_room(self, disk: Disk) -> None:
        ran = Leaving()
        seen: list[object] = []

        def cancelled() -> bool:
            return ran.dialog is None and ran.idle()

        ran.leave(
            (ran.idle, ran.say("One")),
            (ran.idle, disk.fill),
            (ran.idle, ran.say("Two")),
            (ran.idle, ran.quit),
            (ran.asked, lambda: seen.append(ran.question())),
            (ran.asked, ran.press("Cancel")),
            (cancelled, disk.empty),
            (ran.idle, ran.quit),
        )
        assert seen == [
            (
                "The conversation “One” is not saved.",
                {"Save elsewhere…", "Quit without saving", "Cancel"},
            )
        ]
        assert said() == ["One", "Two"]

    def test_everything_can_be_saved_elsewhere(self, disk: Disk, tmp_path: Path) -> None:
        ran = Leaving()
        seen: list[str] = []

        def look() -> None:
            assert isinstance(ran.dialog, QMessageBox)
            seen.append(ran.dialog.informativeText())

        def folder() -> None:
            assert isinstance(ran.dialog, QFileDialog)
            ran.dialog.fileSelected.emit(str(tmp_path))

        ran.leave(
            (ran.idle, ran.say("One")),
            (ran.idle, lambda: ran.window.menus.new.trigger()),
            (ran.idle, disk.fill),
            (ran.idle, ran.say("Two")),
            (ran.idle, ran.quit),
            (ran.asked, ran.press("Save elsewhere…")),
            (ran.choosing, ran.choose_nothing),
            (ran.asked, ran.press("Save elsewhere…")),
            # A folder stands there.
            (ran.choosing, folder),
            (ran.choosing, ran.choose_nothing),
            (ran.asked, look),
            (ran.asked, ran.press("Save elsewhere…")),
            (ran.choosing, ran.choose(tmp_path / "all.json")),
        )
        assert "cannot be written" in seen[0]
        read = read_file(tmp_path / "all.json").conversations
        texts = {one.conversation.title: [m.content for m in one.messages] for one in read}
        assert texts == {
            "One": ["One", "You said **One**."],
            "Two": ["Two", "You said **Two**."],
        }
        assert said() == ["One"]

    def test_who_does_not_care_quits(self, disk: Disk) -> None:
        ran = Leaving()
        ran.leave(
            (ran.idle, disk.fill),
            (ran.idle, ran.say("One")),
            (ran.idle, ran.quit),
            (ran.asked, ran.press("Quit without saving")),
        )
        assert said() == []

    def test_a_second_interrupt_does_not_wait_for_an_answer(self, disk: Disk) -> None:
        ran = Leaving()
        ran.leave(
            (ran.idle, disk.fill),
            (ran.idle, ran.say("One")),
            (ran.idle, ran.interrupt),
            (ran.asked, ran.interrupt),
        )
        assert said() == []

    def test_a_draft_counts_and_an_empty_conversation_does_not(self, disk: Disk) -> None:
        ran = Leaving()
        ran.leave(
            (ran.idle, disk.fill),
            (ran.idle, lambda: ran.window.chat.composer.typed.emit("Half a thou")),
            (ran.idle, ran.quit),
            (ran.asked, ran.press("Cancel")),
            (ran.idle, lambda: ran.window.chat.composer.typed.emit("")),
            (ran.idle, ran.quit),
        )

    def test_a_disk_that_is_full_at_the_very_end_is_asked_about(self, disk: Disk) -> None:
        ran = Leaving()
        seen: list[object] = []
        kept: list[MainWindow] = []

        def begin() -> None:
            kept.append(ran.window)
            ran.close_slowly()

        def last_words() -> None:
            disk.fill()
            session = kept[0]._session
            kept[0]._bridge.perform(session.rename(session.current.id, "Last words"))
            ran.card.button.click()

        ran.leave(
            (ran.idle, ran.say("One")),
            (ran.idle, begin),
            (ran.saving, lambda: QTimer.singleShot(0, last_words)),
            (ran.asked, lambda: seen.append(ran.question())),
            (ran.asked, disk.empty),
            (ran.asked, ran.press("Try again")),
        )
        assert seen == [
            (
                "The conversation “Last words” is not saved.",
                {"Save elsewhere…", "Quit without saving", "Try again"},
            )
        ]
        raw = sqlite3.connect(data_folder() / NAME)
        assert raw.execute("SELECT title FROM conversations").fetchall() == [("Last words",)]
        raw.close()

    def test_a_data_folder_that_cannot_be_written(self) -> None:
        # A file in its place, for some users may write everywhere.
        data_folder().touch()
        quiet = Leaving()
        quiet.leave((quiet.idle, quiet.quit))
        ran = Leaving()
        ran.leave(
            (ran.idle, ran.say("One")),
            (ran.idle, ran.quit),
            (ran.asked, ran.press("Quit without saving")),
        )


class Manager:
    """The desktop's manager of sessions, as far as it is asked."""

    def __init__(self, *, asks: bool) -> None:
        self.asks = asks
        self.said: list[str] = []

    def allowsInteraction(self) -> bool:
        return self.asks

    def cancel(self) -> None:
        self.said.append("cancel")

    def release(self) -> None:
        self.said.append("release")


class TestTheEndOfTheSession:
    def answer(self, ran: Leaving, manager: Manager) -> Callable[[], object]:
        def act() -> None:
            (unsaved,) = ran.window.findChildren(Unsaved)
            QTimer.singleShot(0, lambda: unsaved.answer(manager))  # type: ignore[arg-type]

        return act

    def test_it_goes_on_where_everything_is_saved(self) -> None:
        ran, manager = Leaving(), Manager(asks=True)
        ran.leave(
            (ran.idle, ran.say("One")),
            (ran.idle, self.answer(ran, manager)),
            (ran.idle, ran.quit),
        )
        assert manager.said == []

    @pytest.mark.parametrize(
        ("button", "told"), [("Cancel", "cancel"), ("Quit without saving", "release")]
    )
    def test_it_waits_for_the_user(self, disk: Disk, button: str, told: str) -> None:
        ran, manager = Leaving(), Manager(asks=True)
        again = (ran.asked, ran.press("Quit without saving"))
        ran.leave(
            (ran.idle, disk.fill),
            (ran.idle, ran.say("One")),
            (ran.idle, self.answer(ran, manager)),
            (ran.asked, ran.press(button)),
            (lambda: manager.said == [told], ran.quit),
            *([again] if told == "cancel" else []),
        )

    def test_where_nothing_may_be_asked_it_is_in_the_log(
        self, disk: Disk, caplog: pytest.LogCaptureFixture
    ) -> None:
        ran, manager = Leaving(), Manager(asks=False)
        ran.leave(
            (ran.idle, disk.fill),
            (ran.idle, ran.say("One")),
            (ran.idle, self.answer(ran, manager)),
            (lambda: "The session ends" in caplog.text, ran.interrupt),
            (ran.asked, ran.interrupt),
        )
        assert manager.said == []
