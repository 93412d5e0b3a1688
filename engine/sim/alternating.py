"""Long chats in rotation, the worst pattern for least recently used."""

from __future__ import annotations

from engine.sim.script import Message, Words, Workload, ask
from engine.trace.request import Ask

CHATS = 8
OUT_OF_TURN = 0.2
LONGEST = 12_000


def alternating(seed: int, requests: int) -> Workload:
    """Eight long chats, mostly in rotation; one that gets too long starts over."""
    words = Words(seed)
    chats = [_new_chat(words) for _ in range(CHATS)]
    asks: list[Ask] = []
    for turn in range(requests):
        which = turn % CHATS
        if words.rng.random() < OUT_OF_TURN:
            which = int(words.rng.integers(CHATS))
        messages = chats[which]
        messages.append(Message("user", words.text(120, 1500, 1.0)))
        thinking, answer = words.text(150, 700), words.text(150, 700)
        asks.append(ask(messages, thinking, answer, keep=False))
        messages.append(Message("assistant", answer, thinking))
        if sum(len(m.text) for m in messages) > LONGEST:
            chats[which] = _new_chat(words)
    return Workload("alternating", seed, tuple(asks))


def _new_chat(words: Words) -> list[Message]:
    """A chat about a pasted document."""
    return [Message("system", words.exactly(180)), Message("user", words.text(3000, 6000, 0.4))]
