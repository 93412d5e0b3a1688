"""An error planted anywhere is in the log with its traceback, and the window says so.

What was said in the chat is nowhere in the log, whatever the error carries.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QShowEvent
from pytestqt.qtbot import QtBot

from app.core.log import Log, logging_to_file
from app.core.session.records import EnginePhase
from app.shell import main, options
from app.shell.problems import ProblemCard
from app.shell.statusbar import StatusLine
from app.shell.window import MainWindow
from engine import commands
from engine.config import EngineConfig, Sampling
from engine.errors import PromptError
from engine.loop import RunLoop
from engine.run.core import Core
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import FakeLoop
from tests.app.patient_bot import PATIENCE_MS
from tests.engine.run.conftest import CACHE_BYTES, tiny_folder

__all__ = ["tiny_folder"]

SECRET = "w77 w78 w79 w80 w81"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with logging_to_file("info", tmp_path / "log") as made:
        yield made


def carrying(kind: type[Exception]) -> Exception:
    """An error of a kind that holds the text of the chat."""
    if kind is UnicodeEncodeError:
        return UnicodeEncodeError("utf-8", SECRET, 0, 1, SECRET)
    return kind(f"It failed on {SECRET!r}.")


class Chat:
    """A window on a real engine with a tiny model."""

    def __init__(self, qtbot: QtBot, desk: Desk, folder: Path, cache_dir: Path) -> None:
        self.qtbot, self.desk = qtbot, desk
        desk.bridge.open_model(folder)
        self.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        desk.session.sampling = Sampling.greedy(4)

    def until(self, done: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(done)

    def say(self, text: str) -> None:
        self.desk.say(text, wait=False)
        self.until(lambda: not self.desk.session.busy)

    @property
    def notices(self) -> list[str]:
        return self.desk.session.log.notices

    @property
    def shown(self) -> str:
        return self.desk.window.status.currentMessage()


@pytest.fixture
def chat(qtbot: QtBot, make_desk: MakeDesk, tiny_folder: Path, tmp_path: Path, log: Log) -> Chat:
    def kind(folder: Path, _config: EngineConfig) -> RunLoop:
        config = EngineConfig(
            cache_bytes=CACHE_BYTES,
            threads=1,
            disk_bytes=8 << 20,
            cache_dir=tmp_path / "states",
            interval=64,
        )
        return RunLoop(folder, config)

    return Chat(qtbot, make_desk(kind=kind), tiny_folder, tmp_path)


def written(log: Log) -> str:
    return log.path.read_text()


class TestEngine:
    def test_a_healthy_chat_leaves_figures_and_no_text(self, chat: Chat, log: Log) -> None:
        chat.say(SECRET)
        chat.until(lambda: "Request" in written(log))
        text = written(log)
        assert "Opened tiny" in text
        assert "torch " in text
        assert "computed" in text
        assert SECRET not in text
        assert "w79" not in text

    @pytest.mark.parametrize("kind", [ValueError, UnicodeEncodeError, PromptError])
    def test_in_a_request(
        self, chat: Chat, log: Log, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
    ) -> None:
        def plant(*args: object) -> None:
            raise carrying(kind)

        monkeypatch.setattr(Core, "prepare", plant)
        chat.say(SECRET)
        assert chat.desk.turns[-1].role == "error"
        text = written(log)
        assert kind.__name__ in text
        # A refusal is nobody's fault.
        assert ("in plant" in text) == (kind is not PromptError)
        assert "w79" not in text

    def test_in_a_command(self, chat: Chat, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
        def plant(*args: object) -> None:
            raise carrying(ValueError)

        monkeypatch.setattr(Core, "prepare", plant)
        chat.desk.window.chat.composer.set_text(SECRET)
        forecast = chat.desk.session.forecast
        chat.until(lambda: forecast.refusal is not None)
        # It is about what is being written, so it stands there.
        assert "ValueError" in chat.desk.window.chat.composer.hint
        assert "in plant" in written(log)
        assert "w79" not in written(log)

    def test_while_the_model_opens(
        self, qtbot: QtBot, make_desk: MakeDesk, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def plant(*args: object) -> None:
            raise KeyError("layer_types")

        monkeypatch.setattr(Core, "open", plant)
        desk = make_desk(kind=RunLoop)
        desk.bridge.open_model(Path("/models/odd"))
        qtbot.waitUntil(lambda: desk.session.engine.phase is EnginePhase.FAILED)
        assert "/models/odd" in desk.window.card.sentence.text()
        assert "in plant" in written(log)


class TestWriters:
    def test_in_the_writer_of_segments(
        self, chat: Chat, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def plant(*args: object) -> None:
            raise carrying(ValueError)

        monkeypatch.setattr("engine.storage.disk_writer.write_segment", plant)
        chat.say(SECRET * 30)
        chat.until(lambda: bool(chat.notices))
        assert "ValueError" in chat.notices[0]
        assert chat.shown == chat.notices[-1]
        assert "in plant" in written(log)
        assert "w79" not in written(log)

    def test_in_the_writer_of_traces(
        self, chat: Chat, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def plant(*args: object) -> None:
            raise carrying(KeyError)

        chat.desk.bridge.ask(commands.Record(str(tmp_path / "trace.jsonl")))
        monkeypatch.setattr("engine.journal.recorder.entry_line", plant)
        chat.say(SECRET)
        chat.until(lambda: len(chat.notices) > 1)
        assert chat.notices[0].startswith("Recording.")
        assert "trace.jsonl" in chat.notices[1]
        assert "KeyError" in chat.notices[1]
        assert "in plant" in written(log)
        assert "w79" not in written(log)


class TestWindow:
    """The whole program, as a user starts it."""

    @pytest.fixture(autouse=True)
    def _hooks(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        # pytest's own hooks would make a failure of each planted error.
        monkeypatch.setattr(sys, "excepthook", lambda *args: None)
        monkeypatch.setattr(threading, "excepthook", lambda args: None)

    def run(
        self,
        monkeypatch: pytest.MonkeyPatch,
        act: Callable[[MainWindow], None] = lambda window: None,
        until: Callable[[list[str]], bool] = lambda shown: True,
        after_ms: int = 50,
    ) -> list[str]:
        """Start the window and act in it; it is closed once `until` holds of what was shown.

        Returns what the status line showed.
        """
        shown: list[str] = []
        say, show = StatusLine.show_notice, MainWindow.showEvent

        def note(line: StatusLine, text: str, offers: Sequence[tuple[str, str]] = ()) -> None:
            say(line, text, offers)
            shown.append(text)

        def begin(window: MainWindow, event: QShowEvent) -> None:
            show(window, event)
            # By default after the model's opening has begun.
            QTimer.singleShot(after_ms, window, lambda: act(window))
            look, ends = QTimer(window), time.monotonic() + PATIENCE_MS / 1000

            def close() -> None:
                if until(shown) or time.monotonic() > ends:
                    look.stop()
                    window.close()

            look.timeout.connect(close)
            look.start(50)

        monkeypatch.setattr(StatusLine, "show_notice", note)
        monkeypatch.setattr(MainWindow, "showEvent", begin)
        assert main.start(options.parse(["--model", "/models/a"]), FakeLoop) == 0
        return shown

    def test_in_a_pane(self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def plant(*args: object) -> None:
            raise carrying(ValueError)

        def act(window: MainWindow) -> None:
            monkeypatch.setattr(window.cache, "show_plan", plant)
            window.chat.composer.set_text(SECRET)
            window.chat.composer.send()

        shown = self.run(monkeypatch, act, bool)
        assert "ValueError" in shown[0]
        assert "Show log" in shown[0]
        text = next(tmp_path.rglob("biplane.log")).read_text()
        assert "in plant" in text
        assert "w79" not in text
        assert not list(tmp_path.rglob("run-*")), "it came to its own end"

    @pytest.mark.slow
    def test_a_run_that_was_lost_is_named(
        self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = tmp_path / "biplane" / "log"
        folder.mkdir(parents=True)
        (folder / "run-1").write_text('{"pid": 1, "process_began": 5, "started": 5}\nFatal: here')
        cards: list[dict[str, ProblemCard]] = []
        texts: list[str] = []

        def look(window: MainWindow) -> None:
            cards.append(dict(window.problems.cards))
            texts.extend(card.sentence.text() for card in cards[-1].values())

        self.run(monkeypatch, look)
        assert list(cards[0]) == ["crash"]
        assert "crashed" in texts[0]
        assert "nothing is sent anywhere" in texts[0]
        assert "Fatal: here" in (folder / "biplane.log").read_text()
        self.run(monkeypatch, look)
        assert cards[1] == {}

    def test_a_window_that_cannot_be_made(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def plant(*args: object) -> None:
            raise carrying(ValueError)

        monkeypatch.delenv("DISPLAY", raising=False)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setattr("app.shell.run.run", plant)
        with pytest.raises(ValueError, match="failed"):
            main.start(options.parse([]))
        path = next(tmp_path.rglob("biplane.log"))
        assert str(path) in capsys.readouterr().err
        assert "in plant" in path.read_text()
        assert "w79" not in path.read_text()
        assert list(tmp_path.rglob("run-*")), "the next start names it"

    @pytest.mark.parametrize("after_ms", [0, 50], ids=["while it opens", "when it is open"])
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
    def test_a_signal_closes_the_window(
        self,
        qtbot: QtBot,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        number: signal.Signals,
        after_ms: int,
    ) -> None:
        before = signal.getsignal(number)
        self.run(
            monkeypatch,
            lambda window: os.kill(os.getpid(), number),
            lambda shown: False,
            after_ms,
        )
        assert signal.getsignal(number) == before
        assert not list(tmp_path.rglob("run-*")), "it came to its own end"
        assert "Biplane ends." in next(tmp_path.rglob("biplane.log")).read_text()

    def test_show_log(self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []

        class Services:
            @staticmethod
            def openUrl(url: QUrl) -> bool:
                asked.append(url.toLocalFile())
                return False

        monkeypatch.setattr("app.shell.troubles.QDesktopServices", Services)
        shown = self.run(monkeypatch, lambda window: window.menus.log.trigger(), bool)
        path = next(tmp_path.rglob("biplane.log"))
        assert asked == [str(path), str(path.parent)]
        assert str(path) in shown[-1]

    def test_without_a_log_the_window_says_so(
        self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "biplane").touch()
        shown = self.run(monkeypatch)
        assert "cannot be written" in shown[0]
