"""A minimap of the tree, with a frame around the viewport; dragging it pans the view."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.cache.logic.layout import Layout
from app.cache.logic.tree_model import TreeModel
from app.cache.tree_painter import RULER_PX
from app.core.words.tr import tr
from app.ui import theme

_WIDTH_PX, _HEIGHT_PX = 132, 52
_EDGE_PX = 8
_INSIDE_PX = 4.0
_LEAST_FRAME_PX = 6.0
# Shares of the canvas; below the least size the minimap is hidden.
_SHARE_ACROSS, _SHARE_DOWN = 0.25, 0.2
_LEAST_WIDTH_PX, _LEAST_HEIGHT_PX = 60, 30


class Minimap(QWidget):
    """Shown in a corner of a canvas while some of the tree is not on screen.

    The lower right corner, or the upper one if the tree covers the lower one but not the upper.

    Attributes:
        always: shown even if all of the tree is on screen.

    Signals:
        sought(float, float): the x and the lane of the layout to centre the view on.
    """

    sought = Signal(float, float)

    def __init__(self, canvas: QWidget, model: TreeModel) -> None:
        super().__init__(canvas)
        self.always = False
        self._canvas, self._model = canvas, model
        # In the upper corner.
        self._above = False
        self._dragged = False
        self._still: QPixmap | None = None
        self._key: object = None
        self.setAccessibleName(tr("Overview of the tree"))
        self.setToolTip(tr("The whole tree: drag the frame to move the view"))
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.hide()

    def follow(self) -> None:
        """Update after the canvas changed its content or size."""
        canvas, model = self._canvas, self._model
        width = min(_WIDTH_PX, round(canvas.width() * _SHARE_ACROSS))
        height = min(_HEIGHT_PX, round(canvas.height() * _SHARE_DOWN))
        roomy = width >= _LEAST_WIDTH_PX and height >= _LEAST_HEIGHT_PX
        self.setVisible(roomy and not model.empty and (self.always or not model.all_shown))
        left, low = canvas.width() - width - _EDGE_PX, canvas.height() - height - _EDGE_PX
        if not self._dragged:
            # Cover the tree only if both corners would.
            high = RULER_PX + _EDGE_PX
            here, there = (high, low) if self._above else (low, high)
            covered = [
                model.covers(left, top - RULER_PX, left + width, top - RULER_PX + height)
                for top in (here, there)
            ]
            self._above ^= covered[0] and not covered[1]
        top = RULER_PX + _EDGE_PX if self._above else low
        self.setGeometry(left, top, width, height)
        self.update()

    def frame(self) -> QRectF:
        """The viewport, in pixels of the overview."""
        model, view = self._model, self._model.viewport
        across, down = self._scales()
        left, right = max(view.left, 0.0), min(view.right, model.extent)
        top, bottom = view.top / view.lane_px, (view.top + view.height) / view.lane_px
        bottom = min(bottom, float(model.lanes))
        return QRectF(
            _INSIDE_PX + left * across,
            _INSIDE_PX + top * down,
            max(_LEAST_FRAME_PX, (right - left) * across),
            max(_LEAST_FRAME_PX, (bottom - top) * down),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture(look))
        painter.setPen(QPen(look.colour("accent"), 1.5))
        painter.setBrush(look.colour("accent", 0.12))
        painter.drawRect(self.frame())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged = True
        self._go(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = False
        self.follow()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position())

    def _go(self, point: QPointF) -> None:
        across, down = self._scales()
        x, lane = (point.x() - _INSIDE_PX) / across, (point.y() - _INSIDE_PX) / down
        self.sought.emit(x, lane)

    def _picture(self, look: theme.Theme) -> QPixmap:
        """The tree, painted once for each layout."""
        scale, model = self.devicePixelRatioF(), self._model
        key = (model.made, look.name, scale, model.extent, model.lanes, self.size().toTuple())
        if self._still is not None and self._key == key:
            return self._still
        picture = QPixmap(self.size() * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(look.colour("raised"))
        painter = QPainter(picture)
        made = model.layout
        if made is not None:
            painter.drawImage(0, 0, self._bars(made, look.colour("faint")))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(look.colour("border"))
        painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))
        painter.end()
        self._still, self._key = picture, key
        return picture

    def _bars(self, made: Layout, colour: QColor) -> QImage:
        """All bars at once: thousands cost no more than ten."""
        across, down = self._scales()
        scale, tall = made.scale, round(max(1.0, min(4.0, down * 0.7)))
        rows = np.flatnonzero(scale.right > scale.left)
        width, height = self.width(), self.height()
        left = np.clip((_INSIDE_PX + scale.left[rows] * across).astype(np.int64), 0, width - 1)
        right = np.clip((_INSIDE_PX + scale.right[rows] * across).astype(np.int64), 0, width)
        top = np.clip((_INSIDE_PX + made.lane[rows] * down).astype(np.int64), 0, height - tall)
        # How many bars begin at each pixel, less how many end there; then how many cover it.
        steps = np.bincount(top * (width + 1) + left, minlength=height * (width + 1))
        steps -= np.bincount(
            top * (width + 1) + np.maximum(right, left + 1), minlength=height * (width + 1)
        )
        covered = np.cumsum(steps.reshape(height, width + 1), axis=1)[:, :width] > 0
        for _ in range(tall - 1):
            covered[1:] |= covered[:-1]
        pixels = np.where(covered, colour.rgba(), 0).astype(np.uint32)
        image = QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32)
        # The image does not own the temporary bytes.
        return image.copy()

    def _scales(self) -> tuple[float, float]:
        """Pixels of the overview per unit, and per lane."""
        model = self._model
        across = (self.width() - 2 * _INSIDE_PX) / max(1.0, model.extent)
        return across, min(8.0, (self.height() - 2 * _INSIDE_PX) / max(1, model.lanes))
