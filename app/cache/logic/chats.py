"""Names and focus of the conversations in the tree. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.core.session.names import NOBODY
from app.core.words import format as fmt
from app.core.words.explain import clip
from app.core.words.joining import listed
from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot

_MOST_NAMED, _NAME_CHARS = 3, 48


def owners_in(snapshot: CacheSnapshot | None) -> frozenset[int]:
    """The conversations that have nodes in the cache."""
    if snapshot is None:
        return frozenset()
    return frozenset(owner for node in snapshot.nodes for owner in node.owners)


class InFocus:
    """Which conversations a tree names, and whether one of them alone is shown in full.

    Attributes:
        on: the open one is shown in full, the others on a line each.
    """

    def __init__(self) -> None:
        self.on = False
        self._titles: dict[int, str] = {}
        self._current: int | None = None

    def know(
        self, snapshot: CacheSnapshot | None, title: Callable[[int], str], current: int | None
    ) -> None:
        """Name those that have nodes in the tree; `current` is the open one."""
        self._titles = {owner: title(owner) for owner in owners_in(snapshot)}
        self._current = current

    @property
    def chats(self) -> Chats:
        others = set(self._titles) - {self._current}
        return Chats(self._titles, self._current if self.on and others else None)


@dataclass(frozen=True, slots=True)
class Chats:
    """Names and focus of the conversations, as the canvas gets them.

    Attributes:
        titles: by number.
        focus: the one that is shown in full, while others are folded; None: all are.
    """

    titles: Mapping[int, str] = field(default_factory=dict)
    focus: int | None = None

    def title(self, number: int) -> str:
        if not number:
            return NOBODY
        return self.titles.get(number, tr("Conversation {session}").format(session=number))

    def line(self, owners: Sequence[int]) -> str:
        """The owners of a node in one line: "in “Walks”"; "" if none is known."""
        names = [f"“{clip(self.title(owner), _NAME_CHARS)}”" for owner in owners[:_MOST_NAMED]]
        rest = len(owners) - len(names)
        if not names:
            return ""
        return tr("in {told}").format(told=listed(names)) + (
            tr(" and {rest} more").format(rest=fmt.count(rest)) if rest else ""
        )
