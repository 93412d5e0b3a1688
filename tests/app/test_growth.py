"""A window that is used all day stays as small as it was: widgets, timers, threads, objects."""

from __future__ import annotations

import gc
import threading
from dataclasses import dataclass

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QPlainTextEdit

from tests.app.conftest import Desk, MakeDesk

ROUNDS = 50
# By then everything that is made once is made: menus, caches, the rows of the list.
_SETTLED = 5


@dataclass(frozen=True, slots=True)
class Counts:
    """What there is of each kind; `objects` are all of Qt's below the window."""

    widgets: int
    timers: int
    threads: int
    objects: int

    @classmethod
    def of(cls, desk: Desk) -> Counts:
        app = settled()
        gc.collect()
        tops = [desk.window, desk.bridge, app]
        timers = {id(timer) for top in tops for timer in top.findChildren(QTimer)}
        timers |= {
            id(thing)
            for thing in gc.get_objects()
            if issubclass(type(thing), QTimer) and shiboken6.isValid(thing)
        }
        objects = sum(len(top.findChildren(QObject)) for top in tops)
        return cls(len(app.allWidgets()), len(timers), threading.active_count(), objects)


@pytest.mark.slow
def test_fifty_conversations_leave_nothing_behind(make_desk: MakeDesk) -> None:
    desk = make_desk(steps=200)
    desk.open()
    desk.say("First")
    counts: list[Counts] = []
    for round in range(ROUNDS):
        use(desk, round)
        settled()
        if round + 1 in (_SETTLED, ROUNDS):
            counts.append(Counts.of(desk))
    assert counts[1] == counts[0]


def settled() -> QApplication:
    """What is to be deleted is deleted, as the program's own loop would do."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for _ in range(3):
        app.processEvents()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return app


def use(desk: Desk, round: int) -> None:
    """Open, say, edit, branch, fork and delete; the list is as long as before."""
    choose(desk, "New conversation")
    desk.say(f"Question {round}\n\n```python\nprint({round})\n```")
    edit(desk, "Edit last message", "Edit your message")
    choose(desk, "Regenerate")
    for step in ("Previous version", "Next version"):
        choose(desk, step)
    edit(desk, "Edit last answer", "Edit the answer")
    choose(desk, "Fork to a new conversation")
    select(desk, 1)
    select(desk, 2)
    select(desk, 0)
    for _ in range(2):
        choose(desk, "Delete")
        select(desk, 0)
    assert len(desk.session.conversations) == 1


def choose(desk: Desk, name: str) -> None:
    actions = [a for a in desk.window.findChildren(QAction) if a.text() == name]
    assert actions[0].isEnabled(), name
    actions[0].trigger()
    desk.until(lambda: not desk.session.busy)
    QApplication.processEvents()


def edit(desk: Desk, action: str, name: str) -> None:
    choose(desk, action)
    fields = desk.window.findChildren(QPlainTextEdit)
    (field,) = (f for f in fields if f.accessibleName() == name and f.isVisible())
    QTest.keyClicks(field, "Changed\r")
    desk.until(lambda: not desk.session.busy)


def select(desk: Desk, row: int) -> None:
    lists = desk.window.findChildren(QListView)
    (shown,) = (one for one in lists if one.accessibleName() == "Conversations")
    flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
    shown.selectionModel().setCurrentIndex(shown.model().index(row, 0), flag)
    QApplication.processEvents()
