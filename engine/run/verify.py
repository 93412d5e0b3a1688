"""Verified hits: run what a checkpoint stands for once more, cold, and compare.

Compared are the state and the KV themselves, and what they answer to one more token.

In exact mode the KV is tagged with the cuts that it was computed under, so the cold run can be cut
at the same places, and then it has to agree to the last bit. Where the cuts cannot be told (their
hash proves them), and in fast mode, the difference has to be one that rounding explains.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from engine.cache.holding import Holding
from engine.cache.tiers.intake import MOVE_ERRORS
from engine.config import StateFormat
from engine.plan.cuts import chain_hashes
from engine.planes import LIVE_SLOT
from engine.run.compare import compare
from engine.run.distance import Held, distance
from engine.run.judge import judge
from engine.run.rounding import Bound
from engine.run.store import Store
from engine.storage.host_planes import gather_kv, scatter_kv
from engine.verdict import Verdict

if TYPE_CHECKING:
    from torch import Tensor

# A cold run gives way to a command between two segments of so many tokens, or where it has to be
# cut at other places, of at most so many.
SEGMENT_TOKENS = 256
LONGEST_SEGMENT_TOKENS = 512
# A background audit leaves longer prompts alone: it would take minutes and much memory.
MOST_TOKENS = 8192


@dataclass(frozen=True, slots=True)
class Cuts:
    """How a cold run is cut: the ends of its segments, and where a segment's scan is split."""

    cuts: tuple[int, ...]
    splits: tuple[int, ...] = ()

    @property
    def longest(self) -> int:
        """Tokens of the longest segment."""
        return max(b - a for a, b in pairwise((0, *self.cuts)))


def cuts_of(held: Holding) -> Cuts | None:
    """The cuts that made an exact checkpoint; None where they cannot be told for certain.

    All KV of a segment has one tag, and a state that was stored inside of one parted the path.
    """
    point = held.checkpoint
    if point is None or not point.state.exact:
        return None
    end = len(held.tokens)
    cuts = (*(np.flatnonzero(np.diff(held.tags)) + 1).tolist(), end)
    inside = tuple(at for at in held.ends if 0 < at < end and at not in cuts)
    tags = held.tags[[cut - 1 for cut in cuts]].tolist()
    for splits in ((), inside):
        # The KV may have been written again since, under the cuts of another prompt.
        if list(chain_hashes(cuts, splits)) == tags and tags[-1] == point.state.cut_hash:
            return Cuts(cuts, splits)
    return None


def plain_cuts(end: int) -> Cuts:
    """Short segments, as good as any where nothing has to agree to the last bit."""
    return Cuts((*range(SEGMENT_TOKENS, end, SEGMENT_TOKENS), end))


