"""File > Export and File > Import, from the whole program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.shell.exchange import Exchange
from tests.app.test_restart import Program

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture(autouse=True)
def on_a_screen(qtbot: QtBot) -> None:
    """These run the program itself."""


def exchange(program: Program) -> Exchange:
    found = program.window.findChild(Exchange)
    assert isinstance(found, Exchange)
    return found


def chosen(program: Program, path: Path) -> Callable[[], object]:
    """Choose a file in the dialog that is open."""

    def act() -> None:
        dialog = program.window.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(path))
        dialog.close()

    return act


def notices(program: Program) -> list[str]:
    return list(program.window._session.log.notices)


class TestExchange:
    def test_what_was_exported_can_be_imported_and_read(self, tmp_path: Path) -> None:
        path = tmp_path / "chat.json"
        first = Program()
        first.use(
            first.say("One"),
            lambda: first.window.menus.export.trigger(),
            chosen(first, path),
            lambda: first.window.menus.new.trigger(),
            lambda: first.window.menus.import_.trigger(),
            chosen(first, path),
            lambda: exchange(first).wait(),
            lambda: first.window.chats.chosen.emit(first.window._session.conversations[-1].id),
        )
        assert path.stat().st_mode & 0o777 == 0o600
        again = Program()
        seen: list[list[str]] = []
        again.use(lambda: seen.append(again.titles), lambda: seen.append(again.texts))
        assert seen == [["One", "One"], ["One", "You said **One**."]]

    def test_markdown_and_what_cannot_be_done(self, tmp_path: Path) -> None:
        first = Program()
        said: list[str] = []
        enabled: list[bool] = []
        (tmp_path / "bad.json").write_text("{}")
        first.use(
            lambda: enabled.append(first.window.menus.export.isEnabled()),
            first.say("One"),
            lambda: enabled.append(first.window.menus.export.isEnabled()),
            lambda: exchange(first).export(tmp_path / "chat.md"),
            lambda: exchange(first).export(tmp_path / "none" / "chat.md"),
            lambda: exchange(first).import_file(tmp_path / "bad.json"),
            lambda: exchange(first).wait(),
            lambda: said.extend(notices(first)),
        )
        assert enabled == [False, True]
        text = (tmp_path / "chat.md").read_text()
        assert text == "# One\n\n## You\n\nOne\n\n## Answer\n\nYou said **One**.\n"
        assert said == [
            "The conversation was exported to chat.md.",
            f"{tmp_path / 'none' / 'chat.md'} cannot be written: No such file or directory.",
            "bad.json cannot be imported: it was not exported by Biplane.",
        ]
