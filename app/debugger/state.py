"""The state shared by the debugger's panels: source, moment on screen, and selection."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.core.words.node_link import above, heir
from app.core.words.tr import tr
from app.debugger.logic.chosen import NOTHING, Chosen
from app.debugger.logic.entry_place import EntryPlace, entry_place, path_end
from app.debugger.logic.source import LiveSource, Source, too_early
from engine.journal.tape import Tape
from engine.snapshot import CacheSnapshot

# Costs are averaged over this long.
SPAN_S = 5.0


class OwnCost(QObject):
    """Measures the time spent on following the cache and on painting the window.

    While it is active, the window shows the debugger, so all of its painting counts.

    Attributes:
        clock: wall clock, in seconds.
        busy: CPU time of this thread, in seconds.
    """

    def __init__(self, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock: Callable[[], float] = time.perf_counter
        self.busy: Callable[[], float] = time.thread_time
        self._window = window
        self._since = 0.0
        self._spent: deque[tuple[float, float]] = deque()
        self._frames: deque[float] = deque(maxlen=120)
        self._inside = False

    def watch(self, on: bool) -> None:
        """Restart or stop."""
        self._window.removeEventFilter(self)
        self._spent.clear()
        self._frames.clear()
        self._since = self.clock()
        if on:
            self._window.installEventFilter(self)

    def run(self, work: Callable[[], object]) -> None:
        """Run and measure work of the debugger."""
        began = self.busy()
        work()
        self._note(self.busy() - began)

    @property
    def frame_ms(self) -> float:
        """The median cost of the last frames; 0 before any."""
        return 1e3 * statistics.median(self._frames) if self._frames else 0.0

    @property
    def share(self) -> float:
        """The share of the last seconds that the debugger computed."""
        now = self.clock()
        while self._spent and self._spent[0][0] < now - SPAN_S:
            self._spent.popleft()
        span = min(SPAN_S, now - self._since)
        return sum(cost for _, cost in self._spent) / span if span > 0 else 0.0

    @property
    def words(self) -> str:
        """ "2.1 ms a frame · 0.8% of the time"."""
        return tr("{frame_ms:.1f} ms a frame · {share:.1f}% of the time").format(
            frame_ms=self.frame_ms, share=100 * self.share
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest or self._inside:
            return False
        # All pending painting happens in here.
        began, self._inside = self.busy(), True
        try:
            watched.event(event)
        finally:
            self._inside = False
        cost = self.busy() - began
        self._frames.append(cost)
        self._note(cost)
        return True

    def _note(self, cost: float) -> None:
        self._spent.append((self.clock(), cost))


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment on screen.

    Attributes:
        index: number of the tape's entries before it.
        time: seconds on the tape's clock.
        snapshot: None while no model is open.
        follows: it is the newest, and the next one replaces it.
    """

    index: int
    time: float
    snapshot: CacheSnapshot | None
    follows: bool


