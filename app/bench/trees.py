"""Made-up trees of cached prefixes, as large as one likes. Without Qt."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.snapshot import (
    CacheSnapshot,
    CheckpointView,
    LiveView,
    MemoryView,
    NodeView,
    PoolView,
    Speech,
)
from engine.stored_state import Provenance, StoredState

_KV_BYTES, _STATE_BYTES = 12 * 1024, 19_529_728
_TAKEN: tuple[Provenance | None, ...] = (None, "prefill", "prefill", "decode", "branch")
_TEXTS = ("Why is the sky blue?", "Air scatters blue light most.", "And what is it at night?")


def made_up(count: int, seed: int = 7, *, talks: bool = False) -> CacheSnapshot:
    """A tree of `count` nodes as local use makes it: some chats, most turns go on, some fork.

    `talks`: each node says who speaks in it.
    """
    rng = random.Random(seed)
    nodes = [NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)]
    for number in range(1, count + 1):
        above = nodes[0]
        if number > 1 and rng.random() > 0.02:
            above = rng.choice(nodes[-60:] if rng.random() < 0.8 else nodes)
        end = above.end + rng.randint(1, 700)
        one = _node(number, above, end, rng.choice(_TAKEN), rng.choice(_TEXTS))
        nodes.append(_said(one) if talks else one)
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


def growing(shown: CacheSnapshot, steps: int) -> list[CacheSnapshot]:
    """What follows a snapshot: a turn is stored, a node is split, a leaf is evicted, and so on."""
    rng, made = random.Random(11), []
    nodes = {node.id: node for node in shown.nodes}
    kids = {node.id: 0 for node in shown.nodes}
    for node in shown.nodes[1:]:
        kids[node.parent or 0] += 1
    ids = list(nodes)
    for step in range(steps):
        number, at = len(ids), rng.choice([one for one in rng.sample(ids, 60) if one in nodes])
        whole = nodes[at]
        if step % 3 == 0 or whole.end - whole.start < 4:
            new = _node(number, whole, whole.end + rng.randint(1, 700), "decode", _TEXTS[0])
            nodes[number], kids[number] = _said(new) if whole.speech else new, 0
            kids[at] += 1
            ids.append(number)
        elif step % 3 == 1:
            middle = (whole.start + whole.end) // 2
            upper = tuple(one for one in whole.speech if one.start < middle)
            lower = tuple(one for one in whole.speech if one.start >= middle)
            nodes[number] = replace(whole, id=number, end=middle, checkpoint=None, speech=upper)
            nodes[at] = replace(whole, parent=number, start=middle, speech=lower)
            kids[number] = 1
            ids.append(number)
        else:
            leaf = next(one for one in rng.sample(ids, len(ids)) if not kids.get(one, 1))
            kids[nodes[leaf].parent or 0] -= 1
            del nodes[leaf], kids[leaf]
        version = shown.version + step + 1
        made.append(replace(shown, version=version, nodes=tuple(nodes.values()), live=None))
    return made


def _said(node: NodeView) -> NodeView:
    """A question, and its answer if there is room."""
    start, middle = node.start, (node.start + node.end) // 2
    said = [Speech(start, "user", node.text, opens=True)]
    if middle > start:
        said.append(Speech(middle, "assistant", node.text, opens=True))
    return replace(node, speech=tuple(said))


def _node(number: int, above: NodeView, end: int, taken: Provenance | None, text: str) -> NodeView:
    time = float(number)
    point = None
    if taken is not None:
        state = StoredState(end, taken)
        point = CheckpointView(state, number, _STATE_BYTES, time, time, 1)
    kv_bytes = (end - above.end) * _KV_BYTES
    return NodeView(number, above.id, above.end, end, 0, 0, kv_bytes, time, time, 1, point, text)
