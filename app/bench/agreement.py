"""Whether what the window shows of the cache is what the engine holds.

Compared while nothing runs: the planes bars and the tree on screen, the engine's own snapshot, and
the allocators' counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from app.cache.canvas import TreeCanvas
from app.cache.planes import Part
from engine.snapshot import CacheSnapshot, NodeView, PoolView

_Mark = tuple[int | str, ...]


def disagreements(bar: Sequence[Part], canvas: TreeCanvas, held: CacheSnapshot) -> tuple[str, ...]:
    """What differs between the window and `held`, in sentences; none if all agrees."""
    return (*_of_bar(bar, held), *_of_tree(canvas, held), *_of_pools(held))


def _of_bar(bar: Sequence[Part], held: CacheSnapshot) -> Iterator[str]:
    memory = held.memory
    shown = {part.key: part.bytes for part in bar}
    total = memory.weights + memory.kv_plane + memory.state_plane + memory.workspace
    if sum(shown.values()) != total:
        yield f"The planes bar adds up to {sum(shown.values()):,} bytes, the engine to {total:,}."
    for plane, pool in (("kv", held.kv), ("state", held.state)):
        cached = shown.get(f"{plane}_locked", 0) + shown.get(f"{plane}_cached", 0)
        if cached != pool.cached * pool.slot_bytes:
            yield f"The bar shows {cached:,} bytes of cached {plane}, not those of {pool.cached:,}."


def _of_tree(canvas: TreeCanvas, held: CacheSnapshot) -> Iterator[str]:
    shown = canvas.model.snapshot
    drawn = () if shown is None else shown.nodes
    for name, one, other in (
        ("spans", _spans(drawn), _spans(held.nodes)),
        ("checkpoints", _checkpoints(drawn), _checkpoints(held.nodes)),
    ):
        if one != other:
            extra, missing = sum((one - other).values()), sum((other - one).values())
            yield f"The tree's {name} differ: {extra} are not in the engine, {missing} not drawn."


def _of_pools(held: CacheSnapshot) -> Iterator[str]:
    """The tree of the snapshot against the allocators, which count for themselves."""
    tokens = sum(node.end - node.start for node in held.nodes if node.tier == "device")
    states = sum(_on_device(node) for node in held.nodes)
    for name, counted, pool in (("KV", tokens, held.kv), ("state", states, held.state)):
        if counted != pool.cached:
            yield f"The tree has {counted:,} {name} slots, the allocator {pool.cached:,}."
        if not _adds_up(pool):
            yield f"The {name} allocator's counts do not add up: {pool}."


def _on_device(node: NodeView) -> bool:
    return node.checkpoint is not None and node.checkpoint.state.tier == "device"


def _adds_up(pool: PoolView) -> bool:
    return pool.free + pool.live + pool.cached == pool.total and pool.locked <= pool.cached


def _spans(nodes: Sequence[NodeView]) -> Counter[_Mark]:
    return Counter((node.id, node.start, node.end, node.tier) for node in nodes)


def _checkpoints(nodes: Sequence[NodeView]) -> Counter[_Mark]:
    return Counter(
        (node.id, node.end, node.checkpoint.state.provenance, node.checkpoint.state.tier)
        for node in nodes
        if node.checkpoint is not None
    )