class DebugState(QObject):
    """One per debugger; every panel reads it and subscribes to its signals.

    Attributes:
        source: None until one is shown.
        moment: what is on screen.
        own_cost: what the debugger costs; None if it is not measured.
        chosen, hovered: what is selected, and hovered, in any panel.

    Signals:
        source_changed: another source; reset everything.
        grown: the tape has more entries; at most a few times a second.
        moved: another moment is on screen, or another snapshot of the newest one.
        chosen_changed, hovered_changed: see the attributes.
        asked(object): a Command for the engine of a live source.
        owner_opened(object): go to the message of this NodeOwner.
        notice(str): a sentence for the status line.
        panel_wanted(str): bring the panel of this name to the front.
        what_if_wanted(object): predict the effect of this WhatIf.
        warming_wanted: open the dialog that warms a prompt.
        settings_wanted(object): apply this SettingsChange to the engine of a live source.
    """

    source_changed = Signal()
    grown = Signal()
    moved = Signal()
    chosen_changed = Signal()
    hovered_changed = Signal()
    asked = Signal(object)
    owner_opened = Signal(object)
    notice = Signal(str)
    what_if_wanted = Signal(object)
    settings_wanted = Signal(object)
    panel_wanted = Signal(str)
    warming_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source: Source | None = None
        # Replaced when another model is opened.
        self._tape: Tape | None = None
        self.moment = Moment(0, 0.0, None, follows=True)
        self.chosen = self.hovered = NOTHING
        # As passed to `hover`, before a node was found for it.
        self._pointed = NOTHING
        self.own_cost: OwnCost | None = None

    @property
    def live(self) -> bool:
        """Whether the current state of an engine is on screen, so that commands can be sent."""
        return self.source is not None and self.source.live and self.moment.follows

    def show_source(self, source: Source) -> None:
        """Show another source at its newest moment."""
        self.source, self._tape = source, source.tape
        self.chosen = self.hovered = self._pointed = NOTHING
        self.moment = self._newest()
        self.source_changed.emit()
        self.moved.emit()
        self.chosen_changed.emit()

    def follow(self) -> None:
        """Show the newest moment after the source has grown, unless the user went back."""
        if self.source is not None and self.source.tape is not self._tape:
            self.show_source(self.source)
            return
        self.grown.emit()
        if self.moment.follows:
            before, self.moment = self.moment.snapshot, self._newest()
            if before is not None and self.moment.snapshot is not None:
                self._keep_chosen(before, self.moment.snapshot)
            self.moved.emit()

    def seek(self, index: int | None) -> None:
        """Show the cache after `index` entries; None: follow the newest.

        For a forgotten moment, emits a notice and shows the earliest one instead.
        """
        if self.source is None:
            return
        tape = self.source.tape
        if index is None:
            self.moment = self._newest()
        else:
            at = min(max(index, tape.first), len(tape))
            if index < tape.first:
                self.notice.emit(too_early(tape))
            self.moment = Moment(at, tape.time(at), tape.snapshot(at), follows=False)
        self.moved.emit()

    def choose(self, chosen: Chosen) -> None:
        if chosen != self.chosen:
            self.chosen = chosen
            self.chosen_changed.emit()

    def choose_node(self, node: int | None) -> None:
        """Select another node, keeping the request and the entry."""
        if node != self.chosen.node:
            self.choose(Chosen(node, request=self.chosen.request, entry=self.chosen.entry))

    def hover(self, hovered: Chosen) -> None:
        """Set what is hovered; a node that is gone is replaced by its closest ancestor."""
        if hovered == self._pointed:
            return
        self._pointed, hovered = hovered, self._placed(hovered)
        if hovered != self.hovered:
            self.hovered = hovered
            self.hovered_changed.emit()

    def place_of(self, entry: int) -> EntryPlace:
        """The place of an entry of the tape at the moment on screen."""
        snapshot = self.moment.snapshot
        if self.source is None or snapshot is None:
            return EntryPlace()
        return entry_place(self.source.tape, entry, snapshot, self.moment.index)

    def _placed(self, what: Chosen) -> Chosen:
        """An entry or a request with its node, or that node's closest ancestor."""
        entry, snapshot = what.entry, self.moment.snapshot
        if snapshot is None or (entry is None and what.request is None):
            return what
        if any(one.id == what.node for one in snapshot.nodes):
            return what
        if what.request is not None and self.source is not None:
            entry = path_end(self.source.tape, self.source.tape.requests[what.request].index)
        found = None if entry is None else self.place_of(entry).node
        return replace(what, node=found, span=None)

    def _keep_chosen(self, before: CacheSnapshot, now: CacheSnapshot) -> None:
        """Select what a selected node has become, or the parent of one evicted by hand."""
        was, source = self.chosen.node, self.source
        node = None if was is None else heir(was, before, now)
        if was is None or node == was:
            return
        asked = source.acts.asked if isinstance(source, LiveSource) else None
        if node is None and asked is not None and (asked.action, asked.node) == ("evict", was):
            node = above(was, before, now)
        if node is not None:
            self.choose(replace(self.chosen, node=node, span=None))

    def _newest(self) -> Moment:
        if self.source is None:
            return Moment(0, 0.0, None, follows=True)
        tape = self.source.tape
        return Moment(len(tape), tape.time(len(tape)), self.source.newest(), follows=True)
