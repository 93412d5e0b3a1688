"""A selection that goes on from one part of a message into the next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

_BREAKS = str.maketrans({"\u2029": "\n", "\u2028": "\n", "\u00a0": " "})


class BodySelection(QObject):
    """Follows the mouse over the text views of one message.

    Within one view Qt selects by itself. Once the mouse leaves that view with the button down, the
    rest of it and whatever lies between is selected too, and Ctrl+C copies all of it.

    Signals:
        dragging: the user holds the button down over the text (True), or let go (False).
        beyond: where the mouse is on the screen while it selects.
    """

    dragging = Signal(bool)
    beyond = Signal(QPoint)

    def __init__(self, body: QWidget) -> None:
        super().__init__(body)
        self._body = body
        self._views: list[QTextEdit] = []
        self._start: QTextEdit | None = None
        self._wide = False

    @property
    def text(self) -> str:
        """What is selected, from top to bottom."""
        chosen = [view.textCursor().selectedText() for view in self._in_order()]
        return "\n\n".join(text.translate(_BREAKS) for text in chosen if text)

    def watch(self, view: QTextEdit) -> None:
        self._views.append(view)
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)

    def forget(self, view: QTextEdit) -> None:
        if view in self._views:
            self._views.remove(view)
            view.viewport().removeEventFilter(self)
            view.removeEventFilter(self)
        if view is self._start:
            self._start = None

    def clear(self) -> None:
        for view in self._views:
            _select(view, 0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride or kind == QEvent.Type.KeyPress:
            return isinstance(event, QKeyEvent) and self._key(event)
        if not isinstance(event, QMouseEvent):
            return False
        view = next((view for view in self._views if view.viewport() is watched), None)
        if view is None:
            return False
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._begin(view, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif kind == QEvent.Type.MouseMove and self._start is view:
            self.beyond.emit(event.globalPosition().toPoint())
            return self._reach(view.viewport().mapTo(self._body, event.position().toPoint()))
        elif kind == QEvent.Type.MouseButtonRelease and self._start is not None:
            self._start = None
            self.dragging.emit(False)
        return False

    def _begin(self, view: QTextEdit, *, extends: bool) -> None:
        self._start, self._wide = view, False
        for other in self._views:
            # In a selection Qt would start to drag the text away instead of a new selection.
            if other is not view or not extends:
                _select(other, 0, 0)
        self.dragging.emit(True)

    def _reach(self, spot: QPoint) -> bool:
        """Select from where the button went down to `spot`; False leaves it to Qt."""
        start = self._start
        assert start is not None
        views = self._in_order()
        here = _at(views, self._body, spot)
        if here is start and not self._wide:
            return False
        self._wide = True
        anchor = start.textCursor().anchor()
        first, last = views.index(start), views.index(here)
        for index, view in enumerate(views):
            inside = min(first, last) <= index <= max(first, last)
            end = _length(view)
            head, tail = (0, end) if first < last else (end, 0)
            if not inside:
                _select(view, 0, 0)
            elif view is start and view is here:
                _select(view, anchor, _offset(view, self._body, spot))
            elif view is start:
                _select(view, anchor, tail)
            elif view is here:
                _select(view, head, _offset(view, self._body, spot))
            else:
                _select(view, head, tail)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.Copy) and self.text:
            if event.type() == QEvent.Type.KeyPress:
                QGuiApplication.clipboard().setText(self.text)
            event.accept()
            return True
        if event.matches(QKeySequence.StandardKey.SelectAll):
            if event.type() == QEvent.Type.KeyPress:
                for view in self._views:
                    view.selectAll()
            event.accept()
            return True
        return False

    def _in_order(self) -> list[QTextEdit]:
        return sorted(self._views, key=lambda view: view.mapTo(self._body, QPoint(0, 0)).y())


def _select(view: QTextEdit, anchor: int, position: int) -> None:
    cursor = view.textCursor()
    if (cursor.anchor(), cursor.position()) != (anchor, position):
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        view.setTextCursor(cursor)


def _length(view: QTextEdit) -> int:
    return view.document().characterCount() - 1


def _at(views: list[QTextEdit], body: QWidget, spot: QPoint) -> QTextEdit:
    """The view at a height, else the one above the gap."""
    above = [view for view in views if view.mapTo(body, QPoint(0, 0)).y() <= spot.y()]
    return above[-1] if above else views[0]


def _offset(view: QTextEdit, body: QWidget, spot: QPoint) -> int:
    return view.cursorForPosition(view.viewport().mapFrom(body, spot)).position()
