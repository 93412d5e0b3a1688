"""The context menu of a tree node, and the dialogs that its actions open first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QMenu,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.explain import node_title
from app.core.words.node_actions import Offer, checkpoint_bounds, checkpoint_cost, evict_question
from app.core.words.tr import tr
from app.ui.widgets import SpinBox, label
from engine.snapshot import CacheSnapshot, NodeView

_FIELD_PX = 30
_WIDTH_PX = 320


def verifiable(node: NodeView) -> bool:
    """Whether the state can be verified: it and all its KV are on the device."""
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
        warming_wanted: open the dialog that warms a prompt.
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
        """details: whether its details are open; offers: manual actions on it."""
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


class CheckpointDialog(QDialog):
    """Asks for a token position within the node, and shows what it costs.

    Attributes:
        position: the field.
        cost: a sentence.
        store: the button.

    Signals:
        chosen(object): the token position.
    """

    chosen = Signal(object)

    def __init__(
        self, node: NodeView, snapshot: CacheSnapshot, position: int | None, parent: QWidget
    ) -> None:
        """position: the field's initial value; None for the last possible one."""
        super().__init__(parent)
        self.setWindowTitle(tr("Checkpoint here"))
        self._node, self._snapshot = node, snapshot
        first, last = checkpoint_bounds(node)
        self.position = SpinBox()
        self.position.setRange(first, last)
        self.position.setGroupSeparatorShown(True)
        self.position.setMinimumHeight(_FIELD_PX)
        self.position.setAccessibleName(tr("Token position of the checkpoint"))
        self.position.valueChanged.connect(self._show_cost)
        self.cost = label("", "dim", wrap=True)
        self.cost.setMinimumWidth(_WIDTH_PX)
        self.store = QPushButton(tr("Checkpoint"))
        self.store.setProperty("kind", "primary")
        self.store.setDefault(True)
        self.store.clicked.connect(self._choose)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.addRow(tr("After token"), self.position)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.store, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        bounds = tr("{node_title}: from {first} to {last}").format(
            node_title=node_title(node), first=fmt.count(first), last=fmt.count(last)
        )
        column.addWidget(label(bounds, "strong"))
        column.addLayout(form)
        column.addWidget(self.cost)
        column.addWidget(buttons)
        self.position.setValue(last if position is None else min(max(position, first), last))
        self._show_cost()
        self.position.selectAll()

    def _show_cost(self) -> None:
        self.cost.setText(checkpoint_cost(self._node, self._snapshot, self.position.value()))

    def _choose(self) -> None:
        self.chosen.emit(self.position.value())
        self.close()


def ask_first(
    action: str,
    node: NodeView,
    snapshot: CacheSnapshot,
    position: int | None,
    parent: QWidget,
    then: Callable[[int], object],
) -> None:
    """Open the dialog that an action on a node needs; `then` gets the position, 0 for none.

    Args:
        position: of a token under the pointer; None if there is none.
    """
    question = evict_question(node, snapshot) if action == "evict" else ""
    if action == "checkpoint":
        asked = CheckpointDialog(node, snapshot, position, parent)
        asked.chosen.connect(then)
        asked.open()
    elif question:
        box = QMessageBox(parent)
        box.setWindowTitle(tr("Evict"))
        box.setText(tr("Evict {node_title}?").format(node_title=node_title(node)))
        box.setInformativeText(question)
        evict = box.addButton(tr("Evict"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        evict.clicked.connect(lambda: then(0))
        box.open()
    else:
        then(0)
