"""Prompts as a chat template would render them, with made-up tokens and the engine's anchors."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.journal.request import Ask

Tokens = npt.NDArray[np.int64]
VOCABULARY = 150_000
# Ids that only the template emits.
SYSTEM, USER, TOOL, ASSISTANT, THINK = (
    np.array([200_000, 200_010 + role, 200_001], np.int64) for role in range(5)
)
OF_ROLE = {"system": SYSTEM, "user": USER, "tool": TOOL, "assistant": ASSISTANT}


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests in order of arrival.

    Attributes:
        seed: the same seed gives the same requests.
    """

    name: str
    seed: int
    asks: tuple[Ask, ...]


@dataclass(slots=True)
class Message:
    """One message of a transcript; `thinking` is what the template may strip."""

    role: str
    text: Tokens
    thinking: Tokens = field(default_factory=lambda: np.empty(0, np.int64))


class Words:
    """Seeded texts of realistic lengths."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def text(self, median: float, most: int, spread: float = 0.8) -> Tokens:
        """Random tokens, of a log-normal length from 4 up to `most`."""
        length = int(np.clip(self.rng.lognormal(np.log(median), spread), 4, most))
        return self.exactly(length)

    def exactly(self, length: int) -> Tokens:
        return self.rng.integers(0, VOCABULARY, length)


def ask(messages: list[Message], thinking: Tokens, answer: Tokens, *, keep: bool) -> Ask:
    """The request that answers `messages` with `thinking` and `answer`.

    Anchors: the end of the system prompt, the start of each user message, and right after the
    assistant's header, before its thinking opens.

    Args:
        keep: the template keeps the thinking of earlier answers; otherwise it strips it, and the
        next prompt diverges from this answer right after the header.
    """
    parts: list[Tokens] = []
    anchors: list[int] = []
    at = 0

    def add(*pieces: Tokens) -> None:
        nonlocal at
        parts.extend(pieces)
        at += sum(len(piece) for piece in pieces)

    for message in messages:
        if message.role == "user" and at:
            anchors.append(at)
        add(OF_ROLE[message.role])
        if message.role == "assistant" and keep:
            add(THINK, message.thinking)
        add(message.text)
    add(ASSISTANT)
    anchors.append(at)
    add(THINK)
    return Ask(np.concatenate(parts), np.concatenate([thinking, answer]), tuple(anchors))
