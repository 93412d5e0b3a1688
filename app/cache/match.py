"""The match ruler: the three parts of a prompt over its token axis. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.words import format as fmt
from engine.reuse import ReusePlan


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens [start, end) of the prompt. `kind`: "reused", "replayed", "computed" or "unknown"."""

    kind: str
    label: str
    start: int
    end: int

    @property
    def tokens(self) -> int:
        return self.end - self.start

    @property
    def tooltip(self) -> str:
        return (
            f"{self.label}: {fmt.plural(self.tokens, 'token')}\n"
            f"positions {fmt.count(self.start)} to {fmt.count(self.end)}\n{_MEANING[self.kind]}"
        )


_MEANING = {
    "reused": "Keys, values and state were in the cache",
    "replayed": "Keys and values were in the cache; the state had to be rebuilt",
    "computed": "Not seen before: keys, values and state were computed",
    "unknown": "The engine does not report whether these were reused",
}


def stretches(plan: ReusePlan) -> tuple[Stretch, ...]:
    """Reused, replayed and computed, touching each other and covering the prompt.

    What an engine elsewhere does not report is unknown, in their place.
    """
    if plan.reported_by and (plan.unknown or not plan.total):
        return (Stretch("unknown", "not reported", 0, plan.total),)
    resume, match = plan.reused, plan.reused + plan.replayed
    return (
        Stretch("reused", "reused", 0, resume),
        Stretch("replayed", "replayed", resume, match),
        Stretch("computed", "new", match, plan.total),
    )


def checkpoint_position(plan: ReusePlan) -> int | None:
    """Where the diamond stands; None where nothing was resumed."""
    return plan.reused if plan.checkpoint is not None and plan.reused else None
