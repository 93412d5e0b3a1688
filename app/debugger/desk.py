"""The debugger's desk: the tree in the middle, panels docked around it and remembered there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QToolBar, QWidget

from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState


@dataclass(frozen=True, slots=True)
class DockSide:
    """Panels docked at one side.

    Attributes:
        share: of the desk's width or height, until the user drags the edge.
        least, most: pixels until then.
    """

    area: Qt.DockWidgetArea
    along: Qt.Orientation
    share: float
    least: int
    most: int

    def extent(self, size: QSize) -> int:
        return size.width() if self.along is Qt.Orientation.Horizontal else size.height()

    def room(self, size: QSize, own: float | None) -> int:
        """Pixels of a desk of that size; `own`: the share that the user gave it."""
        if own is not None:
            return round(own * self.extent(size))
        return min(max(round(self.share * self.extent(size)), self.least), self.most)


# Texts beside each other need a width, and a row of tracks or a table some lines.
SIDES = (
    DockSide(Qt.DockWidgetArea.RightDockWidgetArea, Qt.Orientation.Horizontal, 0.25, 300, 640),
    DockSide(Qt.DockWidgetArea.BottomDockWidgetArea, Qt.Orientation.Vertical, 0.46, 200, 720),
)


class DockShares(QObject):
    """Divides the desk anew at each of its sizes; where the user drags an edge, as they did."""

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

    def reset(self) -> None:
        """Divide it as at first."""
        self._own.clear()
        self._learns = False
        self._soon.start()

    def learn(self) -> None:
        """The panels stand as the user had them: keep those shares."""
        self._learns = True
        self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Resize, QEvent.Type.Show):
            self._soon.start()
        elif kind is QEvent.Type.MouseButtonRelease:
            # What the desk itself hears are its edges.
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
        """One of the panels in front there."""
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
# Of the saved places: one with other panels is not restored.
_VERSION = 1
# Of the panels that share a place, the one in front at first.
_FRONT = ("planes", "timeline")


class Dock(QDockWidget):
    """Shows its panel's title, unless a tab with the same words does."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._untitled = QWidget()
        self._untitled.setFixedHeight(0)

    def show_title(self, on: bool) -> None:
        """Show the title or leave it out; Qt draws that of a floating panel."""
        wanted = None if on or self.isFloating() else self._untitled
        if self.titleBarWidget() is not wanted:
            # None, which the stub does not know of, is Qt's own title.
            self.setTitleBarWidget(wanted)  # type: ignore[arg-type]
            self._untitled.setVisible(wanted is not None)


class Desk(QMainWindow):
    """One debugger.

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
            # Without it no tab can be dragged away.
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
            # Qt tells before the other docks are where they will be.
            signal.connect(lambda *_: self._later.start())
        self.panels[panel.name], self.docks[panel.name] = panel, dock
        self.addDockWidget(_AREAS[side], dock)
        if beside:
            self.tabifyDockWidget(self.docks[beside], dock)

    def add_bar(self, bar: QWidget) -> None:
        """Put a bar above everything; it stays there."""
        held = QToolBar(bar.accessibleName(), self)
        held.setObjectName(f"bar-{bar.objectName()}")
        held.setMovable(False)
        held.addWidget(bar)
        # A closed bar could only be brought back by a menu that nobody knows of.
        held.toggleViewAction().setEnabled(False)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, held)

    @property
    def seen(self) -> bool:
        """Whether any of it is on screen; a floating panel stays when the desk goes."""
        return self.isVisible() or any(dock.isVisible() for dock in self.docks.values())

    def settle(self) -> None:
        """All panels are there: this is how they stand at first."""
        for name in _FRONT:
            self.show_panel(name)
        self._first = self.saveState(_VERSION)

    def reset(self) -> None:
        """Put the panels where they stood at first."""
        self.restoreState(self._first, _VERSION)
        self.shares.reset()

    def show_panel(self, name: str) -> bool:
        """Bring a panel to the front; False if there is none of that name."""
        dock = self.docks.get(name)
        if dock is not None:
            dock.show()
            dock.raise_()
        return name in self.panels

    def _settled(self) -> None:
        """The docks are where they will be."""
        for dock in self.docks.values():
            dock.show_title(not dock.isFloating() and not self._tabbed(dock))
        self._hide_strays()

    def _hide_strays(self) -> None:
        """Qt leaves a bar of the first tabs under the tree if it has laid out nothing yet."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self.findChildren(QTabBar, options=direct):
            titles = {bar.tabText(at) for at in range(bar.count())}
            if not any(titles == self._beside(dock) for dock in self.docks.values()):
                bar.hide()

    def _beside(self, dock: Dock) -> set[str]:
        """The titles of the panels that share a row of tabs with one, its own among them."""
        shown = (other for other in self.tabifiedDockWidgets(dock) if not other.isHidden())
        return {dock.windowTitle(), *(other.windowTitle() for other in shown)}

    def _tabbed(self, dock: Dock) -> bool:
        return any(not other.isHidden() for other in self.tabifiedDockWidgets(dock))

    def restyle(self) -> None:
        for panel in self.panels.values():
            panel.restyle()

    def saved(self) -> str:
        """The places of all panels, as text."""
        return bytes(self.saveState(_VERSION).data()).hex()

    def restore(self, places: str) -> None:
        """Put the panels where they were; what cannot be understood changes nothing."""
        try:
            restored = self.restoreState(QByteArray(bytes.fromhex(places)), _VERSION)
        except ValueError:
            return
        if restored:
            self.shares.learn()
