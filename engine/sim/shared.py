"""Many users on a few long system prompts, most of them for a question or two."""

from __future__ import annotations

from engine.sim.script import Message, Words, Workload, ask
from engine.trace.request import Ask

SYSTEMS = 5
IN_USE = 12
MEAN_TURNS = 2.2


def shared(seed: int, requests: int) -> Workload:
    """Every user starts from one of five system prompts of unequal popularity."""
    words = Words(seed)
    systems = [
        Message("system", words.exactly(int(words.rng.integers(1500, 4500)))) for _ in range(5)
    ]
    popularity = [1 / (rank + 1) for rank in range(SYSTEMS)]
    users: list[tuple[list[Message], int]] = []
    asks: list[Ask] = []
    while len(asks) < requests:
        if len(users) < IN_USE:
            chosen = words.rng.choice(SYSTEMS, p=[p / sum(popularity) for p in popularity])
            messages, left = [systems[int(chosen)]], int(words.rng.geometric(1 / MEAN_TURNS))
        else:
            messages, left = users.pop(int(words.rng.integers(len(users))))
        messages.append(Message("user", words.text(50, 800, 1.0)))
        thinking, answer = words.text(80, 400), words.text(100, 500)
        asks.append(ask(messages, thinking, answer, keep=False))
        messages.append(Message("assistant", answer, thinking))
        if left > 1:
            users.append((messages, left - 1))
    return Workload("shared", seed, tuple(asks))
