"""What the window remembers between starts: its place, panes and theme. Without Qt."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, get_args

import platformdirs

from app.shell.folding import Panes
from app.shell.place import Rect

_MOST_BYTES = 64 << 10
_MOST_PX = 1 << 16

ThemeChoice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class WindowState:
    """What is remembered.

    Attributes:
        rect: the window's place when not maximised; None at the first start.
        remove_deleted: conversations leave the cache when they are deleted, without a question.
        theme: what the user chose.
        debugger: the debugger is on screen in place of the chat.
        desk: where its panels stand, as Qt writes it; "" for their first places.
    """

    rect: Rect | None = None
    maximised: bool = False
    panes: Panes = field(default_factory=Panes)
    remove_deleted: bool = False
    theme: ThemeChoice = "system"
    debugger: bool = False
    desk: str = ""


def memory_file() -> Path:
    """The user's file."""
    return platformdirs.user_config_path("biplane", appauthor=False) / "window.json"


def recall(path: Path) -> WindowState:
    """The saved state; a missing or invalid file counts as none."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return WindowState()
        raw = json.loads(path.read_text(encoding="utf-8"))
        return _state(raw)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return WindowState()


def save(path: Path, state: WindowState) -> None:
    """Write the file atomically; failing to save the place is not worth an error."""
    panes = asdict(state.panes)
    # The priority of a pane on a small screen does not apply to the next start.
    del panes["first"]
    raw: dict[str, object] = {"maximised": state.maximised, "panes": panes}
    raw |= {"remove_deleted": state.remove_deleted, "theme": state.theme}
    raw |= {"debugger": state.debugger, "desk": state.desk}
    if state.rect is not None:
        raw["rect"] = asdict(state.rect)
    # Several windows may close at once, and none may leave a partial file.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")
        draft.replace(path)


def _state(raw: object) -> WindowState:
    if not isinstance(raw, dict) or not isinstance(panes := raw["panes"], dict):
        raise TypeError("panes")
    rect = raw.get("rect")
    return WindowState(
        _rect(rect) if isinstance(rect, dict) else None,
        raw["maximised"] is True,
        Panes(
            panes["chats"] is True,
            panes["cache"] is True,
            max(0, _pixels(panes["chats_px"])),
            max(0, _pixels(panes["cache_px"])),
        ),
        raw.get("remove_deleted") is True,
        # Files of earlier versions have none.
        next((name for name in get_args(ThemeChoice) if name == raw.get("theme")), "system"),
        raw.get("debugger") is True,
        desk if isinstance(desk := raw.get("desk"), str) else "",
    )


def _rect(raw: dict[str, object]) -> Rect:
    x, y, width, height = (_pixels(raw[name]) for name in ("x", "y", "width", "height"))
    if width <= 0 or height <= 0:
        raise ValueError("rect")
    return Rect(x, y, width, height)


def _pixels(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST_PX:
        raise ValueError("pixels")
    return value
