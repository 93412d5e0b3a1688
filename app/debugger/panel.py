"""A panel of the debugger."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.debugger.state import DebugState


class DebugPanel(QWidget):
    """Shows one aspect of the source and the moment on screen; Desk docks it.

    Subclasses override what concerns them; nothing is called while a panel was never on screen.

    Attributes:
        title: on its tab.
        name: under which its place is remembered.
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
        """Its tab came to the front, or went behind."""
        if on != self.on_screen:
            self.on_screen = on
            self.show_on_screen()

    def show_on_screen(self) -> None:
        """It came on screen, or went: begin or end what costs time."""

    def show_source(self) -> None:
        """There is another source: forget what was shown."""

    def follow(self) -> None:
        """The tape has grown."""

    def show_moment(self) -> None:
        """Another moment, or another snapshot of the newest, is on screen."""

    def show_chosen(self) -> None:
        """Something else is selected."""

    def show_hovered(self) -> None:
        """Something else is under the pointer."""

    def restyle(self) -> None:
        """The theme changed."""
        self.update()
