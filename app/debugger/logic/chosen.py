"""The selection, or what is hovered, shared by all panels. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.passages import Place
from engine.snapshot import NodeView


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is selected or hovered; None for what is not.

    Attributes:
        node: id in the snapshot on screen.
        span: token positions [start, end) of the node's path; `start == end`: the checkpoint there.
        request: number of a request of the tape.
        entry: index of an entry of the tape.
        turn: a message of the conversation in the chat.
        places: of that message.
        ran: the requests that ran it, as the engine numbers them.
    """

    node: int | None = None
    span: tuple[int, int] | None = None
    request: int | None = None
    entry: int | None = None
    turn: int | None = None
    places: tuple[Place, ...] = ()
    ran: tuple[int, ...] = ()

    @property
    def is_checkpoint(self) -> bool:
        return self.span is not None and self.span[0] == self.span[1]


def node_of(node: NodeView | None, *, checkpoint: bool) -> Chosen:
    """A node, or its checkpoint alone."""
    if node is None:
        return NOTHING
    return Chosen(node.id, span=(node.end, node.end) if checkpoint else None)


NOTHING = Chosen()
