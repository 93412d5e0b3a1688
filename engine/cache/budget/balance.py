"""One byte budget for two planes: tracks what requests lose and resizes the pools."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.cache import TwoPlaneCache
from engine.cache.eviction.cause import Cause
from engine.cache.match import Match
from engine.cache.resize import Moves
from engine.reuse import Reason

# The KV plane always has room for the longest recent prompt times this factor.
HEADROOM = 1.25
PROMPT_FADE = 0.95
# The weight of a request's losses halves after this many further requests.
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
        """Account for one request."""
        fade = 0.5 ** (1 / HALF_LIFE_REQUESTS)
        self._ran = fade * self._ran + lost.ran
        self._state = fade * self._state + lost.for_state
        self._kv = fade * self._kv + lost.for_kv
        self._since += 1

    def propose(self, *, max_share: float = MAX_SHARE) -> float | None:
        """A new share, or None to keep the current one. A returned share counts as applied.

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


@dataclass(frozen=True, slots=True)
class PlaneSizes:
    """Slots of each plane. State slots are those the tree may own; the live slot is extra."""

    kv_slots: int
    state_slots: int


def split_budget(
    budget: int, share: float, *, kv_slot_bytes: int, state_slot_bytes: int
) -> PlaneSizes:
    """Slots of each plane if the state plane gets `share` of `budget` bytes."""
    state_slots = int(budget * share) // state_slot_bytes
    if share and not state_slots and budget >= 2 * state_slot_bytes:
        state_slots = 1
    return PlaneSizes((budget - state_slots * state_slot_bytes) // kv_slot_bytes, state_slots)


class Balance:
    """Keeps a cache's two pools at the sizes its workload needs; called between requests.

    Simulated and live runs call it in the same way, so they arrive at the same sizes.
    """

    def __init__(
        self,
        cache: TwoPlaneCache,
        budget: int,
        share: float,
        *,
        kv_slot_bytes: int,
        state_slot_bytes: int,
    ) -> None:
        self._cache = cache
        self._budget = budget
        self._first_share = share
        self._bytes = {"kv_slot_bytes": kv_slot_bytes, "state_slot_bytes": state_slot_bytes}
        self._split = Split(share)
        self._longest = 0.0

    def before_request(self, tokens: int) -> Moves | None:
        """Before a prompt of `tokens` tokens: make sure that the KV plane can hold it."""
        grown = self._first_share and self._split.share > self._first_share
        if not grown or tokens * HEADROOM <= self._cache.reader.sizes[0]:
            return None
        first = Split(self._first_share)
        if not self._holds_pins(first.share):
            return None
        self._split = first
        return self._resized()

    def after_request(self, match: Match, *, resize: bool = True) -> Moves | None:
        """After a request: the moves for a resize if the split changed, else None.

        resize: whether it may change now: no other request runs.
        """
        if not self._first_share:
            return None
        self._longest = max(PROMPT_FADE * self._longest, float(match.total))
        self._split.observe(lost_by(match))
        if not resize:
            return None
        kv_bytes = HEADROOM * self._longest * self._bytes["kv_slot_bytes"]
        share = self._split.propose(max_share=min(1 - kv_bytes / self._budget, MAX_SHARE))
        return self._resized() if share is not None and self._holds_pins(share) else None

    def _holds_pins(self, share: float) -> bool:
        """Whether the planes, split like that, have room for twice what is pinned."""
        sizes = split_budget(self._budget, share, **self._bytes)
        kv_slots, state_slots = self._cache.reader.pinned()
        return 2 * kv_slots <= sizes.kv_slots and 2 * state_slots <= sizes.state_slots

    def _resized(self) -> Moves | None:
        sizes = split_budget(self._budget, self._split.share, **self._bytes)
        return self._cache.resize(sizes.kv_slots, sizes.state_slots)


def lost_by(match: Match) -> Lost:
    """The tokens a request recomputed because something it needed had been evicted."""
    lost, evicted = match.lost, Reason.CHECKPOINT_EVICTED
    if lost is not None and lost.cause == Cause.ONE_SHOT:
        # It was evicted before anything else, which does not show for which plane.
        lost = None
    recomputed = 0
    if lost is not None and match.state_reason is evicted:
        recomputed += match.replayed
    if lost is not None and match.token_reason is evicted:
        recomputed += min(max(lost.position - match.matched, 0), match.computed)
    for_kv = lost is not None and lost.cause == Cause.KV_PRESSURE
    ran = match.total - match.resume
    return Lost(ran, for_state=0 if for_kv else recomputed, for_kv=recomputed if for_kv else 0)
