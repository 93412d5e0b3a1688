"""The conversations as the canvas is told of them. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.snapshot import CacheSnapshot

NOBODY = "No conversation"


def owners_in(snapshot: CacheSnapshot | None) -> frozenset[int]:
    """The conversations that have anything in the cache."""
    if snapshot is None:
        return frozenset()
    return frozenset(owner for node in snapshot.nodes for owner in node.owners)


@dataclass(frozen=True, slots=True)
class Chats:
    """The conversations as the canvas is told of them.

    Attributes:
        titles: by number.
        focus: the one that is shown in full, while others are folded; None: all are.
    """

    titles: Mapping[int, str] = field(default_factory=dict)
    focus: int | None = None

    def title(self, number: int) -> str:
        if not number:
            return NOBODY
        return self.titles.get(number, f"Conversation {number}")
