"""The keys of the transport: one table for its bar and for the list of keyboard shortcuts.

Without Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.words.tr import tr

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


@dataclass(frozen=True, slots=True)
class MoveKeys:
    """The keys of one move.

    Attributes:
        anywhere: in the debugger's window. Function keys: letters and Space belong to fields and
            buttons.
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
# Lines of the list of keyboard shortcuts: the keys, and what they do.
KEY_LINES = (
    ("F5", tr("debugger: play or pause (timeline: Space)")),
    ("F7, F8", tr("debugger: one entry back, forward (timeline: [ ])")),
    ("Shift+F7, Shift+F8", tr("debugger: one request back, forward (timeline: { })")),
    ("F9, Shift+F9", tr("debugger: next, previous eviction (timeline: N, Shift+N)")),
    ("Ctrl+F7, Ctrl+F8", tr("debugger: to the start, to the newest (timeline: Home, L)")),
)


def hint(move: Move, words: str) -> str:
    """What a button does, with its key: "Play (F5)"."""
    return f"{words} ({KEYS[move].anywhere})"
