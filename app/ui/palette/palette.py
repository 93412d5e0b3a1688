"""The palette widget: a field above a list, over the window, until something is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.words.joining import in_turn, listed
from app.core.words.tr import tr
from app.ui import theme
from app.ui.palette.entries import COMMANDS_ONLY, PaletteEntry, PaletteRow, rows_for
from app.ui.widgets import EscapeField, label, rule

_WIDE_PX, _TALL_PX, _SIDE_PX, _TOP_SHARE = 640, 480, 24, 0.1
# The border, the two lines, and the list's padding around its rows.
_FRAME_PX = 20
_PAGE = 8
ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_ROW_PX, _HEADING_PX, _PAD_PX, _ASIDE_PX, _GAP_PX = 32, 28, 12, 8, 16
_KEY_PAD_PX = 6


class RowsModel(QAbstractListModel):
    """Attributes:
    rows: the rows shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[PaletteRow, ...] = ()

    def show(self, rows: tuple[PaletteRow, ...]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == ROW:
            return row
        words = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
        return spoken(row) if role in words else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if self.rows[index.row()].entry is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def spoken(row: PaletteRow) -> str:
    """A row's accessible text."""
    entry = row.entry
    if entry is None:
        return row.heading
    return listed((entry.title, aside(row), entry.keys))


def aside(row: PaletteRow) -> str:
    """The text next to the title."""
    entry = row.entry
    return "" if entry is None else entry.refusal or entry.detail


class RowPainter(QStyledItemDelegate):
    """Paints the title with matching letters emphasised, the detail dimmed, the shortcut right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        row: PaletteRow = index.data(ROW)
        return QSize(1, _HEADING_PX if row.entry is None else _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: PaletteRow = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(_ASIDE_PX, 0, -_ASIDE_PX, 0)
        if row.entry is None:
            painter.setFont(theme.ui_font(11))
            painter.setPen(theme.current().colour("faint"))
            below = area.adjusted(_PAD_PX, 0, 0, -4)
            at = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(below, at, row.heading)
        else:
            current = bool(option.state & QStyle.StateFlag.State_Selected)
            if current or option.state & QStyle.StateFlag.State_MouseOver:
                pen = theme.current().colour("accent") if current else Qt.PenStyle.NoPen
                painter.setPen(pen)
                painter.setBrush(theme.current().colour("hover"))
                painter.drawRoundedRect(area.adjusted(0, 1, -1, -1), 6, 6)
            _paint_entry(painter, area.adjusted(_PAD_PX, 0, -_PAD_PX, 0), row)
        painter.restore()


def _paint_entry(painter: QPainter, area: QRect, row: PaletteRow) -> None:
    entry = row.entry
    assert entry is not None, "headings are painted elsewhere"
    if entry.keys:
        painter.setFont(theme.mono_font(11))
        width = QFontMetrics(painter.font()).horizontalAdvance(entry.keys) + 2 * _KEY_PAD_PX
        cap = QRect(area.right() - width, area.center().y() - 9, width, 19)
        painter.setPen(theme.current().colour("border"))
        painter.setBrush(theme.current().colour("window"))
        painter.drawRoundedRect(cap, 4, 4)
        painter.setPen(theme.current().colour("dim"))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, entry.keys)
        area.setRight(cap.left() - _GAP_PX)
    font = theme.ui_font()
    taken = min(QFontMetrics(font).horizontalAdvance(entry.title) + 2, area.width())
    _write(painter, area, row, "faint" if entry.refusal else "text")
    area.setLeft(area.left() + taken + _GAP_PX)
    if area.width() > 2 * _GAP_PX:
        font.setPixelSize(12)
        painter.setFont(font)
        painter.setPen(theme.current().colour("faint"))
        at = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        text = QFontMetrics(font).elidedText(aside(row), Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, at, text)


def _write(painter: QPainter, area: QRect, row: PaletteRow, token: str) -> None:
    """Paint the title on one line, with matching parts in another weight and colour."""
    assert row.entry is not None, "headings have no title"
    font = theme.ui_font()
    metrics = QFontMetrics(font)
    text = metrics.elidedText(row.entry.title, Qt.TextElideMode.ElideRight, area.width())
    layout = QTextLayout(text, font)
    formats = []
    for start, end in row.spans:
        stretch = QTextLayout.FormatRange()
        stretch.start, stretch.length = start, end - start
        look = QTextCharFormat()
        look.setForeground(theme.current().colour("accent"))
        look.setFontWeight(600)
        stretch.format = look
        formats.append(stretch)
    layout.setFormats(formats)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(max(1, area.width()))
    layout.endLayout()
    painter.setPen(theme.current().colour(token))
    top = area.top() + (area.height() - line.height()) / 2
    layout.draw(painter, QPointF(area.left(), top))


class _Field(EscapeField):
    """Keeps the focus while the keys move through the list.

    Signals:
        stepped: move by so many entries.
        chosen: run the current entry.
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
    """Created once per window, and shown over it.

    Attributes:
        field: the query.
        list: the matching entries.
    """

    def __init__(self, parent: QWidget, entries: Callable[[str], Sequence[PaletteEntry]]) -> None:
        """entries: returns everything that can be chosen now, given the query."""
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
        # The style sheet sets the margins of labels.
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
        """Show the palette over the window; if it is open, restart it."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.field.setText(text)
        self._show(text)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_up(self) -> None:
        """Hide the palette and restore the focus."""
        if not self.isVisible():
            return
        before, self._before = self._before, None
        had = self.isAncestorOf(QApplication.focusWidget() or self._over)
        self.hide()
        if had and before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def step(self, count: int) -> None:
        """Move to another entry, wrapping around."""
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
        """Run the current entry, or the clicked one."""
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
        # The focus stays in the field, so this is what a screen reader announces.
        self.field.setAccessibleDescription(spoken(self.model.rows[row]))

    def _place(self) -> None:
        room = self._over.rect()
        wide = min(_WIDE_PX, room.width() - 2 * _SIDE_PX)
        top = round(room.height() * _TOP_SHARE)
        # No taller than the results, so that it covers no more than necessary.
        rows = range(self.model.rowCount())
        found = sum(self.list.sizeHintForRow(at) for at in rows)
        frame = self.field.sizeHint().height() + self._foot.sizeHint().height() + _FRAME_PX
        self.list.setVisible(bool(rows))
        self._rule.setVisible(bool(rows))
        tall = min(_TALL_PX, room.height() - 2 * top, frame + found)
        self.setGeometry((room.width() - wide) // 2, top, wide, tall)

    def _focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Close after a click elsewhere, but not for another window above."""
        if not self.isVisible() or now is None or self.isAncestorOf(now):
            return
        if now.window() is self.window():
            self._before = None
            self.close_up()
