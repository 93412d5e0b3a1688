"""What was drafted of an answer, and what became of it: a few numbers for each draft."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from engine.config import DraftSources

# The conversation itself, what the client predicted, cached paths by their tier, and the model's
# own draft head.
Source = Literal["text", "prediction", "device", "host", "disk", "head"]
# Recorded by their places in this list; new ones come last.
SOURCES: tuple[Source, ...] = get_args(Source)
OF_TREE = frozenset[Source]({"device", "host", "disk"})
# Numbers of a draft before its rejected tokens.
_HEAD = 6


class Draft(NamedTuple):
    """Tokens that were checked in one pass.

    Attributes:
        at: of the answer's tokens the one that the first of them was to be, from 0.
        kept: how many of them, from the first on, were the answer's.
        source: where they were found.
        node: whose tokens they were, by its number on that tier; 0 in a file or outside the tree.
        position: of the first of them there, in tokens of the path, of the conversation or of the
            prediction; 0 of the head.
        rejected: the ids of the others; zeros where ids are withheld.
    """

    at: int
    kept: int
    source: Source
    node: int
    position: int
    rejected: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many were drafted."""
        return self.kept + len(self.rejected)


@dataclass(frozen=True)
class Drafted:
    """What drafts did for an answer.

    Attributes:
        sources: from where they could come; "off" also where nothing is known.
        steps: passes of the model after the prompt; 0 while off.
        tried: the drafts, as little-endian int32; see `drafts`.
        costs: the shortest pass of each number of rows until then, in seconds.
    """

    sources: DraftSources = "off"
    steps: int = 0
    tried: bytes = b""
    costs: tuple[tuple[int, float], ...] = ()

    @cached_property
    def drafts(self) -> tuple[Draft, ...]:
        """Every draft, in order. Raises ValueError if the record is damaged."""
        return tuple(_unpacked(self.tried))

    @property
    def drafted(self) -> int:
        """Tokens that were drafted."""
        return sum(draft.size for draft in self.drafts)

    @property
    def kept(self) -> int:
        """Drafted tokens that became part of the answer."""
        return sum(draft.kept for draft in self.drafts)

    @property
    def from_tree(self) -> int:
        """Kept tokens that another cached path had."""
        return sum(draft.kept for draft in self.drafts if draft.source in OF_TREE)

    def of(self, generated: int) -> bool:
        """Whether this can be the record of an answer of so many tokens."""
        try:
            ends = [0, *(draft.at + draft.kept for draft in self.drafts)]
        except ValueError:
            return False
        starts = [*(draft.at for draft in self.drafts), generated]
        return all(end <= start for end, start in zip(ends, starts, strict=True))

    def without_ids(self) -> Drafted:
        """The same without the ids of rejected tokens."""
        bare = (draft._replace(rejected=(0,) * len(draft.rejected)) for draft in self.drafts)
        return replace(self, tried=packed(bare))


NO_DRAFTS = Drafted()


def packed(drafts: Iterable[Draft]) -> bytes:
    """Drafts as they are recorded, 24 bytes each and 4 for a rejected token."""
    numbers = array("i")
    for draft in drafts:
        source = SOURCES.index(draft.source)
        numbers.extend((draft.at, draft.kept, source, draft.node, draft.position))
        numbers.extend((len(draft.rejected), *draft.rejected))
    return np.frombuffer(numbers, np.int32).astype("<i4").tobytes()


def _unpacked(tried: bytes) -> Iterator[Draft]:
    if len(tried) % 4:
        raise ValueError("drafts are recorded as whole numbers")
    numbers = np.frombuffer(tried, "<i4").tolist()
    first = 0
    while first < len(numbers):
        head = numbers[first : first + _HEAD]
        if len(head) < _HEAD or min(head) < 0 or head[2] >= len(SOURCES):
            raise ValueError("a recorded draft is damaged")
        at, kept, source, node, position, more = head
        first += _HEAD + more
        if first > len(numbers):
            raise ValueError("a recorded draft is cut off")
        rejected = tuple(numbers[first - more : first])
        yield Draft(at, kept, SOURCES[source], node, position, rejected)
