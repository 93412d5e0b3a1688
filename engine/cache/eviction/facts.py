"""Properties of an eviction candidate, from its neighbourhood only: pure functions of a node."""

from __future__ import annotations

from itertools import islice

from engine.cache.node import Node

# Nodes visited below a candidate: enough for any chain, a limit for a broad tombstone.
NEIGHBOURS = 64
# Minimum number of matches to compute a rate over.
RATE_OVER = 16


def replay(node: Node) -> int:
    """Tokens from the nearest live checkpoint above (or 0) to the end of `node`.

    What a request that resumes there would have to recompute without it.
    """
    above = live_above(node)
    return node.end - (above.end if above is not None else 0)


def slots_freed(leaf: Node) -> int:
    """KV slots of a leaf and of the bare tombstones above that would be removed with it."""
    slots = len(leaf.tokens)
    at = leaf.parent
    while (
        at is not None
        and not at.is_root
        and at.checkpoint is None
        and not at.kv_lock
        and len(at.children) == 1
    ):
        slots += len(at.tokens)
        at = at.parent
    return slots


def hit_rate(node: Node) -> float:
    """Share of all matches that went through `node`, from its creation to its last use."""
    return node.hits / (node.used.match - node.created.match + RATE_OVER)


def consumed(node: Node) -> int:
    """Serial of the operation that last consumed (or stored) the checkpoint of `node`."""
    return (node.used if node.checkpoint is None else node.checkpoint.used).serial


def live_above(node: Node) -> Node | None:
    """The nearest ancestor of `node` with a checkpoint."""
    at = node.parent
    while at is not None and at.checkpoint is None:
        at = at.parent
    return at


def live_below(node: Node) -> list[Node]:
    """The nearest descendants with a checkpoint, on every branch."""
    found: list[Node] = []
    stack = list(islice(node.children.values(), NEIGHBOURS))
    for _ in range(NEIGHBOURS):
        if not stack:
            break
        at = stack.pop()
        if at.checkpoint is not None:
            found.append(at)
        elif at.children:
            stack.extend(islice(at.children.values(), NEIGHBOURS))
    return found


def tombstones_below(node: Node) -> list[Node]:
    """The nodes between `node` and the next checkpoints below, on every branch."""
    found: list[Node] = []
    stack = list(islice(node.children.values(), NEIGHBOURS))
    for _ in range(NEIGHBOURS):
        if not stack:
            break
        at = stack.pop()
        if at.checkpoint is None:
            found.append(at)
            stack.extend(islice(at.children.values(), NEIGHBOURS))
    return found


def leaf_below(node: Node) -> Node | None:
    """The leaf at the end of the chain that starts at `node`; None if the chain forks."""
    at = node
    for _ in range(NEIGHBOURS):
        if not at.children:
            return at
        if len(at.children) > 1:
            return None
        at = next(iter(at.children.values()))
    return None
