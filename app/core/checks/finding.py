"""One thing that was looked at: how it is, in a sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.words.joining import in_turn

# "note": it works, if slower or with less than is possible.
Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out.

    Attributes:
        id: what was looked at, such as "memory".
        title: the same in words.
        sentence: how it is.
        fix: what to do; "" if there is nothing to be done.
        seconds: how long the look took, where that is worth knowing.
    """

    id: str
    title: str
    level: Level
    sentence: str
    fix: str = ""
    seconds: float | None = None

    @property
    def text(self) -> str:
        return in_turn(self.sentence, self.fix)


def worst(findings: list[Finding]) -> Level:
    """The gravest level among them."""
    levels = {one.level for one in findings}
    return "problem" if "problem" in levels else "note" if "note" in levels else "ok"
