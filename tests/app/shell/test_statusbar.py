"""What is said in passing can be read, and the figures are back after it."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from app.core.launch_marker import LostLaunch, lost_sentence
from tests.app.conftest import Desk

LONG = (
    "The cache files cannot be written (No space left on device): existing files stay, new data is "
    "kept in memory only, and writing will be retried."
)


def resize(desk: Desk, width: int, height: int) -> None:
    desk.window.resize(width, height)
    desk.until(lambda: desk.window.status.width() == width)


class TestSaying:
    @pytest.mark.parametrize("width", [1000, 1366])
    def test_that_the_last_run_was_lost_is_said_whole(self, desk: Desk, width: int) -> None:
        desk.say("word " * 50)
        resize(desk, width, 700)
        sentence = lost_sentence([LostLaunch(7, datetime(2026, 11, 21, 17, 49), "")])
        desk.bridge.notify(sentence)
        assert desk.window.status.notice == sentence

    def test_the_figures_make_way_and_come_back(self, desk: Desk) -> None:
        desk.say("word " * 50)
        resize(desk, 1000, 700)
        status = desk.window.status
        desk.bridge.notify("Short.")
        assert status.context.isVisible()
        desk.bridge.notify(LONG)
        assert not status.context.isVisible()
        assert not status.rate.isVisible()
        status.clearMessage()
        assert status.context.isVisible()
        assert status.rate.isVisible()

    def test_what_is_longer_ends_in_dots_and_has_a_tooltip(self, desk: Desk) -> None:
        resize(desk, 700, 500)
        status = desk.window.status
        desk.bridge.notify(LONG)
        assert status.notice.startswith("The cache files cannot")
        assert status.notice.endswith("…")
        assert status.fontMetrics().horizontalAdvance(status.notice) <= status.width()
        assert status.toolTip() == LONG
        # Seen, not only known: the last letters stand clear of the edge.
        picture = status.grab().toImage()
        ground = picture.pixelColor(picture.width() - 3, picture.height() // 2)
        column = {picture.pixelColor(picture.width() - 5, y).name() for y in range(6, 20)}
        assert column == {ground.name()}
        status.clearMessage()
        assert status.toolTip() == ""


class _Noted(QObject):
    """Counts the events of a kind that a widget gets."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        super().__init__(widget)
        self.count, self._kind = 0, kind
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == self._kind
        return False


def test_figures_that_stay_the_same_lay_out_nothing(desk: Desk) -> None:
    desk.say("word " * 50, wait=False)
    desk.until(lambda: not desk.session.busy)
    status, pump = desk.window.status, QApplication.processEvents
    status.show_session(desk.session)
    desk.settle()
    laid_out = _Noted(desk.window, QEvent.Type.LayoutRequest)
    told = _Noted(status.context, QEvent.Type.ToolTipChange)
    status.show_session(desk.session)
    pump()
    assert (laid_out.count, told.count) == (0, 0)
    status.context.setToolTip("another")
    pump()
    assert told.count == 1
