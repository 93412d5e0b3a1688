"""Branch points of a conversation, and what switching to a neighbouring branch would cost."""

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
        before, after: what continuing from the neighbours would reuse; None until known.
    """

    at: int
    count: int
    before: ReusePlan | None = None
    after: ReusePlan | None = None


def fork_at(tree: MessageTree, turn: int, known: Mapping[int, ReusePlan]) -> Fork | None:
    """None for a turn without siblings."""
    siblings = [sibling.id for sibling in tree.siblings(turn)]
    if len(siblings) < 2:
        return None
    at = siblings.index(turn)
    before = known.get(siblings[at - 1]) if at else None
    after = known.get(siblings[at + 1]) if at + 1 < len(siblings) else None
    return Fork(at + 1, len(siblings), before, after)
