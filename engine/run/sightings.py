"""Recent prompts, in enough detail to say how a new one differs from them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from engine.cache.node import Tokens
from engine.cache.tree import TokenIds, as_tokens, common_prefix
from engine.message import Message, PromptOptions

MAX_SIGHTINGS = 64


@dataclass(frozen=True, slots=True)
class Sighting:
    """One prompt.

    Attributes:
        ids: `[n] int32`.
        roles: of its messages; empty for raw token ids.
        contents: a hash of each message's content.
        tools: a hash of the tool list.
    """

    ids: Tokens
    roles: tuple[str, ...]
    contents: tuple[int, ...]
    tools: int

    @classmethod
    def of(cls, ids: TokenIds, messages: Sequence[Message], options: PromptOptions) -> Sighting:
        """Describe a prompt; `messages` is empty for raw token ids."""
        return cls(
            as_tokens(ids).copy(),
            tuple(message.role for message in messages),
            tuple(
                hash((message.content, json.dumps(message.tool_calls, default=str)))
                for message in messages
            ),
            hash(json.dumps(options.tools, default=str)),
        )

    def first_change(self, other: Sighting) -> int | None:
        """The first message that differs; None if one prompt extends the other."""
        for at in range(min(len(self.roles), len(other.roles))):
            mine, theirs = (
                (self.roles[at], self.contents[at]),
                (other.roles[at], other.contents[at]),
            )
            if mine != theirs:
                return at
        return None

    def same_after(self, changed: int, other: Sighting) -> bool:
        """Whether both have the same message, not by the assistant, somewhere after `changed`."""
        mine = list(zip(self.roles, self.contents, strict=True))[changed + 1 :]
        theirs = list(zip(other.roles, other.contents, strict=True))[changed + 1 :]
        return any(a == b and a[0] != "assistant" for a, b in zip(mine, theirs, strict=False))


class Sightings:
    """The most recent prompts; the oldest is dropped first."""

    def __init__(self) -> None:
        self._seen: deque[Sighting] = deque(maxlen=MAX_SIGHTINGS)

    def add(self, sighting: Sighting) -> None:
        """Remember a prompt."""
        self._seen.append(sighting)

    def nearest(self, ids: TokenIds) -> Sighting | None:
        """The prompt that shares the longest prefix with `ids`, the latest if several do."""
        wanted = as_tokens(ids)
        return max(
            reversed(self._seen), key=lambda seen: common_prefix(seen.ids, wanted), default=None
        )
