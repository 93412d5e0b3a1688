"""The layout of the window and its panes: restored at startup, saved for the next start."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from app.debugger.debugger import DebuggerController
from app.lab.controller import LabController
from app.shell.window_memory import (
    CACHE_LEAST_PX,
    CHATS_LEAST_PX,
    Panes,
    Rect,
    Side,
    Widths,
    WindowState,
    least,
    place,
    settled,
    spread,
)
from app.ui.file_dialog import last_folders

# Folding determines the panes' widths; dragging a handle must not make the middle unusable.
_CENTRE_LEAST_PX = 240


class PaneSplitter(QSplitter):
    """Splits the window into the list of conversations, the chat and the cache.

    Attributes:
        panes: the panes that the user wants next to the chat.

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
        """Show or hide a pane, as the user wants."""
        self.panes = self.panes.requested(side, on)
        self.fold()

    def fold(self) -> None:
        """Divide the window's width; a pane that does not fit folds until there is room again."""
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


class LayoutController:
    """Restores and saves the geometry of the window, its splitter and the debugger's desk, and how
    far the lab's story was told.
    """

    def __init__(
        self,
        window: QMainWindow,
        splitter: PaneSplitter,
        debugger: DebuggerController,
        lab: LabController,
    ) -> None:
        self._window, self._splitter, self._debugger = window, splitter, debugger
        self._lab = lab

    def restore(self, state: WindowState) -> None:
        """Restore the layout of an earlier start, as far as the screens allow."""
        window = self._window
        first = QGuiApplication.primaryScreen()
        others = [screen for screen in QGuiApplication.screens() if screen is not first]
        screens = [_rect(screen.availableGeometry()) for screen in (first, *others)]
        rect = place(screens, state.rect)
        window.setMinimumSize(*least(min(screens, key=lambda screen: screen.area)))
        window.setGeometry(rect.x, rect.y, rect.width, rect.height)
        if state.maximised:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
        self._splitter.panes = state.panes
        self._splitter.fold()
        self._debugger.stand(state.desk)
        self._debugger.show(state.debugger)
        self._lab.place = state.story

    def state(self) -> WindowState:
        """The layout to save for the next start."""
        window, debugger = self._window, self._debugger
        return WindowState(
            _rect(window.normalGeometry()),
            window.isMaximized() or window.isFullScreen(),
            self._splitter.panes,
            debugger.on_screen,
            debugger.places,
            dict(last_folders().by_purpose),
            self._lab.place,
        )


def _rect(rect: QRect) -> Rect:
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())
