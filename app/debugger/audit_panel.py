"""The audits panel: the verdict on each checkpoint, and buttons that verify more."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.cache.event_lines import EventLines, Kinds, small_button
from app.cache.logic.event_rows import quoted
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.filter import Field
from app.ui.table import Table
from app.ui.table_rows import Column, Sheet, TableRow
from app.ui.widgets import ElidedLabel
from engine.cache.journal.changes import Stamped
from engine.commands import StopVerify, VerifyNode
from engine.journal.tape import Tape
from engine.snapshot import TIERS, CacheSnapshot, CheckpointView, NodeView
from engine.verdict import Verdict

# At most this many audits per click, since each is a cold run.
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
# The table lists only the most recently used checkpoints.
MOST_ROWS = 2000
BY_WORDS = {"asked": tr("asked"), "idle": tr("while idle"), "copied": tr("with a copy")}
AskedBy = Literal["asked", "idle", "copied"]
_STRIDE = 1024


class AuditTally:
    """Counts the audits of a tape, incrementally.

    Attributes:
        counts: audits by verdict, copies not counted.
    """

    def __init__(self, tape: Tape) -> None:
        self.counts: Counter[str] = Counter()
        self._tape, self._at = tape, 0
        self._by: dict[tuple[str, int, float], AskedBy] = {}

    def follow(self, budget_s: float) -> bool:
        """Continue for at most this long; returns whether the end is reached."""
        tape, ends = self._tape, time.perf_counter() + budget_s
        self._at = max(self._at, tape.first)
        while self._at < len(tape) and time.perf_counter() < ends:
            for at in range(self._at, min(self._at + _STRIDE, len(tape))):
                entry = tape.entry(at)
                if isinstance(entry.what, Stamped):
                    self._note(entry.tier, entry.time, entry.what)
            self._at = min(self._at + _STRIDE, len(tape))
        return self._at >= len(tape)

    def asked_by(self, node: int, when: float) -> AskedBy | None:
        """Who requested the verdict on a device node at that time; None if the tape lacks it."""
        return self._by.get(("device", node, when))

    def _note(self, tier: str, when: float, stamped: Stamped) -> None:
        by: AskedBy = "copied" if stamped.inherited else "idle" if stamped.background else "asked"
        self._by[tier, stamped.node, when] = by
        self.counts[stamped.status] += not stamped.inherited


@dataclass(frozen=True, slots=True)
class AuditLine:
    """The subject of a line: a checkpoint.

    Attributes:
        now: the moment on screen, in seconds of the engine's clock.
        by: who requested the verdict.
    """

    node: NodeView
    point: CheckpointView
    now: float
    by: AskedBy | None

    @property
    def verdict(self) -> Verdict | None:
        return self.point.state.verdict

    @property
    def kind(self) -> str:
        return "unaudited" if self.verdict is None else self.verdict.status

    def figure(self, of: Callable[[Verdict], float]) -> float:
        """A figure of the verdict; -1 if it was never audited."""
        return -1.0 if self.verdict is None else of(self.verdict)


def audit_rows(snapshot: CacheSnapshot, tally: AuditTally | None) -> list[TableRow]:
    """A line for each of the last MOST_ROWS checkpoints used, by ascending node."""
    held = [
        (node, node.checkpoint)
        for node in snapshot.nodes
        if node.checkpoint is not None and node.checkpoint.state.tier != "disk"
    ]
    latest = sorted(held, key=lambda pair: -pair[1].last_used)[:MOST_ROWS]
    latest.sort(key=lambda pair: pair[0].id)
    return [_row(node, point, snapshot.time, tally) for node, point in latest]


def wanted_audits(snapshot: CacheSnapshot) -> list[int]:
    """Device checkpoints that were resumed from but never audited, most recently used first."""
    found = [
        (node.checkpoint.last_used, node.id)
        for node in snapshot.nodes
        if can_verify(node)
        and node.checkpoint is not None
        and node.checkpoint.hits
        and node.checkpoint.state.verdict is None
    ]
    return [number for _, number in sorted(found, reverse=True)]


def can_verify(node: NodeView | None) -> bool:
    """Whether the engine can audit a node: its KV and checkpoint are on the device."""
    return (
        node is not None
        and node.checkpoint is not None
        and node.tier == "device"
        and node.checkpoint.state.tier == "device"
    )


def sums_text(rows: Iterable[TableRow], wanted: int, running: int, asked: int) -> str:
    """One line on what was verified and what is left."""
    kinds = [row.kind for row in rows]
    if not kinds:
        return tr("There is no checkpoint.")
    audited = sum(kind != "unaudited" for kind in kinds)
    text = tr("{audited} of {checkpoints} audited").format(
        audited=fmt.count(audited), checkpoints=fmt.plural(len(kinds), "checkpoint")
    )
    wrong = kinds.count("quarantined")
    if wrong:
        text += tr(", {wrong} quarantined").format(wrong=fmt.count(wrong))
    if running:
        return tr("{text} · verifying {asked} of {asked2}").format(
            text=text, asked=asked - running + 1, asked2=asked
        )
    return (
        tr("{text} · {wanted} resumed from and not audited").format(
            text=text, wanted=fmt.count(wanted)
        )
        if wanted
        else text
    )


def _row(node: NodeView, point: CheckpointView, now: float, tally: AuditTally | None) -> TableRow:
    verdict = point.state.verdict
    by = None if verdict is None or tally is None else tally.asked_by(node.id, verdict.time)
    line = AuditLine(node, point, now, by)
    return SHEET.line(node.id, line, line.kind)


def _sentence(line: AuditLine) -> str:
    node, point, verdict = line.node, line.point, line.verdict
    where = tr("The state at token {position} of node {id}").format(
        position=fmt.count(point.state.position), id=node.id
    )
    if verdict is None:
        used = fmt.plural(point.hits, "request") if point.hits else tr("no request")
        return tr("{where} was never audited; {used} resumed from it.").format(
            where=where, used=used
        )
    meaning = {
        "verified": tr("is as near to a cold run as its kind can be"),
        "unclear": tr("differs no more than rounding can explain, but too far to tell"),
        "drifted": tr("differs more than rounding explains, but gives the same next token"),
        "quarantined": tr("was found wrong and is never used again"),
    }[verdict.status]
    return tr("{where} {meaning}.").format(where=where, meaning=meaning)


def _tone(line: AuditLine) -> str:
    return {"quarantined": "danger", "drifted": "danger", "verified": "good"}.get(line.kind, "text")


def _measured(
    title: str, of: Callable[[Verdict], float], usual: str, hint: str
) -> Column[AuditLine]:
    return Column(
        title,
        lambda line: "" if line.verdict is None else f"{of(line.verdict):.1e}",
        lambda line: line.figure(of),
        hint=hint,
        figures="right",
        usual=usual,
    )


SHEET: Sheet[AuditLine] = Sheet(
    (
        Column(
            tr("Audited"),
            lambda line: (
                tr("never")
                if line.verdict is None
                else fmt.age(max(line.now - line.verdict.time, 0.0))
            ),
            lambda line: line.figure(lambda verdict: verdict.time),
            hint=tr("How long before the moment on screen it was audited"),
            usual="88 min ago",
        ),
        Column(
            tr("Node"),
            lambda line: str(line.node.id) if line.node.tier == "device" else "",
            lambda line: line.node.id,
            hint=tr(
                "The node at whose end it is, by its number on the device; "
                "nodes of other tiers have none"
            ),
            figures="right",
            # Nodes of the host's tree have large numbers.
            usual="888888888888",
        ),
        Column(
            tr("Token"),
            lambda line: fmt.count(line.point.state.position),
            lambda line: line.point.state.position,
            hint=tr("The state is the one after so many tokens"),
            figures="right",
            usual="888,888",
        ),
        Column(
            tr("Tier"),
            lambda line: said(line.point.state.tier),
            lambda line: TIERS.index(line.point.state.tier),
            hint=tr("The nearest tier that has it"),
            usual="device",
        ),
        Column(
            tr("Written by"),
            lambda line: said(line.point.state.provenance),
            lambda line: line.point.state.provenance,
            hint=tr("How it was computed"),
            usual=tr("Written by"),
            term=lambda line: line.point.state.provenance,
        ),
        Column(
            tr("Verdict"),
            lambda line: "" if line.verdict is None else said(line.verdict.status),
            hint=tr("What an audit found; empty if none has looked at it"),
            usual="quarantined",
            tone=_tone,
            term=lambda line: "audit" if line.verdict is None else line.verdict.status,
        ),
        _measured(
            tr("Difference"),
            lambda verdict: verdict.largest,
            tr("Difference"),
            tr(
                "The largest relative difference from a cold run, "
                "in a state, a key, a value or a logit"
            ),
        ),
        _measured(
            "KL",
            lambda verdict: verdict.kl,
            "8.8e-08",
            tr("Divergence of the next token's distribution from that of a cold run, in nats"),
        ),
        Column(
            tr("Audit"),
            lambda line: BY_WORDS.get(line.by or "", ""),
            hint=tr("Asked for, or done while the engine was idle"),
            usual="with a copy",
        ),
        Column(
            tr("Used"),
            lambda line: fmt.count(line.point.hits),
            lambda line: line.point.hits,
            hint=tr("How often a request resumed from it"),
            figures="right",
            usual=tr("Used 8"),
        ),
        Column(
            tr("Text"),
            lambda line: quoted(line.node.text),
            lambda line: line.node.text.casefold(),
            hint=tr("How the node begins"),
            tone=lambda _: "text",
        ),
    ),
    _sentence,
    lambda line: f"{_sentence(line)}\n{quoted(line.node.text)}".strip(),
    tone="dim",
    spare=(8, 4, 7, 6),
    fields=(
        Field("verdict", "text", lambda line: line.kind, tr("What an audit found, or unaudited")),
        Field(
            "node",
            "count",
            lambda line: line.node.id if line.node.tier == "device" else None,
            tr("The node at whose end it is, by its number on the device"),
        ),
        Field(
            "token",
            "count",
            lambda line: line.point.state.position,
            tr("The state is the one after so many tokens"),
        ),
        Field(
            "tier",
            "text",
            lambda line: said(line.point.state.tier),
            tr("The nearest tier that has it"),
        ),
        Field(
            "used", "count", lambda line: line.point.hits, tr("How often a request resumed from it")
        ),
        Field(
            "audited",
            "seconds",
            lambda line: None if line.verdict is None else line.now - line.verdict.time,
            tr("How long before the moment on screen it was audited"),
        ),
        Field("text", "text", lambda line: line.node.text, tr("How the node begins")),
    ),
)


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
        self.view = Table(SHEET, tr("Checkpoints"), _SHOW[0])
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
        self._tally: AuditTally | None = None
        self._cells: list[tuple[str, ...]] = []
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
        self._tally = None if tape is None else AuditTally(tape)
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
        """Select the line of the selected node."""
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
        if self._tally is not None and not self._tally.follow(_PORTION_S):
            self._timer.start(0)
            return
        snapshot = self.state.moment.snapshot
        rows = [] if snapshot is None else audit_rows(snapshot, self._tally)
        self._wanted = [] if snapshot is None else wanted_audits(snapshot)
        cells = [row.cells for row in rows]
        if cells != self._cells:
            self._cells = cells
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
        return None if row is None else row.subject.node

    def _choose(self, row: TableRow) -> None:
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
            first = tr("The {wanted} used last are verified first").format(
                wanted=fmt.count(len(wanted))
            )
            self.lines.note.setText(
                tr("{told}; {left} more remain.").format(told=first, left=fmt.count(left))
            )
        self._show_soon()
