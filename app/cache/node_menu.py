"""What can be done with a node of the tree, as a menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from engine.snapshot import NodeView


def verifiable(node: NodeView) -> bool:
    """Only a state that lies on the device, with all the KV under it, can be compared."""
    point = node.checkpoint
    return point is not None and node.tier == point.tier == "device"


class NodeMenu(QMenu):
    """The menu of one node; gone once it is closed.

    Signals:
        opened: its details are wanted.
        closed: they are not any more.
        copied: its text is wanted on the clipboard.
        verified: its checkpoint is to be compared with a cold run.
    """

    opened = Signal()
    closed = Signal()
    copied = Signal()
    verified = Signal()

    def __init__(self, node: NodeView, *, details: bool, parent: QWidget) -> None:
        """details: they are open."""
        super().__init__(parent)
        if details:
            self.addAction("Close details", self.closed.emit)
        else:
            self.addAction("Show details", self.opened.emit)
        self.addAction("Copy text", self.copied.emit)
        self.addAction("Verify checkpoint", self.verified.emit).setEnabled(verifiable(node))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
