"""How one budget is split: in favour of the plane whose evictions recently cost more tokens.

Each request reports how many of its tokens had to run because a state had been evicted, and how
many because KV had been. The counts decay, so the split follows the workload; it moves only if one
plane is clearly too small, in steps that shrink when the direction changes, so that it settles.
"""

from __future__ import annotations

from dataclasses import dataclass

# A request's losses count half after this many further requests.
HALF_LIFE_REQUESTS = 16
# Requests between two moves: a move needs time to take effect.
REQUESTS_BETWEEN_MOVES = 8
# How many times the other plane's losses one plane's must be, and the least share of the tokens run
# that they must account for.
CLEAR_RATIO = 2.0
MIN_SHARE_LOST = 0.02
FIRST_STEP, MIN_STEP = 0.10, 0.02
MIN_SHARE, MAX_SHARE = 0.15, 0.85


@dataclass(frozen=True, slots=True)
class Lost:
    """What one request recomputed, in tokens.

    Attributes:
        ran: all prompt tokens that it ran.
        for_state: those that ran because a checkpoint had been evicted for lack of a state slot.
        for_kv: those that ran because nodes had been evicted for lack of KV slots.
    """

    ran: int
    for_state: int
    for_kv: int


class Split:
    """Chooses the state plane's share of the budget.

    Attributes:
        share: the state plane's part, 0 to 1.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self._ran = self._state = self._kv = 0.0
        self._since = 0
        self._step = FIRST_STEP
        self._direction = 0

    def observe(self, lost: Lost) -> None:
        """Take one request into account."""
        fade = 0.5 ** (1 / HALF_LIFE_REQUESTS)
        self._ran = fade * self._ran + lost.ran
        self._state = fade * self._state + lost.for_state
        self._kv = fade * self._kv + lost.for_kv
        self._since += 1

    def propose(self, *, max_share: float = MAX_SHARE) -> float | None:
        """A new share, or None to keep the present one. A share that is returned counts as applied.

        Args:
            max_share: the largest share that leaves the KV plane enough room for what is in use.
        """
        direction = self._poorer()
        if not direction or self._since < REQUESTS_BETWEEN_MOVES or self._step < MIN_STEP:
            return None
        if self._direction and direction != self._direction:
            self._step /= 2
        share = min(max(self.share + direction * self._step, MIN_SHARE), max_share, MAX_SHARE)
        self._direction, self._since = direction, 0
        if abs(share - self.share) < MIN_STEP:
            return None
        self.share = share
        # Losses under the old split say nothing about the new one.
        self._ran = self._state = self._kv = 0.0
        return share

    def _poorer(self) -> int:
        """1 if the state plane is clearly too small, -1 if the KV plane is, else 0."""
        more, less = max(self._state, self._kv), min(self._state, self._kv)
        if more <= MIN_SHARE_LOST * self._ran or more < CLEAR_RATIO * less:
            return 0
        return 1 if self._state > self._kv else -1
