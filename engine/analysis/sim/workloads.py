"""The families of workloads by name."""

from __future__ import annotations

from collections.abc import Callable

from engine.analysis.sim.chat import NEW_CHAT, _recent, chat
from engine.analysis.sim.script import Message, Words, Workload, ask
from engine.journal.request import Ask

CHATS = 8
OUT_OF_TURN = 0.2
LONGEST = 12_000
SYSTEMS = 5
IN_USE = 12
MEAN_TURNS = 2.2
AGENTS = 5
CONTEXT = 14_000
GO_ON = 0.75
TASK_ENDS = 0.02
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


WORKLOADS: dict[str, Callable[[int, int], Workload]] = {
    "chat": chat,
    "agent": agent,
    "shared": shared,
    "edits": edits,
    "alternating": alternating,
}
