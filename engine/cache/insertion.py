"""Inserts a request's tokens and KV slots into the tree and frees each duplicate once.

A worked example. The tree holds twelve tokens in slots 0 to 11, with a checkpoint (*) after the
last. A prompt shares eight of them and continues with three others, in slots 12 to 14:

    before                   insert splits and attaches    donate at 8 heals the tombstone

    [0, 12)*  0..11          [0, 8)     0..7               [0, 8)*    0..7
                              ├─[8, 12)*  8..11             ├─[8, 12)*  8..11
                              └─[8, 11)   12..14            └─[8, 11)   12..14

The lower half of the split keeps the checkpoint: it is the state after twelve tokens and says
nothing about eight. The upper half becomes a tombstone. The prompt recomputed [0, 8) to obtain a
state, which it may now store there; the KV of these tokens was already cached and stays.

If a request brings its own slots for tokens that the tree has, one of the two copies is freed. In
exact mode the tags decide which: equal ones promise equal bits, 0 (written by decode) promises
nothing.

    token                0   1   2   3   4   5   6   7
    the tree's slots     0   1   2   3   4   5   6   7
            tags         7   7   7   7   0   0   0   0
    the request's slots 12  13  14  15  16  17  18  19
            tags         7   7   7   7   9   9   9   9
    the tree, then       0   1   2   3  16  17  18  19
    freed               12  13  14  15   4   5   6   7

Nothing is swapped under another reader's lock. In fast mode the tree keeps its own slots, unless
they are suspect.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.cache import extents as kv_extents
from engine.cache.extents import Extents
from engine.cache.kv_pool import SUSPECT, KVPool
from engine.cache.locks import Lock
from engine.cache.match import Tags
from engine.cache.node import Node, Tokens
from engine.cache.parts import Parts
from engine.errors import InvariantError


@dataclass(frozen=True, slots=True)
class InsertResult:
    """Where the inserted tokens are stored.

    Attributes:
        node: the node that ends at the last inserted token.
        extents: the tree's slots for all inserted positions; the caller reads these from now on.
        duplicate_extents: slots that were freed because the tree already had the KV (or, if it was
            swapped for the caller's, the tree's own).
    """

    node: int
    extents: Extents
    duplicate_extents: Extents


def insert(
    parts: Parts,
    lock: Lock,
    tokens: Tokens,
    extents: Extents,
    *,
    owned_from: int,
    tags: Tags | None,
    prefer_new: bool,
    one_shot: bool,
) -> InsertResult:
    """Mutate tree and pool; see TwoPlaneCache.insert for the contract.

    Swapping KV that another request has locked would pull it from under a reader, so in that case
    the tree keeps its own slots.
    """
    tree, pool, stamp = parts.tree, parts.kv, parts.recency.stamp()
    total = len(tokens)
    assert kv_extents.count(extents) == total, "insert needs one KV slot per token"
    assert 0 <= owned_from <= total, "owned_from must be inside the tokens"
    assert tags is None or len(tags) == total, "insert needs one tag per token"
    walk = tree.walk(tokens)
    if owned_from > walk.matched:
        raise InvariantError(
            f"KV hole: positions {walk.matched} to {owned_from} are neither in the tree nor given"
        )
    if kv_extents.part(extents, 0, owned_from) != kv_extents.part(walk.extents(), 0, owned_from):
        raise InvariantError("wrong owner: KV given as the tree's own is not where the tree has it")
    path = list(walk.path)
    if walk.tail is not None:
        path.append(tree.split(walk.tail, walk.matched))
    # Computed only here: a split may have added a node that the lock covers.
    own = parts.locks.covers(lock)
    freed: list[Extents] = []
    for node in path:
        node.one_shot &= one_shot
        low = max(owned_from, node.start)
        if low >= node.end:
            continue
        mine = kv_extents.part(extents, low, node.end)
        readers = node.kv_lock - (node.id in own)
        exact = tags[low : node.end] if prefer_new and tags is not None else None
        if (exact is not None or pool.any_suspect) and not readers:
            freed.append(_swap(pool, node, low, mine, exact))
        else:
            pool.free(mine)
            freed.append(mine)
    last = path[-1]
    if walk.matched < total:
        mine = kv_extents.part(extents, walk.matched, total)
        pool.adopt(mine, None if tags is None else tags[walk.matched :])
        last = tree.attach(last, tokens[walk.matched :], mine, stamp)
        last.one_shot = one_shot
    return InsertResult(last.id, tree.extents_to(last), kv_extents.join(freed))


def _swap(pool: KVPool, node: Node, low: int, mine: Extents, tags: Tags | None) -> Extents:
    """Replace the tree's slots where they may not stay; return the extents that were freed.

    Suspect KV never stays. With tags, KV that is not bit-equal does not stay either: equal nonzero
    tags promise equal bits; any other KV the caller must keep reading as it wrote it, or its own
    run would no longer be exact.
    """
    at = low - node.start
    theirs = kv_extents.part(node.extents, at, len(node.tokens))
    known = pool.tags_of(theirs)
    takes = known == SUSPECT
    if tags is None:
        tags = np.zeros(len(known), np.int64)
    else:
        takes |= (known != tags) | (tags == 0)
    new, old = kv_extents.to_slots(mine), kv_extents.to_slots(theirs)
    losing_new, losing_old = kv_extents.from_slots(new[~takes]), kv_extents.from_slots(old[takes])
    pool.free(losing_new)
    pool.release(losing_old)
    pool.adopt(kv_extents.from_slots(new[takes]), tags[takes])
    kept = kv_extents.from_slots(np.where(takes, new, old))
    node.extents = kv_extents.join([kv_extents.part(node.extents, 0, at), kept])
    return kv_extents.join([losing_new, losing_old])
