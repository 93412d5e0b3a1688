"""A row that wraps onto further lines when it is too long."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class FlowRow(QWidget):
    """Items side by side, each at its preferred width, in lines; hidden ones take no room."""

    def __init__(self, gap: int, parent: QWidget | None = None, *, line_gap: int = 4) -> None:
        """gap: pixels between items; line_gap: between lines."""
        super().__init__(parent)
        self._gap = gap
        self._line_gap = line_gap
        self._parts: list[QWidget] = []
        self._added: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, part: QWidget) -> None:
        part.setParent(self)
        part.show()
        self._parts.append(part)
        self._added.append(part)

    def lead(self, part: QWidget) -> None:
        """Have a part come first, on screen and for the Tab key; the others stay in order."""
        self._parts = [part, *(each for each in self._added if each is not part)]
        for before, after in itertools.pairwise(self._parts):
            self.setTabOrder(before, after)
        self.arrange()

    def clear(self) -> None:
        for part in self._parts:
            part.hide()
            part.deleteLater()
        self._parts.clear()
        self._added.clear()

    def arrange(self) -> None:
        """Call after the text of a part has changed."""
        self._place(self.width(), move=True)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = [part for part in self._parts if not part.isHidden()]
        widest = max((part.sizeHint().width() for part in shown), default=0)
        margins = self.contentsMargins()
        return QSize(widest + margins.left() + margins.right(), self._place(self.width(), False))

    def event(self, event: QEvent) -> bool:
        # A part changed its size, as text does when the style sheet is applied to it.
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width(), move=True)

    def _place(self, width: int, move: bool) -> int:
        """Place every part; returns the height used."""
        margins = self.contentsMargins()
        at = QPoint(margins.left(), margins.top())
        line = 0
        for part in self._parts:
            if part.isHidden():
                continue
            size = part.sizeHint()
            if at.x() > margins.left() and at.x() + size.width() > width - margins.right():
                at = QPoint(margins.left(), at.y() + line + self._line_gap)
                line = 0
            if move:
                part.setGeometry(QRect(at, size))
            line = max(line, size.height())
            at.setX(at.x() + size.width() + self._gap)
        return at.y() + line + margins.bottom()
