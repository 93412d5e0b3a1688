"""Where the window and its panes stand: restored from an earlier start, kept for the next."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from app.file_dialog import last_folders
from app.shell.debugger import Debugger
from app.shell.place import Rect, least, place
from app.shell.splitter import PaneSplitter
from app.shell.window_memory import WindowState


class Standing:
    """Moves and asks the window, its splitter and the debugger's desk."""

    def __init__(self, window: QMainWindow, splitter: PaneSplitter, debugger: Debugger) -> None:
        self._window, self._splitter, self._debugger = window, splitter, debugger

    def restore(self, state: WindowState) -> None:
        """Stand as in an earlier start, as far as the screens allow."""
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

    def state(self) -> WindowState:
        """What to remember for the next start."""
        window, debugger = self._window, self._debugger
        return WindowState(
            _rect(window.normalGeometry()),
            window.isMaximized() or window.isFullScreen(),
            self._splitter.panes,
            debugger.on_screen,
            debugger.places,
            dict(last_folders().by_purpose),
        )


def _rect(rect: QRect) -> Rect:
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())
