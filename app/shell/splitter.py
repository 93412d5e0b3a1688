"""The window's panes side by side: the user's wishes, and what there is room for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.shell.folding import (
    CACHE_LEAST_PX,
    CHATS_LEAST_PX,
    Panes,
    Side,
    Widths,
    settled,
    spread,
)

# Folding decides the panes' widths; dragging a handle must not make the middle unusable.
_CENTRE_LEAST_PX = 240


class PaneSplitter(QSplitter):
    """The list of conversations, the conversation and the cache.

    Attributes:
        panes: the panes that the user wants beside the conversation.

    Signals:
        folded: whether the list, and whether the cache, are on screen now.
    """

    folded = Signal(bool, bool)

    def __init__(self, chats: QWidget, centre: QWidget, cache: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.panes = Panes()
        self._chats, self._cache = chats, cache
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        least = (chats, CHATS_LEAST_PX), (centre, _CENTRE_LEAST_PX), (cache, CACHE_LEAST_PX)
        for pane, least_px in least:
            pane.setMinimumWidth(least_px)
            self.addWidget(pane)
        self.splitterMoved.connect(self._keep_widths)

    def request(self, side: Side, on: bool) -> None:
        """The user wants a pane, or no longer."""
        self.panes = self.panes.requested(side, on)
        self.fold()

    def fold(self) -> None:
        """Divide the window's width; a pane without room folds away until there is room again."""
        width = self.window().width()
        self.panes = settled(width, self.panes)
        widths = spread(width, self.panes)
        chats, cache = bool(widths.chats), bool(widths.cache)
        self._chats.setVisible(chats)
        self._cache.setVisible(cache)
        self.folded.emit(chats, cache)
        handles = self.handleWidth() * (chats + cache)
        middle = width - widths.chats - widths.cache - handles
        self.setSizes([widths.chats, middle, widths.cache])

    def _keep_widths(self) -> None:
        chats, _, cache = self.sizes()
        self.panes = self.panes.dragged(Widths(chats, cache))
