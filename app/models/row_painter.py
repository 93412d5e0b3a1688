"""Paints a row of the list: a heading, or a model with what is known of it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import theme
from app.models.list_model import ROW, Index
from app.models.rows import Row

_HEADING_PX, _ROW_PX = 34, 48
_ASIDE_PX, _PAD_PX, _DOT_PX, _BAR_PX = 8, 10, 8, 3
_NAME_PX, _LINE_PX, _HEAD_PX = 13, 12, 11
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RowPainter(QStyledItemDelegate):
    """Draws `Row`s."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW)
        return QSize(1, _HEADING_PX if row.entry is None else _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        area = QRect(option.rect).adjusted(_ASIDE_PX, 1, -_ASIDE_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.entry is None:
            _write(painter, area.adjusted(_PAD_PX, 10, 0, 0), row.title, "faint", _HEAD_PX, True)
        else:
            self._paint_model(painter, area, row, option.state)
        painter.restore()

    def _paint_model(
        self, painter: QPainter, area: QRect, row: Row, state: QStyle.StateFlag
    ) -> None:
        colours = theme.current()
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focused = chosen and bool(state & QStyle.StateFlag.State_HasFocus)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(colours.colour("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour("hover"))
            painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        inner = area.adjusted(_PAD_PX, 6, -_PAD_PX, -6)
        if row.mark:
            dot = QRectF(inner.right() - _DOT_PX, inner.top() + 5, _DOT_PX, _DOT_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour(row.mark))
            painter.drawEllipse(dot)
        top = QRect(inner.left(), inner.top(), inner.width() - _DOT_PX - 6, 18)
        _write(painter, top, row.title, "text", _NAME_PX, row.is_open or chosen)
        below = QRect(inner.left(), inner.top() + 18, inner.width(), 17)
        _write(painter, below, row.line, "dim", _LINE_PX, False)
        if row.share is not None:
            track = QRectF(inner.left(), area.bottom() - _BAR_PX - 1, inner.width(), _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour("track"))
            painter.drawRoundedRect(track, 1.5, 1.5)
            track.setWidth(track.width() * min(max(row.share, 0.0), 1.0))
            painter.setBrush(colours.colour("accent"))
            painter.drawRoundedRect(track, 1.5, 1.5)


def _write(painter: QPainter, area: QRect, text: str, token: str, px: int, bold: bool) -> None:
    font = theme.ui_font(px)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(theme.current().colour(token))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, _LEFT, shown)
