"""The small building blocks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets import CopyButton, ElidedLabel, show_share
from tests.app.clipping import line_px


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

    def test_it_is_as_tall_as_the_letters_that_another_font_lends(
        self, qtbot: QtBot, tall: QFont
    ) -> None:
        line = ElidedLabel("")
        line.setFont(tall)
        # Beside it, for what the layout around it gives.
        root = QWidget()
        QVBoxLayout(root).addWidget(line)
        qtbot.addWidget(root)
        line.setText("192 MiB")
        low = line.sizeHint().height()
        assert low == line.fontMetrics().height()
        root.show()
        for wordings in (("中文",), ("192 MiB", "中")):
            line.setText(*wordings)
            assert line.sizeHint().height() == line_px("中文", tall) > low
            qtbot.waitUntil(lambda: line.height() >= line.sizeHint().height())
            line.setText("192 MiB")
            assert line.sizeHint().height() == low


class TestShare:
    def test_one_that_is_not_known_moves(self, qtbot: QtBot) -> None:
        bar = QProgressBar()
        qtbot.addWidget(bar)
        show_share(bar, None)
        assert bar.maximum() == 0
        show_share(bar, 0.5)
        assert bar.value() * 2 == bar.maximum()

    def test_unless_nothing_shall(self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.ui.motion._reduced", True)
        bar = QProgressBar()
        qtbot.addWidget(bar)
        show_share(bar, None)
        assert bar.maximum() > 0
        assert bar.value() == 0
