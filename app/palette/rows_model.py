"""The rows of the palette as a list model, and how one is painted."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.palette.entries import Row
from app.words.joining import listed

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_ROW_PX, _HEADING_PX, _PAD_PX, _ASIDE_PX, _GAP_PX = 32, 28, 12, 8, 16
_KEY_PAD_PX = 6


class RowsModel(QAbstractListModel):
    """Attributes:
    rows: what is shown.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: tuple[Row, ...]) -> None:
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


def spoken(row: Row) -> str:
    """A row in words, for those who hear it."""
    entry = row.entry
    if entry is None:
        return row.heading
    return listed((entry.title, aside(row), entry.keys))


def aside(row: Row) -> str:
    """What stands beside the title."""
    entry = row.entry
    return "" if entry is None else entry.refusal or entry.detail


class RowPainter(QStyledItemDelegate):
    """A title with the letters that match, what belongs to it dimly, its shortcut at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        row: Row = index.data(ROW)
        return QSize(1, _HEADING_PX if row.entry is None else _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: Row = index.data(ROW)
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


def _paint_entry(painter: QPainter, area: QRect, row: Row) -> None:
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


def _write(painter: QPainter, area: QRect, row: Row, token: str) -> None:
    """The title on one line; what matches stands out by weight and colour."""
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
