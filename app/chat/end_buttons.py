"""The ways to the end of a conversation for a reader who is elsewhere in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app import theme
from app.icons import icon
from app.widgets import IconButton
from app.words.tr import tr

_BOTTOM_PX = 12


class EndButtons:
    """Two buttons at the foot of a view, of which at most one is shown.

    Attributes:
        pill: says that there is new text below.
        jump: an arrow, shown far away from the end.
    """

    def __init__(self, view: QWidget, go: Callable[[], object]) -> None:
        """go: called when either is pressed."""
        self._view = view
        self.pill = QPushButton(tr("New text below"), view)
        self.pill.setAccessibleName(tr("Go to the end of the conversation"))
        self.pill.setCursor(Qt.CursorShape.PointingHandCursor)
        self.pill.clicked.connect(go)
        self.pill.hide()
        self.jump = IconButton("arrow_down", tr("Jump to the end"), go, parent=view)
        self.jump.setProperty("kind", "jump")
        self.jump.hide()

    def announce(self) -> None:
        """There is new text below."""
        self.pill.show()
        self.pill.raise_()

    def dismiss(self) -> None:
        """The new text has been seen, or is being gone to."""
        self.pill.hide()

    def offer(self, far: bool) -> None:
        """Show the arrow to a reader far from the end, wherever the pill does not offer a way."""
        self.jump.setVisible(far and not self.pill.isVisible())
        self.jump.raise_()

    def place(self) -> None:
        """Put them in the middle of the view's foot."""
        side = self.jump.sizeHint().height()
        for button, width, height in (
            (self.pill, self.pill.sizeHint().width(), self.pill.sizeHint().height()),
            (self.jump, side, side),
        ):
            left = (self._view.width() - width) // 2
            button.setGeometry(left, self._view.height() - height - _BOTTOM_PX, width, height)

    def restyle(self) -> None:
        self.pill.setIcon(icon("arrow_down", theme.current().colours["dim"]))
