"""The audits: what was found about each checkpoint, and buttons to look again."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.event_chips import Kinds
from app.cache.event_lines import EventLines, small_button
from app.cache.event_rows import EventRow
from app.cache.event_view import EventView
from app.debug.audit_book import AuditBook
from app.debug.audit_rows import SHEET, audit_rows, can_verify, sums_text, wanted_audits
from app.debug.panel import DebugPanel
from app.debug.state import DebugState
from app.widgets import ElidedLabel
from app.words import format as fmt
from app.words.tr import tr
from engine.commands import StopVerify, VerifyNode
from engine.snapshot import NodeView
from engine.trace.tape import Tape

# Each audit is a cold run; so many at once are enough to wait for.
MOST_AT_ONCE = 100
_PORTION_S = 0.004
_SHOW_MS = 250
_SHOW = (tr("Show in tree"), tr("Choose its node (Enter)"))
_KINDS: Kinds = {
    "quarantined": (tr("Quarantined"), tr("Found wrong, and never used again")),
    "drifted": (
        tr("Drifted"),
        tr("Further off than rounding explains, but with the same next token"),
    ),
    "unclear": (tr("Unclear"), tr("Within what rounding can cause, too far to be sure")),
    "verified": (tr("Verified"), tr("As near to a cold run as its kind can be")),
    "unaudited": (tr("Not audited"), tr("Nobody has looked at it yet")),
}


class AuditPanel(DebugPanel):
    """A table of checkpoints with their verdicts.

    Attributes:
        lines: the table, its filter and its sums.
        said: counts and progress.
        verify, verify_all, stop: the buttons.
    """

    title = tr("Audits")
    name = "audits"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.view = EventView(SHEET)
        self.view.setAccessibleName(tr("Checkpoints"))
        self.view.open_words = _SHOW[0]
        self.lines = EventLines(self.view, "checkpoint", _KINDS, _SHOW, summed=True)
        self.said = ElidedLabel("strong")
        self.lines.head.insertWidget(0, self.said, 6)
        self.verify = small_button(
            tr("Verify this node now"),
            tr("Run its tokens cold and compare, as soon as nothing runs"),
        )
        self.verify_all = small_button(
            tr("Verify all resumed from"),
            tr("Audit every checkpoint that a request resumed from and nobody has audited"),
        )
        self.stop = small_button(tr("Stop"), tr("Stop verifying (Esc)"))
        for button in (self.verify, self.verify_all, self.stop):
            self.lines.foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.lines)
        self._book: AuditBook | None = None
        self._rows: list[EventRow] = []
        self._asked = 0
        self._wanted: list[int] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        self.view.chosen.connect(self._choose)
        self.view.opened.connect(self._choose)
        self.verify.clicked.connect(self._verify)
        self.verify_all.clicked.connect(self._verify_all)
        self.stop.clicked.connect(lambda: state.asked.emit(StopVerify()))
        self._enable()

    def show_source(self) -> None:
        tape = self._tape()
        self._book = None if tape is None else AuditBook(tape)
        self._asked = 0
        self._show_soon()

    def show_moment(self) -> None:
        self._show_soon()

    def follow(self) -> None:
        self._show_soon()

    def show_on_screen(self) -> None:
        if self.on_screen:
            self._timer.start(0)
        else:
            self._timer.stop()

    def show_chosen(self) -> None:
        """Select the line of the chosen node."""
        node, current = self.state.chosen.node, self.view.current
        if node is not None and (current is None or current.number != node):
            self.view.show_number(node)
        self._enable()

    def _tape(self) -> Tape | None:
        return None if self.state.source is None else self.state.source.tape

    def _show_soon(self) -> None:
        if self.on_screen and not self._timer.isActive():
            self._timer.start(_SHOW_MS)

    def _show(self) -> None:
        if self._book is not None and not self._book.follow(_PORTION_S):
            self._timer.start(0)
            return
        snapshot = self.state.moment.snapshot
        rows = [] if snapshot is None else audit_rows(snapshot, self._book)
        self._wanted = [] if snapshot is None else wanted_audits(snapshot)
        if rows != self._rows:
            self._rows = rows
            self.view.show_rows(rows)
        self.lines.show_sums()
        running = 0 if self.state.source is None else len(self.state.source.verifying)
        self._asked = max(self._asked, running) if running else 0
        said = sums_text(rows, len(self._wanted), running, self._asked)
        self.said.setText(said, said.split(" · ")[0])
        self._enable()

    def _enable(self) -> None:
        live = self.state.live
        running = bool(self.state.source is not None and self.state.source.verifying)
        self.verify.setEnabled(live and can_verify(self._current()))
        self.verify_all.setEnabled(live and bool(self._wanted) and not running)
        self.stop.setEnabled(running)

    def _current(self) -> NodeView | None:
        row = self.view.current
        return row.entry if row is not None and isinstance(row.entry, NodeView) else None

    def _choose(self, row: EventRow) -> None:
        self.state.choose_node(row.number)
        self.lines.note.setText(row.sentence)
        self._enable()

    def _verify(self) -> None:
        node = self._current()
        if node is not None:
            self._asked += 1
            self.state.asked.emit(VerifyNode(node.id))
            self._show_soon()

    def _verify_all(self) -> None:
        wanted = self._wanted[:MOST_AT_ONCE]
        self._asked = len(wanted)
        for node in wanted:
            self.state.asked.emit(VerifyNode(node))
        left = len(self._wanted) - len(wanted)
        if left:
            told = tr("The {wanted} used last are verified first").format(
                wanted=fmt.count(len(wanted))
            )
            self.lines.note.setText(
                tr("{told}; {left} more remain.").format(told=told, left=fmt.count(left))
            )
        self._show_soon()
