"""Readings for the lab's tabs, with numbers by which each can be told."""

from __future__ import annotations

from engine.readings import (
    EntrySeries,
    LayerRecall,
    MemoryReading,
    RecallReading,
    StateHead,
    StateSeries,
)

TEXTS = ("Hello", ",", " my", " name", " is", " Ada", "\n", " so", "?", " yes")


def memory(full: int | None = 3, linear: int | None = 0, start: int = 0) -> MemoryReading:
    """Ten tokens."""
    count = len(TEXTS)
    keys = tuple(tuple(10.0 + head + t for t in range(count)) for head in range(2))
    entries = None if full is None else EntrySeries(full, keys, keys)
    state = None
    if linear is not None:
        heads = tuple(_head(number, count) for number in range(16))
        state = StateSeries(linear, (1, 4), 2, 2, heads)
    return MemoryReading(start + count, start, TEXTS, entries, state)


def _head(number: int, count: int) -> StateHead:
    return StateHead(
        norms=tuple(float(t + number) for t in range(count)),
        changes=tuple(1.0 / (t + 1) for t in range(count)),
        decays=(0.953,) * count,
        rates=(0.25,) * count,
        likeness=((None, *(0.99,) * (count - 1)), (*(None,) * 4, *(0.5,) * (count - 4))),
        readback=tuple(tuple(1.0 - 0.1 * (t - j) for j in range(t + 1)) for t in range(count)),
        pictures=tuple(bytes((0, 255, t, 0)) for t in range(count)),
        written=tuple(bytes((0, 0, 0, t)) for t in range(count)),
        largest=2.0,
    )


def recall(needle: tuple[int, int] | None = (5, 6), queries: int = 4) -> RecallReading:
    """A full layer among linear ones; the later the query, the more comes from the needle."""
    count = len(TEXTS)
    if needle is None:
        return RecallReading(count, 0, TEXTS)
    kinds = ("linear", "linear", "linear", "full") * 6
    layers = tuple(
        LayerRecall(
            at,
            "full" if kind == "full" else "linear",
            tuple((q + 1) / queries * (0.8 if kind == "full" else 0.02) for q in range(queries)),
            tuple(tuple(0.1 * h for _ in range(queries)) for h in range(4)),
            () if kind == "full" else (0.4,) * queries,
            () if kind == "full" else ((0.4,) * queries,) * 4,
        )
        for at, kind in enumerate(kinds)
    )
    return RecallReading(count, 0, TEXTS, needle, count - queries, layers)
