"""The bar below the list after a deletion: undo it, or also evict it from the cache."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.session.removal import Removals
from app.core.words.tr import tr
from app.ui.key_hints import KeyTip
from app.ui.widgets import ElidedLabel, FlowRow, IconButton, label

EVICT_HINT = tr(
    "Evict what only this conversation used from memory and from the cache's "
    "files. It can still be restored; its next answer takes longer then."
)
ALWAYS_HINT = tr("From now on, evict deleted conversations from the cache without being asked")
_GAP_PX = 6


class DeletedBar(QFrame):
    """Shown from a deletion until it is undone or dismissed.

    Signals:
        undone: restore the conversation.
        evicted: evict it from the cache.
        always_set: whether to always evict deleted conversations.
        dismissed: close the bar.
    """

    undone = Signal()
    evicted = Signal()
    always_set = Signal(bool)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._title = ElidedLabel("dim")
        self.told = label("", "faint", wrap=True)
        self.undo = _button(tr("Undo"), "")
        KeyTip(self.undo, tr("Restore the conversation"), "restore")
        self.evict = _button(tr("Evict its cache"), EVICT_HINT)
        self.always = _button(tr("Always evict"), ALWAYS_HINT)
        self.always.setAccessibleName(tr("Always evict deleted conversations from the cache"))
        self.always.setProperty("kind", "chip")
        self.always.setCheckable(True)
        self.undo.clicked.connect(lambda: self.undone.emit())
        self.evict.clicked.connect(lambda: self.evicted.emit())
        self.always.clicked.connect(self.always_set)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(IconButton("close", tr("Close"), self.dismissed.emit, size=12))
        self._buttons = FlowRow(_GAP_PX)
        for button in (self.undo, self.evict):
            self._buttons.add(button)
        below = QHBoxLayout()
        below.addWidget(self.always)
        below.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 6, 8)
        column.setSpacing(_GAP_PX)
        column.addLayout(head)
        column.addWidget(self.told)
        column.addWidget(self._buttons)
        column.addLayout(below)
        self.hide()

    def show_removals(self, removals: Removals) -> None:
        """Show the state of the last deletion; hide if there is none."""
        shown = removals.shown
        self.setVisible(shown is not None)
        if shown is None:
            return
        self._title.setText(tr("Deleted “{title}”").format(title=shown.title))
        offered = shown.stage == "offered"
        self.told.setText(_TOLD.get(shown.stage, shown.sentence))
        self.told.setVisible(not offered)
        self.evict.setVisible(offered)
        self.always.setVisible(offered or removals.always)
        self.always.setChecked(removals.always)
        self._buttons.arrange()


_TOLD = {"running": tr("Evicting it from the cache…")}


def _button(text: str, hint: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("kind", "small")
    made.setToolTip(hint)
    return made
