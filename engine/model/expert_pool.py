"""The routed experts that are resident: all of them, or the ones used last within a budget.

The rest stay in the model's files and are read when a token is routed to them. Which experts are
resident never changes a result: an expert that comes back is read from the same bytes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from engine.model.expert import Expert

Key = tuple[int, int]


class ExpertPool:
    """Experts by (layer, number), least recently used first.

    Attributes:
        budget: bytes; 0 keeps everything. One expert is always kept, whatever it takes.
        used: bytes of the resident experts.
        total: experts the model has.
        hits, misses: how often an expert that was asked for was resident.
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
        """The expert, by `read` where it is not resident; others may have to go for it."""
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
        """Put an expert in as the one used last, and let go of others beyond the budget."""
        self._experts[key] = expert
        self.used += expert.nbytes
        while self.budget and self.used > self.budget and len(self._experts) > 1:
            _, gone = self._experts.popitem(last=False)
            self.used -= gone.nbytes
