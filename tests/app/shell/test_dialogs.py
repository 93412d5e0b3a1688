"""Help > Keyboard and Help > About, and the menus they hang in."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QMenuBar, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.shell.dialogs import KEYS, about_dialog, keyboard_dialog
from app.shell.menus import Menus
from tests.app.sight import cut_labels
from tests.present import present

# A style is the whole program's: another one would stay with the tests that follow.
PICTURED = """
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QProxyStyle, QStyle, QWidget
from app import theme
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
box = keyboard_dialog(parent).findChild(QDialogButtonBox)
box.ensurePolished()
print(box.buttons()[0].icon().isNull())
"""


class TestDialogs:
    def test_every_key_is_listed(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        words = {label.text() for label in keyboard_dialog(parent).findChildren(QLabel)}
        assert {keys for keys, _ in KEYS} <= words

    @pytest.mark.qt_log_ignore("This plugin does not support")
    def test_the_keys_fit_on_the_screen(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The screen of the tests is narrower than any desktop's.
        monkeypatch.setattr("app.shell.dialogs._WIDE_PX", 0)
        parent = QWidget()
        qtbot.addWidget(parent)
        dialog = keyboard_dialog(parent)
        assert dialog.sizeHint().height() <= parent.screen().availableGeometry().height()
        short = present(dialog.findChild(QScrollArea))
        dialog.show()
        QApplication.processEvents()
        assert cut_labels(short) == []
        dialog.close()

    @pytest.mark.qt_log_ignore("This plugin does not support")
    def test_on_a_narrow_screen_the_keys_are_in_one_column(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        dialog = keyboard_dialog(parent)
        assert dialog.sizeHint().width() <= parent.screen().availableGeometry().width()
        assert dialog.sizeHint().height() <= parent.screen().availableGeometry().height()
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


class TestMenus:
    def test_the_menus_keys_are_the_ones_the_help_lists(self, qtbot: QtBot) -> None:
        bar = QMenuBar()
        qtbot.addWidget(bar)
        menus = Menus(bar)
        listed = {key.strip() for keys, _ in KEYS for key in keys.split(", ")}
        actions = [action for action in vars(menus).values() if isinstance(action, QAction)]
        keys = {action.shortcut().toString() for action in actions} - {""}
        assert {"Ctrl+0", "Ctrl+N", "F1"} <= keys
        assert keys <= listed
