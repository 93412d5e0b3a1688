"""What every tab of the lab is: a body that scrolls, and parts that are painted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from app.export.picture import Legend


class LabTab(QWidget):
    """A tab whose body scrolls where there is no room for all of it.

    Attributes:
        body: the part that scrolls.
        legend: what colours mean that the tab itself does not explain.
    """

    legend: Legend = ()

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

    @property
    def pictured(self) -> QWidget:
        """What a picture of it shows: also what is scrolled out of sight."""
        return self.body.widget() or self

    def settings(self) -> tuple[str, ...]:
        """What is shown, line by line, for a picture."""
        raise NotImplementedError

    def as_table(self) -> Callable[[], str] | None:
        """Makes its figures as CSV; None while it has none."""
        raise NotImplementedError

    def repaint_all(self) -> None:
        """Paint with the colours of another theme."""
        for part in self.findChildren(QWidget):
            part.update()

    def _take_focus(self, _low: int, high: int) -> None:
        """Let the keys scroll where something is out of sight."""
        policy = Qt.FocusPolicy.StrongFocus if high else Qt.FocusPolicy.NoFocus
        self.body.setFocusPolicy(policy)
