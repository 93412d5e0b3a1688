"""Facts about a candidate for eviction, from its neighbourhood alone."""

from __future__ import annotations

from itertools import islice

from engine.cache.eviction.habits import Habits
from engine.cache.eviction.policy import CheckpointFacts, LeafFacts
from engine.cache.node import Node

# Nodes looked at below a candidate: enough for any chain, a bound for a broad tombstone.
NEIGHBOURS = 64
# Matches over which a rate is taken at least.
RATE_OVER = 16


def live_above(node: Node) -> Node | None:
    """The nearest checkpoint above `node`'s own."""
    at = node.parent
    while at is not None and at.checkpoint is None:
        at = at.parent
    return at


def places_above(node: Node, most: int) -> list[Node]:
    """The nearest nodes above that have or once had a checkpoint, the nearest first."""
    found: list[Node] = []
    at = node.parent
    while at is not None and len(found) < most:
        if at.role:
            found.append(at)
        at = at.parent
    return found


def live_below(node: Node) -> list[Node]:
    """The next checkpoints below, on every branch."""
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


def leaf_below(node: Node) -> Node | None:
    """The leaf at the end of the chain that starts at `node`; None where it forks."""
    at = node
    for _ in range(NEIGHBOURS):
        if not at.children:
            return at
        if len(at.children) > 1:
            return None
        at = next(iter(at.children.values()))
    return None


def of_checkpoint(node: Node, habits: Habits) -> CheckpointFacts:
    """Facts of `node`'s checkpoint."""
    above = live_above(node)
    chance = habits.chance(node)
    if node.children:
        chance += _dead_below(node, habits)
    held = node.checkpoint
    return CheckpointFacts(
        position=node.end,
        replay=node.end - (above.end if above is not None else 0),
        chance=chance,
        rate=node.hits / (node.used.match - node.born + RATE_OVER),
        consumed=(node.used if held is None else held.used).serial,
    )


def of_leaf(node: Node, habits: Habits) -> LeafFacts:
    """Facts of a leaf and of the bare tombstones above that would go with it."""
    slots = len(node.tokens)
    at = node.parent
    while (
        at is not None
        and not at.is_root
        and at.checkpoint is None
        and not at.kv_lock
        and len(at.children) == 1
    ):
        slots += len(at.tokens)
        at = at.parent
    return LeafFacts(slots, of_checkpoint(node, habits), node.used.serial)


def _dead_below(node: Node, habits: Habits) -> float:
    """Chances of the places below whose checkpoints are gone: prompts for them resume at `node`."""
    chance = 0.0
    stack = list(islice(node.children.values(), NEIGHBOURS))
    for _ in range(NEIGHBOURS):
        if not stack:
            break
        at = stack.pop()
        if at.checkpoint is None:
            if at.role:
                chance += habits.chance(at)
            stack.extend(islice(at.children.values(), NEIGHBOURS))
    return chance
