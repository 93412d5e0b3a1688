"""The debugger's desk: the tree in the middle, and dockable panels whose layout is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QToolBar, QWidget

from app.debugger.logic.layouts import DEFAULT, BuiltIn
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState


@dataclass(frozen=True, slots=True)
class DockSide:
    """Panels docked at one side.

    Attributes:
        share: default share of the desk's width or height, until the user drags the edge.
        least, most: limits of the default, in pixels.
    """

    area: Qt.DockWidgetArea
    along: Qt.Orientation
    share: float
    least: int
    most: int

    def extent(self, size: QSize) -> int:
        return size.width() if self.along is Qt.Orientation.Horizontal else size.height()

    def room(self, size: QSize, own: float | None) -> int:
        """Its pixels in a desk of that size; `own`: the share set by the user."""
        if own is not None:
            return round(own * self.extent(size))
        return min(max(round(self.share * self.extent(size)), self.least), self.most)


# Text panels need a minimum width, tracks and tables a minimum height.
SIDES = (
    DockSide(Qt.DockWidgetArea.RightDockWidgetArea, Qt.Orientation.Horizontal, 0.25, 300, 640),
    DockSide(Qt.DockWidgetArea.BottomDockWidgetArea, Qt.Orientation.Vertical, 0.46, 200, 720),
)


class DockShares(QObject):
    """Divides the desk after each resize, keeping shares that the user set by dragging an edge."""

    def __init__(self, desk: QMainWindow, docks: Callable[[], list[QDockWidget]]) -> None:
        super().__init__(desk)
        self._desk, self._docks = desk, docks
        self._own: dict[Qt.DockWidgetArea, float] = {}
        self._learns = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._divide)
        desk.installEventFilter(self)

    def reset(self, bottom: float | None = None) -> None:
        """Restore the default shares; `bottom`: another one below."""
        self._own = {} if bottom is None else {Qt.DockWidgetArea.BottomDockWidgetArea: bottom}
        self._learns = False
        self._soon.start()

    def learn(self) -> None:
        """Adopt the current shares as the user's."""
        self._learns = True
        self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Resize, QEvent.Type.Show):
            self._soon.start()
        elif kind is QEvent.Type.MouseButtonRelease:
            # The desk itself gets mouse events only on the edges.
            self.learn()
        return super().eventFilter(watched, event)

    def _divide(self) -> None:
        if not self._desk.isVisible():
            return
        size, learns, self._learns = self._desk.size(), self._learns, False
        for side in SIDES:
            docked = self._docked(side.area)
            if docked is None:
                continue
            now = side.extent(docked.size())
            wanted = side.room(size, self._own.get(side.area))
            if learns and now != wanted:
                self._own[side.area] = now / max(1, side.extent(size))
            elif not learns:
                self._desk.resizeDocks([docked], [wanted], side.along)

    def _docked(self, area: Qt.DockWidgetArea) -> QDockWidget | None:
        """The panel in front in an area."""
        return next(
            (
                dock
                for dock in self._docks()
                if self._desk.dockWidgetArea(dock) == area
                and not dock.isFloating()
                and dock.isVisible()
                and not dock.visibleRegion().isEmpty()
            ),
            None,
        )


Side = Literal["right", "bottom"]

