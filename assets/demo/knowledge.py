"""What the demo model knows about Biplane and its cache."""

from __future__ import annotations

from dataclasses import dataclass

from assets.demo.tables import table


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing the model can explain.

    Attributes:
        term: the noun phrase for the general question frames; empty where only `asked` fits.
        asked: further questions.
        answers: correct answers, each complete in itself.
    """

    term: str
    asked: tuple[str, ...]
    answers: tuple[str, ...]


_TABLE = table("knowledge")

FRAMES: tuple[str, ...] = tuple(_TABLE["frames"])
TOPICS = tuple(
    Topic(entry["term"], tuple(entry["asked"]), tuple(entry["answers"]))
    for entry in _TABLE["topics"]
)
