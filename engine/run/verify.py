"""Verifies cache hits: recomputes a checkpoint's prefix cold, and compares.

The state and the KV themselves are compared, and the logits they produce for one more token.

In exact mode the KV is tagged with the cuts it was computed with, so the cold run can be cut at the
same places, and must then agree to the last bit. If the cuts cannot be recovered (their hash
proves them), and in fast mode, rounding must explain the difference.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from engine.cache.holding import Holding
from engine.cache.tiers.intake import MOVE_ERRORS
from engine.config import StateFormat, WeightFormat
from engine.plan.passes import recovered_cuts
from engine.planes import LIVE_SLOT
from engine.run.store import Store
from engine.storage.host_planes import gather_kv, scatter_kv
from engine.verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from torch import Tensor
if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel
if TYPE_CHECKING:
    import torch


# A cold run yields to a command between two passes of this many tokens, or, with prescribed cuts,
# of at most LONGEST_SEGMENT_TOKENS.
PASS_TOKENS = 256
LONGEST_PASS_TOKENS = 512
# A background audit skips longer prompts: they would take minutes and much memory.
MAX_TOKENS = 8192
# Beyond rounding but still harmless: within this distance, with nearly the same distribution.
HARMLESS = 0.3
HARMLESS_KL = 0.05
# KV is wrong if most of this many neighbouring tokens are.
STRETCH_TOKENS = 8


@dataclass(frozen=True, slots=True)
class Comparison:
    """Cached logits against cold ones.

    Attributes:
        largest: the largest absolute difference.
        relative: `largest` over the largest absolute cold logit.
        kl: divergence of the cached distribution from the cold one, in nats.
        same_top: whether the likeliest token is the same.
        behind: the cold run's largest logit minus its logit for the cached run's likeliest token,
            over the largest absolute cold logit.
        bit_equal: whether the rows are bit-equal.
    """

    largest: float
    relative: float
    kl: float
    same_top: bool
    behind: float
    bit_equal: bool


def compare(cached: torch.Tensor, cold: torch.Tensor) -> Comparison:
    """Compare two float32 rows [vocab]."""
    import torch

    largest = float((cached - cold).abs().max())
    scale = float(cold.abs().max())
    log_cached = torch.log_softmax(cached.double(), -1)
    log_cold = torch.log_softmax(cold.double(), -1)
    return Comparison(
        largest=largest,
        relative=largest / scale if scale > 0 else largest,
        kl=float((log_cold.exp() * (log_cold - log_cached)).sum()),
        same_top=int(cached.argmax()) == int(cold.argmax()),
        behind=float(cold.max() - cold[cached.argmax()]) / (scale if scale > 0 else 1.0),
        bit_equal=bool(torch.equal(cached, cold)),
    )


@dataclass(frozen=True, slots=True)
class Bound:
    """Upper bounds of the differences that rounding may cause.

    Attributes:
        largest: of a Distance.
        relative: the largest difference of two logits over the largest logit.
        kl: divergence of the next token's distribution, in nats.
        outliers: the largest difference of a few numbers while the others hardly differ.
    """

    largest: float
    relative: float
    kl: float
    outliers: float = 0.0

    def __add__(self, other: Bound) -> Bound:
        return Bound(
            self.largest + other.largest,
            self.relative + other.relative,
            self.kl + other.kl,
            max(self.outliers, other.outliers),
        )


NOTHING = Bound(0.0, 0.0, 0.0)
BY_DTYPE: dict[str, Bound] = {
    "float32": Bound(1e-3, 1e-3, 1e-6),
    "bfloat16": Bound(0.15, 0.1, 0.02),
    "float16": Bound(0.03, 0.02, 1e-3),
}
# A state packed for a lower tier adds its own error.
BY_FORMAT: dict[StateFormat, Bound] = {
    "none": NOTHING,
    "bfloat16": Bound(0.02, 0.02, 2e-3),
    "int8": Bound(0.06, 0.05, 0.02),
}
# Rows in 8 bits turn the last bit of an activation into one step of 127, and few rows have 16 bits
# where many have 8; the two products of 4 bits round weights differently.
BY_WEIGHTS: dict[WeightFormat, Bound] = {
    "stored": NOTHING,
    "int8": Bound(0.13, 0.1, 0.1, outliers=0.6),
    "int4": Bound(0.13, 0.1, 0.1, outliers=0.6),
}
# Limits for values that one token cannot move far: well above the measured effect of rerouting,
# well below that of a wrong state.
FLIPPED_HEADS = 0.75
FLIPPED_ROWS = 0.45
FLIPPED_STRETCH = 0.62


def rounding_of(
    dtype: str, stored: StateFormat, weights: WeightFormat = "stored", sparse: bool = False
) -> Bound:
    """What rounding may explain.

    sparse: the model routes tokens to experts. In float32, stored as float32, no choice was
    measured to change.
    """
    coarse = dtype != "float32" or weights != "stored" or stored != "none"
    bound = BY_DTYPE[dtype] + BY_FORMAT[stored] + BY_WEIGHTS[weights]
    # One token's rows may differ completely if it may be routed to another expert.
    return bound + Bound(0.0, 0.0, 0.0, outliers=math.inf if sparse and coarse else 0.0)


def rounding_for(model: HybridModel) -> Callable[[StateFormat], Bound]:
    """`rounding_of` this model, by the format in which a state was stored."""
    dtype = str(model.dtype).removeprefix("torch.")
    sparse = model.config.experts is not None
    return partial(rounding_of, dtype, weights=model.weights, sparse=sparse)


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A copy of what a run resumes from.

    Attributes:
        delta: [linear_layers, value_heads, key_dim, value_dim] float32.
        conv: [linear_layers, rows, channels].
        hidden: [hidden]; None if it is not stored.
        k, v: [full_layers, kv_heads, tokens, head_dim].
    """

    delta: Tensor
    conv: Tensor
    hidden: Tensor | None
    k: Tensor
    v: Tensor


