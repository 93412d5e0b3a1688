"""Coding agents: long tool loops that only ever append, until the context is compacted."""

from __future__ import annotations

from engine.sim.script import Message, Words, Workload, ask
from engine.trace.request import Ask

AGENTS = 5
CONTEXT = 14_000
GO_ON = 0.75
TASK_ENDS = 0.02


def agent(seed: int, requests: int) -> Workload:
    """A few agents with one system prompt and tools; each mostly runs several steps in a row."""
    words = Words(seed)
    system = Message("system", words.exactly(2200))
    agents: list[list[Message]] = [[] for _ in range(AGENTS)]
    asks: list[Ask] = []
    which = 0
    while len(asks) < requests:
        if words.rng.random() > GO_ON:
            which = int(words.rng.integers(AGENTS))
        messages = agents[which]
        size = sum(len(m.text) + len(m.thinking) + 6 for m in messages)
        if not messages or words.rng.random() < TASK_ENDS:
            messages[:] = [system, Message("user", words.text(250, 1500))]
        elif size > CONTEXT:
            # The compacted context is a new summary, in different words.
            messages[:] = [system, Message("user", words.exactly(900))]
        elif words.rng.random() < 0.1:
            messages.append(Message("user", words.text(60, 500)))
        else:
            messages.append(Message("tool", words.text(220, 3000, 1.2)))
        thinking, answer = words.text(60, 400), words.text(70, 500)
        asks.append(ask(messages, thinking, answer, keep=True))
        messages.append(Message("assistant", answer, thinking))
    return Workload("agent", seed, tuple(asks))
