"""Where a conversation has several branches, and what going to a neighbouring one would cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.session.records import MessageTree
from engine.reuse import ReusePlan


@dataclass(frozen=True, slots=True)
class Fork:
    """A turn among its siblings.

    Attributes:
        at, count: its number, from 1, and how many there are.
        before, after: what going on from the neighbours would reuse; None while not known.
    """

    at: int
    count: int
    before: ReusePlan | None = None
    after: ReusePlan | None = None


def fork_at(tree: MessageTree, turn: int, known: Mapping[int, ReusePlan]) -> Fork | None:
    """None where a turn has no siblings."""
    siblings = [sibling.id for sibling in tree.siblings(turn)]
    if len(siblings) < 2:
        return None
    at = siblings.index(turn)
    before = known.get(siblings[at - 1]) if at else None
    after = known.get(siblings[at + 1]) if at + 1 < len(siblings) else None
    return Fork(at + 1, len(siblings), before, after)
