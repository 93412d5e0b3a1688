"""Ownership of cached sequences: the latest token sequences of each conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache.journal.changes import Owned as OwnedRecord
from engine.cache.node import Tokens
from engine.cache.tree import TokenIds, as_tokens, common_prefix
from engine.events import NodeOwner

# Branches, and prompts whose thinking a later prompt omits.
MOST_SEQUENCES = 8
# 16 MiB of token ids; beyond it the least recently updated owner is dropped.
MOST_TOKENS = 4 << 20


@dataclass(frozen=True, slots=True)
class Owned:
    """A sequence of an owner; `request`: see NodeOwner; `number` is the caller's."""

    tokens: Tokens
    request: int
    number: int = 0


class Owners:
    """The latest sequences of each owner, in memory only; owner 0 means none."""

    def __init__(self, most_tokens: int = MOST_TOKENS) -> None:
        self._most = most_tokens
        # The most recently updated comes last.
        self._owned: dict[int, tuple[Owned, ...]] = {}
        # Of all sequences.
        self._tokens = 0

    def __len__(self) -> int:
        """The number of owners with any sequence."""
        return len(self._owned)

    def __contains__(self, owner: int) -> bool:
        return owner in self._owned

    def add(self, owner: int, tokens: TokenIds, request: int = 0, number: int = 0) -> None:
        """Record a sequence of `owner`; it replaces one that it continues."""
        if not owner or not len(tokens):
            return
        new = Owned(as_tokens(tokens).copy(), request, number)
        held = self._take(owner)
        if any(_continues(one, new) for one in held):
            kept = held
        else:
            kept = (*(one for one in held if not _continues(new, one)), new)
        self._owned[owner] = kept[-MOST_SEQUENCES:]
        self._tokens += _size(self._owned[owner])
        while len(self._owned) > 1 and self._tokens > self._most:
            self._take(next(iter(self._owned)))

    def sequences(self, owner: int) -> list[Tokens]:
        """The sequences of an owner, oldest first."""
        return [one.tokens for one in self._owned.get(owner, ())]

    def held(self, owner: int) -> tuple[Owned, ...]:
        """The same with their details."""
        return self._owned.get(owner, ())

    def all(self) -> Iterator[tuple[int, Owned]]:
        """Every sequence with its owner, the most recently updated last."""
        return ((owner, one) for owner, held in self._owned.items() for one in held)

    def of_others(self, owner: int) -> list[Tokens]:
        """The sequences of all other owners."""
        return [one.tokens for at, held in self._owned.items() if at != owner for one in held]

    def drop(self, owner: int) -> None:
        self._take(owner)

    def of(self, path: Tokens, start: int) -> tuple[NodeOwner, ...]:
        """The owners of a node, most recently updated first.

        Args:
            path: the tokens from the root to the node's end.
            start: where the node's span begins.
        """
        found = []
        for owner, held in reversed(self._owned.items()):
            shared, request = _deepest(path, held)
            if shared > start:
                found.append(NodeOwner(owner, shared, request))
        return tuple(found)

    def _take(self, owner: int) -> tuple[Owned, ...]:
        held = self._owned.pop(owner, ())
        self._tokens -= _size(held)
        return held


def _size(held: tuple[Owned, ...]) -> int:
    """Tokens of some sequences."""
    return sum(len(one.tokens) for one in held)


def _continues(one: Owned, start: Owned) -> bool:
    """Whether `one` begins with all of `start` and has a request if that does."""
    told = one.request or not start.request
    return bool(told) and common_prefix(one.tokens, start.tokens) == len(start.tokens)


def _deepest(path: Tokens, held: Sequence[Owned]) -> tuple[int, int]:
    """The longest prefix that a sequence shares with `path`, and its request; later ones first."""
    best = (0, 0)
    for one in reversed(held):
        shared = common_prefix(path, one.tokens)
        if shared > best[0]:
            best = (shared, one.request)
    return best


def claimed(
    ids: Sequence[int],
    spans: Sequence[tuple[int, int]],
    said: Sequence[Tokens],
    marks: Sequence[int],
) -> list[Owned]:
    """The sequences that a conversation once ran, derived from its current prompt.

    Args:
        ids: the prompt, which ends with the start of an answer.
        spans: (start, end) of each message in it; (0, 0) if unknown.
        said: the generated ids of each message; empty for user messages.
        marks: of each message.

    Returns each answer as it was generated, with the thinking that the template has dropped since,
    and the current conversation.
    """
    whole = as_tokens(ids)
    end = spans[-1][1] if spans else 0
    if not end:
        return [Owned(whole, marks[-1] if marks else 0)]
    opens_answer = whole[end:]
    answers = [
        Owned(np.concatenate([whole[:start], opens_answer, generated]), mark)
        for (start, _), generated, mark in zip(spans, said, marks, strict=True)
        if start and len(generated)
    ]
    return [*answers[-(MOST_SEQUENCES - 1) :], Owned(whole[:end], marks[-1])]


def owned_record(owner: int, one: Owned) -> OwnedRecord:
    """The journal's record of a sequence."""
    return OwnedRecord(owner, one.request, one.tokens.astype("<i4").tobytes())


def owned_records(owners: Owners) -> list[OwnedRecord]:
    """Records of all sequences, for a late listener."""
    return [owned_record(owner, one) for owner, one in owners.all()]