class Verifier:
    """Audits checkpoints of a store, one at a time, between requests."""

    def __init__(self, store: Store, rounding: Callable[[StateFormat], Bound]) -> None:
        """rounding: what it may explain for a state that was stored in a format."""
        self._store = store
        self._rounding = rounding
        # Nodes above one that was found wrong, which were not looked at yet.
        self._doubted: list[int] = []

    def next_unverified(self) -> int | None:
        """What no audit has looked at: first what is in doubt, then what was consumed last.

        None where there is nothing of either.
        """
        cache = self._store.cache
        if self._doubted:
            unverified = self._unverified()
            self._doubted = [node for node in self._doubted if node in unverified]
        if self._doubted:
            return self._doubted[0]
        for node in reversed(cache.reader.checkpoints()):
            held = cache.reader.holding(node)
            point = held.checkpoint
            open_question = point is not None and point.hits and point.state.verdict is None
            if open_question and len(held.tokens) <= MOST_TOKENS:
                return node
        return None

    def verify(
        self, node: int, wanted: Callable[[], bool], *, brief: bool = False
    ) -> Verdict | None:
        """Audit the checkpoint of a node and stamp it.

        Where it is wrong, so may be what it was computed from: the checkpoints above are audited
        as well, up to the first that is not wrong. With `brief` it always gives way within
        LONGEST_SEGMENT_TOKENS, if need be at the price of a comparison within rounding instead of
        one of bits. None where it has none, where there was no memory for it, or where `wanted`
        said between two segments that something waits.
        """
        above = self._above(node)
        verdict = self._verify(node, wanted, brief)
        found = verdict
        while found is not None and found.status == "quarantined" and above:
            found = self._verify(above[0], wanted, brief)
            if found is not None:
                above.pop(0)
        # It gave way: these come first in the next idle moment.
        if verdict is not None and found is None:
            self._doubted = above
        return verdict

    def _unverified(self) -> set[int]:
        """Device nodes with a checkpoint that no audit has looked at."""
        return {
            node.id
            for node in self._store.cache.reader.nodes()
            if node.checkpoint is not None and node.checkpoint.state.verdict is None
        }

    def _above(self, node: int) -> list[int]:
        """The unverified ones among the nodes above, the lowest first."""
        parents = {shown.id: shown.parent for shown in self._store.cache.reader.nodes()}
        unverified, found = self._unverified(), list[int]()
        at = parents[node]
        while at is not None:
            if at in unverified:
                found.append(at)
            at = parents[at]
        return found

    def _verify(self, node: int, wanted: Callable[[], bool], brief: bool) -> Verdict | None:
        held = self._store.cache.reader.holding(node)
        if held.checkpoint is None:
            return None
        cuts = cuts_of(held) if self._store.exact else None
        if cuts is not None and brief and cuts.longest > LONGEST_SEGMENT_TOKENS:
            cuts = None
        try:
            there = self._held(held)
            resumed = self._resumed(held, there)
            cold = self._cold(held, cuts or plain_cuts(len(held.tokens)), wanted)
        except MOVE_ERRORS:
            return None
        if cold is None:
            return None
        here, expected = cold
        apart, seen = distance(there, here), compare(resumed, expected)
        bound = self._rounding(held.checkpoint.state.stored)
        status = judge(apart, seen, bound, to_the_bit=cuts is not None)
        largest = max(apart.largest, seen.relative)
        verdict = Verdict(status, largest, max(seen.kl, 0.0), time.monotonic())
        self._store.tiers.stamp(node, verdict)
        return verdict

    def _held(self, held: Holding) -> Held:
        """What a run that resumes from the checkpoint would see, copied."""
        point, store = held.checkpoint, self._store
        assert point is not None
        delta, conv, hidden = store.states.parts(point.slot)
        k, v = gather_kv(store.kv, held.runs)
        kept = hidden.cpu() if point.state.has_hidden else None
        return Held(delta.cpu(), conv.cpu(), kept, k, v)

    def _resumed(self, held: Holding, there: Held) -> Tensor:
        """Logits of one more token after the checkpoint, on copies of its state and KV."""
        end = len(held.tokens)
        sequence = self._store.private_sequence(end + 1)
        sequence.start(_one_more(held), None, headroom=0)
        scatter_kv(there.k, there.v, sequence.kv, ((0, end),))
        delta, conv, _ = sequence.states.parts(LIVE_SLOT)
        delta.copy_(there.delta)
        conv.copy_(there.conv)
        sequence.position = end
        return sequence.forward(end + 1, ())

    def _cold(
        self, held: Holding, cuts: Cuts, wanted: Callable[[], bool]
    ) -> tuple[Held, Tensor] | None:
        """What a run with nothing reused has at the same place, and logits of the same token.

        None where it gave way.
        """
        end = len(held.tokens)
        sequence = self._store.private_sequence(end + 1)
        sequence.start(_one_more(held), None, headroom=0)
        for cut in cuts.cuts:
            if wanted():
                return None
            splits = tuple(at for at in cuts.splits if sequence.position < at < cut)
            sequence.forward(cut, splits)
        if wanted():
            return None
        delta, conv, hidden = (part.cpu().clone() for part in sequence.states.parts(LIVE_SLOT))
        k, v = gather_kv(sequence.kv, ((0, end),))
        return Held(delta, conv, hidden, k, v), sequence.forward(end + 1, ())


def _one_more(held: Holding) -> np.ndarray:
    """The tokens and one behind them; any will do, so it is the last one again."""
    return np.append(held.tokens, held.tokens[-1]).astype(np.int64)
