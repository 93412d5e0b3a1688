"""A selection that extends across the parts of a message."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from app.chat.logic.body_text import BodyText
from app.chat.logic.kept_selection import Kept
from app.chat.prose import ProseView, plain
from app.chat.rendered import block_text


class BodySelection(QObject):
    """Handles the mouse over the text views of one message.

    Within one view Qt selects by itself. Once the mouse leaves that view with the button down, the
    rest of it and everything in between is selected too, and Ctrl+C copies it all. Parts without a
    view, outside the viewport, are selected like the others.

    Signals:
        dragging: the user starts selecting with the button down (True), or releases it (False).
        beyond: the global mouse position while selecting.
    """

    dragging = Signal(bool)
    beyond = Signal(QPoint)

    def __init__(self, body: QWidget, text: BodyText, *, markdown: bool = True) -> None:
        super().__init__(body)
        self._body = body
        self._text = text
        self._markdown = markdown
        self._views: dict[int, QTextEdit] = {}
        # The selection in parts without a view; None for all of a part.
        self._away: dict[int, Kept | None] = {}
        self._start: QTextEdit | None = None
        self._wide = False

    def change_text(self, text: BodyText) -> None:
        """Switch to the parts of another text."""
        self._text = text
        self._away = {}
        self._wide = False

    @property
    def text(self) -> str:
        """The selected text, from top to bottom."""
        made = ""
        for index in sorted(self._views.keys() | self._away.keys()):
            chosen = plain(self._chosen(index))
            if chosen and made:
                made += "\n" if self._text.blocks[index].joined else "\n\n"
            made += chosen
        return made

    @property
    def active(self) -> bool:
        """Whether anything is selected."""
        seen = any(view.textCursor().hasSelection() for view in self._views.values())
        return seen or bool(self._away)

    def starts_in(self, view: QTextEdit) -> bool:
        """Whether the button was pressed in a view and is still held."""
        return view is self._start

    def watch(self, index: int, view: QTextEdit) -> None:
        """A part got a view."""
        self._views[index] = view
        view.viewport().installEventFilter(self)
        view.installEventFilter(self)
        if index in self._away:
            kept = self._away.pop(index)
            ends = (0, _length(view)) if kept is None else kept.found_in(_whole(view))
            if ends is not None:
                _select(view, *ends)

    def forget(self, index: int, view: QTextEdit) -> None:
        """A part lost its view; its selection is kept."""
        cursor = _cursor(view)
        if cursor.hasSelection():
            self._away[index] = Kept(cursor.anchor(), cursor.position(), cursor.selectedText())
            _select(view, 0, 0)
        del self._views[index]
        view.viewport().removeEventFilter(self)
        view.removeEventFilter(self)
        if view is self._start:
            self._start = None

    def cut(self, length: int) -> None:
        """The text now has `length` parts."""
        for gone in [index for index in self._away if index >= length]:
            del self._away[gone]

    def clear(self) -> None:
        self._away.clear()
        for view in self._views.values():
            _select(view, 0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride or kind == QEvent.Type.KeyPress:
            return isinstance(event, QKeyEvent) and self._key(event)
        if not isinstance(event, QMouseEvent):
            return False
        view = next((view for view in self._views.values() if view.viewport() is watched), None)
        if view is None:
            return False
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._begin(view, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif kind == QEvent.Type.MouseMove and self._start is view:
            spot = event.globalPosition().toPoint()
            # The view may scroll, and new parts appear under the mouse.
            self.beyond.emit(spot)
            return self._reach(self._body.mapFromGlobal(spot))
        elif kind == QEvent.Type.MouseButtonRelease and self._start is not None:
            self._start = None
            self.dragging.emit(False)
        return False

    def _begin(self, view: QTextEdit, *, extends: bool) -> None:
        self._start, self._wide = view, False
        self._away.clear()
        for other in self._views.values():
            # Inside a selection Qt would start to drag its text instead of selecting.
            if other is not view or not extends:
                _select(other, 0, 0)
        self.dragging.emit(True)

    def _reach(self, spot: QPoint) -> bool:
        """Extend the selection to `spot`; False leaves it to Qt."""
        start = self._start
        assert start is not None
        at = self._at(spot)
        here = self._views[at]
        if here is start and not self._wide:
            return False
        self._wide = True
        anchor = start.textCursor().anchor()
        first = next(index for index, view in self._views.items() if view is start)
        low, high = min(first, at), max(first, at)
        self._away = dict.fromkeys(i for i in range(low, high) if i not in self._views)
        for index, view in self._views.items():
            end = _length(view)
            head, tail = (0, end) if first < at else (end, 0)
            if not low <= index <= high:
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
        if event.matches(QKeySequence.StandardKey.Copy) and self.active:
            if event.type() == QEvent.Type.KeyPress:
                QGuiApplication.clipboard().setText(self.text)
            event.accept()
            return True
        if event.matches(QKeySequence.StandardKey.SelectAll):
            if event.type() == QEvent.Type.KeyPress:
                self.select_all()
            event.accept()
            return True
        return False

    def select_all(self) -> None:
        """Select the whole message."""
        indexes = range(len(self._text.blocks))
        self._away = dict.fromkeys(index for index in indexes if index not in self._views)
        for view in self._views.values():
            view.selectAll()

    def _chosen(self, index: int) -> str:
        """The selected text of a part."""
        if index in self._views:
            return _cursor(self._views[index]).selectedText()
        kept = self._away[index]
        if kept is not None:
            return kept.covered
        return block_text(self._text.blocks[index], markdown=self._markdown)

    def _at(self, spot: QPoint) -> int:
        """The part with a view at a position, else the one above the gap."""
        tops = sorted(
            (view.mapTo(self._body, QPoint(0, 0)).y(), i) for i, view in self._views.items()
        )
        above = [index for top, index in tops if top <= spot.y()]
        return above[-1] if above else tops[0][1]


def _select(view: QTextEdit, anchor: int, position: int) -> None:
    cursor = view.textCursor()
    if (cursor.anchor(), cursor.position()) != (anchor, position):
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        view.setTextCursor(cursor)


def _cursor(view: QTextEdit) -> QTextCursor:
    """The selection of a view."""
    return view.chosen() if isinstance(view, ProseView) else view.textCursor()


def _length(view: QTextEdit) -> int:
    return view.document().characterCount() - 1


def _whole(view: QTextEdit) -> str:
    cursor = QTextCursor(view.document())
    cursor.select(QTextCursor.SelectionType.Document)
    return cursor.selectedText()


def _offset(view: QTextEdit, body: QWidget, spot: QPoint) -> int:
    return view.cursorForPosition(view.viewport().mapFrom(body, spot)).position()
