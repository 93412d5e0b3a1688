"""A screen for the tests that press keys and click, and programs on it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.driven.program import Program
from tests.driven.screen import Screen, missing

Start = Callable[..., Program]


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A user's home folder; its path is short, as a socket's must be."""
    with tempfile.TemporaryDirectory(prefix="biplane-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def screen(home: Path) -> Iterator[Screen]:
    if missing():
        pytest.skip(f"not installed: {missing()}")
    screen = Screen(home)
    yield screen
    screen.close()


@pytest.fixture(scope="module")
def start(screen: Screen, home: Path) -> Iterator[Start]:
    """Starts the program, again and again in the same home."""
    programs: list[Program] = []

    def begin(*options: str) -> Program:
        programs.append(Program(screen, home, *options))
        return programs[-1]

    yield begin
    for program in programs:
        program.close()
