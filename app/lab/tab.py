"""What every tab of the lab is: a body that scrolls, and parts that are painted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


class LabTab(QWidget):
    """A tab whose body scrolls where there is no room for all of it.

    Attributes:
        body: the part that scrolls.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QScrollArea()
        self.body.setObjectName("ringed")
        self.body.setWidgetResizable(True)
        self.body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.verticalScrollBar().rangeChanged.connect(self._take_focus)

    def fill(self, content: QWidget) -> None:
        """Let a widget be what scrolls."""
        self.body.setWidget(content)
        self.body.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    def repaint_all(self) -> None:
        """Paint with the colours of another theme."""
        for part in self.findChildren(QWidget):
            part.update()

    def _take_focus(self, _low: int, high: int) -> None:
        """Let the keys scroll where something is out of sight."""
        policy = Qt.FocusPolicy.StrongFocus if high else Qt.FocusPolicy.NoFocus
        self.body.setFocusPolicy(policy)
