"""Tells the engine in quiet moments whose the prompts of earlier starts are, one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.session.changes import NOTHING, Outcome
from app.session.conversations import Conversations
from app.session.ownership import claim
from app.session.removal import tree_of

# Older ones are hardly in the cache any more.
MOST_CLAIMED = 30


@dataclass(slots=True)
class Claims:
    """Which conversations the engine was told of since the model was opened."""

    told: set[int] = field(default_factory=set)

    def restart(self) -> None:
        """Another engine knows nothing."""
        self.told = set()

    def next(self, session: Conversations, model: str) -> Outcome:
        """Tell of the conversation on screen, else of a recent one; NOTHING if all are known.

        model: folder of the one that is ready.
        """
        recent = sorted(session.conversations, key=lambda one: -one.updated)
        for one in (session.current, *recent[:MOST_CLAIMED]):
            if one.id in self.told or one.empty:
                continue
            self.told.add(one.id)
            tree = tree_of(session, one)
            last = one.last if one.loaded else None
            leaf = last.id if last is not None else one.leaf
            command = claim(one, tree, leaf, model)
            if command is not None:
                return Outcome.of(commands=(command,))
        return NOTHING
