"""Sections of the cache pane: their heads, and the height that each needs."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.ui import theme
from app.ui.icons import icon
from app.ui.widgets import label

GAP_PX = 8
_ARROW_PX, _ARROW_GAP_PX, _AROUND_PX = 12, 4, 3


class SectionHead(QAbstractButton):
    """A plain line that says what a section shows; pressed, it shows the section's figures.

    It shows the longest of its wordings that fits, and an arrow while it is of use.
    """

    def __init__(self, *wordings: str, parent: QWidget | None = None) -> None:
        """wordings: longest first."""
        super().__init__(parent)
        self._wordings = wordings
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.say(*wordings)

    def say(self, *wordings: str) -> None:
        self._wordings = wordings
        self.setText(wordings[0])
        self.setAccessibleName(wordings[0])
        self.update()

    @property
    def shown(self) -> str:
        """The visible text: the first wording that fits, else the last one elided."""
        metrics, room = self.fontMetrics(), self.width() - _ARROW_PX - _ARROW_GAP_PX
        fitting = (text for text in self._wordings if metrics.horizontalAdvance(text) <= room)
        last = self._wordings[-1]
        return next(fitting, "") or metrics.elidedText(last, Qt.TextElideMode.ElideRight, room)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme.line_px(self.font(), *self._wordings) + 2 * _AROUND_PX)

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self._wordings[0])
        height = self.minimumSizeHint().height()
        return QSize(wide + _ARROW_GAP_PX + _ARROW_PX, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        lit = self.underMouse() or self.hasFocus()
        painter.setPen(look.colour("text" if lit else "dim"))
        text = self.shown
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, text)
        if lit or self.isChecked():
            left = self.fontMetrics().horizontalAdvance(text) + _ARROW_GAP_PX
            spot = QRectF(left, (self.height() - _ARROW_PX) / 2, _ARROW_PX, _ARROW_PX).toRect()
            arrow = icon("up" if self.isChecked() else "down", look.colours["faint"], _ARROW_PX)
            arrow.paint(painter, spot)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ring = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(ring, 4, 4)
        painter.end()


def head(*parts: QWidget) -> QWidget:
    """A row; the first part takes the width that is left."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GAP_PX)
    for number, part in enumerate(parts):
        row.addWidget(part, int(number == 0))
    return made


def titled_section(title: str, body: QWidget) -> QWidget:
    """A section without figures to open."""
    return section(head(label(title, "section")), body)


def section(*parts: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP_PX)
    for part in parts:
        column.addWidget(part)
    return made


def needs(part: QWidget, width: int, *, changed: bool = False) -> int:
    """The minimum height of a part at a width, visible or not.

    changed: something inside has been shown or hidden since the last event.
    """
    layout = part.layout()
    if layout is not None:
        if changed or not part.isVisible():
            # Qt passes that on only with the next event, and not while the part is hidden.
            for inside in part.findChildren(QLayout):
                inside.invalidate()
            for widget in part.findChildren(QWidget):
                widget.updateGeometry()
        layout.invalidate()
        if layout.hasHeightForWidth():
            # A layout gives wrapping widgets no less than this.
            return layout.heightForWidth(width)
        return layout.minimumSize().height()
    return (
        part.heightForWidth(width) if part.hasHeightForWidth() else part.minimumSizeHint().height()
    )
