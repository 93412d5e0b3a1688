"""Where the window stands: on a screen, whole, and where it was left if that can be. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WANTED = (1360, 860)
# Where the window was made for: below this, what is on it no longer has room.
LEAST = (564, 360)
# What a window manager draws around a window is only known once it is there.
_TITLE_PX, _EDGE_PX = 36, 6
# So much of the title must show for the window to be taken hold of.
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
        """What both cover; without width or height where they do not meet."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Rect(left, top, max(0, right - left), max(0, bottom - top))


def least(screen: Rect) -> tuple[int, int]:
    """The smallest size of the window; a small screen is never smaller than that."""
    room = _room(screen)
    return min(LEAST[0], room.width), min(LEAST[1], room.height)


def place(screens: Sequence[Rect], saved: Rect | None = None) -> Rect:
    """The window's rectangle without its frame: `saved` where it still lies on a screen.

    screens: what of each is available, the primary one first. What is too large is made smaller,
    and what hangs over an edge is moved inside.
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
