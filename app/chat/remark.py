"""A sentence under an answer that leads further."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.core.words.tr import tr
from app.ui.widgets import IconButton, label

_GAP_PX = 8
_SIDE_PX, _EDGE_PX = 10, 4


class Remark(QFrame):
    """A sentence with a link next to it, or below it if both do not fit on one line.

    Attributes:
        words: the sentence.
        link: leads further.

    Signals:
        followed: the link was pressed.
        dismissed: the note was closed.
    """

    followed = Signal()
    dismissed = Signal()

    def __init__(self, link: str, parent: QWidget, *, note: bool = False) -> None:
        """link: its text; note: framed, with a button that closes it."""
        super().__init__(parent)
        self.words = label("", "faint", selectable=True)
        self.words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.link = QPushButton(link)
        self.link.setProperty("kind", "link")
        self.link.clicked.connect(self.followed)
        self._ends = QWidget()
        ends = QHBoxLayout(self._ends)
        ends.setContentsMargins(0, 0, 0, 0)
        ends.setSpacing(_GAP_PX)
        parts: list[QWidget] = [self.link]
        if note:
            parts.append(IconButton("close", tr("Close"), self.dismissed.emit, size=12))
        for part in parts:
            # Of one height, so that Tab goes from left to right.
            part.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            ends.addWidget(part)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setSpacing(_GAP_PX)
        self._box.setContentsMargins(0, 0, 0, 0)
        if note:
            self.setObjectName("advice")
            self._box.setContentsMargins(_SIDE_PX, _EDGE_PX, _EDGE_PX, _EDGE_PX)
        self._box.addWidget(self.words)
        self._box.addWidget(self._ends, alignment=Qt.AlignmentFlag.AlignLeft)

    def say(self, text: str) -> None:
        """Set the sentence; call `fit` afterwards."""
        self.words.setText(text)
        self.setAccessibleName(text)

    def fit(self, width: int) -> None:
        """Arrange for a width."""
        self.words.setWordWrap(False)
        margins = self._box.contentsMargins()
        sides = margins.left() + margins.right() + _GAP_PX
        needed = self.words.sizeHint().width() + self._ends.sizeHint().width() + sides
        beside, way = needed <= width, QBoxLayout.Direction
        self.words.setWordWrap(not beside)
        across = QSizePolicy.Policy.Maximum if beside else QSizePolicy.Policy.Preferred
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)
        self._box.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._box.activate()
