"""The match ruler: the three parts of a prompt over its token axis. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.words import format as fmt
from app.words.tr import tr
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
        return tr("{label}: {tokens}\npositions {start} to {end}\n{meaning}").format(
            label=self.label,
            tokens=fmt.plural(self.tokens, "token"),
            start=fmt.count(self.start),
            end=fmt.count(self.end),
            meaning=_MEANING[self.kind],
        )


_MEANING = {
    "reused": tr("Keys, values and state were in the cache"),
    "replayed": tr("Keys and values were in the cache; the state had to be rebuilt"),
    "computed": tr("Not seen before: keys, values and state were computed"),
    "unknown": tr("The engine does not report whether these were reused"),
}


def stretches(plan: ReusePlan) -> tuple[Stretch, ...]:
    """Reused, replayed and computed, touching each other and covering the prompt.

    What an engine elsewhere does not report is unknown, in their place.
    """
    if plan.reported_by and (plan.unknown or not plan.total):
        return (Stretch("unknown", tr("not reported"), 0, plan.total),)
    resume, match = plan.reused, plan.reused + plan.replayed
    return (
        Stretch("reused", tr("reused"), 0, resume),
        Stretch("replayed", tr("replayed"), resume, match),
        Stretch("computed", tr("new"), match, plan.total),
    )


def checkpoint_position(plan: ReusePlan) -> int | None:
    """Where the diamond stands; None where nothing was resumed."""
    return plan.reused if plan.checkpoint is not None and plan.reused else None


def expected_position(plan: ReusePlan) -> int | None:
    """How far an engine elsewhere should have reused the prompt by its own events."""
    return None if plan.expected is None or not plan.total else min(plan.expected, plan.total)
