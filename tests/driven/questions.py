"""Answers questions about what is on screen, over a socket: where a widget is, what it says.

It looks, and never touches: keys and clicks come from the X server.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

Answer = Any
Box = tuple[int, int, int, int]


class Questions(QObject):
    """Listens at a path; every line is a question in JSON, answered on the window's thread."""

    _asked = Signal(object, object)

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        threading.Thread(target=self._listen, name="questions", daemon=True).start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._server.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as lines:
                for line in lines:
                    answers: SimpleQueue[Answer] = SimpleQueue()
                    self._asked.emit(json.loads(line), answers)
                    lines.write(json.dumps(answers.get()) + "\n")
                    lines.flush()

    def _answer(self, question: list[Any], answers: SimpleQueue[Answer]) -> None:
        name, *given = question
        try:
            answers.put(_ASKED[name](*given))
        except Exception as error:
            # Whoever asks waits for an answer.
            answers.put({"error": repr(error)})


def boxes(name: str) -> list[Box]:
    """Where widgets and menu entries of this name are visible, in reading order."""
    found = [_box(widget, widget.visibleRegion().boundingRect()) for widget in _named(name)]
    found += [_box(menu, menu.actionGeometry(action)) for menu, action in _entries(name)]
    found += [_box(view.viewport(), area) for view, area in _rows(name)]
    return sorted((box for box in found if box[2] and box[3]), key=lambda box: (box[1], box[0]))


def texts(name: str) -> list[str]:
    """What the widgets of this accessible name say, in reading order."""
    return [_all_text(widget) for widget in sorted(_named(name), key=_place)]


def shown() -> list[str]:
    """Everything that can be read, in reading order."""
    said = [(_place(widget), _text(widget)) for widget in _visible()]
    return [text for _, text in sorted(said) if text.strip()]


def rows() -> list[str]:
    """The rows of all lists."""
    return [text for view in _lists() for text, _ in _cells(view)]


def focus() -> str:
    """What the widget with the focus is called: its accessible name, or else its text."""
    widget = QApplication.focusWidget()
    return widget.accessibleName() or _text(widget) if widget is not None else ""


def lightness() -> float:
    """Of the whole window, from 0 to 1."""
    window = next(top for top in QApplication.topLevelWidgets() if top.isVisible())
    mean = window.grab().toImage().scaled(1, 1, mode=Qt.TransformationMode.SmoothTransformation)
    return mean.pixelColor(0, 0).lightnessF()


_ASKED: dict[str, Callable[..., Answer]] = {
    "boxes": boxes,
    "texts": texts,
    "shown": shown,
    "rows": rows,
    "focus": focus,
    "lightness": lightness,
}


def _visible() -> Iterator[QWidget]:
    for widget in QApplication.allWidgets():
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            yield widget


def _named(name: str) -> list[QWidget]:
    return [
        widget
        for widget in _visible()
        if name == widget.accessibleName()
        or (isinstance(widget, QAbstractButton) and name == _bare(widget.text()))
    ]


def _entries(name: str) -> Iterator[tuple[QMenu | QMenuBar, QAction]]:
    for widget in _visible():
        if isinstance(widget, QMenu | QMenuBar):
            for action in widget.actions():
                if _bare(action.text()) == name and action.isVisible():
                    yield widget, action


def _lists() -> Iterator[QListView]:
    return (widget for widget in _visible() if isinstance(widget, QListView))


def _cells(view: QListView) -> Iterator[tuple[str, QRect]]:
    model = view.model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        yield str(index.data()), view.visualRect(index)


def _rows(name: str) -> Iterator[tuple[QListView, QRect]]:
    for view in _lists():
        for text, area in _cells(view):
            if text == name:
                yield view, area.intersected(view.viewport().rect())


def _text(widget: QWidget) -> str:
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QLabel | QLineEdit):
        return widget.text().replace("\u2060", "").replace("\u00a0", " ")
    return _bare(widget.text()) if isinstance(widget, QAbstractButton) else ""


def _all_text(widget: QWidget) -> str:
    """What a widget says, or else what the fields in it say."""
    fields = sorted(widget.findChildren(QTextEdit), key=_place)
    return _text(widget) or "\n".join(_text(field) for field in fields if field.isVisible())


def _bare(text: str) -> str:
    """A label without the mark of its mnemonic, and a menu's without its shortcut."""
    return text.replace("&", "").split("\t")[0]


def _place(widget: QWidget) -> tuple[int, int]:
    corner = widget.mapToGlobal(QPoint(0, 0))
    return corner.y(), corner.x()


def _box(widget: QWidget, area: QRect) -> Box:
    corner = widget.mapToGlobal(area.topLeft())
    return corner.x(), corner.y(), area.width(), area.height()
