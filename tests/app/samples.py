"""Snapshots and reports made by hand."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any, Literal

from engine.reuse import Reason, ReusePlan, ReuseReport
from engine.snapshot import (
    CacheSnapshot,
    CheckpointView,
    Evicted,
    LiveView,
    MemoryView,
    NodeView,
    PoolView,
)
from engine.stored_state import Provenance, StoredState


def node(
    number: int,
    parent: int | None,
    start: int,
    end: int,
    provenance: Provenance | Literal[""] = "",
    *,
    lock: int = 0,
    text: str = "",
) -> NodeView:
    point = None
    if provenance:
        point = CheckpointView(StoredState(end, provenance), number, 1000, 0.0, 0.0, 0)
    return NodeView(
        number, parent, start, end, lock, 0, (end - start) * 10, 0.0, 0.0, 0, point, text
    )


ROOT = node(0, None, 0, 0)


def snapshot(
    *nodes: NodeView, live: LiveView | None = None, time: float = 0.0, version: int = 1
) -> CacheSnapshot:
    """Pools of 1,000 KV slots of 10 bytes and 8 state slots of 1,000, in line with the nodes."""
    tokens = sum(n.end - n.start for n in nodes)
    locked = sum(n.end - n.start for n in nodes if n.kv_lock)
    points = sum(n.checkpoint is not None for n in nodes)
    total = max(1000, tokens + 20)
    slots = max(8, points + 1)
    return CacheSnapshot(
        version,
        time,
        (ROOT, *nodes),
        PoolView(total, total - tokens - 20, 20, tokens, locked, 10),
        PoolView(slots, slots - points - 1, 1, points, min(1, points), 1000),
        MemoryView(50_000, total * 10 + 64, slots * 1000, 4_096),
        live,
        (("kv full", 2),),
        0,
    )


def evicted(seq: int = 1, **more: Any) -> Evicted:
    """A leaf of tokens 500 to 620 that left the device for want of KV, as node 3 was shown."""
    made: dict[str, Any] = {
        "seq": seq,
        "time": 0.0,
        "tier": "device",
        "node": 3,
        "above": 1,
        "start": 500,
        "end": 620,
        "plane": "both",
        "cause": "kv pressure",
        "kv_bytes": 1200,
        "state_bytes": 1000,
        "provenance": "decode",
        "node_before": 3,
    }
    return Evicted(**(made | more))


STATE_FIELDS = {field.name for field in fields(StoredState)}


def plan(reused: int, replayed: int, computed: int, **more: Any) -> ReusePlan:
    """Attributes of the state it resumes from stand among its own."""
    total = reused + replayed + computed
    state = {name: more.pop(name) for name in STATE_FIELDS & more.keys()}
    if reused:
        more["state"] = StoredState(reused, **state)
    made: dict[str, Any] = {"reason": Reason.NEW_TOKENS, "detail": "Resumed where it could."}
    made |= {"checkpoint": 7 if reused else None} | more
    return ReusePlan(total, reused, replayed, computed, **made)


def report(of: ReusePlan, **more: Any) -> ReuseReport:
    made: dict[str, Any] = {
        "generated": 21,
        "first_token_s": 0.183,
        "total_s": 0.5,
        "decode_tok_s": 63.2,
        "lookup_ms": 0.03,
        "restore_ms": 0.5,
        "prefill_ms": 150.0,
    }
    return ReuseReport(of, **(made | more))


KINDS: tuple[Provenance | Literal[""], ...] = ("", "prefill", "prefill", "decode", "branch")


def random_tree(count: int, seed: int = 7) -> tuple[NodeView, ...]:
    """A tree as local use makes it: some conversations, most turns go on, some fork."""
    rng = random.Random(seed)
    nodes: list[NodeView] = []
    for number in range(1, count + 1):
        above = None
        if nodes and rng.random() > 0.02:
            recent = nodes[-60:] if rng.random() < 0.8 else nodes
            above = rng.choice(recent)
        start = above.end if above else 0
        kind = rng.choice(KINDS)
        parent = above.id if above else 0
        nodes.append(
            node(number, parent, start, start + rng.randint(1, 700), kind, text="Some words")
        )
    return tuple(nodes)
