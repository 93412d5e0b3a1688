"""The tree of cached prefixes at the moment on screen."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.debug.panel import DebugPanel
from app.debug.state import DebugState


class TreePanel(DebugPanel):
    """The middle of the desk.

    Attributes:
        canvas: draws the tree.
    """

    title = "Tree"
    name = "tree"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.canvas = TreeCanvas()
        self.canvas.chosen.connect(state.choose_node)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.canvas)

    def show_source(self) -> None:
        self.canvas.show_snapshot(None)

    def show_moment(self) -> None:
        self.canvas.show_snapshot(self.state.moment.snapshot)
        source = self.state.source
        if source is not None:
            self.canvas.show_chats(source.title, source.current)

    def show_chosen(self) -> None:
        self.canvas.reveal(self.state.chosen.node)
