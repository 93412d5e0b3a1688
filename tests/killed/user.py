"""Somebody who uses the window at random: types, sends, edits, branches, stops and deletes."""

from __future__ import annotations

import random

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QPlainTextEdit, QWidget

from app.shell.window import MainWindow
from tests.killed.report import Report

_PERIOD_MS = 5
# After asking for an answer, one reads it, or does something else at once.
_READ_TICKS = (0, 4, 110)
_WORDS = ("wing", "lift", "drag", "spar", "rib", "flap", "strut", "prop")
# By how often: typing is what one does most.
_ACTS = {
    "type": 8,
    "send": 6,
    "Regenerate": 2,
    "Edit last message": 3,
    "Edit last answer": 2,
    "Continue answer": 3,
    "Previous version": 1,
    "Next version": 1,
    "Fork to a new conversation": 1,
    "New conversation": 0.5,
    "select": 0.5,
    "Delete": 0.3,
    "Restore deleted conversation": 0.5,
    "Stop": 1,
}


class User:
    """Acts on a window through its menus, its keys and what has a name on it."""

    def __init__(self, window: MainWindow, report: Report, seed: int) -> None:
        self._window, self._report = window, report
        self._rng = random.Random(seed)
        self._reading = 0
        self._timer = QTimer(window)
        self._timer.timeout.connect(self._act)
        self._timer.start(_PERIOD_MS)

    def _act(self) -> None:
        if self._reading:
            self._reading -= 1
            return
        (act,) = self._rng.choices(list(_ACTS), list(_ACTS.values()))
        editor = self._named("Edit your message") or self._named("Edit the answer")
        if editor is not None:
            self._finish(editor)
            return
        # What follows may be in the database before it is reported.
        self._report.tell("acting", act, self._window._session.current.id)
        if act in ("type", "send"):
            self._type(self._named("Message"), self._text(act))
        elif act == "select":
            self._select()
        else:
            self._choose(act)

    def _text(self, act: str) -> str:
        if act == "send":
            self._reading = self._rng.choice(_READ_TICKS)
            return "\r"
        return f"{self._rng.choice(_WORDS)} "

    def _choose(self, name: str) -> None:
        if name in ("Regenerate", "Continue answer"):
            self._reading = self._rng.choice(_READ_TICKS)
        for action in self._window.findChildren(QAction):
            if action.text() == name and action.isEnabled():
                action.trigger()
                return

    def _finish(self, editor: QWidget) -> None:
        self._reading = self._rng.choice(_READ_TICKS)
        self._type(editor, f" {self._rng.choice(_WORDS)}")
        key = Qt.Key.Key_Return if self._rng.random() < 0.8 else Qt.Key.Key_Escape
        QTest.keyClick(editor, key)

    def _type(self, field: QWidget | None, text: str) -> None:
        if field is None:
            return
        if text == "\r":
            QTest.keyClick(field, Qt.Key.Key_Return)
        else:
            QTest.keyClicks(field, text)

    def _select(self) -> None:
        for view in self._window.findChildren(QListView):
            if view.accessibleName() == "Conversations":
                row = self._rng.randrange(max(1, view.model().rowCount()))
                flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
                view.selectionModel().setCurrentIndex(view.model().index(row, 0), flag)

    def _named(self, name: str) -> QPlainTextEdit | None:
        for widget in QApplication.allWidgets():
            if widget.accessibleName() == name and widget.isVisible():
                assert isinstance(widget, QPlainTextEdit)
                return widget
        return None
