"""What is shown again and again: at once if it is urgent, else with pauses, never not at all."""

from __future__ import annotations

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.cache.controller import Pacer

PAUSE_MS = 80


class Stand:
    """Something to show, for which a pacer is asked."""

    def __init__(self) -> None:
        self.shown = 0
        self.urgent = False
        self.parent = QObject()
        self.pacer = Pacer(self._show, lambda: self.urgent, PAUSE_MS, self.parent)

    def _show(self) -> None:
        self.shown += 1


def test_the_first_is_shown_at_once_and_the_last_after_the_pause(qtbot: QtBot) -> None:
    stand = Stand()
    for _ in range(20):
        stand.pacer.want()
    assert stand.shown == 1
    qtbot.waitUntil(lambda: stand.shown == 2)
    qtbot.wait(3 * PAUSE_MS)
    assert stand.shown == 2


def test_what_is_urgent_does_not_wait_and_is_not_shown_twice(qtbot: QtBot) -> None:
    stand = Stand()
    stand.pacer.want()
    stand.pacer.want()
    stand.urgent = True
    stand.pacer.want()
    assert stand.shown == 2
    qtbot.wait(3 * PAUSE_MS)
    assert stand.shown == 2


def test_after_a_pause_the_next_is_shown_at_once(qtbot: QtBot) -> None:
    stand = Stand()
    stand.pacer.want()
    qtbot.wait(2 * PAUSE_MS)
    stand.pacer.want()
    assert stand.shown == 2
