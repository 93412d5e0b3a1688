"""The small building blocks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from app.widgets import CopyButton, ElidedLabel, show_share


class TestCopyButton:
    def test_it_copies_says_so_and_offers_again(self, qtbot: QtBot) -> None:
        button = CopyButton(lambda: "some text", "Copy code")
        qtbot.addWidget(button)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert QGuiApplication.clipboard().text() == "some text"
        assert button.accessibleName() == "Copied"
        qtbot.waitUntil(lambda: button.accessibleName() == "Copy code")


class TestElidedLabel:
    def test_its_room_does_not_depend_on_its_text(self, qtbot: QtBot) -> None:
        line = ElidedLabel("faint")
        qtbot.addWidget(line)
        empty = line.sizeHint()
        line.setText("words " * 50)
        assert line.sizeHint() == empty
        assert line.text() == line.accessibleName() == "words " * 50


class TestShare:
    def test_one_that_is_not_known_moves(self, qtbot: QtBot) -> None:
        bar = QProgressBar()
        qtbot.addWidget(bar)
        show_share(bar, None)
        assert bar.maximum() == 0
        show_share(bar, 0.5)
        assert bar.value() * 2 == bar.maximum()

    def test_unless_nothing_shall(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.motion._reduced", True)
        bar = QProgressBar()
        qtbot.addWidget(bar)
        show_share(bar, None)
        assert bar.maximum() > 0
        assert bar.value() == 0
