"""What a soak found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """The state after some turns: memory in bytes, the longest gap since the row before in ms."""

    turns: int
    rss: int
    widgets: int
    longest_gap_ms: float


@dataclass(frozen=True, slots=True)
class SoakReport:
    """What a soak found.

    Attributes:
        start_rss: in bytes, once all had been used for a while.
        allowed_rss: that and the budgets, and 5 % on top.
        late_growth: of the memory over the second half of the turns, in bytes.
        p95_gap_ms, longest_gap_ms: between two turns of the GUI thread's event loop.
        longest_by_act: the longest gap during each kind of action, in ms.
        broken: invariants of the cache that did not hold, and what the window showed wrongly.
        compared: how often the window was compared with the engine.
        scrubbed: to how many of those moments the debugger went back, and was compared again.
        on_disk: in how many of these some checkpoint was in a file alone.
    """

    turns: int
    conversations: int
    seed: int
    acts: dict[str, int]
    seconds: float
    start_rss: int
    allowed_rss: int
    late_growth: int
    p95_gap_ms: float
    longest_gap_ms: float
    longest_by_act: dict[str, float]
    broken: tuple[str, ...]
    compared: int
    scrubbed: int
    on_disk: int
    rows: tuple[Row, ...]

    @property
    def holds(self) -> bool:
        most = max(row.rss for row in self.rows)
        return most <= self.allowed_rss and self.longest_gap_ms <= 250 and not self.broken
