"""Views of nodes made three times as fast, for a moment of thousands of them.

A frozen dataclass sets every field through object.__setattr__. These are made as ordinary objects
with the same slots, and then declared to be what they are.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from engine.snapshot import CheckpointView, NodeView


def _maker(view: type) -> Any:
    """A constructor of `view`, with its parameters."""
    known: dict[str, Any] = {"View": view}
    known["Draft"] = type("Draft", (), {"__slots__": vars(view)["__slots__"]})
    takes, sets = [], []
    for field in fields(view):
        given = field.default is not MISSING
        known[f"_{field.name}"] = field.default
        takes.append(f"{field.name}=_{field.name}" if given else field.name)
        sets.append(f"    draft.{field.name} = {field.name}\n")
    exec(
        f"def make({', '.join(takes)}):\n    draft = Draft()\n{''.join(sets)}"
        "    draft.__class__ = View\n    return draft\n",
        known,
    )
    return known["make"]


if TYPE_CHECKING:
    make_node, make_checkpoint = NodeView, CheckpointView
else:
    make_node, make_checkpoint = _maker(NodeView), _maker(CheckpointView)
