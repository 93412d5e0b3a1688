"""How the device's memory is divided at the moment on screen."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.planes_view import PlanesView
from app.debug.panel import DebugPanel
from app.debug.state import DebugState
from app.words.tr import tr


class PlanesPanel(DebugPanel):
    """The planes bar and its legend."""

    title = tr("Planes")
    name = "planes"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.planes = PlanesView()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.planes.total)
        column.addWidget(self.planes)
        column.addStretch(1)

    def show_moment(self) -> None:
        self.planes.show_snapshot(self.state.moment.snapshot)

    def restyle(self) -> None:
        self.planes.restyle()
