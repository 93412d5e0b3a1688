"""Chats whose template strips thinking: some active, many abandoned for a long time or for good."""

from __future__ import annotations

from engine.analysis.sim.script import Message, Words, Workload, ask
from engine.journal.request import Ask

# The chat at recency rank r is resumed with a probability proportional to 1 / r ** RECENCY_POWER.
RECENCY_POWER = 1.1
NEW_CHAT = 0.12
MEAN_TURNS = 9


def chat(seed: int, requests: int) -> Workload:
    """Turns of many chats that share a short system prompt."""
    words = Words(seed)
    system = Message("system", words.exactly(180))
    # The most recently used chat comes first.
    open_chats: list[tuple[list[Message], int]] = []
    asks: list[Ask] = []
    while len(asks) < requests:
        if not open_chats or words.rng.random() < NEW_CHAT:
            messages, left = [system], int(words.rng.geometric(1 / MEAN_TURNS))
        else:
            messages, left = open_chats.pop(_recent(words, len(open_chats)))
        messages.append(Message("user", words.text(70, 1500, 1.1)))
        thinking, answer = words.text(180, 900), words.text(120, 700)
        asks.append(ask(messages, thinking, answer, keep=False))
        messages.append(Message("assistant", answer, thinking))
        if left > 1:
            open_chats.insert(0, (messages, left - 1))
    return Workload("chat", seed, tuple(asks))


def _recent(words: Words, count: int) -> int:
    weights = [1 / (rank + 1) ** RECENCY_POWER for rank in range(count)]
    total = sum(weights)
    return int(words.rng.choice(count, p=[weight / total for weight in weights]))
