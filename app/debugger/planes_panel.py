"""The planes panel: how the device's memory is divided at the moment on screen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.planes_view import PlanesView
from app.core.words.tr import tr
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.widgets import label

# A stretch factor that outweighs the stretch below.
_ALL = 1000
_EMPTY = tr("Open a model or a trace to see what takes the device's memory.")


class PlanesPanel(DebugPanel):
    """The planes bar and its legend.

    Attributes:
        planes, empty: one of them is on screen.
    """

    title = tr("Planes")
    name = "planes"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.planes = PlanesView()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        self.empty = label(_EMPTY, "faint", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self.empty, _ALL)
        column.addWidget(self.planes.total)
        column.addWidget(self.planes)
        column.addStretch(1)

    def show_moment(self) -> None:
        snapshot = self.state.moment.snapshot
        self.empty.setVisible(snapshot is None)
        self.planes.total.setVisible(snapshot is not None)
        self.planes.setVisible(snapshot is not None)
        self.planes.show_snapshot(snapshot)

    def restyle(self) -> None:
        self.planes.restyle()
