"""A user's manual cache operations: pin, unpin, drop a state, evict.

Each operation identifies its target by the tokens from the root to a node's end, so that it means
the same on every tier, in a replay and after a restart. One that is impossible changes nothing and
raises CacheError with a sentence for the user.
"""

from __future__ import annotations

from engine.cache.eviction.cause import Cause
from engine.cache.node import Node, Tokens
from engine.cache.parts import Parts
from engine.errors import CacheError
from engine.sentence import say

# Pins may hold this share of each plane, so that chats always have the rest.
MOST_PINNED = 0.5
LOCKED = say("The running answer reads this: wait until it is finished, or stop it.")


def find(parts: Parts, tokens: Tokens) -> Node | None:
    """The node that ends exactly where `tokens` do; None if there is none."""
    walk = parts.tree.walk(tokens)
    end = walk.path[-1]
    return end if end.end == len(tokens) and not end.is_root else None


def pin(parts: Parts, tokens: Tokens) -> bool:
    """Pin the path to the end of `tokens` and the checkpoint there; False if already pinned.

    Raises CacheError if there is no checkpoint, or if it would leave too little for chats.
    """
    node = find(parts, tokens)
    if node is None or node.checkpoint is None:
        raise CacheError(
            "There is no state at the end of this node, and without one its tokens would have to "
            "be read again anyway: make a checkpoint here first."
        )
    if node.checkpoint.state.quarantined:
        raise CacheError("An audit found this state wrong, so it is never used: do not keep it.")
    if node.pinned:
        return False
    pins = parts.evictor.pins
    held, room = pins.tokens(node), int(parts.kv.total * MOST_PINNED)
    if held > room:
        raise CacheError(
            "With this, pins would hold {held:,} tokens, but at most {room:,} of the "
            "{total:,} in memory may be pinned, so that chats have the rest: unpin "
            "something, or give the cache more memory.",
            held=held,
            room=room,
            total=parts.kv.total,
        )
    states = int(parts.states.total * MOST_PINNED)
    if len(pins) + 1 > states:
        raise CacheError(
            "At most {states:,} of the {total:,} states in memory may be pinned, so "
            "that chats have the rest: unpin something, or give the cache more memory.",
            states=states,
            total=parts.states.total,
        )
    pins.pin(node)
    return True


def unpin(parts: Parts, tokens: Tokens) -> bool:
    """Undo `pin`; False if it was not pinned."""
    node = find(parts, tokens)
    if node is None or not node.pinned:
        return False
    parts.evictor.unpin(node)
    return True


def refuse_drop(parts: Parts, tokens: Tokens) -> None:
    """Raises CacheError if `drop_state` is impossible."""
    node = find(parts, tokens)
    if node is None or node.checkpoint is None:
        raise CacheError("This node has no state in memory.")
    if node.state_lock or (node.is_leaf and node.kv_lock):
        raise CacheError(LOCKED)
    if node.pinned:
        raise CacheError("This state is pinned: unpin it first.")


def drop_state(parts: Parts, tokens: Tokens, cause: Cause) -> None:
    """Drop the checkpoint at the end of `tokens`; an unlocked leaf is removed with it.

    Raises CacheError if there is none, or if it is locked or pinned.
    """
    refuse_drop(parts, tokens)
    node = find(parts, tokens)
    assert node is not None
    parts.evictor.drop_checkpoint(node, cause)


def refuse_evict(parts: Parts, tokens: Tokens) -> None:
    """Raises CacheError if something at or below the end of `tokens` is locked or pinned."""
    walk = parts.tree.walk(tokens)
    if walk.matched < len(tokens):
        return
    below = [walk.nodes[-1]]
    for node in below:
        below.extend(node.children.values())
        if node.kv_lock:
            raise CacheError(LOCKED)
        if node.pinned:
            raise CacheError("This node or one below it is pinned: unpin it first.")
