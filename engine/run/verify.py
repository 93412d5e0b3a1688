"""Verified hits: recompute what a checkpoint stands for, cold, and compare.

The state and the KV themselves are compared, and the logits they give for one more token.

In exact mode the KV is tagged with the cuts that it was computed under, so the cold run can be cut
at the same places, and then it must agree to the last bit. If the cuts cannot be recovered (their
hash proves them), and in fast mode, rounding must explain the difference.
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
from engine.plan.asked import recovered_cuts
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

# A cold run yields to a command between two passes of this many tokens, or, if it must be cut at
# given places, of at most LONGEST_SEGMENT_TOKENS.
PASS_TOKENS = 256
LONGEST_PASS_TOKENS = 512
# A background audit skips longer prompts: they would take minutes and much memory.
MAX_TOKENS = 8192


@dataclass(frozen=True, slots=True)
class Cuts:
    """How a cold run is cut: the ends of its passes, and where a pass's scan is split."""

    cuts: tuple[int, ...]
    splits: tuple[int, ...] = ()

    @property
    def longest(self) -> int:
        """Tokens of the longest pass."""
        return max(b - a for a, b in pairwise((0, *self.cuts)))


def cuts_of(held: Holding, *, mixture: bool = False) -> Cuts | None:
    """The cuts that an exact checkpoint was computed with; None if they cannot be proven."""
    point = held.checkpoint
    if point is None or not point.state.exact:
        return None
    found = recovered_cuts(held.tags, held.ends, held.tokens if mixture else None)
    if found is None or held.tags[-1] != point.state.cut_hash:
        return None
    return Cuts(*found)


def plain_cuts(end: int) -> Cuts:
    """Short passes, as good as any if no bit-exact agreement is needed."""
    return Cuts((*range(PASS_TOKENS, end, PASS_TOKENS), end))


class Verifier:
    """Audits checkpoints of a store, one at a time, between requests."""

    def __init__(self, store: Store, rounding: Callable[[StateFormat], Bound]) -> None:
        """rounding: the error that rounding explains, by the format in which a state was stored."""
        self._store = store
        self._rounding = rounding
        # Ancestors of a wrong checkpoint that have not been audited yet.
        self._suspects: list[int] = []

    def next_unverified(self) -> int | None:
        """The next unaudited checkpoint: suspects first, then the most recently consumed.

        None if there is neither.
        """
        cache = self._store.cache
        if self._suspects:
            unverified = self._unverified()
            self._suspects = [node for node in self._suspects if node in unverified]
        if self._suspects:
            return self._suspects[0]
        for node in reversed(cache.reader.checkpoints()):
            held = cache.reader.holding(node)
            point = held.checkpoint
            unaudited = point is not None and point.hits and point.state.verdict is None
            if unaudited and len(held.tokens) <= MAX_TOKENS:
                return node
        return None

    def verify(
        self, node: int, wanted: Callable[[], bool], *, brief: bool = False
    ) -> Verdict | None:
        """Audit the checkpoint of a node and stamp it.

        If it is wrong, so may be what it was computed from: the checkpoints above it are audited as
        well, up to the first that is not wrong. With `brief` it always yields within
        LONGEST_SEGMENT_TOKENS, if necessary by comparing within rounding instead of bit by bit.
        None if the node has no checkpoint, if memory ran out, or if `wanted` reported between two
        passes that a command is waiting.
        """
        above = self._above(node)
        verdict = self._verify(node, wanted, brief)
        found = verdict
        while found is not None and found.status == "quarantined" and above:
            found = self._verify(above[0], wanted, brief)
            if found is not None:
                above.pop(0)
        # It yielded: audit these first in the next idle moment.
        if verdict is not None and found is None:
            self._suspects = above
        return verdict

    def _unverified(self) -> set[int]:
        """Device nodes with an unaudited checkpoint."""
        return {
            node.id
            for node in self._store.cache.reader.nodes()
            if node.checkpoint is not None and node.checkpoint.state.verdict is None
        }

    def _above(self, node: int) -> list[int]:
        """The unaudited checkpoints above the node, lowest first."""
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
        cuts = cuts_of(held, mixture=self._store.mixture) if self._store.exact else None
        if cuts is not None and brief and cuts.longest > LONGEST_PASS_TOKENS:
            cuts = None
        try:
            copied = self._copy(held)
            resumed = self._resumed_logits(held, copied)
            cold = self._cold_run(held, cuts or plain_cuts(len(held.tokens)), wanted)
        except MOVE_ERRORS:
            return None
        if cold is None:
            return None
        recomputed, expected = cold
        difference, logits = distance(copied, recomputed), compare(resumed, expected)
        bound = self._rounding(held.checkpoint.state.stored)
        status = judge(difference, logits, bound, to_the_bit=cuts is not None)
        largest = max(difference.largest, logits.relative)
        verdict = Verdict(status, largest, max(logits.kl, 0.0), time.monotonic())
        self._store.tiers.stamp(node, verdict, background=brief)
        return verdict

    def _copy(self, held: Holding) -> Held:
        """A copy of what a run that resumes from the checkpoint would read."""
        point, store = held.checkpoint, self._store
        assert point is not None
        delta, conv, hidden = store.states.parts(point.slot)
        k, v = gather_kv(store.kv, held.extents)
        kept = hidden.cpu() if point.state.has_hidden else None
        return Held(delta.cpu(), conv.cpu(), kept, k, v)

    def _resumed_logits(self, held: Holding, copied: Held) -> Tensor:
        """Logits of one more token after the checkpoint, on copies of its state and KV."""
        end = len(held.tokens)
        sequence = self._store.private_sequence(end + 1)
        sequence.start(_one_more(held), None, headroom=0)
        scatter_kv(copied.k, copied.v, sequence.kv, ((0, end),))
        delta, conv, _ = sequence.states.parts(LIVE_SLOT)
        delta.copy_(copied.delta)
        conv.copy_(copied.conv)
        sequence.position = end
        return sequence.forward(end + 1, ())

    def _cold_run(
        self, held: Holding, cuts: Cuts, wanted: Callable[[], bool]
    ) -> tuple[Held, Tensor] | None:
        """The state and KV of a cold run at the same position, and the logits of the same token.

        None if it yielded.
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
    """The tokens and one more; any token will do, so the last one is repeated."""
    return np.append(held.tokens, held.tokens[-1]).astype(np.int64)
