"""Made-up trees of cached prefixes, as large as one likes. Without Qt."""

from __future__ import annotations

import random

from engine.snapshot import (
    CacheSnapshot,
    CheckpointView,
    LiveView,
    MemoryView,
    NodeView,
    PoolView,
)
from engine.stored_state import Provenance, StoredState

_KV_BYTES, _STATE_BYTES = 12 * 1024, 19_529_728
_TAKEN: tuple[Provenance | None, ...] = (None, "prefill", "prefill", "decode", "branch")
_TEXTS = ("Why is the sky blue?", "Air scatters blue light most.", "And what is it at night?")


def made_up(count: int, seed: int = 7) -> CacheSnapshot:
    """A tree of `count` nodes as local use makes it: some chats, most turns go on, some fork."""
    rng = random.Random(seed)
    nodes = [NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)]
    for number in range(1, count + 1):
        above = nodes[0]
        if number > 1 and rng.random() > 0.02:
            above = rng.choice(nodes[-60:] if rng.random() < 0.8 else nodes)
        end = above.end + rng.randint(1, 700)
        nodes.append(_node(number, above, end, rng.choice(_TAKEN), rng.choice(_TEXTS)))
    tokens = sum(node.end - node.start for node in nodes)
    points = sum(node.checkpoint is not None for node in nodes)
    last = nodes[-1]
    return CacheSnapshot(
        version=1,
        time=float(count),
        nodes=tuple(nodes),
        kv=PoolView(tokens + 1000, 500, 500, tokens, 0, _KV_BYTES),
        state=PoolView(points + 2, 1, 1, points, 0, _STATE_BYTES),
        memory=MemoryView(0, (tokens + 1000) * _KV_BYTES, (points + 2) * _STATE_BYTES, 0),
        live=LiveView(1, last.id, last.end + 100, last.start, 0, last.end + 60),
        evicted=(),
        skipped_checkpoints=0,
    )


def _node(number: int, above: NodeView, end: int, taken: Provenance | None, text: str) -> NodeView:
    time = float(number)
    point = None
    if taken is not None:
        state = StoredState(end, taken)
        point = CheckpointView(state, number, _STATE_BYTES, time, time, 1)
    kv_bytes = (end - above.end) * _KV_BYTES
    return NodeView(number, above.id, above.end, end, 0, 0, kv_bytes, time, time, 1, point, text)