@dataclass(frozen=True, slots=True)
class Distance:
    """Differences relative to the norm of the cold run's values; infinite for any NaN.

    Attributes:
        equal: whether all bits are equal.
        largest: of any layer's delta state, any row of a window, the hidden row, and the key or
            value of any token in any layer.
        heads, rows, stretch: values that a single token cannot move far, in the worst layer: the
            median over the heads of a delta state, the nearest row of a window, and the median over
            neighbouring tokens' KV.
    """

    equal: bool
    largest: float
    heads: float
    rows: float
    stretch: float


def distance(held: Held, cold: Held) -> Distance:
    """The distance of `held` from `cold`, for the same model and position."""
    layers = _apart(held.delta, cold.delta, (1, 2, 3))
    heads = _apart(held.delta, cold.delta, (2, 3)).median(1).values
    windows = _apart(held.conv, cold.conv, (2,))
    largest = [layers.max(), windows.max()]
    equal = torch.equal(held.delta, cold.delta) and torch.equal(held.conv, cold.conv)
    if held.hidden is not None and cold.hidden is not None:
        largest.append(_apart(held.hidden, cold.hidden, (0,)))
        equal &= torch.equal(held.hidden, cold.hidden)
    stretch = [torch.zeros(())]
    # Layer by layer: in float32, a long prompt's KV would take as much memory as the plane.
    for part, right in ((held.k, cold.k), (held.v, cold.v)):
        for layer, other in zip(part, right, strict=True):
            tokens = _apart(layer, other, (0, 2))
            largest.append(tokens.max())
            stretch.append(_stretch(tokens))
            equal &= torch.equal(layer, other)
    return Distance(
        equal=equal,
        largest=_worst(largest),
        heads=_worst([heads.max()]),
        rows=_worst([windows.min(1).values.max()]),
        stretch=_worst(stretch),
    )


def _apart(one: Tensor, other: Tensor, dims: tuple[int, ...]) -> Tensor:
    """Norm of the difference over the norm of `other`, over `dims`; 0 if both are zero."""
    one, other = one.float(), other.float()
    difference = (one - other).pow_(2).sum(dims).sqrt_()
    norm = other.pow(2).sum(dims).sqrt_()
    return torch.where(difference == 0, 0.0, difference / norm)


def _stretch(tokens: Tensor) -> Tensor:
    """The largest median of STRETCH_TOKENS neighbours; of fewer tokens, the median of all."""
    if len(tokens) <= STRETCH_TOKENS:
        return tokens.median()
    windows = tokens.unfold(0, STRETCH_TOKENS, STRETCH_TOKENS // 2)
    last = tokens[-STRETCH_TOKENS:].median()
    return torch.maximum(windows.median(1).values.max(), last)


def _worst(figures: list[Tensor]) -> float:
    worst = float(torch.stack(figures).max())
    # Comparisons with NaN are always false, so NaN would pass as no difference at all.
    return worst if math.isfinite(worst) else math.inf


def judge(
    difference: Distance, logits: Comparison, bound: Bound, *, to_the_bit: bool = False
) -> VerdictStatus:
    """The verdict on a checkpoint.

    Args:
        difference: between the state and KV of the resumed run and those of the cold one.
        logits: difference of the logits of one more token.
        bound: what rounding may explain.
        to_the_bit: the cold run had the checkpoint's own cuts, so all bits must agree.
    """
    if difference.equal and logits.bit_equal:
        return "verified"
    near = difference.largest <= bound.largest
    if near or (difference.largest <= bound.outliers and _few_off(difference)):
        # Rounding explains it, but bit-equality was promised.
        if to_the_bit:
            return "drifted"
        answers = logits.relative <= bound.relative and logits.kl <= bound.kl
        return "verified" if near and answers else "unclear"
    harmless = (
        difference.largest <= HARMLESS and logits.kl <= HARMLESS_KL and _same_choice(logits, bound)
    )
    return "drifted" if harmless else "quarantined"


def _few_off(difference: Distance) -> bool:
    """Single tokens may have been routed to other experts, but not most neighbours at once."""
    return (
        difference.heads <= FLIPPED_HEADS
        and difference.rows <= FLIPPED_ROWS
        and difference.stretch <= FLIPPED_STRETCH
    )


def _same_choice(logits: Comparison, bound: Bound) -> bool:
    """Whether both choose the same token, or two that rounding may order either way.

    Rounding may have moved each of the two logits.
    """
    return logits.same_top or logits.behind <= 2 * bound.relative


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
    """Short passes, as good as any if bit-equality is not required."""
    return Cuts((*range(PASS_TOKENS, end, PASS_TOKENS), end))


class Verifier:
    """Audits checkpoints of a store, one at a time, between requests."""

    def __init__(self, store: Store, rounding: Callable[[StateFormat], Bound]) -> None:
        """rounding: the error that rounding may explain, by a state's stored format."""
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

        If it is wrong, the checkpoints it was computed from may be too: those above it are audited
        as well, up to the first that is not wrong. With `brief` it always yields within
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
        # It yielded: audit these first when idle again.
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
    """The tokens and one more; any will do, so the last one is repeated."""
    return np.append(held.tokens, held.tokens[-1]).astype(np.int64)
