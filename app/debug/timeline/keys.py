"""The keys of the timeline: one table for its view and for the list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app.debug.timeline.acts import STEP, Acts
from app.words.tr import tr

_PAN_SHARE = 0.15
_Key = Qt.Key
_Act = Callable[[Acts], object]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of the list of keyboard shortcuts.

    Attributes:
        keys: what each one does; the flag is Shift.
    """

    shown: str
    what: str
    keys: tuple[tuple[Qt.Key, bool, _Act], ...]


KEY_LINES = (
    KeyLine(
        "W, S, A, D, F",
        tr("timeline: zoom, move, show all"),
        (
            (_Key.Key_W, False, lambda acts: acts.zoom(STEP)),
            (_Key.Key_Plus, False, lambda acts: acts.zoom(STEP)),
            (_Key.Key_S, False, lambda acts: acts.zoom(1 / STEP)),
            (_Key.Key_Minus, False, lambda acts: acts.zoom(1 / STEP)),
            (_Key.Key_A, False, lambda acts: acts.pan(-_PAN_SHARE)),
            (_Key.Key_D, False, lambda acts: acts.pan(_PAN_SHARE)),
            (_Key.Key_F, False, Acts.fit),
        ),
    ),
    KeyLine(
        "Left, Right, Up, Down",
        tr("timeline: previous, next, track above, below"),
        (
            (_Key.Key_Right, False, lambda acts: acts.walk(1)),
            (_Key.Key_Left, False, lambda acts: acts.walk(-1)),
            (_Key.Key_Down, False, lambda acts: acts.move_cursor(1)),
            (_Key.Key_Up, False, lambda acts: acts.move_cursor(-1)),
        ),
    ),
    KeyLine(
        "Enter, X",
        tr("timeline: go to the chosen event, fold the track"),
        (
            (_Key.Key_Return, False, Acts.open_choice),
            (_Key.Key_Enter, False, Acts.open_choice),
            (_Key.Key_X, False, Acts.toggle_track),
        ),
    ),
    KeyLine(
        "M, Shift+M",
        tr("timeline: marker A, marker B at the playhead"),
        (
            (_Key.Key_M, False, lambda acts: acts.mark(0)),
            (_Key.Key_M, True, lambda acts: acts.mark(1)),
        ),
    ),
    KeyLine(
        "I, O, Esc",
        tr("timeline: begin, end, clear the interval"),
        (
            (_Key.Key_I, False, lambda acts: acts.bound(False)),
            (_Key.Key_O, False, lambda acts: acts.bound(True)),
            (_Key.Key_Escape, False, Acts.clear),
        ),
    ),
)


def bindings(acts: Acts) -> dict[tuple[Qt.Key, bool], Callable[[], object]]:
    """What each key does on a view, without and with Shift."""
    return {
        (key, shifted): lambda act=act: act(acts)  # type: ignore[misc]
        for line in KEY_LINES
        for key, shifted, act in line.keys
    }
