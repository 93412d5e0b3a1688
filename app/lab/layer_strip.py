"""The strip of layers: which is linear, which full, and one of them chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import theme
from app.words.tr import tr
from engine.cache_shape import LayerKind

_PAD_PX, _GAP_PX = 5, 3
_LEAST_PX, _MOST_PX = 12, 48
_CELL_PX, _ROW_PX = 30, 48
_WORDS = {
    "full": tr("Layer {found}: full attention"),
    "linear": tr("Layer {found}: linear attention"),
}


class LayerStrip(QWidget):
    """One cell a layer: tall for full attention, short for linear. Many wrap into rows.

    Attributes:
        kinds: of the layers, in order.
        chosen: the layer that is looked at.

    Signals:
        picked: another layer is looked at.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kinds: tuple[LayerKind, ...] = ()
        self.chosen = 0
        self.setAccessibleName(tr("Layers"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_kinds(self, kinds: tuple[LayerKind, ...]) -> None:
        if kinds != self.kinds:
            self.kinds = kinds
            self.chosen = min(self.chosen, len(kinds) - 1)
            self.updateGeometry()
            self.update()

    def pick(self, index: int) -> None:
        """Look at a layer; beyond the ends, at the last one there."""
        index = min(max(index, 0), len(self.kinds) - 1)
        if index != self.chosen and index >= 0:
            self.chosen = index
            self.update()
            self.picked.emit(index)

    def columns(self, width: int) -> int:
        """How many cells stand in a row of that width."""
        return max(1, min(len(self.kinds), (width - 2 * _PAD_PX) // (_LEAST_PX + _GAP_PX)))

    def cell(self, index: int) -> QRectF:
        """The place of a layer, its number below it included."""
        columns = self.columns(self.width())
        row, column = divmod(index, columns)
        step = min(_MOST_PX + _GAP_PX, (self.width() - 2 * _PAD_PX) / columns)
        return QRectF(_PAD_PX + column * step, _PAD_PX + row * _ROW_PX, step - _GAP_PX, _ROW_PX)

    def layer_at(self, x: float, y: float) -> int | None:
        for index in range(len(self.kinds)):
            if self.cell(index).adjusted(0, 0, _GAP_PX, 0).contains(x, y):
                return index
        return None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = -(-len(self.kinds) // self.columns(width)) if self.kinds else 1
        return rows * _ROW_PX + 2 * _PAD_PX

    def sizeHint(self) -> QSize:
        return QSize(520, self.heightForWidth(max(1, self.width())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.layer_at(event.position().x(), event.position().y())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.pick(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, columns = event.key(), self.columns(self.width())
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns if columns < len(self.kinds) else -1,
            Qt.Key.Key_Down: columns if columns < len(self.kinds) else 1,
            Qt.Key.Key_Home: -len(self.kinds),
            Qt.Key.Key_End: len(self.kinds),
        }
        if key in steps:
            self.pick(self.chosen + steps[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.layer_at(event.pos().x(), event.pos().y())
            words = "" if found is None else _WORDS[self.kinds[found]].format(found=found)
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.mono_font(10))
        for index, kind in enumerate(self.kinds):
            self._paint_cell(painter, index, kind)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_cell(self, painter: QPainter, index: int, kind: LayerKind) -> None:
        look, place = theme.current(), self.cell(index)
        full = kind == "full"
        height = _CELL_PX if full else _CELL_PX * 0.55
        box = QRectF(place.left(), place.top() + _CELL_PX - height, place.width(), height)
        chosen = index == self.chosen
        painter.setPen(QPen(look.colour("text"), 2) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("kv_cached" if full else "state_cached"))
        painter.drawRoundedRect(box, 3, 3)
        if full or chosen:
            painter.setPen(look.colour("text" if chosen else "faint"))
            below = QRectF(place.center().x() - 20, place.top() + _CELL_PX + 1, 40, 14)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(index))
