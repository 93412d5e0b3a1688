"""Fixtures of the window's tests: offscreen, no leaks, and a window on a fake engine."""

from __future__ import annotations

import gc
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QByteArray, QTimer
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from app.core.bridge import Bridge
from app.core.folder_check import Found
from app.core.session.cache_watch import CacheWatch
from app.core.session.model import Session
from app.core.session.records import EnginePhase, Turn
from app.settings.form import unfolded
from app.shell.window import MainWindow
from app.ui import theme
from engine.commands import Submit
from engine.config import EngineConfig
from tests.app.block_font import CJK, block_font
from tests.app.dressed import dressed_once
from tests.app.fake_loop import FakeLoop, messages_of
from tests.app.patient_bot import PATIENCE_MS, PatientBot
from tests.app.settle import settle
from tests.mostly_slow import mostly_slow

# An engine answers a question in the next frame, and tells its cache in the one after.
_FRAMES = 6
# Pieces of work in a frame of an answer that is waited for.
_AT_ONCE = 200


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def tall(qapp: QApplication) -> Iterator[QFont]:
    """A font of 13 px whose Chinese letters another one lends, in lines that are taller."""
    data = (
        block_font("Low", 520, ascent=930, descent=240),
        block_font("Tall", 1000, ascent=1200, descent=300, letters=CJK),
    )
    added = [QFontDatabase.addApplicationFontFromData(QByteArray(one)) for one in data]
    assert -1 not in added, "a font is none"
    font = QFont()
    font.setFamilies(["Low", "Tall"])
    font.setPixelSize(13)
    yield font
    for one in added:
        QFontDatabase.removeApplicationFont(one)


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that leaves a window, a running timer or a thread behind fails."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    threads = set(threading.enumerate())
    timers = {id(timer) for timer in _timers()}
    yield
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for _ in range(3):
        app.processEvents()
        app.sendPostedEvents(None, 52)  # QEvent.DeferredDelete
    gc.collect()
    # What outlives a test is not looked at again by the collections of the next ones.
    gc.freeze()
    left = [w for w in app.topLevelWidgets() if w.isVisible()]
    assert not left, f"windows left open: {left}"
    running = [t for t in _timers() if id(t) not in timers]
    assert not running, f"timers left running: {running}"
    others = [t for t in threading.enumerate() if t not in threads]
    assert not others, f"threads left running: {others}"


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New folders, one after another; a temporary folder of pytest looks at all others first."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def settings_of_nobody(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own settings, conversations and cache are neither read nor written."""
    home = next(homes)
    for name in ("config", "data", "cache", "state"):
        (home / name).mkdir(parents=True)
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(home / name))


def _timers() -> list[QTimer]:
    return [
        thing
        for thing in shiboken6.getAllValidWrappers()
        if isinstance(thing, QTimer) and thing.isActive()
    ]


@pytest.fixture(params=mostly_slow(["light", "dark"]))
def mode(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[theme.Mode]:
    """A theme that is on for the length of a test."""
    keeper = theme.keeper()
    before = keeper.mode
    keeper.set_mode(request.param)
    yield request.param
    keeper.set_mode(before)


class Look:
    """A look at a folder that is over when a test says so."""

    def __init__(self, found: Found | None) -> None:
        self.found = found

    def done(self) -> Found | None:
        return self.found


class Desk:
    """A window on a fake engine, and what a test needs of it.

    Attributes:
        loops: the fakes made so far, newest last.
        looks: the looks at folders, newest last; `found` is what the next ones tell.
    """

    def __init__(self, qtbot: QtBot, **options: Any) -> None:
        self.qtbot = qtbot
        self.loops: list[FakeLoop] = []
        self.session = Session(cache=CacheWatch(clock=lambda: 0.0))
        kind = options.pop("kind", FakeLoop)
        self.found: Found | None = options.pop("found", Found())
        self.looks: list[Look] = []

        def factory(folder: Path, config: EngineConfig) -> FakeLoop:
            self.loops.append(kind(folder, config, **options))
            return self.loops[-1]

        def look(_folder: Path, _config: EngineConfig, _held: int) -> Look:
            self.looks.append(Look(self.found))
            return self.looks[-1]

        self.bridge = Bridge(self.session, EngineConfig(), factory, look=look)
        with dressed_once():
            self.window = MainWindow(self.bridge)
        qtbot.addWidget(self.window)
        self.window.show()

    @property
    def loop(self) -> FakeLoop:
        return self.loops[-1]

    def open(self, name: str = "model") -> None:
        self.bridge.open_model(Path("/models") / name)
        self.until(lambda: self.session.engine.phase is not EnginePhase.LOADING)

    def until(self, done: Callable[[], bool]) -> None:
        """Let frames pass until something holds; faster than the timer would.

        The timer is out of it meanwhile: on a busy machine it would take frames that nobody sees.
        """
        self.bridge._timer.blockSignals(True)
        try:
            for _ in range(400):
                if done():
                    return
                self.bridge.take()
                QApplication.processEvents()
            # It is a thread's turn, or the clock's.
            ends = time.monotonic() + PATIENCE_MS / 1000
            while time.monotonic() < ends:
                if done():
                    return
                self.bridge.take()
                self.qtbot.wait(5)
        finally:
            self.bridge._timer.blockSignals(False)
        raise AssertionError("it never came to pass")

    def settle(self) -> None:
        """Let all that was asked be answered, and all that is laid out come to rest.

        Call it before anything is measured: a frame between may have changed a part's size, which
        its parents learn one after the other.
        """
        self.bridge._timer.blockSignals(True)
        try:
            for _ in range(_FRAMES):
                self.bridge.take()
                QApplication.processEvents()
            settle()
        finally:
            self.bridge._timer.blockSignals(False)

    def say(self, text: str, *, wait: bool = True) -> None:
        self.window.chat.composer.set_text(text)
        self.window.chat.composer.send()
        if wait:
            # Nobody looks at the frames between.
            usual, self.loop.steps = self.loop.steps, _AT_ONCE
            self.until(lambda: not self.session.busy)
            self.loop.steps = usual

    def prompt_ids(self, text: str) -> list[int]:
        """Send a message; the generated token ids that its prompt carries."""
        self.say(text)
        asked = [posted for posted in self.loop.posted if isinstance(posted, Submit)][-1]
        return [id for message in messages_of(asked) for id in message.token_ids]

    @property
    def turns(self) -> list[Turn]:
        return self.session.current.turns

    def close(self) -> None:
        self.bridge.close(60)
        self.window.close()


MakeDesk = Callable[..., Desk]


@pytest.fixture
def make_desk(qtbot: QtBot) -> Iterator[MakeDesk]:
    desks: list[Desk] = []

    def make(**options: Any) -> Desk:
        desks.append(Desk(qtbot, **options))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()
        desk.bridge.deleteLater()
    unfolded().ids.clear()


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """A window with a model that is ready."""
    made = make_desk()
    made.open()
    return made
