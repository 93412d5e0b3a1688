"""The composer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QPlainTextEdit

from tests.app.conftest import Desk
from tests.app.settle import settle
from tests.present import present


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_another_placeholder_is_painted(desk: Desk) -> None:
    composer = desk.window.chat.composer
    viewport = present(composer.findChild(QPlainTextEdit)).viewport()
    desk.window.chats.list.setFocus()
    settle()
    paints = Paints()
    viewport.installEventFilter(paints)
    composer.set_placeholder("Write another message")
    settle()
    viewport.removeEventFilter(paints)
    assert paints.count
