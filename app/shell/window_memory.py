"""The window's saved state, and the rules for its geometry and division. Without Qt."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs

from app.lab.logic.story_place import StoryPlace
from engine.private_files import read_object, write_whole

_MOST_PX = 1 << 16

ThemeChoice = Literal["system", "light", "dark"]
Side = Literal["chats", "cache"]

CHATS_LEAST_PX, CHATS_MOST_PX = 180, 240
CACHE_LEAST_PX, STRIP_PX = 320, 44
# The chat keeps this much as long as the window has it.
CHAT_LEAST_PX = 560
# A narrower window has a strip in place of the cache pane.
CACHE_ROOM_PX = 1200
HANDLE_PX = 1
# At this width the cache pane's figures fit; more only widens the tree.
_CACHE_GOOD_PX = 400
_CACHE_SHARE = 0.42
# Of a pane over the chat, which stays visible beside it.
_DRAWER_PX, _SHEET_PX, _BESIDE_PX = 280, 440, 48
WANTED = (1360, 860)
# The window's intended minimum size: below this its content does not fit.
LEAST = (564, 360)
# Estimates: the size of a window's frame is known only once it is shown.
_TITLE_PX, _EDGE_PX = 36, 6
# This much of the title bar must be visible for dragging the window.
_GRIP_PX = 64


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in Qt's logical pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height

    def common(self, other: Rect) -> Rect:
        """The intersection; its width or height is 0 if they do not overlap."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Rect(left, top, max(0, right - left), max(0, bottom - top))


def least(screen: Rect) -> tuple[int, int]:
    """The minimum size of the window, never larger than a small screen."""
    room = _room(screen)
    return min(LEAST[0], room.width), min(LEAST[1], room.height)


