"""The debugger's layouts that come with the program, and names for others. Without Qt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from app.core.words.tr import tr

MOST_NAME = 40


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A layout that comes with the program.

    Attributes:
        front: the panels in front of their tab groups.
        bottom: the share of the panels below the tree; None for the usual one.
    """

    title: str
    front: tuple[str, ...]
    bottom: float | None = None


DEFAULT = BuiltIn(tr("Default"), ("planes", "timeline"))
BUILT_IN = (
    DEFAULT,
    BuiltIn(tr("Evictions"), ("node", "evictions"), 0.6),
    BuiltIn(tr("Requests"), ("why", "requests"), 0.6),
)


def name_remark(name: str, saved: Collection[str]) -> tuple[str, bool]:
    """A sentence about the name of a layout to save, "" for none; and whether it can be used."""
    name = name.strip()
    if not name:
        return "", False
    if name in (one.title for one in BUILT_IN):
        return tr("“{name}” comes with the program: choose another name.").format(name=name), False
    if name in saved:
        return tr("“{name}” is replaced.").format(name=name), True
    return "", True