_AREAS = {
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
# Version of the saved layout; one with other panels is not restored.
_VERSION = 1


class Dock(QDockWidget):
    """Shows its panel's title, unless a tab shows it."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._untitled = QWidget()
        self._untitled.setFixedHeight(0)

    def show_title(self, on: bool) -> None:
        """Show or hide the title; for a floating panel Qt draws it."""
        wanted = None if on or self.isFloating() else self._untitled
        if self.titleBarWidget() is not wanted:
            # None, which the stub lacks, is Qt's own title bar.
            self.setTitleBarWidget(wanted)  # type: ignore[arg-type]
            self._untitled.setVisible(wanted is not None)


class Desk(QMainWindow):
    """The debugger's main widget.

    Attributes:
        state: shared by all panels.
        panels: by name.
        docks: by the name of their panel.
        shares: how it is divided.
    """

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # A child of the main window, not a window of its own.
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("desk")
        self.setDockOptions(
            QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.AnimatedDocks
            # Without it, tabs cannot be dragged out.
            | QMainWindow.DockOption.GroupedDragging
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.state = state
        self.panels: dict[str, DebugPanel] = {}
        self.docks: dict[str, Dock] = {}
        self.shares = DockShares(self, lambda: list(self.docks.values()))
        self._first = QByteArray()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._settled)

    def set_centre(self, panel: DebugPanel) -> None:
        self.panels[panel.name] = panel
        self.setCentralWidget(panel)

    def add(self, panel: DebugPanel, side: Side, *, beside: str = "") -> None:
        """Dock a panel; `beside`: as a tab of that panel's dock."""
        dock = Dock(panel.title, self)
        dock.setObjectName(f"dock-{panel.name}")
        dock.setWidget(panel)
        dock.visibilityChanged.connect(panel.set_on_screen)
        for signal in (dock.dockLocationChanged, dock.topLevelChanged, dock.visibilityChanged):
            # Qt emits these before the other docks are placed.
            signal.connect(lambda *_: self._later.start())
        self.panels[panel.name], self.docks[panel.name] = panel, dock
        self.addDockWidget(_AREAS[side], dock)
        if beside:
            self.tabifyDockWidget(self.docks[beside], dock)

    def add_bar(self, bar: QWidget) -> None:
        """Add a fixed bar at the top."""
        held = QToolBar(bar.accessibleName(), self)
        held.setObjectName(f"bar-{bar.objectName()}")
        held.setMovable(False)
        held.addWidget(bar)
        # A closed bar could only be reopened from a hidden context menu.
        held.toggleViewAction().setEnabled(False)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, held)

    @property
    def seen(self) -> bool:
        """Whether any of it is on screen; floating panels stay when the desk is hidden."""
        return self.isVisible() or any(dock.isVisible() for dock in self.docks.values())

    def settle(self) -> None:
        """Record the default layout, after all panels were added."""
        for name in DEFAULT.front:
            self.show_panel(name)
        self._first = self.saveState(_VERSION)

    def arrange(self, layout: BuiltIn) -> None:
        """Restore the default layout, or another that comes with the program."""
        self.restoreState(self._first, _VERSION)
        for name in layout.front:
            self.show_panel(name)
        self.shares.reset(layout.bottom)

    def show_panel(self, name: str) -> bool:
        """Bring a panel to the front; False if no panel has that name."""
        dock = self.docks.get(name)
        if dock is not None:
            dock.show()
            dock.raise_()
        return name in self.panels

    def _settled(self) -> None:
        """Update the titles after Qt has placed the docks."""
        for dock in self.docks.values():
            dock.show_title(not dock.isFloating() and not self._tabbed(dock))
        self._hide_strays()

    def _hide_strays(self) -> None:
        """Hide a tab bar that Qt leaves under the tree if nothing was laid out before."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self.findChildren(QTabBar, options=direct):
            titles = {bar.tabText(at) for at in range(bar.count())}
            if not any(titles == self._tab_group(dock) for dock in self.docks.values()):
                bar.hide()

    def _tab_group(self, dock: Dock) -> set[str]:
        """The titles of a panel's tab group, including its own."""
        shown = (other for other in self.tabifiedDockWidgets(dock) if not other.isHidden())
        return {dock.windowTitle(), *(other.windowTitle() for other in shown)}

    def _tabbed(self, dock: Dock) -> bool:
        return any(not other.isHidden() for other in self.tabifiedDockWidgets(dock))

    def restyle(self) -> None:
        for panel in self.panels.values():
            panel.restyle()

    def saved(self) -> str:
        """The layout of all panels, as text."""
        return bytes(self.saveState(_VERSION).data()).hex()

    def restore(self, places: str) -> None:
        """Restore a saved layout; an invalid one is ignored."""
        try:
            restored = self.restoreState(QByteArray(bytes.fromhex(places)), _VERSION)
        except ValueError:
            return
        if restored:
            self.shares.learn()
