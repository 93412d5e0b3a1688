"""The context menu of a node of the tree."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.words.node_actions import Offer
from app.words.tr import tr
from engine.snapshot import NodeView


def verifiable(node: NodeView) -> bool:
    """Only a state on the device, with all its KV there too, can be compared."""
    point = node.checkpoint
    return point is not None and node.tier == point.state.tier == "device"


class NodeMenu(QMenu):
    """The menu of one node; deleted when it closes.

    Signals:
        opened: show its details.
        told: go to its message in the chat.
        closed: close its details.
        copied: copy its text to the clipboard.
        linked: copy a link to it.
        verified: compare its checkpoint with a cold run.
        acted(str): do this Action.
        warming_wanted: warm a prompt that is yet to be written.
    """

    opened = Signal()
    told = Signal()
    closed = Signal()
    copied = Signal()
    linked = Signal()
    verified = Signal()
    acted = Signal(str)
    warming_wanted = Signal()

    def __init__(
        self,
        node: NodeView,
        *,
        details: bool,
        parent: QWidget,
        offers: Sequence[Offer] = (),
    ) -> None:
        """details: whether its details are open; offers: what can be done to it by hand."""
        super().__init__(parent)
        # A disabled entry says why it is disabled.
        self.setToolTipsVisible(True)
        if details:
            self.addAction(tr("Close details"), self.closed.emit)
        else:
            self.addAction(tr("Show details"), self.opened.emit)
        self.addAction(tr("Show in chat"), self.told.emit).setEnabled(bool(node.owners))
        self.addAction(tr("Copy text"), self.copied.emit)
        self.addAction(tr("Copy link"), self.linked.emit)
        self.addAction(tr("Verify checkpoint"), self.verified.emit).setEnabled(verifiable(node))
        self.addSeparator()
        for offer in offers:
            action = self.addAction(offer.text)
            action.setToolTip(offer.hint)
            action.setEnabled(not offer.refusal)
            action.triggered.connect(lambda _on=False, one=offer: self.acted.emit(one.action))
        self.addSeparator()
        self.addAction(tr("Warm a prompt…"), self.warming_wanted.emit)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