def place(screens: Sequence[Rect], saved: Rect | None = None) -> Rect:
    """The window's rectangle without its frame: `saved` if it is still on a screen.

    screens: the available area of each, the primary one first. A rectangle that is too large is
    shrunk, and one that crosses an edge is moved inside.
    """
    home = screens[0]
    if saved is not None:
        best = max(screens, key=lambda screen: saved.common(screen).area)
        seen = saved.common(best)
        if seen.width >= _GRIP_PX and seen.height >= _GRIP_PX:
            return _inside(saved, _room(best))
    room = _room(home)
    width, height = min(WANTED[0], room.width), min(WANTED[1], room.height)
    left = room.x + (room.width - width) // 2
    return Rect(left, room.y + (room.height - height) // 2, width, height)


def _room(screen: Rect) -> Rect:
    """The screen without the window's frame."""
    return Rect(
        screen.x + _EDGE_PX,
        screen.y + _TITLE_PX,
        screen.width - 2 * _EDGE_PX,
        screen.height - _TITLE_PX - _EDGE_PX,
    )


def _inside(wanted: Rect, room: Rect) -> Rect:
    width, height = min(wanted.width, room.width), min(wanted.height, room.height)
    return Rect(
        min(max(wanted.x, room.x), room.x + room.width - width),
        min(max(wanted.y, room.y), room.y + room.height - height),
        width,
        height,
    )


@dataclass(frozen=True, slots=True)
class Panes:
    """The panes that the user wants next to the chat.

    Attributes:
        chats, cache: whether the user wants the list and the cache at all.
        chats_px, cache_px: widths set by the user; 0 leaves them to the window.
        over: the one opened over the chat, while it has no room beside it.
    """

    chats: bool = True
    cache: bool = True
    chats_px: int = 0
    cache_px: int = 0
    over: Side | None = None

    def requested(self, side: Side, on: bool) -> Panes:
        """The panes after the user opened or closed one.

        Closing one that is over the chat does not put it away.
        """
        if not on and self.over == side:
            return replace(self, over=None)
        over = side if on else self.over
        if side == "chats":
            return replace(self, chats=on, over=over)
        return replace(self, cache=on, over=over)

    def dragged(self, shown: Widths) -> Panes:
        """The panes after the user resized those on screen."""
        return replace(
            self,
            chats_px=shown.chats or self.chats_px,
            cache_px=shown.cache or self.cache_px,
        )


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths beside the chat in pixels; 0 is folded. The chat gets the rest.

    Attributes:
        strip: of the bar that stands for a folded cache.
    """

    chats: int
    cache: int
    strip: int = 0


def spread(width: int, panes: Panes) -> Widths:
    """Divide a window's width.

    If it is short, the cache becomes a strip; then the list of conversations folds, then the strip.
    """
    room = width - 2 * HANDLE_PX
    chats = panes.chats_px or min(CHATS_MOST_PX, max(CHATS_LEAST_PX, width // 6))
    if panes.cache and width >= CACHE_ROOM_PX:
        chats = min(chats, room - CACHE_LEAST_PX - CHAT_LEAST_PX) if panes.chats else 0
        return Widths(chats, _cache(room - chats, panes))
    strip = STRIP_PX if panes.cache and room - STRIP_PX >= CHAT_LEAST_PX else 0
    most = room - strip - CHAT_LEAST_PX
    return Widths(min(chats, most) if panes.chats and most >= CHATS_LEAST_PX else 0, 0, strip)


def settled(width: int, panes: Panes) -> Panes:
    """Forget that a pane is over the chat once it has room beside it."""
    shown = spread(width, panes)
    beside = shown.chats if panes.over == "chats" else shown.cache
    return replace(panes, over=None) if beside else panes


def over_px(width: int, panes: Panes) -> int:
    """The width of the pane that is over the chat."""
    wanted = _DRAWER_PX if panes.over == "chats" else panes.cache_px or _SHEET_PX
    return min(wanted, width - spread(width, panes).strip - _BESIDE_PX)


def _cache(width: int, panes: Panes) -> int:
    """The cache's share of the width that it splits with the chat."""
    most = width - CHAT_LEAST_PX
    wanted = panes.cache_px or max(round(width * _CACHE_SHARE), min(_CACHE_GOOD_PX, most))
    return max(CACHE_LEAST_PX, min(wanted, most))


@dataclass(frozen=True, slots=True)
class WindowState:
    """The saved state.

    Attributes:
        rect: the window's geometry when not maximised; None at the first start.
        debugger: the debugger is on screen in place of the chat.
        desk: the layout of its panels, as Qt encodes it; "" for the default one.
        folders: the last chosen folders, by purpose.
        figures: the parts of the cache pane whose figures are shown.
        saving_told: the user was told once what the cache saves.
        unfolded: the folds of the settings that are open.
        desks: other layouts of the debugger's panels, by the names that the user gave them.
        story: how far the user is in the memory lab's story.
    """

    rect: Rect | None = None
    maximised: bool = False
    panes: Panes = field(default_factory=Panes)
    debugger: bool = False
    desk: str = ""
    folders: dict[str, str] = field(default_factory=dict)
    figures: tuple[str, ...] = ()
    saving_told: bool = False
    unfolded: tuple[str, ...] = ()
    desks: dict[str, str] = field(default_factory=dict)
    story: StoryPlace = field(default_factory=StoryPlace)


def memory_file() -> Path:
    """The path of the user's file."""
    return platformdirs.user_config_path("biplane", appauthor=False) / "window.json"


def recall(path: Path) -> WindowState:
    """Load the saved state; a missing or invalid file counts as none."""
    try:
        return _state(read_object(path))
    except (ValueError, TypeError, KeyError):
        return WindowState()


def earlier_choices(path: Path) -> dict[str, Any]:
    """Program settings that an earlier version stored in this file, by their current name."""
    raw, found = read_object(path), {}
    if raw.get("theme") in get_args(ThemeChoice):
        found["theme"] = raw["theme"]
    if raw.get("remove_deleted") is True:
        found["evict_deleted"] = True
    return found


def save(path: Path, state: WindowState) -> None:
    """Write the file atomically; a failure is ignored."""
    panes = asdict(state.panes)
    # What was over the chat in a small window is not there at the next start.
    del panes["over"]
    raw: dict[str, object] = {"maximised": state.maximised, "panes": panes}
    raw |= {"debugger": state.debugger, "desk": state.desk, "folders": state.folders}
    raw["figures"] = state.figures
    raw["saving_told"] = state.saving_told
    raw["unfolded"] = state.unfolded
    raw["desks"] = state.desks
    raw["story"] = state.story.as_data()
    if state.rect is not None:
        raw["rect"] = asdict(state.rect)
    with contextlib.suppress(OSError):
        write_whole(path, json.dumps(raw, indent=1) + "\n")


def _state(raw: dict[str, Any]) -> WindowState:
    if not isinstance(panes := raw["panes"], dict):
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
        _texts(raw.get("folders")),
        _names(raw.get("figures")),
        raw.get("saving_told") is True,
        _names(raw.get("unfolded")),
        _texts(raw.get("desks")),
        StoryPlace.of(raw.get("story")),
    )


def _texts(raw: object) -> dict[str, str]:
    """Texts by name, without what is none."""
    found = raw if isinstance(raw, dict) else {}
    return {name: text for name, text in found.items() if isinstance(text, str)}


def _names(raw: object) -> tuple[str, ...]:
    return tuple(name for name in raw if isinstance(name, str)) if isinstance(raw, list) else ()


def _rect(raw: dict[str, object]) -> Rect:
    x, y, width, height = (_pixels(raw[name]) for name in ("x", "y", "width", "height"))
    if width <= 0 or height <= 0:
        raise ValueError("rect")
    return Rect(x, y, width, height)


def _pixels(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST_PX:
        raise ValueError("pixels")
    return value
