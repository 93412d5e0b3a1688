"""The base class of the debugger's panels."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.debugger.state import DebugState


class DebugPanel(QWidget):
    """Shows one aspect of the source and the moment on screen; Desk docks it.

    Subclasses override what concerns them; nothing is called before a panel is first on screen.

    Attributes:
        title: on its tab.
        name: the key under which its place is saved.
        on_screen: its tab is in front; Qt counts a panel behind another tab as visible.
    """

    title = ""
    name = ""

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.on_screen = False
        self.setObjectName(self.name)
        self.setAccessibleName(self.title)
        state.source_changed.connect(self.show_source)
        state.grown.connect(self.follow)
        state.moved.connect(self.show_moment)
        state.chosen_changed.connect(self.show_chosen)
        state.hovered_changed.connect(self.show_hovered)

    def set_on_screen(self, on: bool) -> None:
        """Set whether its tab is in front."""
        if on != self.on_screen:
            self.on_screen = on
            self.show_on_screen()

    def show_on_screen(self) -> None:
        """Start or stop expensive work, after `on_screen` changed."""

    def show_source(self) -> None:
        """Reset for another source."""

    def follow(self) -> None:
        """Update after the tape has grown."""

    def show_moment(self) -> None:
        """Update for another moment, or another snapshot of the newest one."""

    def show_chosen(self) -> None:
        """Update for another selection."""

    def show_hovered(self) -> None:
        """Update for another hovered item."""

    def restyle(self) -> None:
        """Update for another theme."""
        self.update()
