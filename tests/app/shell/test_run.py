"""The life of the window: it begins where it stood, and ends when the engine has."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.log import Log
from app.shell.farewell import SavingCard
from app.shell.options import Options, parse
from app.shell.run import run
from app.shell.window import MainWindow
from app.shell.window_memory import Panes, Rect, WindowState, recall, save
from app.ui import theme
from app.ui.file_dialog import last_folders
from engine.config import EngineConfig
from tests.app.fake_loop import FakeLoop
from tests.present import present

GIB = 1 << 30
Step = tuple[Callable[[], bool], Callable[[], object]]
SLOW = [(step << 28, 4 * GIB) for step in range(1 << 10)]


class Run:
    """One run of the program on a fake engine, with what a user does in it.

    Attributes:
        loops: the engines that were made.
        window: while it runs.
    """

    def __init__(self) -> None:
        self.loops: list[FakeLoop] = []

    @property
    def window(self) -> MainWindow:
        tops = QApplication.topLevelWidgets()
        return next(top for top in tops if isinstance(top, MainWindow) and top.isVisible())

    @property
    def card(self) -> SavingCard:
        tops = QApplication.topLevelWidgets()
        return next(top for top in tops if isinstance(top, SavingCard))

    def factory(self, folder: Path, config: EngineConfig) -> FakeLoop:
        self.loops.append(FakeLoop(folder, config))
        return self.loops[-1]

    def go(self, options: Options, *steps: Step) -> int:
        """Run, and do each step once the one before it is done and its condition holds."""
        left = list(steps)
        timer = QTimer()
        timer.setInterval(10)

        def look() -> None:
            if left and left[0][0]():
                left.pop(0)[1]()

        timer.timeout.connect(look)
        timer.start()
        try:
            return run(options, self.factory, Log(Path("biplane.log")), ())
        finally:
            timer.stop()
            assert not left

    def ready(self) -> bool:
        """The model is there."""
        return bool(self.loops) and self.loops[0]._ready and self.shown()

    def shown(self) -> bool:
        tops = QApplication.topLevelWidgets()
        return any(isinstance(top, MainWindow) and top.isVisible() for top in tops)

    def gone(self) -> bool:
        return not self.shown()

    def saving(self) -> bool:
        return any(isinstance(top, SavingCard) for top in QApplication.topLevelWidgets())

    def close(self) -> None:
        self.window.close()

    def close_slowly(self) -> None:
        self.loops[0].steps = 1
        self.loops[0].saves = list(SLOW)
        self.window.close()


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return replace(parse([]), model=Path("/models/a"), memory=tmp_path / "window.json")


class TestPlace:
    def test_the_next_start_stands_where_this_one_ended(
        self, qtbot: QtBot, options: Options
    ) -> None:
        ran = Run()
        place = Rect(30, 60, 720, 520)

        def move() -> None:
            ran.window.setGeometry(place.x, place.y, place.width, place.height)
            ran.window.show_cache(False)

        def hidden() -> bool:
            return not ran.window.splitter.strip.isVisible()

        assert ran.go(options, (ran.ready, move), (hidden, ran.close)) == 0
        assert recall(present(options.memory)) == WindowState(place, False, Panes(cache=False))
        seen = []

        def look() -> None:
            seen.append(
                (ran.window.layout_controller.state().rect, ran.window.splitter.strip.isVisible())
            )
            ran.window.close()

        again = Run()
        assert again.go(options, (again.ready, look)) == 0
        assert seen == [(place, False)]

    def test_the_next_start_remembers_where_files_were_chosen(
        self, qtbot: QtBot, options: Options, tmp_path: Path
    ) -> None:
        ran, again, sized = Run(), Run(), Run()
        folders: list[str] = []

        def choose() -> None:
            last_folders().note("traces", str(tmp_path / "a.jsonl"))
            ran.window.close()

        def look() -> None:
            folders.append(last_folders().of("traces"))
            (again if len(folders) == 1 else sized).window.close()

        assert ran.go(options, (ran.ready, choose)) == 0
        last_folders().by_purpose = {}
        assert again.go(options, (again.ready, look)) == 0
        assert sized.go(replace(options, size=(900, 600)), (sized.ready, look)) == 0
        assert folders == [str(tmp_path)] * 2

    def test_a_place_that_is_on_no_screen_is_not_taken(
        self, qtbot: QtBot, options: Options
    ) -> None:
        save(present(options.memory), WindowState(Rect(9000, 9000, 700, 500)))
        ran = Run()
        seen = []

        def look() -> None:
            room = ran.window.screen().availableGeometry()
            seen.append(room.contains(ran.window.geometry()))
            ran.window.close()

        ran.go(options, (ran.ready, look))
        assert seen == [True]

    def test_the_theme_of_the_menu_stays_and_that_of_an_option_does_not(
        self, qtbot: QtBot, options: Options
    ) -> None:
        def choose() -> None:
            ran.window.menus.themes["dark"].trigger()
            ran.window.close()

        ran = Run()
        ran.go(options, (ran.ready, choose))
        seen = []
        for given in ({}, {"theme": "light"}, {}):
            ran = Run()

            def look(ran: Run = ran) -> None:
                dark = ran.window.menus.themes["dark"].isChecked()
                seen.append((theme.current().dark, dark))
                ran.window.close()

            ran.go(replace(options, overruled=given), (ran.ready, look))
        assert seen == [(True, True), (False, False), (True, True)]
        # The tests that follow begin as a first start does.
        theme.keeper().set_mode("system")

    def test_a_picture_remembers_nothing(self) -> None:
        assert parse(["--screenshot", "a.png"]).memory is None
        assert parse(["--size", "900x700"]).memory is None
        assert parse([]).memory is not None


class TestEnd:
    def test_an_engine_with_nothing_to_write_ends_with_the_window(
        self, qtbot: QtBot, options: Options
    ) -> None:
        ran = Run()
        assert ran.go(options, (ran.ready, ran.close)) == 0
        assert ran.loops[0].closed

    def test_a_window_closed_while_it_comes_up_ends_the_program(
        self, qtbot: QtBot, options: Options
    ) -> None:
        ran = Run()
        assert ran.go(options, (ran.shown, ran.close)) == 0

    def test_writing_is_shown_and_can_be_left(self, qtbot: QtBot, options: Options) -> None:
        ran = Run()
        seen = []

        def look() -> None:
            seen.append(ran.card.line.text())
            ran.card.button.click()

        assert ran.go(options, (ran.ready, ran.close_slowly), (ran.saving, look)) == 0
        assert seen[0].startswith("Saving the cache: ")
        assert ran.loops[0].saves

    def test_a_second_interrupt_does_not_wait(self, qtbot: QtBot, options: Options) -> None:
        ran = Run()

        def interrupt() -> None:
            os.kill(os.getpid(), signal.SIGINT)

        def slowly() -> None:
            ran.loops[0].steps = 1
            ran.loops[0].saves = list(SLOW)
            interrupt()

        assert ran.go(options, (ran.ready, slowly), (ran.gone, interrupt)) == 0
        assert ran.loops[0].saves
