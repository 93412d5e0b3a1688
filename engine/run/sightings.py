"""Recent prompts, in enough detail to explain how a new one differs from them."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from engine.analysis.why.divergence import FEW_TOKENS, alike_again
from engine.cache.node import Tokens
from engine.cache.tree import TokenIds, as_tokens, common_prefix
from engine.commands import FIRST_CLIENT, FIRST_ONE_SHOT
from engine.message import Message, PromptOptions

MAX_SIGHTINGS = 64
# Two versions of one text match again within this many tokens.
VERSION_TOKENS = 80


@dataclass(frozen=True, slots=True)
class Sighting:
    """One prompt.

    Attributes:
        ids: `[n] int32`.
        roles: of its messages; empty for raw token ids.
        contents: a hash of each message's content.
        tools: a hash of the tool list.
        owner: the prompt's owner; see Submit.
    """

    ids: Tokens
    roles: tuple[str, ...]
    contents: tuple[int, ...]
    tools: int
    owner: int = 0

    @classmethod
    def of(
        cls,
        ids: TokenIds,
        messages: Sequence[Message],
        options: PromptOptions,
        owner: int = 0,
    ) -> Sighting:
        """Describe a prompt; `messages` is empty for raw token ids."""
        return cls(
            as_tokens(ids).copy(),
            tuple(message.role for message in messages),
            tuple(
                hash((message.content, json.dumps(message.tool_calls, default=str)))
                for message in messages
            ),
            hash(json.dumps(options.tools, default=str)),
            owner,
        )

    @property
    def messages(self) -> list[tuple[str, int]]:
        """The role and the content of each."""
        return list(zip(self.roles, self.contents, strict=True))

    def first_change(self, other: Sighting) -> int | None:
        """The first message that differs; None if one prompt extends the other."""
        pairs = enumerate(zip(self.messages, other.messages, strict=False))
        return next((at for at, (mine, theirs) in pairs if mine != theirs), None)

    def same_after(self, changed: int, other: Sighting) -> bool:
        """Whether both have the same message, not by the assistant, somewhere after `changed`."""
        after = zip(self.messages[changed + 1 :], other.messages[changed + 1 :], strict=False)
        return any(mine == theirs and mine[0] != "assistant" for mine, theirs in after)

    def left_out(self, changed: int, other: Sighting) -> int:
        """How many messages of `other` from `changed` on are missing here; all later ones match."""
        mine, theirs = self.messages[changed:], other.messages[changed:]
        for count in range(1, len(theirs)):
            kept = theirs[count:]
            if mine[: len(kept)] == kept and any(role != "assistant" for role, _ in kept):
                return count
        return 0

    def same_chat(self, other: Sighting) -> bool | None:
        """Whether both belong to one conversation, by their owners or messages; None if unknown."""
        if min(self.owner, other.owner) > 0 and max(self.owner, other.owner) < FIRST_ONE_SHOT:
            if self.owner != other.owner:
                return False
            if self.owner < FIRST_CLIENT:
                return True
        changed = self.first_change(other)
        if changed is None:
            return None
        return True if self.same_after(changed, other) or self.left_out(changed, other) else None

    def one_text(self, other: Sighting) -> bool:
        """Whether the first differing texts are two versions of one: they match again soon."""
        at = common_prefix(self.ids, other.ids)
        soon = slice(at, at + VERSION_TOKENS)
        return alike_again(self.ids[soon], other.ids[soon]) is not None


class Sightings:
    """The most recent prompts; the oldest is dropped first."""

    def __init__(self) -> None:
        self._seen: deque[Sighting] = deque(maxlen=MAX_SIGHTINGS)

    def add(self, sighting: Sighting) -> None:
        """Remember a prompt."""
        self._seen.append(sighting)

    def nearest(self, here: Sighting) -> Sighting | None:
        """The prompt that shares the longest prefix, the latest if several do.

        A slightly longer match is a coincidence: one of the same conversation is preferred.
        """
        shared = [(common_prefix(seen.ids, here.ids), seen) for seen in reversed(self._seen)]
        if not shared:
            return None
        most, best = max(shared, key=lambda one: one[0])
        close = (seen for count, seen in shared if count > most - FEW_TOKENS)
        return next((seen for seen in close if here.same_chat(seen)), best)
