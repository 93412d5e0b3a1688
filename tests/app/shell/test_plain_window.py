"""Without a terminal the sentence still reaches somebody."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from app.shell import plain_window

SENTENCE = "Biplane's window needs PySide6 <6.12 & more."


@pytest.fixture
def dialogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of dialog programs that write down what they were asked to show."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":77")
    monkeypatch.setattr(plain_window, "_by_tk", lambda sentence: False)
    return tmp_path


def add_program(folder: Path, name: str, code: int) -> Path:
    said = folder / f"{name}.said"
    program = folder / name
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{said}"\nexit {code}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return said


def test_the_first_program_that_works_shows_it(dialogs: Path) -> None:
    add_program(dialogs, "zenity", 1)
    said = add_program(dialogs, "kdialog", 0)
    later = add_program(dialogs, "notify-send", 0)
    plain_window.notify(SENTENCE)
    assert SENTENCE in said.read_text()
    assert not later.exists()


def test_it_is_printed_too(dialogs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain_window.notify(SENTENCE)
    assert SENTENCE in capsys.readouterr().err


def test_without_a_display_no_program_is_started(
    dialogs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    said = add_program(dialogs, "zenity", 0)
    plain_window.notify(SENTENCE)
    assert not said.exists()
