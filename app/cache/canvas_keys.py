"""The keys of the tree: one table for the canvas and for the list of keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.words.tr import tr

if TYPE_CHECKING:
    from app.cache.canvas import TreeCanvas

_ZOOM = 1.2
_PAN_PX = 60
_Key = Qt.Key


@dataclass(frozen=True, slots=True)
class CanvasKey:
    """Keys that do one thing; `act` is told which of them by its number."""

    keys: tuple[Qt.Key, ...]
    act: Callable[[TreeCanvas, int], object]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of the list of keyboard shortcuts, and the keys of it."""

    shown: str
    what: str
    keys: tuple[CanvasKey, ...]


def _closer(canvas: TreeCanvas, number: int) -> None:
    canvas.zoom(_ZOOM)


def _further(canvas: TreeCanvas, number: int) -> None:
    canvas.zoom(1 / _ZOOM)


def _pan(canvas: TreeCanvas, number: int) -> None:
    canvas.pan((_PAN_PX, -_PAN_PX)[number], 0)


def _fold(canvas: TreeCanvas, number: int) -> None:
    canvas.set_folded(not canvas.model.folding.on)


def _scroll(canvas: TreeCanvas, number: int) -> None:
    canvas.pan(0, (_PAN_PX, -_PAN_PX)[number])


KEY_LINES = (
    KeyLine(
        "F, End, T",
        tr("tree: show all, follow the newest, tidy up"),
        (
            CanvasKey((_Key.Key_F,), lambda canvas, _: canvas.fit()),
            CanvasKey((_Key.Key_End,), lambda canvas, _: canvas.follow()),
            CanvasKey((_Key.Key_T,), lambda canvas, _: canvas.tidy()),
        ),
    ),
    KeyLine(
        "W, S, A, D, Page Up, Page Down",
        tr("tree: zoom, move, scroll"),
        (
            CanvasKey((_Key.Key_W, _Key.Key_Plus, _Key.Key_Equal), _closer),
            CanvasKey((_Key.Key_S, _Key.Key_Minus), _further),
            CanvasKey((_Key.Key_A, _Key.Key_D), _pan),
            CanvasKey((_Key.Key_PageUp, _Key.Key_PageDown), _scroll),
        ),
    ),
    KeyLine(
        "Left, Right, Up, Down",
        tr("tree: parent, child, siblings"),
        (
            CanvasKey((_Key.Key_Left,), lambda canvas, _: canvas.walk("parent")),
            CanvasKey((_Key.Key_Right,), lambda canvas, _: canvas.walk("child")),
            CanvasKey((_Key.Key_Down,), lambda canvas, _: canvas.walk("next")),
            CanvasKey((_Key.Key_Up,), lambda canvas, _: canvas.walk("previous")),
        ),
    ),
    KeyLine(
        ", .",
        tr("tree: previous and next checkpoint"),
        (
            CanvasKey((_Key.Key_Comma,), lambda canvas, _: canvas.walk("checkpoint before")),
            CanvasKey((_Key.Key_Period,), lambda canvas, _: canvas.walk("checkpoint after")),
        ),
    ),
    KeyLine(
        "C, Z",
        tr("tree: this chat alone, fold or unfold"),
        (
            CanvasKey((_Key.Key_C,), lambda canvas, _: canvas.set_focused(not canvas.focused)),
            CanvasKey((_Key.Key_Z,), _fold),
        ),
    ),
    KeyLine(
        "Enter, P",
        tr("tree: open a chip or show a node in the chat, pin the card"),
        (
            CanvasKey((_Key.Key_Return, _Key.Key_Enter), lambda canvas, _: canvas.open_chosen()),
            CanvasKey((_Key.Key_P,), lambda canvas, _: canvas.pin_card()),
        ),
    ),
    KeyLine("1, 2, 3, 4", tr("tree: messages, tokens, memory, topology"), ()),
)
_ACTS = {
    key: (one.act, number)
    for line in KEY_LINES
    for one in line.keys
    for number, key in enumerate(one.keys)
}
_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def press(canvas: TreeCanvas, event: QKeyEvent) -> bool:
    """Do what a key stands for; False if it stands for nothing here."""
    if event.modifiers() & _MODIFIERS:
        return False
    view = next((one for one in canvas.views if one.key == event.text()), None)
    if view is not None:
        canvas.show_view(view.name)
        return True
    found = _ACTS.get(Qt.Key(event.key()))
    if found is None:
        return False
    act, number = found
    return act(canvas, number) is not False
