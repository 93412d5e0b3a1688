"""The clients of the window's server: their requests and names. Without Qt."""

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
    """The state of the server and its clients.

    Attributes:
        snapshot: the server's newest; None before it was ever started.
        names: of clients by owner number in the tree; includes earlier servers' clients, whose
            prompts may still be cached.
    """

    snapshot: ServerSnapshot | None = None
    names: dict[int, str] = field(default_factory=dict)

    def know(self, snapshot: ServerSnapshot) -> Outcome:
        """Take over a newer snapshot."""
        self.snapshot = snapshot
        for client in snapshot.clients:
            for owner in (client.owner, client.one_shots):
                self.names[owner] = client.name
        return Outcome.of(Changed.SERVER)

    def name(self, owner: int) -> str:
        """A client's name, by its owner number in the tree."""
        return self.names.get(owner, tr("A program"))


def is_client(owner: int) -> bool:
    """Whether an owner in the tree is a client rather than a conversation."""
    return owner >= FIRST_CLIENT
