"""The layout of the window and its panes: restored at startup, saved for the next start."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QSplitterHandle,
    QVBoxLayout,
    QWidget,
)

from app.cache.pane import CachePane
from app.cache.strip import CacheStrip
from app.core.words.tr import tr
from app.debugger.debugger import DebuggerController
from app.lab.controller import LabController
from app.settings.form import unfolded
from app.shell.window_memory import (
    CACHE_LEAST_PX,
    CHAT_LEAST_PX,
    CHATS_LEAST_PX,
    HANDLE_PX,
    STRIP_PX,
    Panes,
    Rect,
    Side,
    Widths,
    WindowState,
    least,
    over_px,
    place,
    settled,
    spread,
)
from app.ui.file_dialog import last_folders
from app.ui.widgets import IconButton, covers


class _Sheet(QFrame):
    """Holds a pane over the chat; Esc in it closes it.

    Signals:
        closed: the user closed it.
    """

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self.pane: QWidget | None = None
        self._close = IconButton("close", tr("Close"), self.closed.emit, shortcut="Esc", size=14)
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 8, 0)
        head.addStretch(1)
        head.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 0, 1, 0)
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self.hide()

    def hold(self, pane: QWidget | None) -> None:
        """Take a pane, and the focus; None lets the one go that it holds."""
        self.pane = pane
        self.setVisible(pane is not None)
        if pane is not None:
            self._column.addWidget(pane, 1)
            self._close.setFocus(Qt.FocusReason.PopupFocusReason)

    def event(self, event: QEvent) -> bool:
        # Esc would otherwise stop a running answer.
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.closed.emit()
                return True
        return super().event(event)


class PaneSplitter(QWidget):
    """Divides the window among the list of conversations, the chat and the cache.

    Attributes:
        panes: the panes that the user wants next to the chat.
        opener: opens the list; for the chat's header, shown while the list is not on screen.
        strip: stands for the cache where that has no room.

    Signals:
        folded: whether the list, and whether the cache, are on screen now.
        left: a pane over the chat was closed in it.
    """

    folded = Signal(bool, bool)
    left = Signal()

    def __init__(self, chats: QWidget, centre: QWidget, cache: QWidget, strip: CacheStrip) -> None:
        super().__init__()
        self.panes = Panes()
        self._sides: dict[Side, QWidget] = {"chats": chats, "cache": cache}
        self._centre, self.strip = centre, strip
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(HANDLE_PX)
        self._splitter.setChildrenCollapsible(False)
        chats.setMinimumWidth(CHATS_LEAST_PX)
        cache.setMinimumWidth(CACHE_LEAST_PX)
        strip.setFixedWidth(STRIP_PX)
        for pane in (chats, centre, cache):
            self._splitter.addWidget(pane)
        self._splitter.splitterMoved.connect(self._keep_widths)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._splitter, 1)
        row.addWidget(strip)
        self._sheet = _Sheet(self)
        self._sheet.closed.connect(self._close_sheet)
        self.opener = IconButton("chats", tr("Conversations"), command="chats")
        self.opener.clicked.connect(lambda: self.request("chats", True))
        strip.wanted.connect(lambda on: self.request("cache", on))
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    def handle(self, index: int) -> QSplitterHandle:
        """The handle to the left of the pane of an index."""
        return self._splitter.handle(index)

    def request(self, side: Side, on: bool) -> None:
        """Show or hide a pane, as the user wants."""
        self.panes = self.panes.requested(side, on)
        self.fold()

    def fold(self) -> None:
        """Divide the window's width; a pane without room beside the chat folds, or is over it."""
        width = self.window().width()
        self.panes = settled(width, self.panes)
        widths, over = spread(width, self.panes), self.panes.over
        beside: dict[Side, int] = {"chats": widths.chats, "cache": widths.cache}
        self._hold(over)
        for side, pane in self._sides.items():
            pane.setVisible(bool(beside[side]) or over == side)
        self.strip.setVisible(bool(widths.strip))
        self.strip.button.setChecked(over == "cache")
        chats, cache = (bool(beside[side]) or over == side for side in ("chats", "cache"))
        self.opener.setHidden(chats)
        self.folded.emit(chats, cache)
        handles = HANDLE_PX * (bool(widths.chats) + bool(widths.cache))
        middle = width - widths.chats - widths.cache - widths.strip - handles
        self._centre.setMinimumWidth(min(CHAT_LEAST_PX, middle))
        sizes = {self._splitter.indexOf(self._sides[side]): width for side, width in beside.items()}
        count = self._splitter.count()
        self._splitter.setSizes([sizes.get(at, middle) for at in range(count)])
        self._lay_sheet()

    def _hold(self, over: Side | None) -> None:
        """Move a pane over the chat, and the one that was there back beside it."""
        wanted, held = None if over is None else self._sides[over], self._sheet.pane
        if held is wanted:
            return
        if held is not None:
            first = held is self._sides["chats"]
            self._splitter.insertWidget(0 if first else self._splitter.count(), held)
        self._sheet.hold(wanted)

    def _lay_sheet(self) -> None:
        if self._sheet.pane is None:
            return
        width = over_px(self.window().width(), self.panes)
        right = self.window().width() - (STRIP_PX if self.strip.isVisibleTo(self) else 0)
        left = 0 if self.panes.over == "chats" else right - width
        self._sheet.setGeometry(left, 0, width, self.height())
        self._sheet.raise_()

    def _close_sheet(self) -> None:
        if self.panes.over is not None:
            self.request(self.panes.over, False)
            self.left.emit()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """A pane over the chat closes once the user goes on behind it; the list, in the chat."""
        over = self.panes.over
        if over is None or new is None or not self._centre.isAncestorOf(new):
            return
        if over == "chats" or covers(self._sheet, new):
            self.request(over, False)

    def _keep_widths(self) -> None:
        shown = {pane: pane.width() for pane in self._sides.values() if pane.isVisible()}
        chats, cache = (shown.get(self._sides[side], 0) for side in ("chats", "cache"))
        self.panes = self.panes.dragged(Widths(chats, cache))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_sheet()


class LayoutController:
    """Restores and saves the layout of the window, its panes and the debugger's desk."""

    def __init__(
        self,
        window: QMainWindow,
        splitter: PaneSplitter,
        cache: CachePane,
        debugger: DebuggerController,
        lab: LabController,
    ) -> None:
        self._window, self._splitter = window, splitter
        self._cache, self._debugger, self._lab = cache, debugger, lab

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
        self._cache.show_figures(state.figures)
        self._debugger.layouts.put(state.desks)
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
            figures=tuple(sorted(self._cache.figures)),
            unfolded=tuple(sorted(unfolded().ids)),
            desks=dict(debugger.layouts.saved),
            story=self._lab.place,
        )


def _rect(rect: QRect) -> Rect:
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())
