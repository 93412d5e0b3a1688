"""How far a user is in the story. Without Qt and user-visible texts: it is read at startup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StoryPlace:
    """How far the user is.

    Attributes:
        step: id of the step; "" for the first.
        done: ids of those whose task is done.
        open: the story is on screen beside the tabs.
    """

    step: str = ""
    done: frozenset[str] = frozenset()
    open: bool = True

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {"step": self.step, "done": sorted(self.done), "open": self.open}

    @classmethod
    def of(cls, raw: object) -> StoryPlace:
        """From JSON; what is missing or invalid is as at the beginning."""
        found = raw if isinstance(raw, dict) else {}
        step, done = found.get("step"), found.get("done")
        return cls(
            step if isinstance(step, str) else "",
            frozenset(one for one in done if isinstance(one, str))
            if isinstance(done, list)
            else frozenset(),
            found.get("open") is not False,
        )
