"""How the window's width is divided, and which panes fold away when it is short. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Side = Literal["chats", "cache"]

CHATS_LEAST_PX, CHATS_MOST_PX = 180, 240
CACHE_LEAST_PX = 320
# The conversation's minimum width: with both panes beside it, and with one.
CHAT_GOOD_PX, CHAT_LEAST_PX = 400, 340
# At this width the cache pane's figures fit; more only makes the tree larger.
_CACHE_GOOD_PX = 400
_CACHE_SHARE = 0.42


@dataclass(frozen=True, slots=True)
class Panes:
    """The panes that the user wants beside the conversation.

    Attributes:
        chats, cache: whether the user wants the list and the cache at all.
        chats_px, cache_px: widths set by the user; 0 leaves them to the window.
        first: the one the user opened while not all had room; it stays longest.
    """

    chats: bool = True
    cache: bool = True
    chats_px: int = 0
    cache_px: int = 0
    first: Side | None = None

    def requested(self, side: Side, on: bool) -> Panes:
        """The user turned a pane on or off."""
        first = side if on else None
        if side == "chats":
            return replace(self, chats=on, first=first)
        return replace(self, cache=on, first=first)

    def dragged(self, shown: Widths) -> Panes:
        """The user resized the panes on screen."""
        return replace(
            self,
            chats_px=shown.chats or self.chats_px,
            cache_px=shown.cache or self.cache_px,
        )


@dataclass(frozen=True, slots=True)
class Widths:
    """Pixels of the side panes; 0 is folded away. The conversation gets the rest."""

    chats: int
    cache: int


def spread(width: int, panes: Panes) -> Widths:
    """Divide a window's width.

    When it is short the list of conversations folds first, then the cache narrows, then it folds
    too. A pane that the user opened meanwhile stays, and the other one folds.
    """
    chats = panes.chats_px or min(CHATS_MOST_PX, max(CHATS_LEAST_PX, width // 6))
    if panes.chats and panes.cache and width >= CHATS_LEAST_PX + CACHE_LEAST_PX + CHAT_GOOD_PX:
        chats = min(chats, width - CACHE_LEAST_PX - CHAT_GOOD_PX)
        return Widths(chats, _cache(width - chats, panes))
    if panes.chats and (panes.first == "chats" or not panes.cache):
        return Widths(max(CHATS_LEAST_PX, min(chats, width - CHAT_LEAST_PX)), 0)
    return Widths(0, _cache(width, panes) if panes.cache else 0)


def settled(width: int, panes: Panes) -> Panes:
    """Once everything has room again, no pane has priority any more."""
    shown = spread(width, replace(panes, first=None))
    whole = bool(shown.chats) == panes.chats and bool(shown.cache) == panes.cache
    return replace(panes, first=None) if whole else panes


def _cache(width: int, panes: Panes) -> int:
    """The cache's share of the width that it splits with the conversation."""
    most = width - CHAT_LEAST_PX
    if most < CACHE_LEAST_PX:
        return CACHE_LEAST_PX if panes.first == "cache" else 0
    wanted = panes.cache_px or max(
        round(width * _CACHE_SHARE), min(_CACHE_GOOD_PX, width - CHAT_GOOD_PX)
    )
    return max(CACHE_LEAST_PX, min(wanted, most))
