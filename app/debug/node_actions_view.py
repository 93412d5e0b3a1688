"""Buttons for what can be done to a node by hand, and what came of the last one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.widgets import label
from app.words.node_actions import Offer
from app.words.tr import tr

_COLUMNS = 2
_GAP_PX = 6


class NodeActionsView(QWidget):
    """Two columns of buttons, and apart from them the result of the last action.

    Attributes:
        buttons: by the text on them.
        outcome: the result and what it offers, to be placed by whoever has this view.
        result: a sentence about the last action.
        undo: takes it back.

    Signals:
        asked(str): an Action.
        undone: the last action is to be taken back.
        stopped: the action under way is to be stopped.
        warming_wanted: a prompt is to be written and warmed.
    """

    asked = Signal(str)
    undone = Signal()
    stopped = Signal()
    warming_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        self._offers: tuple[Offer, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP_PX)
        self.warm = QPushButton(tr("Warm a prompt…"))
        self.warm.setToolTip(tr("Read messages into the cache before anybody sends them"))
        self.warm.clicked.connect(self.warming_wanted)
        self.reason = label("", "faint", wrap=True)
        self.result = label("", "", wrap=True, selectable=True)
        self.result.setAccessibleName(tr("Result of the last action"))
        self.undo = QPushButton(tr("Undo"))
        self.undo.clicked.connect(self.undone)
        self.stop = QPushButton(tr("Stop"))
        self.stop.setToolTip(tr("Stop computing; what waits is dropped, too"))
        self.stop.clicked.connect(self.stopped)
        self.outcome = QWidget()
        row = QHBoxLayout(self.outcome)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        row.addWidget(self.result, 1)
        row.addWidget(self.stop)
        row.addWidget(self.undo)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addLayout(self._grid)
        column.addWidget(self.warm)
        column.addWidget(self.reason)
        self.show_result("", "", running=False)

    def show_offers(self, offers: Sequence[Offer], barred: str) -> None:
        """Show the actions; `barred`: why none can be done, "" if some can."""
        self.reason.setText(barred)
        self.reason.setVisible(bool(barred))
        self.warm.setEnabled(not barred)
        if tuple(offers) == self._offers:
            return
        self._offers = tuple(offers)
        for at, offer in enumerate(offers):
            button = self._button(at)
            button.setText(offer.text)
            # A disabled button shows its tooltip, too: it says why it is disabled.
            button.setToolTip(offer.hint)
            button.setAccessibleName(offer.text)
            button.setAccessibleDescription(offer.hint)
            button.setEnabled(not offer.refusal)
        self.buttons = {one.text: self._button(at) for at, one in enumerate(offers)}

    def show_result(self, sentence: str, undo: str, *, running: bool) -> None:
        """Show what came of the last action; `undo`: what taking it back does, "" if it cannot."""
        self.result.setText(sentence)
        self.outcome.setVisible(bool(sentence or undo or running))
        self.undo.setVisible(bool(undo))
        self.undo.setToolTip(f"{undo} (Ctrl+Z)")
        self.stop.setVisible(running)

    def _button(self, at: int) -> QPushButton:
        item = self._grid.itemAtPosition(at // _COLUMNS, at % _COLUMNS)
        found = item.widget() if item is not None else None
        if isinstance(found, QPushButton):
            return found
        made = QPushButton()
        made.clicked.connect(lambda: self.asked.emit(self._offers[at].action))
        self._grid.addWidget(made, at // _COLUMNS, at % _COLUMNS)
        # Made after what is below them, they would be last by Tab.
        before = self._grid.itemAt(at - 1) if at else None
        if before is not None and (widget := before.widget()) is not None:
            self.setTabOrder(widget, made)
        self.setTabOrder(made, self.warm)
        return made
