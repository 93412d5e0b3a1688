"""The engines panel: what is known of each remote engine, and which ones have a prefix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import listed, sentence
from app.core.words.tr import tr
from app.debugger.panel import DebugPanel
from app.debugger.remote.logic.source import RemoteSource
from app.debugger.remote.logic.words import (
    blank_sentence,
    gap_sentence,
    late_sentence,
    untold_sentence,
)
from app.debugger.state import DebugState
from app.ui.table import Table
from app.ui.table_rows import Column, Sheet
from app.ui.widgets import label
from engine.net.kv_events.fleet import Facts
from engine.net.kv_events.match import finding_sentence

_SAY_MS = 1000
_FINDINGS = 4
_LINE = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True, slots=True)
class EngineLine:
    """An engine; `holds`: tokens of the selected prefix that it has, None without a selection."""

    facts: Facts
    holds: int | None


def _count(title: str, of: Callable[[Facts], int], empty: bool = False) -> Column[EngineLine]:
    """`empty`: 0 is shown as a blank."""
    return Column(
        title,
        lambda one: "" if empty and not of(one.facts) else fmt.count(of(one.facts)),
        lambda one: of(one.facts),
        figures="right",
    )


ENGINES: Sheet[EngineLine] = Sheet(
    (
        Column(tr("Engine"), lambda one: one.facts.label),
        Column(
            tr("Chosen prefix"),
            lambda one: "" if one.holds is None else fmt.plural(one.holds, "token"),
            lambda one: -1.0 if one.holds is None else one.holds,
            figures="right",
        ),
        _count(tr("Blocks"), lambda one: one.blocks),
        _count(tr("Tokens a block"), lambda one: one.block_size, empty=True),
        _count(tr("In doubt"), lambda one: one.doubtful),
        _count(tr("Not drawn"), lambda one: one.unplaced),
        _count(tr("Events"), lambda one: one.events),
        _count(tr("Batches lost"), lambda one: one.lost),
        _count(tr("Sent again"), lambda one: one.repeated),
        _count(tr("Not understood"), lambda one: one.unread + one.unknown),
        Column(
            tr("States"),
            lambda one: tr("told") if one.facts.states else tr("not told"),
            figures="right",
        ),
    ),
    first=-1,
    descending=False,
)


def holders_sentence(labels: Sequence[str], holds: Sequence[int], end: int) -> str:
    """Which engines hold the selected prefix."""
    whole = [label for label, held in zip(labels, holds, strict=True) if held >= end]
    part = sum(0 < held < end for held in holds)
    where = listed(whole) if whole else tr("no engine")
    said = tr("The chosen prefix of {n} is whole on {where}").format(
        n=fmt.plural(end, "token"), where=where
    )
    if part:
        said += tr(", and in part on {n}").format(n=fmt.plural(part, "other"))
    return sentence(said)


def sentences(facts: Sequence[Facts]) -> list[str]:
    """What is not known about the engines, and why."""
    found = [said for one in facts for said in _sentences(one) if said]
    windows = sum(one.windows for one in facts)
    elsewhere = sum(one.elsewhere for one in facts)
    if windows:
        found.append(
            tr("{n} of layers with a window are counted, not drawn.").format(
                n=fmt.plural(windows, "event")
            )
        )
    if elsewhere:
        found.append(
            tr("{n} of tiers beyond device and host are counted, not drawn.").format(
                n=fmt.plural(elsewhere, "event")
            )
        )
    return found


def _sentences(one: Facts) -> tuple[str, ...]:
    return gap_sentence(one), late_sentence(one), blank_sentence(one)


class EnginesPanel(DebugPanel):
    """One row per engine, and sentences below.

    Attributes:
        table: the engines.
        said: everything else, one sentence per line.
    """

    title = tr("Engines")
    name = "engines"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.table = Table(ENGINES, tr("Engines that run elsewhere"))
        self.said = label("", "faint")
        self.said.setAlignment(_LINE)
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        column.addWidget(self.said)
        column.addWidget(self.table, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAY_MS)
        self._timer.timeout.connect(self._show)
        self._show()

    def show_source(self) -> None:
        self._show()

    def show_chosen(self) -> None:
        self._show()

    def show_on_screen(self) -> None:
        if self.on_screen:
            self._show()
        else:
            self._timer.stop()

    def follow(self) -> None:
        if self.on_screen and not self._timer.isActive():
            self._timer.start()

    def _show(self) -> None:
        source = self.state.source
        header = None if source is None else source.tape.header
        untold = "" if header is None else untold_sentence(header.untold)
        watched = source if isinstance(source, RemoteSource) else None
        self.table.setVisible(watched is not None)
        self.said.setAlignment(_LINE if watched is not None else Qt.AlignmentFlag.AlignCenter)
        if watched is None:
            none = tr("No engine elsewhere is watched yet: biplane view --events begins that.")
            self.said.setText(untold or none)
            return
        if not self.on_screen:
            return
        facts = watched.facts()
        snapshot, chosen = self.state.moment.snapshot, self.state.chosen.node
        node = None
        if snapshot is not None and chosen is not None:
            node = next((one for one in snapshot.nodes if one.id == chosen), None)
        holds = None if node is None else watched.fleet.holders(node.id)
        self.table.show_rows(
            [
                ENGINES.line(n, EngineLine(one, holds[n] if holds else None))
                for n, one in enumerate(facts)
            ]
        )
        lines = [untold, *sentences(facts)]
        if node is not None and holds is not None and len(facts) > 1:
            labels = [one.label for one in facts]
            lines.insert(0, holders_sentence(labels, holds, node.end))
        lines += [said(finding_sentence(found)) for found in watched.findings[-_FINDINGS:]]
        self.said.setText("\n".join(line for line in lines if line))
