"""The transport bar above the desk: play, step through the tape, and the moment on screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.logic.source import forgotten_sentence
from app.debugger.seeker import seeker_of
from app.debugger.state import DebugState
from app.debugger.timeline.logic.scene import (
    SPEEDS,
    next_entry,
    next_eviction,
    next_request,
    played,
)
from app.debugger.timeline.panel import TimelinePanel
from app.ui.widgets import DropDown, ElidedLabel, IconButton, set_state

Move = Literal[
    "play",
    "entry back",
    "entry forward",
    "request back",
    "request forward",
    "eviction back",
    "eviction forward",
    "start",
    "newest",
]
_PLAY_MS = 33
# Icon, move and tooltip of each button, from the left.
_BUTTONS: tuple[tuple[str, Move, str], ...] = (
    ("skip_back", "request back", tr("One request back")),
    ("step_back", "entry back", tr("One entry back")),
    ("play", "play", tr("Play")),
    ("step_forward", "entry forward", tr("One entry forward")),
    ("skip_forward", "request forward", tr("One request forward")),
    ("next_eviction", "eviction forward", tr("To the next eviction")),
)


@dataclass(frozen=True, slots=True)
class MoveKeys:
    """The keys of one move.

    Attributes:
        anywhere: in the debugger's window: function keys, since letters and Space belong to
            fields and buttons.
        near: with the focus in the timeline.
    """

    anywhere: str
    near: str


KEYS: dict[Move, MoveKeys] = {
    "play": MoveKeys("F5", "Space"),
    "entry back": MoveKeys("F7", "["),
    "entry forward": MoveKeys("F8", "]"),
    "request back": MoveKeys("Shift+F7", "{"),
    "request forward": MoveKeys("Shift+F8", "}"),
    "eviction back": MoveKeys("Shift+F9", "Shift+N"),
    "eviction forward": MoveKeys("F9", "N"),
    "start": MoveKeys("Ctrl+F7", "Home"),
    "newest": MoveKeys("Ctrl+F8", "L"),
}
# Lines of the list of keyboard shortcuts: keys and their action.
KEY_LINES = (
    ("F5", tr("debugger: play or pause (timeline: Space)")),
    ("F7, F8", tr("debugger: one entry back, forward (timeline: [ ])")),
    ("Shift+F7, Shift+F8", tr("debugger: one request back, forward (timeline: { })")),
    ("F9, Shift+F9", tr("debugger: next, previous eviction (timeline: N, Shift+N)")),
    ("Ctrl+F7, Ctrl+F8", tr("debugger: to the start, to the newest (timeline: Home, L)")),
)


def hint(move: Move, words: str) -> str:
    """The tooltip of a button, with its key: "Play (F5)"."""
    return f"{words} ({KEYS[move].anywhere})"


class TransportBar(QFrame):
    """Drives DebugState.seek; the timeline has the series to step through.

    Attributes:
        play: plays or pauses.
        live: returns to the newest moment.
        banner: which moment is on screen.
        speeds: how fast it plays.
        clock: seconds that pass while it plays.
        row: its layout, for other widgets to add at the end.
    """

    def __init__(
        self, state: DebugState, timeline: TimelinePanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("transport")
        self.setAccessibleName(tr("Playback"))
        self._state, self._timeline = state, timeline
        self._shown_at = 0.0
        self._time = 0.0
        self.clock: Callable[[], float] = time.perf_counter
        self._timer = QTimer(self)
        self._timer.setInterval(_PLAY_MS)
        self._timer.timeout.connect(self._tick)
        self.play = IconButton("play", hint("play", tr("Play")), self.toggle)
        self.speeds = DropDown()
        self.speeds.addItems(list(SPEEDS))
        self.speeds.setAccessibleName(tr("Speed"))
        self.speeds.setToolTip(tr("How fast it plays; pauses pass as quickly as they are drawn"))
        self.banner = ElidedLabel("")
        self.live = QPushButton(tr("Live"))
        self.live.setProperty("kind", "small")
        self.live.setToolTip(hint("newest", tr("Return to now")))
        self.live.clicked.connect(self.go_live)
        self._moves: dict[Move, Callable[[], None]] = {
            "play": self.toggle,
            "entry back": lambda: self.entry(-1),
            "entry forward": lambda: self.entry(1),
            "request back": lambda: self.request(-1),
            "request forward": lambda: self.request(1),
            "eviction back": lambda: self.eviction(-1),
            "eviction forward": lambda: self.eviction(1),
            "start": lambda: self._go(0),
            "newest": self.go_live,
        }
        self._build()
        self._bind_keys()
        state.moved.connect(self._show_moment)
        state.source_changed.connect(self.pause)
        state.grown.connect(self._show_moment)
        self._show_moment()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 8, 2)
        row.setSpacing(2)
        for icon, move, words in _BUTTONS:
            if move == "play":
                row.addWidget(self.play)
            else:
                row.addWidget(IconButton(icon, hint(move, words), self._moves[move]))
        row.addSpacing(4)
        row.addWidget(self.speeds)
        row.addSpacing(10)
        row.addWidget(self.banner, 1)
        row.addWidget(self.live)
        row.addSpacing(6)
        self.row = row

    # ---- moves

    def entry(self, by: int) -> None:
        series = self._timeline.series
        if series is not None:
            self._go(next_entry(series, self._state.moment.index, by))

    def request(self, by: int) -> None:
        series = self._timeline.series
        if series is not None:
            self._go(next_request(series, self._state.moment.index, by))

    def eviction(self, by: int) -> None:
        """Go to the next eviction and select it."""
        series = self._timeline.series
        found = None if series is None else next_eviction(series, self._state.moment.index, by)
        if series is None or found is None:
            self._state.notice.emit(
                tr("There is no eviction after this moment.")
                if by > 0
                else tr("There is no eviction before this moment.")
            )
            return
        self._go(found)
        number = int(series.events.index.searchsorted(found - 1))
        self._state.choose(self._timeline.view.event_choice(number))

    def go_live(self) -> None:
        self.pause()
        seeker_of(self._state).live()

    # ---- playing

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play from the moment on screen, or from the start if it is the end; or pause."""
        if self.playing:
            self.pause()
            return
        series, moment = self._timeline.series, self._state.moment
        if series is None or self._state.source is None:
            return
        at_end = moment.index >= series.entries
        self._time = series.start if at_end else moment.time
        self._shown_at = self.clock()
        self._timer.start()
        self.play.show_icon("pause", hint("play", tr("Pause")))

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self.play.show_icon("play", hint("play", tr("Play")))

    def _tick(self) -> None:
        series, source = self._timeline.series, self._state.source
        if series is None or source is None:
            self.pause()
            return
        now = self.clock()
        stack = self._timeline.view.scene.stacks[0]
        speed = SPEEDS[self.speeds.currentText()]
        self._time = played(stack, self._time, now - self._shown_at, speed)
        self._shown_at = now
        self._state.seek(source.tape.index_at(self._time))
        self._timeline.view.scene.reveal(self._time)
        if self._time >= series.end:
            self.pause()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.pause()

    # ---- the banner

    def _show_moment(self) -> None:
        state = self._state
        moment, source = state.moment, state.source
        past = source is not None and not moment.follows
        self.live.setEnabled(past)
        set_state(self, "past", past)
        if source is None:
            self.banner.setText("")
            return
        self.live.setText(tr("Live") if source.live else tr("End"))
        total = len(source.tape)
        if moment.follows:
            self.banner.setText(
                tr("Live") if source.live else tr("End of {name}").format(name=source.name)
            )
            return
        if source.tape.first and moment.index <= source.tape.first:
            text = tr("The earliest moment kept: entry {index}").format(
                index=fmt.count(moment.index)
            )
            self.banner.setText(text, tr("The earliest moment kept"))
            self.banner.setToolTip(forgotten_sentence(source.tape.first))
            return
        self.banner.setToolTip("")
        ago = max(source.tape.time(total) - moment.time, 0.0)
        place = tr("entry {index} of {total}").format(
            index=fmt.count(moment.index), total=fmt.count(total)
        )
        before = tr("before the newest") if source.live else tr("before the end")
        if source.live:
            text = tr("In the past: {ago} {before}, {place}").format(
                ago=ago_text(ago), before=before, place=place
            )
        else:
            text = tr("{ago} {before}, {place}").format(
                ago=ago_text(ago), before=before, place=place
            )
        self.banner.setText(
            text,
            tr("{ago} ago, {place}").format(ago=ago_text(ago), place=place),
            tr("{ago} ago").format(ago=ago_text(ago)),
        )

    # ---- inside

    def _go(self, index: int) -> None:
        self.pause()
        seeker_of(self._state).seek(index)
        source = self._state.source
        if source is not None:
            self._timeline.view.scene.reveal(source.tape.time(index))
            self._timeline.view.refresh()

    def _bind_keys(self) -> None:
        for move, keys in KEYS.items():
            # Also in a floating panel; disabled with this bar while the desk is hidden.
            _shortcut(keys.anywhere, self, Qt.ShortcutContext.WindowShortcut, self._moves[move])
            # In other panels Space presses buttons, and letters are typed.
            inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
            _shortcut(keys.near, self._timeline, inside, self._moves[move])


def _shortcut(
    key: str, owner: QWidget, context: Qt.ShortcutContext, act: Callable[[], None]
) -> None:
    made = QShortcut(QKeySequence(key), owner)
    made.setContext(context)
    made.activated.connect(act)


def ago_text(seconds: float) -> str:
    """The age of a moment."""
    if seconds < 1:
        return f"{1e3 * seconds:,.1f} ms" if seconds < 0.1 else f"{1e3 * seconds:,.0f} ms"
    return fmt.seconds(seconds)
