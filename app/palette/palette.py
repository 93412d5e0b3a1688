"""The palette on screen: a field above a list, over the window, until something is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QListView, QVBoxLayout, QWidget

from app.escape_field import EscapeField
from app.palette.entries import COMMANDS_ONLY, Entry, rows_for
from app.palette.rows_model import RowPainter, RowsModel, spoken
from app.widgets import label, rule
from app.words.joining import in_turn
from app.words.tr import tr

_WIDE_PX, _TALL_PX, _SIDE_PX, _TOP_SHARE = 640, 480, 24, 0.1
# The border, the two lines, and what the list keeps free around its rows.
_FRAME_PX = 20
_PAGE = 8


class _Field(EscapeField):
    """Keeps the focus while the keys go through the list.

    Signals:
        stepped: go so many entries on.
        chosen: take the current one.
    """

    stepped = Signal(int)
    chosen = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Tab: 1,
            Qt.Key.Key_PageDown: _PAGE,
            Qt.Key.Key_PageUp: -_PAGE,
        }
        key = Qt.Key(event.key())
        if key in steps:
            self.stepped.emit(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class Palette(QFrame):
    """Made once for a window, and shown over it.

    Attributes:
        field: what the user types.
        list: what answers it.
    """

    def __init__(self, parent: QWidget, entries: Callable[[str], Sequence[Entry]]) -> None:
        """`entries`: everything that can be chosen now, given what is typed."""
        super().__init__(parent)
        self.setObjectName("palette")
        self.setAccessibleName(tr("Palette"))
        self._over, self._entries = parent, entries
        self._before: QWidget | None = None
        self.field = _Field(self)
        self.field.setObjectName("paletteField")
        self.field.setPlaceholderText(tr("Find a command, setting, model or conversation"))
        self.field.setAccessibleName(tr("Find anything"))
        self.model = RowsModel()
        self.model.setParent(self)
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(RowPainter(self.list))
        self.list.setAccessibleName(tr("What was found"))
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hint = label("", "faint")
        # The style sheet has the margins of a label itself.
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(20, 8, 20, 8)
        foot.addWidget(self.hint)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.field)
        column.addWidget(rule())
        column.addWidget(self.list, 1)
        self._rule = rule()
        column.addWidget(self._rule)
        column.addLayout(foot)
        self.hide()
        self.field.textChanged.connect(self._show)
        self.field.stepped.connect(self.step)
        self.field.chosen.connect(self.choose)
        self.field.left.connect(self.close_up)
        self.list.clicked.connect(lambda index: self.choose(index))
        parent.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus)

    def open(self, text: str = "") -> None:
        """Come up over the window; again, it begins anew."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.field.setText(text)
        self._show(text)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_up(self) -> None:
        """Go away, and leave the cursor where it was."""
        if not self.isVisible():
            return
        before, self._before = self._before, None
        had = self.isAncestorOf(QApplication.focusWidget() or self._over)
        self.hide()
        if had and before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def step(self, count: int) -> None:
        """Go to another entry; beyond the last one is the first one."""
        stops = [at for at, row in enumerate(self.model.rows) if row.entry is not None]
        if not stops:
            return
        now = self.list.currentIndex().row()
        at = stops.index(now) if now in stops else -1
        if abs(count) == 1:
            at = (at + count) % len(stops)
        else:
            at = min(max(at + count, 0), len(stops) - 1)
        self._go(stops[at])

    def choose(self, index: QModelIndex | None = None) -> None:
        """Take the current entry, or the one that was clicked."""
        index = index if index is not None else self.list.currentIndex()
        entry = self.model.rows[index.row()].entry if index.isValid() else None
        if entry is None:
            return
        if entry.refusal:
            self._go(index.row())
            return
        self.close_up()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parent() and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, text: str) -> None:
        self.model.show(rows_for(text, self._entries(text)))
        if self.isVisible():
            self._place()
        first = next((at for at, row in enumerate(self.model.rows) if row.entry is not None), None)
        if first is None:
            self.field.setAccessibleDescription("")
            self.hint.setText(tr("Nothing is called that."))
            return
        self._go(first)
        self.list.scrollToTop()
        only = text.lstrip().startswith(COMMANDS_ONLY)
        hint = tr("Up and Down choose, Enter opens, Esc closes.")
        more = "" if only else tr("Begin with > for commands alone.")
        self.hint.setText(in_turn(hint, more))

    def _go(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row))
        # The focus stays in the field, so this is where a screen reader looks.
        self.field.setAccessibleDescription(spoken(self.model.rows[row]))

    def _place(self) -> None:
        room = self._over.rect()
        wide = min(_WIDE_PX, room.width() - 2 * _SIDE_PX)
        top = round(room.height() * _TOP_SHARE)
        # No taller than what was found, so that it does not cover the window for nothing.
        rows = range(self.model.rowCount())
        found = sum(self.list.sizeHintForRow(at) for at in rows)
        frame = self.field.sizeHint().height() + self._foot.sizeHint().height() + _FRAME_PX
        self.list.setVisible(bool(rows))
        self._rule.setVisible(bool(rows))
        tall = min(_TALL_PX, room.height() - 2 * top, frame + found)
        self.setGeometry((room.width() - wide) // 2, top, wide, tall)

    def _focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """A click elsewhere closes it; another window above does not."""
        if not self.isVisible() or now is None or self.isAncestorOf(now):
            return
        if now.window() is self.window():
            self._before = None
            self.close_up()
