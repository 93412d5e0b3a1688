"""How one budget is split between two planes: toward the one whose want cost more tokens lately.

Every request says how many of its tokens had to run because a state had been evicted, and how many
because KV had. Those counts fade, so that the split follows the workload; and it only moves where
one plane is clearly the poorer, in steps that shrink when the direction turns, so that it settles.
"""

from __future__ import annotations

from dataclasses import dataclass

# A request's losses count half after so many more requests.
HALF_LIFE_REQUESTS = 16
# Requests between two moves: the last move must have had time to show.
REQUESTS_BETWEEN = 8
# How much poorer one plane must be, and how much of what ran it must have cost.
CLEARLY = 2.0
LEAST_SHARE_LOST = 0.02
FIRST_STEP, LEAST_STEP = 0.10, 0.02
LEAST_SHARE, MOST_SHARE = 0.15, 0.85


@dataclass(frozen=True, slots=True)
class Lost:
    """What one request ran again, in tokens.

    Attributes:
        ran: all that it ran of its prompt.
        for_state: of those, run because a checkpoint had been evicted for want of a state slot.
        for_kv: run because nodes had been evicted for want of KV slots.
    """

    ran: int
    for_state: int
    for_kv: int


class Split:
    """Decides on the state plane's share of the budget.

    Attributes:
        share: the state plane's part, 0 to 1.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self._ran = self._state = self._kv = 0.0
        self._since = 0
        self._step = FIRST_STEP
        self._direction = 0

    def saw(self, lost: Lost) -> None:
        """Take one request into account."""
        fade = 0.5 ** (1 / HALF_LIFE_REQUESTS)
        self._ran = fade * self._ran + lost.ran
        self._state = fade * self._state + lost.for_state
        self._kv = fade * self._kv + lost.for_kv
        self._since += 1

    def propose(self, *, most: float = MOST_SHARE) -> float | None:
        """A new share, or None while the present one is good. Taken as done where it is given.

        Args:
            most: the largest share that leaves the KV plane room for what is in use.
        """
        direction = self._poorer()
        if not direction or self._since < REQUESTS_BETWEEN or self._step < LEAST_STEP:
            return None
        if self._direction and direction != self._direction:
            self._step /= 2
        share = min(max(self.share + direction * self._step, LEAST_SHARE), most, MOST_SHARE)
        self._direction, self._since = direction, 0
        if abs(share - self.share) < LEAST_STEP:
            return None
        self.share = share
        # What was lost under the old split says nothing about the new one.
        self._ran = self._state = self._kv = 0.0
        return share

    def _poorer(self) -> int:
        """1 where the state plane is clearly too small, -1 where the KV plane is, else 0."""
        more, less = max(self._state, self._kv), min(self._state, self._kv)
        if more <= LEAST_SHARE_LOST * self._ran or more < CLEARLY * less:
            return 0
        return 1 if self._state > self._kv else -1
