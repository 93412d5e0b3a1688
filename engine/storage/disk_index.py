"""The segments and their links: plain data, rebuilt from the files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.cache.journal.changes import SegmentAdded
from engine.storage.segment_file import SegmentMeta, Tags, Tokens
from engine.stored_state import StoredState


@dataclass(slots=True)
class StoredSegment:
    """A segment that is on disk or being written.

    Attributes:
        tokens, tags: of its span.
        nbytes: of the file.
        used: when its state, or that of a descendant, was last used; seconds since 1970.
    """

    meta: SegmentMeta
    tokens: Tokens
    tags: Tags
    nbytes: int
    used: float


Lineage = tuple[StoredSegment, ...]
Usable = Callable[[Lineage], bool]


class DiskIndex:
    """Segments by key, and by the key of their parent segment."""

    def __init__(self) -> None:
        self._entries: dict[str, StoredSegment] = {}
        self._children: dict[str, dict[str, StoredSegment]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def get(self, key: str) -> StoredSegment | None:
        return self._entries.get(key)

    def add(self, entry: StoredSegment) -> None:
        """Add a segment, replacing one with the same key."""
        self._drop(entry.meta.key)
        self._entries[entry.meta.key] = entry
        self._children.setdefault(entry.meta.parent, {})[entry.meta.key] = entry

    def below(self, key: str) -> list[StoredSegment]:
        """All descendants of a segment, parents first."""
        top = self._entries.get(key)
        if top is None:
            return []
        found: list[StoredSegment] = []
        stack = [top]
        while stack:
            children = self._under(stack.pop())
            found.extend(children)
            stack.extend(children)
        return found

    def remove(self, key: str) -> list[StoredSegment]:
        """Remove a segment and its descendants; returns them, deepest first."""
        keys = [*(entry.meta.key for entry in reversed(self.below(key))), key]
        return [entry for at in keys if (entry := self._drop(at)) is not None]

    def match(self, tokens: Tokens, usable: Usable) -> Lineage:
        """The lineage of the deepest usable state among the prefixes of `tokens`; () if none.

        Every segment of a lineage is entirely inside the tokens. A state at their very end is only
        usable with a hidden row.
        """
        best: Lineage = ()
        stack: list[Lineage] = [()]
        while stack:
            lineage = stack.pop()
            at = lineage[-1].meta.end if lineage else 0
            for entry in self._under(lineage[-1] if lineage else None):
                meta = entry.meta
                if meta.end > len(tokens):
                    continue
                if not np.array_equal(entry.tokens, tokens[at : meta.end]):
                    continue
                longer = (*lineage, entry)
                stack.append(longer)
                deeper = not best or meta.end > best[-1].meta.end
                ends = meta.end < len(tokens) or meta.state.has_hidden
                if deeper and ends and usable(longer):
                    best = longer
        return best

    def paths(self) -> Iterator[Lineage]:
        """The lineages of the segments without children, most recently used first."""
        ends = [one for one in self._entries.values() if not self._under(one)]
        ends.sort(key=lambda entry: entry.used, reverse=True)
        lineages = (self.lineage(entry.meta.key) for entry in ends)
        return (lineage for lineage in lineages if lineage)

    def passing(self, tokens: Tokens) -> list[StoredSegment]:
        """The first segment on each branch that reaches or passes the end of `tokens`."""
        found: list[StoredSegment] = []
        for above in self._along(tokens):
            at = above.meta.end if above is not None else 0
            rest = tokens[at:]
            found.extend(
                entry
                for entry in self._under(above)
                if entry.meta.end >= len(tokens) and _begins_with(entry.tokens, rest)
            )
        return found

    def on_the_way(self, tokens: Tokens) -> list[StoredSegment]:
        """The segments on the path of `tokens` that end before its end."""
        return [entry for entry in self._along(tokens) if entry is not None]

    def lineage(self, key: str) -> Lineage:
        """The segments from the root down to `key`; () if one of them is missing."""
        lineage: list[StoredSegment] = []
        at: str = key
        while at:
            entry = self._entries.get(at)
            if entry is None or (lineage and entry.meta.end != lineage[-1].meta.start):
                return ()
            lineage.append(entry)
            at = entry.meta.parent
        return tuple(lineage[::-1])

    def entries(self) -> Iterator[StoredSegment]:
        """Every segment that is connected to the root, parents first."""
        stack = self._under(None)
        while stack:
            entry = stack.pop()
            yield entry
            stack.extend(self._under(entry))

    def orphans(self) -> list[StoredSegment]:
        """Segments whose parent is missing."""
        whole = {entry.meta.key for entry in self.entries()}
        return [entry for key, entry in self._entries.items() if key not in whole]

    def missing_above(self, key: str) -> str:
        """The key of the missing ancestor of a segment; "" if none is missing."""
        at = self._entries.get(key)
        parent = ""
        while at is not None:
            parent, start = at.meta.parent, at.meta.start
            at = self._entries.get(parent)
            if at is not None and at.meta.end != start:
                break
        return parent

    def settle_ages(self) -> None:
        """Make no segment look older than its descendants: it was used with them."""
        for entry in reversed(list(self.entries())):
            above = self._entries.get(entry.meta.parent)
            if above is not None:
                above.used = max(above.used, entry.used)

    def bytes_used_before(self, used: float, kept: Lineage) -> int:
        """Bytes that could be freed for something last used at `used`; segments in `kept` stay."""
        staying = {entry.meta.key for entry in kept}
        return sum(
            entry.nbytes
            for key, entry in self._entries.items()
            if entry.used < used and key not in staying
        )

    def oldest(self) -> StoredSegment | None:
        """The least recently used leaf, which is evicted first."""
        leaves = (e for key, e in self._entries.items() if not self._children.get(key))
        return min(leaves, key=lambda entry: (entry.used, -entry.meta.end), default=None)

    def _along(self, tokens: Tokens) -> Iterator[StoredSegment | None]:
        """The root (None) and every segment that is entirely within `tokens`."""
        stack: list[StoredSegment | None] = [None]
        while stack:
            above = stack.pop()
            yield above
            at = above.meta.end if above is not None else 0
            stack.extend(
                entry
                for entry in self._under(above)
                if entry.meta.end < len(tokens) and _begins_with(tokens[at:], entry.tokens)
            )

    def _under(self, above: StoredSegment | None) -> list[StoredSegment]:
        """The segments that continue another; those at the root if it is None."""
        key, end = ("", 0) if above is None else (above.meta.key, above.meta.end)
        # By position, too: foreign files may name each other as parents in a cycle.
        return [e for e in self._children.get(key, {}).values() if e.meta.start == end]

    def _drop(self, key: str) -> StoredSegment | None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            siblings = self._children[entry.meta.parent]
            del siblings[key]
            if not siblings:
                del self._children[entry.meta.parent]
        return entry


def _begins_with(whole: Tokens, beginning: Tokens) -> bool:
    return bool(np.array_equal(whole[: len(beginning)], beginning))


class SegmentRecords:
    """Creates the records of one store's segments.

    Files outlive the cache's clock, which restarts with the machine, so they use seconds since
    1970. The offset is taken once, so that the order of use is the same in files.

    Attributes:
        kv_slot_bytes: bytes of KV per token.
    """

    def __init__(self, kv_slot_bytes: int) -> None:
        self.kv_slot_bytes = kv_slot_bytes
        self._zero = time.time() - time.monotonic()

    def added(self, entry: StoredSegment, *, written: bool, found: bool) -> SegmentAdded:
        """The record of a segment, without its tokens."""
        meta = entry.meta
        return SegmentAdded(
            key=meta.key,
            parent=meta.parent,
            start=meta.start,
            end=meta.end,
            created=self.moment(meta.created),
            used=self.moment(entry.used),
            file_bytes=entry.nbytes,
            state=self.state(meta.state),
            written=written,
            found=found,
        )

    def kv_bytes(self, entry: StoredSegment) -> int:
        """Bytes of its KV."""
        return self.kv_slot_bytes * (entry.meta.end - entry.meta.start)

    def moment(self, wall: float) -> float:
        """Seconds since 1970 on the cache's clock."""
        return wall - self._zero

    def wall(self, moment: float) -> float:
        """A moment on the cache's clock as seconds since 1970."""
        return moment + self._zero

    def state(self, state: StoredState) -> StoredState:
        """A file's state, its times on the cache's clock."""
        return _shifted(state, -self._zero)

    def state_in_file(self, state: StoredState) -> StoredState:
        """The inverse of `state`."""
        return _shifted(state, self._zero)


def _shifted(state: StoredState, seconds: float) -> StoredState:
    """The state with its times on another clock."""
    if state.verdict is None:
        return state
    return replace(state, verdict=replace(state.verdict, time=state.verdict.time + seconds))
