"""One object for the application, as long as there is one."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.ui.theme import PerApplication


def test_it_is_made_once_and_again_when_it_has_gone(qapp: QApplication) -> None:
    made: list[QObject] = []

    def make(app: QApplication) -> QObject:
        made.append(QObject(app))
        return made[-1]

    one = PerApplication(make)
    assert not made
    assert one() is one() is made[0]
    assert made[0].parent() is qapp
    shiboken6.delete(made[0])
    assert one() is made[1]
    assert len(made) == 2
    shiboken6.delete(made[1])
