"""What a needle is worth to a query, a row for each layer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.lab.memory_words import cosine, percent
from app.lab.recall_words import KIND_WORDS
from app.theme import Theme
from app.words.tr import tr
from engine.readings import LayerRecall

_ROW_PX, _HEAD_PX = 19, 20
_NAME_PX, _SHARE_PX, _ANSWER_PX, _COSINE_PX = 104, 66, 110, 46
_GAP_PX = 12
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RecallBars(QWidget):
    """Shares from 0 to 100%, with a mark at the even share; for linear layers the cosine, too.

    Attributes:
        layers: in order.
        query: which of their queries is shown.
        even: the share if all tokens had the same.
        chosen: the layer that is looked at, by place.

    Signals:
        picked: another layer is looked at.
    """

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.layers: tuple[LayerRecall, ...] = ()
        self.query = 0
        self.even = 0.0
        self.chosen = 0
        self.setAccessibleName(tr("The needle in each layer"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(460)

    def show_layers(self, layers: tuple[LayerRecall, ...], query: int, even: float) -> None:
        if len(layers) != len(self.layers):
            # Where the needle counts is where one looks first.
            full = [i for i, layer in enumerate(layers) if layer.kind == "full"]
            self.chosen = full[-1] if full else max(0, len(layers) - 1)
        self.layers, self.query, self.even = layers, query, even
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def pick(self, at: int) -> None:
        if self.layers:
            self.chosen = min(max(at, 0), len(self.layers) - 1)
            self.update()
            self.picked.emit()

    def sizeHint(self) -> QSize:
        return QSize(600, _HEAD_PX + _ROW_PX * len(self.layers) + 4)

    def row(self, at: int) -> QRectF:
        return QRectF(4, _HEAD_PX + at * _ROW_PX, self.width() - 8, _ROW_PX)

    def share_bar(self, at: int) -> QRectF:
        """The room for a share, 0 to 100%."""
        row = self.row(at)
        wide = row.width() - _NAME_PX - _SHARE_PX - _ANSWER_PX - _COSINE_PX - 2 * _GAP_PX
        return QRectF(row.left() + _NAME_PX, row.top() + 4, wide, _ROW_PX - 8)

    def answer_bar(self, at: int) -> QRectF:
        """The room for a cosine, 0 to 1."""
        left = self.share_bar(at).right() + _SHARE_PX + 2 * _GAP_PX
        return QRectF(left, self.row(at).top() + 4, _ANSWER_PX, _ROW_PX - 8)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pick(int((event.position().y() - _HEAD_PX) // _ROW_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = {
            Qt.Key.Key_Up: self.chosen - 1,
            Qt.Key.Key_Down: self.chosen + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self.layers) - 1,
        }
        if event.key() in places:
            self.pick(places[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        if self.layers:
            self._paint_heads(painter, look)
        for at, layer in enumerate(self.layers):
            self._paint_row(painter, look, at, layer)
        if self.layers:
            self._paint_even(painter, look)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_heads(self, painter: QPainter, look: Theme) -> None:
        painter.setFont(theme.ui_font(11))
        painter.setPen(look.colour("faint"))
        share, answer = self.share_bar(0), self.answer_bar(0)
        for text, left in (
            (tr("share of what is read, 0 to 100%"), share.left()),
            (tr("own key, 0 to 1"), answer.left()),
        ):
            painter.drawText(QRectF(left, 2, 240, _HEAD_PX - 4), _LEFT, text)

    def _paint_row(self, painter: QPainter, look: Theme, at: int, layer: LayerRecall) -> None:
        row, bar, full = self.row(at), self.share_bar(at), layer.kind == "full"
        if at == self.chosen:
            painter.fillRect(row, look.colour("hover"))
        painter.setFont(theme.mono_font(11))
        painter.setPen(look.colour("text" if full else "dim"))
        painter.drawText(
            row.adjusted(6, 0, 0, 0), _LEFT, f"{layer.layer:>2} {KIND_WORDS[layer.kind]}"
        )
        value = layer.shares[self.query]
        painter.fillRect(bar, look.colour("track"))
        filled = min(max(value, 0.0), 1.0) * bar.width()
        token = "kv_locked" if full else "state_locked"
        painter.fillRect(QRectF(bar.left(), bar.top(), filled, bar.height()), look.colour(token))
        beside = QRectF(bar.right(), row.top(), _SHARE_PX, _ROW_PX)
        painter.drawText(beside, _RIGHT, percent(value))
        if layer.answers:
            self._paint_answer(painter, look, at, layer.answers[self.query])

    def _paint_answer(self, painter: QPainter, look: Theme, at: int, value: float) -> None:
        bar, row = self.answer_bar(at), self.row(at)
        painter.fillRect(bar, look.colour("track"))
        filled = min(max(value, 0.0), 1.0) * bar.width()
        painter.fillRect(
            QRectF(bar.left(), bar.top(), filled, bar.height()), look.colour("state_cached")
        )
        painter.drawText(QRectF(bar.right(), row.top(), _COSINE_PX, _ROW_PX), _RIGHT, cosine(value))

    def _paint_even(self, painter: QPainter, look: Theme) -> None:
        """A line through all rows where the even share is."""
        first, last = self.share_bar(0), self.share_bar(len(self.layers) - 1)
        x = first.left() + min(self.even, 1.0) * first.width()
        painter.setPen(QPen(look.colour("text"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, first.top() - 3), QPointF(x, last.bottom() + 3))
