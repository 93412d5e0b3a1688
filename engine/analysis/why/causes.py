"""The causes of a whole recording, by the tokens that each has cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.analysis.why.cause import CHANGED, NORMAL, Cause
from engine.analysis.why.evidence import Evidence


@dataclass(frozen=True, slots=True)
class CauseSum:
    """The requests of one cause.

    Attributes:
        requests: their numbers, in order.
        lost: tokens that had run before and ran again, in all of them.
        worst: the one that lost most, the first of equals.
    """

    cause: Cause
    requests: tuple[int, ...]
    lost: int
    worst: Evidence

    @property
    def notable(self) -> bool:
        """Whether tokens were lost, or may have been: a conversation's normal course is not."""
        return self.lost > 0 or self.cause not in NORMAL | CHANGED


def causes_of(explained: Iterable[Evidence]) -> tuple[CauseSum, ...]:
    """The causes of requests, those that lost most first; equal ones by number of requests."""
    found: dict[Cause, CauseSum] = {}
    for one in explained:
        so_far = found.get(one.cause, CauseSum(one.cause, (), 0, one))
        found[one.cause] = CauseSum(
            one.cause,
            (*so_far.requests, one.request.number),
            so_far.lost + one.again,
            one if one.again > so_far.worst.again else so_far.worst,
        )
    return tuple(sorted(found.values(), key=lambda one: (-one.lost, -len(one.requests))))
