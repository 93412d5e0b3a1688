"""The first minutes with the program, by keyboard alone and by mouse alone.

Both stories open, ask, see what was saved, go to the cache from there, and open another model.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from app.core.options.shared import demo_model_dir
from engine.hub.manifest import SOURCE, Manifest, RemoteFile, write
from tests.driven.conftest import Start
from tests.driven.program import Program

pytestmark = pytest.mark.slow

INTRODUCTION = "My name is Ada and my lucky number is 27."
MODELS, TREE = "Models", "Tree of cached prefixes"
SAVED = "were not read again"
ANOTHER = "demo/another"
# More widgets than take the focus in the window, and rows in the list of models.
_MOST = 60


@pytest.fixture
def program(start: Start, home: Path) -> Program:
    """A first start, on a disk with another model from the hub."""
    for left in ("cache", "config", "data", "state"):
        shutil.rmtree(home / left, ignore_errors=True)
    folder = home / "data" / "biplane" / "models" / ANOTHER
    shutil.copytree(demo_model_dir(), folder)
    files = tuple(
        RemoteFile(
            path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest(), ""
        )
        for path in sorted(folder.iterdir())
    )
    write(Manifest(ANOTHER, "main", "c0ffee", "apache-2.0", False, files), folder / SOURCE)
    return start()


def ready(program: Program) -> None:
    program.until(lambda: INTRODUCTION in program.shown())
    assert SAVED not in program.shown()


def tab_to(program: Program, name: str) -> None:
    """Press Tab until what is called `name` has the focus."""
    for _ in range(_MOST):
        if program.ask("focus") == name:
            return
        program.screen.press("Tab")
    raise AssertionError(f"Tab never came to {name}")


def opened_another(program: Program) -> None:
    """The other model is open, and the window of models closed."""
    program.until(lambda: bool(program.boxes("Model: another")))
    assert not program.boxes("Search models here and on Hugging Face")


def test_by_keyboard_alone(program: Program) -> None:
    keys = program.screen
    ready(program)
    program.picture("keyboard-1-open")
    assert program.ask("focus") == "Message"
    for text in (INTRODUCTION, "What is my lucky number?", "What is my name?"):
        answers = program.answers()
        keys.write(text)
        keys.press("Return")
        program.until(lambda answers=answers: program.answers() > answers)  # type: ignore[misc]
    program.until(lambda: SAVED in program.shown())
    program.picture("keyboard-2-saved")
    # As a user has it who closed the pane.
    keys.press("ctrl+j")
    program.until(lambda: not program.boxes(TREE))
    tab_to(program, "See how")
    keys.press("space")
    program.until(lambda: bool(program.boxes(TREE)))
    program.until(lambda: SAVED not in program.shown())
    program.picture("keyboard-3-cache")
    tab_to(program, "Model: demo_model")
    keys.press("space")
    program.until(lambda: bool(program.boxes(MODELS)))
    keys.press("Down", "Return")
    program.until(lambda: program.ask("focus") == MODELS)
    keys.press("Down", "Return")
    program.until(lambda: program.ask("focus") == "Open")
    program.picture("keyboard-4-models")
    keys.press("space")
    opened_another(program)
    assert program.quit() == 0


def test_by_mouse_alone(program: Program) -> None:
    ready(program)
    program.click(INTRODUCTION)
    program.until(lambda: program.answers() == 1)
    # The same question once more; what was read of it is read from the cache.
    program.click("Regenerate")
    program.until(lambda: SAVED in program.shown())
    program.picture("mouse-1-saved")
    program.click("View")
    # Below the menu of that name.
    program.click("Cache", 1)
    program.until(lambda: not program.boxes(TREE))
    program.click("See how")
    program.until(lambda: bool(program.boxes(TREE)))
    program.until(lambda: SAVED not in program.shown())
    program.picture("mouse-2-cache")
    program.menu("Model: demo_model", MODELS)
    program.click("another")
    program.click("Open")
    opened_another(program)
    program.picture("mouse-3-another")
    assert program.quit() == 0
