"""The arrows under a message with siblings: ‹ 2/3 ›."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.core.session.fork import Fork
from app.core.words.explain import is_warm, step_tooltip, wait_text
from app.core.words.tr import tr
from app.ui.widgets import IconButton, label
from engine.reuse import ReusePlan

# The widest common wait.
_WIDEST = "00.0 s"
_ROUNDING_PX = 2
# Masks all of a widget. It keeps its place, the focus that Tab gives it, and its accessible name.
NOTHING = QRegion(-1, -1, 1, 1)
_BEFORE, _AFTER = tr("Previous version"), tr("Next version")


class ForkArrows(QWidget):
    """Steps through the siblings of a message; hidden if it has none.

    Next to each arrow is the expected wait for the first token there; the arrow has the colour of
    reused or of computed tokens. While it is quiet, neither shows.

    Signals:
        stepped: -1 or +1.
    """

    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = IconButton("left", _BEFORE, lambda: self.stepped.emit(-1), size=14)
        self._after = IconButton("right", _AFTER, lambda: self.stepped.emit(+1), size=14)
        self._count = label("", "figures")
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waits = label("", "figures"), label("", "figures")
        self._fork: Fork | None = None
        self._brief, self._quiet = False, True
        self._keep_room(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        for part in (self._waits[0], self._before, self._count, self._after, self._waits[1]):
            row.addWidget(part, alignment=Qt.AlignmentFlag.AlignVCenter)
        self._mask_waits()
        self.hide()

    def set_quiet(self, on: bool) -> None:
        """Show only which version it is."""
        if on != self._quiet:
            self._quiet = on
            self._mask_waits()
            self.show_fork(self._fork)

    def set_brief(self, on: bool) -> None:
        """Hide the waits, which the tooltips repeat."""
        if on != self._brief:
            self._brief = on
            self._keep_room(not on)
            self.show_fork(self._fork)

    def show_fork(self, fork: Fork | None) -> None:
        self._fork = fork
        self.setVisible(fork is not None)
        if fork is None:
            return
        self._count.setText(f"{fork.at}/{fork.count}")
        self._count.setAccessibleName(
            tr("Version {at} of {count}").format(at=fork.at, count=fork.count)
        )
        room = self._waits[1].fontMetrics().horizontalAdvance(_WIDEST) + _ROUNDING_PX
        self._waits[1].setMinimumWidth(room)
        self._before.setEnabled(fork.at > 1)
        self._after.setEnabled(fork.at < fork.count)
        self._show_step(self._before, self._waits[0], _BEFORE, fork.before)
        self._show_step(self._after, self._waits[1], _AFTER, fork.after)
        if self._brief:
            for wait in self._waits:
                wait.hide()

    def _keep_room(self, on: bool) -> None:
        """Reserve space for the second wait, so that no arrow moves away from the pointer."""
        policy = self._waits[1].sizePolicy()
        policy.setRetainSizeWhenHidden(on)
        self._waits[1].setSizePolicy(policy)

    def focus_step(self, step: int) -> None:
        """Focus the arrow of a step, or the other one if it is disabled."""
        wanted, other = (self._before, self._after) if step < 0 else (self._after, self._before)
        (wanted if wanted.isEnabled() else other).setFocus()

    def _mask_waits(self) -> None:
        """Take the waits out of sight, without giving their places away."""
        for wait in self._waits:
            if self._quiet:
                wait.setMask(NOTHING)
            else:
                wait.clearMask()

    def _show_step(
        self, arrow: IconButton, wait: QLabel, name: str, plan: ReusePlan | None
    ) -> None:
        arrow.setToolTip(step_tooltip(name, plan))
        if plan is None or self._quiet:
            arrow.token = "dim"
        else:
            arrow.token = "reused" if is_warm(plan) else "computed"
        arrow.retint()
        wait.setText(wait_text(plan))
        wait.setVisible(plan is not None)
