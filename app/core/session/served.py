"""The clients of the window's server: what they asked for, and what they are called. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.session.changes import Changed, Outcome
from app.core.words.tr import tr
from engine.commands import FIRST_CLIENT

if TYPE_CHECKING:
    from engine.net.server.registry import ServerSnapshot


@dataclass(slots=True)
class Served:
    """What is known of them.

    Attributes:
        snapshot: the server's newest; None before it was ever started.
        names: of clients by their numbers in the tree; also of those of earlier servers, as the
            cache still has their prompts.
    """

    snapshot: ServerSnapshot | None = None
    names: dict[int, str] = field(default_factory=dict)

    def know(self, snapshot: ServerSnapshot) -> Outcome:
        """Take over what the server says now."""
        self.snapshot = snapshot
        for client in snapshot.clients:
            for owner in (client.owner, client.one_shots):
                self.names[owner] = client.name
        return Outcome.of(Changed.SERVER)

    def name(self, owner: int) -> str:
        """Of a client, by its number in the tree."""
        return self.names.get(owner, tr("A program"))


def is_client(owner: int) -> bool:
    """Whether an owner of the tree is a client, and no conversation."""
    return owner >= FIRST_CLIENT
