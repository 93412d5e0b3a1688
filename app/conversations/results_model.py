"""Search results as a Qt model: a row per conversation and per matching message."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.core.session.search import FoundConversation, FoundMessage, Marked
from app.core.words.format import short_day
from app.core.words.tr import tr
from app.ui import theme

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
_ASIDE_PX, _PAD_PX, _INDENT_PX, _GAP_PX = 8, 8, 8, 6
_TITLE_PX, _TEXT_PX, _DAY_PX = 13, 12, 11
_ABOVE_TITLE_PX, _BELOW_PX = 8, 5
_GAP = "…"
_LINES = 2
_MARK_ALPHA = 0.24


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A conversation, or one of its messages below it.

    Attributes:
        message: None for the conversation itself.
        day: its day, as text.
    """

    conversation: FoundConversation
    message: FoundMessage | None
    day: str

    @property
    def chosen(self) -> bool:
        """Whether the keys select it; not for a title that only groups messages."""
        return self.message is not None or self.conversation.titled

    @property
    def key(self) -> tuple[int, int | None]:
        return self.conversation.id, None if self.message is None else self.message.id


class ResultsModel(QAbstractListModel):
    """The rows of a search (role ROW: a `ResultRow`)."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ResultRow] = []

    def show(self, found: Iterable[FoundConversation], today: date) -> None:
        """Replace the rows, unless they are unchanged."""
        rows: list[ResultRow] = []
        for one in found:
            rows.append(ResultRow(one, None, day_text(one.updated, today)))
            rows += (ResultRow(one, m, day_text(m.created, today)) for m in one.messages)
        if rows == self.rows:
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        text = (row.message.snippet if row.message is not None else row.conversation.title).text
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return text
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            what = tr("message") if row.message is not None else tr("conversation")
            return tr("{what}, {day}: {text}").format(what=what, day=row.day, text=text)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        selectable = self.rows[index.row()].chosen
        enabled = Qt.ItemFlag.ItemIsEnabled
        return enabled | Qt.ItemFlag.ItemIsSelectable if selectable else enabled


def day_text(when: float, today: date) -> str:
    """The local day or time, as short as possible: "14:05", "3 May", "3 May 2025"."""
    try:
        moment = datetime.fromtimestamp(when)
    except (ValueError, OverflowError, OSError):
        return ""
    if moment.date() == today:
        return f"{moment:%H:%M}"
    return short_day(moment.date(), today)


class ResultPainter(QStyledItemDelegate):
    """Paints `ResultRow`s; matching words differ in weight and background, not only in colour."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: ResultRow = index.data(ROW)
        if row.message is None:
            line = theme.line_px(theme.ui_font(_TITLE_PX), row.conversation.title.text)
            return QSize(1, _ABOVE_TITLE_PX + line + _BELOW_PX)
        line = theme.line_px(theme.ui_font(_TEXT_PX), row.message.snippet.text)
        return QSize(1, _LINES * line + 2 * _BELOW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ResultRow = index.data(ROW)
        area = QRect(option.rect).adjusted(_ASIDE_PX, 1, -_ASIDE_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        current = bool(state & QStyle.StateFlag.State_Selected)
        if current or (row.chosen and state & QStyle.StateFlag.State_MouseOver):
            painter.setPen(theme.current().colour("accent") if current else Qt.PenStyle.NoPen)
            painter.setBrush(theme.current().colour("hover"))
            painter.drawRoundedRect(area, 6, 6)
        area.adjust(_PAD_PX, 0, -_PAD_PX, 0)
        if row.message is None:
            area.adjust(0, _ABOVE_TITLE_PX - 3, 0, 0)
            width = _day(painter, area, row.day)
            area.adjust(0, 0, -width - _GAP_PX, 0)
            _write(painter, area, row.conversation.title, _TITLE_PX, "text", 1)
        else:
            area.adjust(_INDENT_PX, _BELOW_PX - 1, 0, 0)
            _write(painter, area, row.message.snippet, _TEXT_PX, "dim", _LINES)
        painter.restore()


def _day(painter: QPainter, area: QRect, day: str) -> int:
    """Paint a day at the right; returns its width."""
    painter.setFont(theme.ui_font(_DAY_PX))
    painter.setPen(theme.current().colour("faint"))
    painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, day)
    return painter.fontMetrics().horizontalAdvance(day)


def _write(
    painter: QPainter, area: QRect, text: Marked, px: int, token: str, most_lines: int
) -> None:
    """Paint a text in at most so many lines, the last one elided."""
    font = theme.ui_font(px)
    painter.setPen(theme.current().colour(token))
    shown = fitted(text, QFontMetricsF(_bold(font)), area.width(), most_lines)
    layout = _laid_out(shown.text, font, shown.spans, area.width())
    top = QPointF(area.topLeft())
    for number in range(min(layout.lineCount(), most_lines)):
        layout.lineAt(number).draw(painter, top)


def fitted(text: Marked, metrics: QFontMetricsF, width: int, lines: int) -> Marked:
    """Shorten a text to so many lines, keeping its first mark if there is one.

    Words before that mark are dropped first, then the end is cut.
    """
    room = float(width * lines)
    # Wrapping leaves some of each line empty.
    room -= (lines - 1) * 0.15 * width
    begin = 0
    needed = text.spans[0][1] if text.spans else 0
    while needed and metrics.horizontalAdvance(_from(text.text[:needed], begin)) > room:
        space = text.text.find(" ", begin, text.spans[0][0])
        if space < 0:
            break
        begin = space + 1
    moved = len(_GAP) - begin if begin else 0
    whole = _from(text.text, begin)
    short = metrics.elidedText(whole, Qt.TextElideMode.ElideRight, room)
    # The ellipsis is never marked.
    end = len(short) - (short != whole)
    spans = ((start + moved, min(stop + moved, end)) for start, stop in text.spans)
    return Marked(short, tuple((start, stop) for start, stop in spans if start < stop))


def _from(text: str, begin: int) -> str:
    return _GAP + text[begin:] if begin else text


def _laid_out(text: str, font: QFont, spans: Iterable[tuple[int, int]], width: int) -> QTextLayout:
    layout = QTextLayout(text, font)
    wrapping = QTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(wrapping)
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.DemiBold)
    look.setForeground(theme.current().colour("text"))
    look.setBackground(theme.current().colour("accent", _MARK_ALPHA))
    layout.setFormats([_range(text, start, end, look) for start, end in spans])
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def _range(text: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # Qt counts UTF-16 units.
    made.start = _units(text[:start])
    made.length = _units(text[start:end])
    made.format = look
    return made


def _units(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def _bold(font: QFont) -> QFont:
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made
