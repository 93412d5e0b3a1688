"""Where to place the window: fully on a screen, and where it was left if possible. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WANTED = (1360, 860)
# The window's intended minimum: below this its content no longer fits.
LEAST = (564, 360)
# The size of a window's frame is known only once it is shown.
_TITLE_PX, _EDGE_PX = 36, 6
# This much of the title bar must be visible to drag the window.
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
    """The screen less the frame."""
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
