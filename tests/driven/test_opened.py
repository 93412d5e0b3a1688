"""A double click on a file: the menu entry's command, with the window closed and with it open."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.desktop_entry import Program as Installed
from app.cli.desktop_entry import install_desktop
from app.debugger.traces import demo_trace
from tests.driven.conftest import Start
from tests.driven.program import ROOT, Program
from tests.driven.screen import Screen

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program(start: Start) -> Program:
    return start()


def again(screen: Screen, *options: str) -> None:
    """A second start, as a desktop makes it: it hands over and ends."""
    done = subprocess.run(
        [sys.executable, "-m", "app", *options],
        cwd="/",
        env=screen.environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


class TestWindowThatIsOpen:
    def test_a_trace_with_a_name_of_all_kinds(self, program: Program, tmp_path: Path) -> None:
        trace = tmp_path / "Größe 1 %20 #2 飞机.trace.jsonl.gz"
        shutil.copy(demo_trace(), trace)
        again(program.screen, trace.as_uri())
        program.until(lambda: f"{trace.name} · 15 requests" in program.shown())
        program.picture("40-trace-by-double-click")

    def test_what_is_nothing_of_these_is_one_sentence(
        self, program: Program, tmp_path: Path
    ) -> None:
        (tmp_path / "notes.txt").write_text("hello")
        again(program.screen, str(tmp_path / "notes.txt"))
        # The card is over the chat, which the debugger hides.
        program.screen.press("F11")
        program.until(lambda: "notes.txt is nothing that Biplane opens" in program.shown())

    def test_an_export_is_imported_and_shown(self, program: Program, tmp_path: Path) -> None:
        export = tmp_path / "Flüge.biplane.json"
        export.write_text(
            '{\n "format": "biplane conversations", "version": 1, "conversations": [{"id": 1,'
            '"title": "Lift", "created": 1, "updated": 2, "messages": [{"id": 1,'
            '"conversation": 1, "parent_id": null, "role": "user", "content": "Why two wings?",'
            '"created": 1}], "leaf": 1}]}'
        )
        again(program.screen, str(export))
        program.until(lambda: "Why two wings?" in program.texts("Your message"))
        program.picture("41-export-by-double-click")
        assert program.quit() == 0


def test_the_entry_starts_with_a_file(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of the entry, with a path in place of %F, opens a window that shows it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    entry, *_ = install_desktop(Installed((sys.executable, "-m", "app")))
    line = next(one for one in entry.read_text().splitlines() if one.startswith("Exec="))
    *words, last = line.removeprefix("Exec=").split()
    assert last == "%F"
    command = [*words, str(demo_trace())]
    with subprocess.Popen(command, env=screen.environment | {"PYTHONPATH": str(ROOT)}) as program:
        title = f"{demo_trace().name} – Biplane"
        sought = ["xdotool", "search", "--sync", "--onlyvisible", "--name", title]
        subprocess.run(sought, env=screen.environment, check=True, timeout=120, capture_output=True)
        screen.press("ctrl+q")
        assert program.wait(120) == 0
