"""A run with unlimited room: a workload's footprint, and where each request could resume."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.cache import TwoPlaneCache
from engine.cache.eviction.cause import PRESSURE
from engine.cache.tiers.tiers import Tiers
from engine.sim.script import Workload
from engine.trace.request import RunRules, run_request

# Enough slots that the planes never fill up; only their bookkeeping is allocated.
KV_SLOTS = 1 << 23
STATE_SLOTS = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """The positions where one request could resume, shallowest first.

    Attributes:
        position: `[places]` tokens that are reused there.
        stored: `[places]` the last request before that went through or stored there.
        spans, span_used: `[spans]` length of the tokens between nodes, and the last request before
            that went through them; the first `span_count[i]` of them lie under place i.
    """

    position: npt.NDArray[np.int64]
    stored: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]
    span_used: npt.NDArray[np.int64]
    span_count: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The results of a workload on an unlimited cache.

    Attributes:
        tokens: of all prompts.
        reused: of them, if everything ever stored is available.
        kv_slots, states: held at the end: the footprint.
        longest: most tokens that one request holds at once.
        choices: of each request.
    """

    tokens: int
    reused: int
    kv_slots: int
    states: int
    longest: int
    choices: tuple[Choices, ...]


def run_unbounded(workload: Workload, rules: RunRules) -> Unbounded:
    """Run a workload with unlimited planes."""
    cache = TwoPlaneCache(KV_SLOTS, STATE_SLOTS, kv_slot_bytes=1, state_slot_bytes=1, policy="lru")
    tiers = Tiers(cache)
    choices: list[Choices] = []
    reused = 0
    for ask in workload.asks:
        choices.append(choices_of(cache, ask.prompt))
        reused += run_request(tiers, ask, rules).reused
    assert not set(cache.reader.evicted) & set(PRESSURE), "the planes should never fill up"
    return Unbounded(
        tokens=sum(len(ask.prompt) for ask in workload.asks),
        reused=reused,
        kv_slots=cache.reader.kv_pool().cached,
        states=cache.reader.state_pool().cached,
        longest=max(len(ask.prompt) + len(ask.applied) for ask in workload.asks),
        choices=tuple(choices),
    )


def choices_of(cache: TwoPlaneCache, prompt: npt.NDArray[np.int64]) -> Choices:
    """Where `prompt` could resume in `cache`; mutates nothing."""
    position: list[int] = []
    stored: list[int] = []
    count: list[int] = []
    spans: list[int] = []
    used: list[int] = []
    for node in cache.reader.passages(prompt):
        spans.append(node.tokens)
        # Matches are counted from 1, requests from 0.
        used.append(node.used - 1)
        if node.holds and (node.end < len(prompt) or node.answers):
            position.append(node.end)
            stored.append(node.used - 1)
            count.append(len(spans))
    return Choices(*(np.array(each, np.int64) for each in (position, stored, spans, used, count)))
