"""Segments without files, which tell the journal what a store would: several may share tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cache.journal.changes import (
    Change,
    DiskOpened,
    DiskTrouble,
    SegmentAdded,
    SegmentRemoved,
    SegmentsUsed,
    SegmentWritten,
)
from engine.cache.journal.journal import Journal
from engine.snapshot import DiskView
from engine.stored_state import StoredState

KV_BYTES = 3
BUDGET = 3_000
Tokens = NDArray[np.int32]


@dataclass
class MadeUp:
    """A segment: the record of its addition, kept up to date, and all tokens to its end."""

    told: SegmentAdded
    path: Tokens


class TapedDisk:
    """Random segments along the prompts that it is shown."""

    def __init__(
        self, journal: Journal, rng: np.random.Generator, clock: Callable[[], float]
    ) -> None:
        self._rng, self._clock = rng, clock
        self._log = journal.of("disk", clock)
        self._segments: dict[str, MadeUp] = {}
        self._damaged, self._trouble = 0, ""

    def happen(self, prompt: Tokens) -> None:
        """A few things that may happen to files; new ones are on the way of the prompt."""
        acts = (self._add, self._add, self._write, self._use, self._lose)
        for _ in range(int(self._rng.integers(1, 5))):
            acts[int(self._rng.integers(len(acts)))](prompt)
        if self._rng.random() < 0.1:
            self._damaged += 1
            self._trouble = "" if self._trouble else "Nothing can be written."
            self._log(DiskTrouble(self._damaged, self._trouble))
        while sum(one.told.file_bytes for one in self._segments.values()) > BUDGET:
            self._lose(prompt)

    def _add(self, prompt: Tokens) -> None:
        """Under any segment that the prompt passes, whoever has its tokens already."""
        end = int(self._rng.integers(1, len(prompt) + 1))
        key = key_of(prompt[:end])
        above = [""] + [
            other
            for other, one in self._segments.items()
            if one.told.end < end and np.array_equal(one.path, prompt[: one.told.end])
        ]
        parent = above[int(self._rng.integers(len(above)))]
        start = self._segments[parent].told.end if parent else 0
        now, nbytes = self._clock(), KV_BYTES * (end - start) + int(self._rng.integers(40, 90))
        told = SegmentAdded(
            key,
            parent,
            start,
            end,
            now,
            now,
            nbytes,
            StoredState(end, tier="disk", error=float(self._rng.random())),
            tokens=prompt[start:end].astype("<i4").tobytes(),
        )
        before = self._segments.get(key)
        if before is not None:
            self._tell_removed(before, "superseded")
        self._segments[key] = MadeUp(told, prompt[:end].astype(np.int32))
        self._log(told)

    def _write(self, prompt: Tokens) -> None:
        waiting = [one for one in self._segments.values() if not one.told.written]
        if waiting:
            one = waiting[int(self._rng.integers(len(waiting)))]
            nbytes = one.told.file_bytes + int(self._rng.integers(5))
            one.told = replace(one.told, written=True, file_bytes=nbytes)
            self._log(SegmentWritten(one.told.key, nbytes))

    def _use(self, prompt: Tokens) -> None:
        if self._segments:
            keys = tuple(self._rng.choice(list(self._segments), 3).tolist())
            now = self._clock()
            for key in keys:
                one = self._segments[key]
                one.told = replace(one.told, used=now)
            self._log(SegmentsUsed(keys, now))

    def _lose(self, prompt: Tokens) -> None:
        """A segment with all that continue it, the last ones first."""
        if not self._segments:
            return
        keys = list(self._segments)
        gone = [keys[int(self._rng.integers(len(keys)))]]
        for key in gone:
            gone += [k for k, one in self._segments.items() if one.told.parent == key]
        for key in reversed(gone):
            self._tell_removed(self._segments.pop(key), "disk budget")

    def _tell_removed(self, one: MadeUp, cause: str) -> None:
        told = one.told
        kv_bytes = KV_BYTES * (told.end - told.start)
        self._log(
            SegmentRemoved(
                told.start, told.end, "prefill", told.file_bytes, kv_bytes, cause, told.key
            )
        )

    # ---- as a live tier shows it

    def told(self) -> Iterator[Change]:
        yield DiskOpened(BUDGET, KV_BYTES, self._damaged, self._trouble)
        for one in sorted(self._segments.values(), key=lambda one: one.told.end):
            yield replace(one.told, found=True)

    def span_of(self, key: str) -> bytes:
        return self._segments[key].told.tokens

    def view(self) -> DiskView:
        every = [one.told for one in self._segments.values()]
        return DiskView(
            files=len(every),
            used_bytes=sum(told.file_bytes for told in every),
            budget_bytes=BUDGET,
            pending=sum(not told.written for told in every),
            damaged=self._damaged,
            trouble=self._trouble,
        )

    @property
    def shared(self) -> int:
        """How many tokens more than one segment has."""
        held: dict[bytes, int] = {}
        for one in self._segments.values():
            for end in range(one.told.start + 1, one.told.end + 1):
                prefix = one.path[:end].tobytes()
                held[prefix] = held.get(prefix, 0) + 1
        return sum(many > 1 for many in held.values())


def key_of(path: Tokens) -> str:
    return blake2b(path.astype("<i4").tobytes(), digest_size=16).hexdigest()
