"""What the window remembers between starts: its place, its panes and folders. Without Qt."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs

from app.shell.folding import Panes
from app.shell.place import Rect
from engine.private_files import make_folder, open_private

_MOST_BYTES = 64 << 10
_MOST_PX = 1 << 16

ThemeChoice = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class WindowState:
    """What is remembered.

    Attributes:
        rect: the window's place when not maximised; None at the first start.
        debugger: the debugger is on screen in place of the chat.
        desk: where its panels stand, as Qt writes it; "" for their first places.
        folders: where files were chosen last, by purpose.
    """

    rect: Rect | None = None
    maximised: bool = False
    panes: Panes = field(default_factory=Panes)
    debugger: bool = False
    desk: str = ""
    folders: dict[str, str] = field(default_factory=dict)


def memory_file() -> Path:
    """The user's file."""
    return platformdirs.user_config_path("biplane", appauthor=False) / "window.json"


def recall(path: Path) -> WindowState:
    """The saved state; a missing or invalid file counts as none."""
    try:
        return _state(_raw(path))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return WindowState()


def earlier_choices(path: Path) -> dict[str, Any]:
    """Settings of the program that an earlier version kept in this file, by their name now."""
    try:
        raw = _raw(path)
    except (OSError, ValueError, RecursionError):
        return {}
    found: dict[str, Any] = {}
    if isinstance(raw, dict):
        if raw.get("theme") in get_args(ThemeChoice):
            found["theme"] = raw["theme"]
        if raw.get("remove_deleted") is True:
            found["evict_deleted"] = True
    return found


def save(path: Path, state: WindowState) -> None:
    """Write the file atomically; failing to save the place is not worth an error."""
    panes = asdict(state.panes)
    # The priority of a pane on a small screen does not apply to the next start.
    del panes["first"]
    raw: dict[str, object] = {"maximised": state.maximised, "panes": panes}
    raw |= {"debugger": state.debugger, "desk": state.desk, "folders": state.folders}
    if state.rect is not None:
        raw["rect"] = asdict(state.rect)
    # Several windows may close at once, and none may leave a partial file.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        make_folder(path.parent)
        with open(open_private(draft), "w", encoding="utf-8") as file:
            file.write(json.dumps(raw, indent=1) + "\n")
        draft.replace(path)


def _raw(path: Path) -> object:
    """Raises OSError, ValueError or RecursionError."""
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("far too large")
    raw: object = json.loads(path.read_text(encoding="utf-8"))
    return raw


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
        raw.get("debugger") is True,
        desk if isinstance(desk := raw.get("desk"), str) else "",
        _folders(raw.get("folders")),
    )


def _folders(raw: object) -> dict[str, str]:
    found = raw if isinstance(raw, dict) else {}
    return {purpose: folder for purpose, folder in found.items() if isinstance(folder, str)}


def _rect(raw: dict[str, object]) -> Rect:
    x, y, width, height = (_pixels(raw[name]) for name in ("x", "y", "width", "height"))
    if width <= 0 or height <= 0:
        raise ValueError("rect")
    return Rect(x, y, width, height)


def _pixels(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST_PX:
        raise ValueError("pixels")
    return value
