"""The tree of a conversation's messages: those with the same parent are its branches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.session.records import Turn


@dataclass(slots=True)
class MessageTree:
    """Every kept turn of a conversation, whichever branch is on screen.

    It has the shape of the radix tree: two branches share the prompt up to their common parent.

    Attributes:
        turns: by id, in the order of writing; a parent stands before its children.
    """

    turns: dict[int, Turn] = field(default_factory=dict)
    _children: dict[int | None, list[int]] = field(default_factory=dict)
    # By parent, the child that was on screen last.
    _shown: dict[int | None, int] = field(default_factory=dict)

    @classmethod
    def of(cls, turns: Iterable[Turn]) -> MessageTree:
        tree = cls()
        for turn in turns:
            tree.add(turn)
        return tree

    def add(self, turn: Turn) -> None:
        """Add a turn below its parent, or replace the one of the same id."""
        if turn.id not in self.turns:
            self._children.setdefault(turn.parent, []).append(turn.id)
        self.turns[turn.id] = turn

    def remove(self, ids: Iterable[int]) -> None:
        """Remove turns that have no children left."""
        for one in ids:
            turn = self.turns.pop(one, None)
            if turn is not None:
                self._children[turn.parent].remove(one)
                self._shown = {p: child for p, child in self._shown.items() if child != one}

    def path(self, leaf: int | None) -> list[Turn]:
        """The branch that ends with `leaf`; damage that makes a loop or a gap ends it."""
        found: dict[int, Turn] = {}
        while leaf is not None and leaf in self.turns and leaf not in found:
            found[leaf] = self.turns[leaf]
            leaf = found[leaf].parent
        return list(found.values())[::-1]

    def show(self, leaf: int | None) -> list[Turn]:
        """The branch that ends with `leaf`, remembered as the one on screen."""
        path = self.path(leaf)
        self._shown |= {turn.parent: turn.id for turn in path}
        return path

    def children(self, turn: int | None) -> list[Turn]:
        """The turns that follow one, oldest first; None: the first turns."""
        return [self.turns[child] for child in self._children.get(turn, ())]

    def siblings(self, turn: int) -> list[Turn]:
        """A turn and its alternatives, oldest first; empty if it is not in the tree."""
        found = self.turns.get(turn)
        return self.children(found.parent) if found is not None else []

    def leaf_below(self, turn: int) -> int:
        """The end of the branch through a turn: the one on screen last, else the newest."""
        seen: set[int] = set()
        while turn not in seen and (below := self._children.get(turn)):
            seen.add(turn)
            shown = self._shown.get(turn)
            turn = shown if shown in below else below[-1]
        return turn

    def leaves(self) -> list[int]:
        """The ends of all branches."""
        return [turn for turn in self.turns if not self._children.get(turn)]
