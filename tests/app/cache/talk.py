"""A conversation in the tree by hand: who speaks where, as the engine tells it."""

from __future__ import annotations

from msgspec.structs import replace

from engine.snapshot import NodeView, Speech
from tests.app.samples import node


def says(*parts: tuple[int, str, str] | tuple[int, str, str, bool]) -> tuple[Speech, ...]:
    """Stretches by start, role and text; each opens its message unless it says otherwise."""
    return tuple(
        Speech(part[0], part[1], part[2], part[3] if len(part) == 4 else part[1] != "")
        for part in parts
    )


def said(one: NodeView, *parts: tuple[int, str, str] | tuple[int, str, str, bool]) -> NodeView:
    return replace(one, speech=says(*parts))


# A system text, a question, an answer with thinking, and the next turn, which goes on without it.
SYSTEM = said(
    node(1, 0, 0, 45, "prefill"),
    (0, "system", "You are a helpful assistant."),
    (30, "", ""),
    (33, "user", "Why is the sky blue?"),
    (42, "assistant", ""),
)
STUMP = said(
    node(2, 1, 45, 345, "decode"),
    (45, "thinking", "The user asks about the sky."),
    (245, "assistant", "Air scatters blue light most."),
)
NEXT = said(
    node(3, 1, 45, 171, "prefill"),
    (45, "assistant", "Air scatters blue light most.", False),
    (145, "", ""),
    (148, "user", "And at night?"),
    (168, "assistant", ""),
)
TALK = (SYSTEM, STUMP, NEXT)
