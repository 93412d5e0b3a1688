"""Chats with edited messages, regenerated answers, and returns to old branches."""

from __future__ import annotations

from engine.sim.chat import NEW_CHAT, _recent
from engine.sim.script import Message, Words, Workload, ask
from engine.trace.request import Ask

EDIT, REGENERATE, OTHER_BRANCH = 0.2, 0.15, 0.1
BRANCHES = 4


def edits(seed: int, requests: int) -> Workload:
    """Chats of several branches each; the last one continues unless the user goes back."""
    words = Words(seed)
    system = Message("system", words.exactly(180))
    chats: list[list[list[Message]]] = []
    asks: list[Ask] = []
    while len(asks) < requests:
        if not chats or words.rng.random() < NEW_CHAT / 2:
            branches: list[list[Message]] = [[system]]
        else:
            branches = chats.pop(_recent(words, len(chats)))
        branch, kind = branches[0], words.rng.random()
        turns = (len(branch) - 1) // 2
        if kind < EDIT and turns > 1:
            branch = branch[: 1 + 2 * int(words.rng.integers(turns))]
            branch.append(Message("user", words.text(70, 1500, 1.1)))
        elif kind < EDIT + REGENERATE and turns:
            branch = branch[:-1]
        else:
            if kind < EDIT + REGENERATE + OTHER_BRANCH and len(branches) > 1:
                branch = branches.pop(int(words.rng.integers(1, len(branches))))
            else:
                branches.pop(0)
            branch = [*branch, Message("user", words.text(70, 1500, 1.1))]
        thinking, answer = words.text(180, 900), words.text(120, 700)
        asks.append(ask(branch, thinking, answer, keep=False))
        branch = [*branch, Message("assistant", answer, thinking)]
        branches.insert(0, branch)
        chats.insert(0, branches[:BRANCHES])
    return Workload("edits", seed, tuple(asks))
