"""The context menu of a node of the tree."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from engine.snapshot import NodeView


def verifiable(node: NodeView) -> bool:
    """Only a state on the device, with all its KV there too, can be compared."""
    point = node.checkpoint
    return point is not None and node.tier == point.state.tier == "device"


class NodeMenu(QMenu):
    """The menu of one node; deleted when it closes.

    Signals:
        opened: show its details.
        closed: close its details.
        copied: copy its text to the clipboard.
        verified: compare its checkpoint with a cold run.
    """

    opened = Signal()
    closed = Signal()
    copied = Signal()
    verified = Signal()

    def __init__(self, node: NodeView, *, details: bool, parent: QWidget) -> None:
        """details: whether its details are open."""
        super().__init__(parent)
        if details:
            self.addAction("Close details", self.closed.emit)
        else:
            self.addAction("Show details", self.opened.emit)
        self.addAction("Copy text", self.copied.emit)
        self.addAction("Verify checkpoint", self.verified.emit).setEnabled(verifiable(node))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
