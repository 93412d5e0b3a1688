"""The resident routed experts: all of them, or the most recently used within a budget.

The others stay in the model's files and are read when a token is routed to them. Residency never
changes a result: an expert is always read from the same bytes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from engine.model.expert import Expert

Key = tuple[int, int]


class ExpertPool:
    """Experts by (layer, number), least recently used first.

    Attributes:
        budget: bytes; 0 keeps everything. One expert is always kept, whatever its size.
        used: bytes of the resident experts.
        total: experts the model has.
        hits, misses: how often a requested expert was resident or not.
    """

    def __init__(self, budget: int, total: int) -> None:
        self.budget, self.total = budget, total
        self.used = self.hits = self.misses = 0
        self._experts: OrderedDict[Key, Expert] = OrderedDict()

    @property
    def resident(self) -> int:
        """Experts in memory."""
        return len(self._experts)

    def take(self, layer: int, number: int, read: Callable[[], Expert]) -> Expert:
        """The expert, loaded by `read` if it is not resident, possibly evicting others."""
        key = (layer, number)
        expert = self._experts.get(key)
        if expert is not None:
            self.hits += 1
            self._experts.move_to_end(key)
            return expert
        self.misses += 1
        expert = read()
        self.keep(key, expert)
        return expert

    def keep(self, key: Key, expert: Expert) -> None:
        """Add an expert as the most recently used, and evict others beyond the budget."""
        self._experts[key] = expert
        self.used += expert.nbytes
        while self.budget and self.used > self.budget and len(self._experts) > 1:
            _, gone = self._experts.popitem(last=False)
            self.used -= gone.nbytes
