"""Help > Keyboard and Help > About."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.shell.dialogs import about_dialog, key_sections, keyboard_dialog
from app.ui.menus.command_table import COMMANDS
from tests.app.sight import cut_labels
from tests.present import present

# A style is the whole program's: another one would stay with the tests that follow.
PICTURED = """
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QProxyStyle, QStyle, QWidget
from app.ui import theme
from app.shell.dialogs import keyboard_dialog

class Pictured(QProxyStyle):
    def styleHint(self, hint, option=None, widget=None, more=None):
        pictures = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
        return 1 if hint == pictures else super().styleHint(hint, option, widget, more)

app = QApplication([])
theme.keeper().set_mode("dark")
style = Pictured()
app.setStyle(style)
parent = QWidget()
box = keyboard_dialog(parent, {}).findChild(QDialogButtonBox)
box.ensurePolished()
print(box.buttons()[0].icon().isNull())
"""

BOUND = {id: command.keys for id, command in COMMANDS.items() if command.keys}


class OnScreen(QWidget):
    """A window on a screen of a size."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self._room = QRect(0, 0, width, height)

    def screen(self) -> Any:
        return SimpleNamespace(availableGeometry=lambda: self._room)


class TestDialogs:
    def test_every_key_is_listed(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        words = {label.text() for label in keyboard_dialog(parent, BOUND).findChildren(QLabel)}
        lines = [line for section in key_sections(BOUND) for line in section.lines]
        assert {line.keys for line in lines} | {line.what for line in lines} <= words
        assert {"Ctrl+N", "F1", "Shift+Enter", "F5"} <= words

    def test_on_a_large_screen_every_key_is_readable(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The screen of the tests is smaller than any desktop's.
        monkeypatch.setattr("app.shell.dialogs._BESIDE_PX", -2000)
        monkeypatch.setattr("app.shell.dialogs._AROUND_PX", -1000)
        parent = QWidget()
        qtbot.addWidget(parent)
        dialog = keyboard_dialog(parent, BOUND)
        short = present(dialog.findChild(QScrollArea))
        dialog.show()
        QApplication.processEvents()
        assert cut_labels(short) == []
        dialog.close()

    @pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (1024, 600), (640, 480)])
    def test_the_keys_fit_on_the_screen(self, qtbot: QtBot, size: tuple[int, int]) -> None:
        parent = OnScreen(*size)
        qtbot.addWidget(parent)
        dialog = keyboard_dialog(parent, BOUND)
        assert dialog.sizeHint().width() <= size[0]
        assert dialog.sizeHint().height() <= size[1]
        dialog.close()

    def test_buttons_carry_no_picture_of_the_desktops(self) -> None:
        """It is drawn for light windows: in the dark one there is a hole beside the word."""
        done = subprocess.run(
            [sys.executable, "-c", PICTURED],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == ["True"], done.stderr

    def test_about_says_which_version(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        words = [label.text() for label in about_dialog(parent).findChildren(QLabel)]
        assert any(word.startswith("Version ") for word in words)

    def test_about_says_what_leaves_this_computer(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        said = " ".join(label.text() for label in about_dialog(parent).findChildren(QLabel))
        assert "Nothing leaves" not in said
        assert "stays on this computer, unless you connect to an engine elsewhere" in said
