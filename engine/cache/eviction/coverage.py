"""The policy `coverage`: evict first what saves the fewest expected replay tokens per byte."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cache.eviction import facts
from engine.cache.eviction.cause import PRESSURE, Cause
from engine.cache.eviction.habits import Habits, Stage
from engine.cache.eviction.policy import Peers
from engine.cache.node import Node
from engine.cache.tree import Walk

# A path is half as likely to be the next one used after this many matches elsewhere.
HALF_LIFE_MATCHES = 5
BUCKETS = 24
# The prior, a hyperbola with a half-life in matches, counts as this many returns in every bucket.
FIRST_RETURNS = 6.0
MEMORY_RETURNS = 200.0
MOST, LEAST = 8.0, 0.125


class Returns:
    """Counts returns and waiting time by age in matches, in buckets of doubling width.

    Attributes:
        ratios: by `age.bit_length()`, how much likelier a return at that age is than by the prior.
    """

    def __init__(self, half_life: int) -> None:
        self._half_life = half_life
        self._returns = [0.0] * BUCKETS
        self._expected = [0.0] * BUCKETS
        self._seen = 0.0
        self.ratios = [1.0] * BUCKETS

    def returned(self, age: int) -> None:
        """A chat left at its end was resumed after `age` matches."""
        self._waited(age)
        self._returns[min(age.bit_length(), BUCKETS - 1)] += 1.0
        self._seen += 1.0
        if self._seen > MEMORY_RETURNS:
            self._seen /= 2
            self._returns = [count / 2 for count in self._returns]
            self._expected = [count / 2 for count in self._expected]
        self._learn()

    def given_up(self, age: int) -> None:
        """A chat was not resumed for `age` matches, and is now evicted."""
        self._waited(age)

    def _waited(self, age: int) -> None:
        """Count the returns that the prior expects in a wait of `age` matches."""
        for bucket in range(min(age.bit_length(), BUCKETS - 1) + 1):
            first = (1 << bucket) >> 1
            last = min(age, (1 << bucket) - 1)
            self._expected[bucket] += (last - first + 1) / (self._half_life + (first + last) / 2)

    def _learn(self) -> None:
        for bucket, (seen, expected) in enumerate(zip(self._returns, self._expected, strict=True)):
            ratio = (seen + FIRST_RETURNS) / (expected + FIRST_RETURNS)
            self.ratios[bucket] = min(max(ratio, LEAST), MOST)


class Coverage(Habits):
    """Fewest expected replay tokens per byte first.

    Expected replay: tokens back to the nearest live ancestor checkpoint, times how likely a prompt
    that returns to this path resumes here, times how likely this path is the next one that a
    prompt returns to. The first is a fact, the second is learned online (see habits.py), the
    third falls hyperbolically with age, since times between uses of a chat are heavy-tailed, and
    is corrected by the ages at which chats did return (see Returns). Among equals a path is thinned
    evenly, so its shallow checkpoints are never evicted first as a block. Bytes are
    those of the plane under pressure: one state slot each, or the KV slots freed.
    """

    fades = True

    def __init__(self) -> None:
        super().__init__()
        self._returns = Returns(HALF_LIFE_MATCHES)

    # ---- queries

    def checkpoint_worth(self, node: Node) -> float:
        chance = self.chance(node)
        if node.children:
            # Prompts for the places below that lost their checkpoints resume here instead.
            chance += self._chance_below(node)
        return expected_replay(facts.replay(node), chance, facts.hit_rate(node))

    def leaf_worth(self, leaf: Node) -> float:
        return self.checkpoint_worth(leaf) / facts.slots_freed(leaf)

    def faded(self, worth: float, age: int, peers: Peers) -> float:
        return worth * self._returns.ratios[age.bit_length()] / (HALF_LIFE_MATCHES + age)

    def _chance_below(self, node: Node) -> float:
        chance = 0.0
        for tombstone in facts.tombstones_below(node):
            chance += self.chance(tombstone)
        return chance

    # ---- hooks

    def on_match(self, walk: Walk, now: int) -> Sequence[Node]:
        end = self.end_of(walk)
        if end is not None:
            self._returns.returned(now - end.used.match)
        return super().on_match(walk, now)

    def on_remove(self, node: Node, cause: Cause, now: int) -> None:
        if cause in PRESSURE and self.stage(node) is Stage.FRESH:
            self._returns.given_up(now - node.used.match)
        super().on_remove(node, cause, now)


def expected_replay(replay: int, chance: float, rate: float) -> float:
    """Tokens that a request is expected to recompute without the checkpoint.

    Args:
        replay: tokens to recompute if it resumes there.
        chance: probability that a prompt that returns to the path resumes there.
        rate: share of all matches that go through there; counts if recency implies less.
    """
    return replay * chance * max(1.0, rate * HALF_LIFE_MATCHES)
