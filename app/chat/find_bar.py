"""The bar over a conversation in which a text is looked up."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.chat.hits import count_text
from app.escape_field import EscapeField
from app.widgets import IconButton, add_middle, label, set_state
from app.words.tr import tr

_COUNT_PX = 84
_MOST_PX = 760


class _Field(EscapeField):
    """The field.

    Signals:
        stepped: Enter (True) or Shift+Enter (False).
    """

    stepped = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """A field, the count of hits, and buttons for the one before and the next.

    Attributes:
        field: where the text is written.
        count: "3 of 12".

    Signals:
        changed: the text to find.
        stepped: go to the next hit (True) or the one before (False).
        closed: the bar is to close.
    """

    changed = Signal(str)
    stepped = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field()
        self.field.setPlaceholderText(tr("Find"))
        self.field.setAccessibleName(tr("Find in conversation"))
        self.field.setClearButtonEnabled(False)
        self.field.textChanged.connect(self.changed)
        self.field.stepped.connect(self.stepped)
        self.field.left.connect(self.closed)
        self.count = label("", "figures")
        self.count.setMinimumWidth(_COUNT_PX)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.before = IconButton(
            "up", tr("Previous match"), lambda: self.stepped.emit(False), shortcut="Shift+Enter"
        )
        self.after = IconButton(
            "down", tr("Next match"), lambda: self.stepped.emit(True), shortcut="Enter"
        )
        close = IconButton("close", tr("Close"), self.closed.emit, shortcut="Esc")
        bar = QFrame()
        bar.setObjectName("findBar")
        bar.setMaximumWidth(_MOST_PX)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 0, 24, 8)
        add_middle(outer, bar)
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 5, 6, 5)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        row.addSpacing(4)
        for button in (self.before, self.after, close):
            row.addWidget(button)

    def show_count(self, at: int, total: int) -> None:
        """`at`: the hit one stands on, from 0."""
        wanted = self.field.text()
        self.count.setText(count_text(at, total, wanted))
        set_state(self.count, "kind", "figuresDanger" if wanted and not total else "figures")
        for button in (self.before, self.after):
            button.setEnabled(total > 0)
