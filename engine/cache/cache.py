"""The two-plane prefix cache: one radix tree over KV slots and state slots.

It allocates and frees slot *numbers* and never touches a byte of a tensor. Several requests may use
it at once: each locks what it reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.cache import donation, insertion
from engine.cache import extents as kv_extents
from engine.cache import match as matching
from engine.cache import resize as resizing
from engine.cache.eviction.cause import Cause
from engine.cache.eviction.evictor import Evictor
from engine.cache.eviction.registry import make_policy
from engine.cache.extents import Extent
from engine.cache.holding import Holding
from engine.cache.insertion import InsertResult
from engine.cache.journal.changes import (
    CacheOpened,
    CheckpointSkipped,
    PoolsResized,
    SlotsLive,
    Touched,
)
from engine.cache.journal.journal import Journal, silent
from engine.cache.kv_pool import LIVE, KVPool
from engine.cache.locks import Lock, LockTable
from engine.cache.match import CheckpointRef, CutHashAt, Match, Tags, Usable
from engine.cache.node import Checkpoint, Node
from engine.cache.parts import Parts
from engine.cache.reader import CacheReader
from engine.cache.recency import Recency
from engine.cache.resize import Moves
from engine.cache.state_pool import StatePool
from engine.cache.tree import TokenIds, Tree, as_tokens
from engine.errors import InvariantError
from engine.stored_state import StoredState, TierName
from engine.verdict import Verdict

T = TypeVar("T")
__all__ = ["CheckpointRef", "Holding", "InsertResult", "Lock", "Match", "TwoPlaneCache"]


class TwoPlaneCache:
    """Match, lock, allocate, insert, donate, evict; see each method for slot ownership.

    Args:
        kv_slots: tokens of KV, slots 0..kv_slots-1.
        state_slots: checkpoints the tree may own, slots 1..state_slots (0 is the live slot and
            never allocated).
        kv_slot_bytes, state_slot_bytes: for the views only.
        policy: "coverage", "flops" or "lru". Raises CacheError for any other.
        clock: seconds; only for display, never for order.
        journal: receives every change, attributed to `tier`.

    Attributes:
        reader: all read-only queries.
        opened: the settings it was created with.
        version: grows with every visible change.
        skipped: checkpoints that were skipped because no state slot was available.
    """

    def __init__(
        self,
        kv_slots: int,
        state_slots: int,
        *,
        kv_slot_bytes: int,
        state_slot_bytes: int,
        policy: str = "coverage",
        clock: Callable[[], float] = time.monotonic,
        journal: Journal | None = None,
        tier: TierName = "device",
    ) -> None:
        recency = Recency(clock)
        log_change = silent if journal is None else journal.of(tier, clock)
        chosen = make_policy(policy)
        tree = Tree(recency.stamp(), chosen, log_change)
        kv, states = KVPool(kv_slots), StatePool(state_slots)
        evictor = Evictor(tree, kv, states, recency, chosen, log_change)
        self._parts = Parts(
            tree, kv, states, LockTable(tree, log_change), evictor, recency, log_change
        )
        self.version = 0
        self.skipped = 0
        self.opened = CacheOpened(policy, kv_slots, state_slots, kv_slot_bytes, state_slot_bytes)
        self.reader = CacheReader(self._parts, self.opened)
        log_change(self.opened, tree.root.created.time)

    def match(
        self,
        tokens: TokenIds,
        *,
        usable: Usable | None = None,
        cut_hash_at: CutHashAt | None = None,
        tags: Tags | None = None,
    ) -> Match:
        """Find the longest token match and the deepest usable checkpoint on it.

        Refreshes KV recency on the whole path and state recency on the consumed checkpoint only. A
        checkpoint at the very end of the prompt is used only if it carries the hidden row. Lock the
        match before anything else touches the cache.

        Args:
            usable: a further condition on checkpoints.
            cut_hash_at: exact mode: the cut hash that the new run would have at a position, None
                where it would not cut; only `prefill` checkpoints with that hash are used.
            tags: exact mode: `[tokens] int64`, the tag the new run would write at each position; a
                checkpoint is used only if all KV below it carries these tags.
        """
        match, walk = matching.find(self._parts, as_tokens(tokens), usable, cut_hash_at, tags)
        stamp = self._parts.recency.stamp_match()
        self._parts.evictor.matched(walk)
        for node in walk.nodes:
            node.used = stamp
            node.hits += 1
        if match.checkpoint is not None:
            held = self._parts.tree.node(match.checkpoint.node).checkpoint
            assert held is not None
            held.used = stamp
            held.hits += 1
            if held.state.tier != "device":
                # From now on it is an ordinary device checkpoint.
                held.state = replace(held.state, tier="device")
        used = match.checkpoint.node if match.checkpoint is not None else None
        self._parts.log_change(Touched(walk.nodes[-1].id, used), stamp.time)
        self.version += 1
        return match

    # ---- locks

    def lock(self, match: Match) -> Lock:
        """Hold the KV of [0, match.matched) and the checkpoint of `match` until unlock.

        Splits a node that the match entered only partly, so that the lock can end there. Raises
        InvariantError if the match is stale (something it needs has since been evicted).
        """
        end = self._parts.tree.node(match.node)
        if match.tail is not None:
            end = self._parts.tree.covering(self._parts.tree.node(match.tail), match.matched)
            if end.end > match.matched:
                end = self._parts.tree.split(end, match.matched)
        state = self._checkpoint_node(match.checkpoint) if match.checkpoint is not None else None
        lock = self._parts.locks.take(end, state)
        self.version += 1
        return lock

    def extend(self, lock: Lock, node: int) -> None:
        """Extend the KV lock down to `node`; does nothing if the lock already covers it."""
        self._parts.locks.extend(lock, self._parts.tree.node(node))
        self.version += 1

    def release_state(self, lock: Lock) -> None:
        """Release the checkpoint once it has been copied, and keep the KV lock."""
        state = self._parts.locks.holding(lock).state
        self._parts.locks.release_state(lock)
        if state is not None:
            self._parts.evictor.note(self._parts.tree.node(state))
        self.version += 1

    def unlock(self, lock: Lock) -> None:
        """Release a lock, once; a second time raises InvariantError.

        KV beyond the last checkpoint is useless without a state: if the lock ended on a leaf
        tombstone, that leaf is removed (cause "uncovered tail") with the bare tombstones above it.
        Donate whatever should be kept before unlocking.
        """
        state = self._parts.locks.holding(lock).state
        end = self._parts.locks.release(lock)
        if state is not None:
            self._parts.evictor.note(self._parts.tree.node(state))
        self._parts.evictor.note(end)
        self._parts.evictor.prune(end, Cause.UNCOVERED_TAIL)
        self.version += 1

    # ---- slots

    def alloc_kv(self, slots: int, *, after: int | None = None) -> list[Extent] | None:
        """Allocate `slots` KV slots in as few runs as possible; None if there is no room.

        Evicts unlocked leaves by policy until they fit, or nothing at all if they cannot. `after`
        is the slot that follows the caller's last one: if free, it is used first.
        """
        missing = slots - self._parts.kv.free_slots
        if missing > 0:
            if missing > self._parts.evictor.evictable_kv():
                return None
            self._parts.evictor.free_kv(missing)
        extents = self._parts.kv.alloc(slots, after)
        self._log_live()
        self.version += 1
        return None if extents is None else list(extents)

    def free_kv(self, extents: Sequence[Extent]) -> None:
        """Free KV slots that were not inserted. Raises InvariantError on a double free."""
        self._parts.kv.free(extents)
        self._log_live()
        self.version += 1

    def alloc_state(self) -> int | None:
        """Allocate a state slot for the caller to write; evicts a checkpoint by policy.

        None if requests hold every slot; the caller continues without one and calls note_skip.
        """
        slot = self._parts.states.alloc()
        if slot is None and self._parts.evictor.free_states(1):
            slot = self._parts.states.alloc()
        if slot is not None:
            self._log_live()
            self.version += 1
        return slot

    def free_state(self, slot: int) -> None:
        """Free a state slot that was not donated. Raises InvariantError on a double free."""
        self._parts.states.free(slot)
        self._log_live()
        self.version += 1

    def note_skip(self, position: int = 0) -> None:
        """Count a checkpoint that was skipped for lack of a slot."""
        self.skipped += 1
        self._parts.log_change(CheckpointSkipped(position))
        self.version += 1

    # ---- writing

    def insert(
        self,
        tokens: TokenIds,
        extents: Sequence[Extent],
        *,
        owned_from: int,
        lock: Lock,
        tags: Tags | None = None,
        prefer_new: bool = False,
        one_shot: bool = False,
    ) -> InsertResult:
        """Put tokens [0, n) with the physical extents of [0, n) into the tree.

        The caller owns the slots of positions >= owned_from before the call and none after it;
        earlier ones already belong to the tree. Where the tree already has KV for an owned
        position, the caller's duplicate is freed, or with `prefer_new` swapped in and the tree's
        own freed, unless equal tags promise equal bits (and never under another request's lock). No
        node is created for zero tokens.

        Args:
            lock: the caller's lock on this path, extended to the new end if it does not reach it
                yet: only the lock keeps a span without a checkpoint alive.
            tags: `[n] int64`, how each position's KV was computed (cuts.tags_for); None is never
                exact.
            one_shot: not expected to be continued; see Submit. What only such requests inserted is
                evicted before anything else.
        """
        result = insertion.insert(
            self._parts,
            lock,
            as_tokens(tokens),
            kv_extents.merged(extents),
            owned_from=owned_from,
            tags=tags,
            prefer_new=prefer_new,
            one_shot=one_shot,
        )
        self._parts.locks.extend(lock, self._parts.tree.node(result.node))
        self._log_live()
        self.version += 1
        return result

    def donate(
        self,
        lock: Lock,
        slot: int,
        state: StoredState,
    ) -> bool:
        """Donate the slot that holds `state` to the tree, as the checkpoint at its position.

        The position is on the path that `lock` holds; the node there is split if necessary. Heals a
        tombstone. If there is already a checkpoint, the better one stays (StoredState.better_than)
        and the other's slot is freed. Returns whether the donated one was taken.
        """
        at = self._parts.tree.covering(
            self._parts.tree.node(self._parts.locks.holding(lock).kv), state.position
        )
        stamp = self._parts.recency.stamp()
        self.version += 1
        new = Checkpoint(state, slot, stamp.time, stamp)
        taken = donation.donate(self._parts, at, new)
        self._log_live()
        return taken

    def stamp(self, node: int, verdict: Verdict, *, background: bool = False) -> None:
        """Record an audit's verdict on a node's checkpoint; `background`: it was not requested.

        A quarantined checkpoint is not used again, the next run rewrites the KV since the
        checkpoint above it, and whatever was computed after it is evicted, since it may derive from
        it. The same happens if an exact checkpoint has drifted: nothing derived from it is exact.
        """
        held = self._parts.tree.node(node)
        if held.checkpoint is None:
            return
        promised = held.checkpoint.state.exact
        state = held.checkpoint.state = replace(held.checkpoint.state, verdict=verdict)
        donation.log_verdict(
            self._parts.log_change, held, verdict, inherited=False, background=background
        )
        broken = promised and state.drifted
        if state.quarantined or broken:
            cause = Cause.DRIFTED_ABOVE if broken else Cause.QUARANTINED_ABOVE
            for since in self._parts.tree.since_checkpoint(held):
                self._parts.kv.distrust(since.extents)
            self._parts.evictor.drop_below(held, cause)
        self.version += 1

    def drop_passing(self, tokens: TokenIds, cause: Cause) -> int:
        """Evict both planes of every sequence that passes through the end of `tokens`.

        For what may derive from a wrong state there, or is to be forgotten. A node in which
        `tokens` end is removed whole: without what is below, its beginning is useless. Locked nodes
        stay. Returns the KV slots freed.
        """
        walk = self._parts.tree.walk(as_tokens(tokens))
        if walk.matched < len(tokens) or not len(tokens):
            return 0
        freed = self._parts.evictor.drop_passing(walk.nodes[-1], cause)
        self.version += 1
        return freed

    def refresh(self, tokens: TokenIds, other: StoredState, *, one_shot: bool = False) -> bool:
        """Whether the checkpoint at the end of `tokens` is as good as `other`; if so, touch it.

        Otherwise changes nothing. `one_shot`: see insert.
        """
        return donation.refresh(self._parts, as_tokens(tokens), other, one_shot=one_shot)

    # ---- eviction

    def demote_to(self, lower: Callable[[int], TierName | None]) -> None:
        """Call `lower(node)` before a checkpoint is evicted for lack of room.

        It returns the tier that then holds the checkpoint, None if none does. Both planes of the
        node are still intact when it is called; `lower` must not change this cache.
        """
        self._parts.evictor.demote = lambda node: lower(node.id)

    def evict_kv(self, slots: int) -> int:
        """Evict unlocked leaves by policy until `slots` KV slots are freed; returns the number."""
        freed = self._parts.evictor.free_kv(slots)
        self.version += 1
        return freed

    def evict_state(self, count: int = 1) -> int:
        """Evict checkpoints that no request holds, by policy; returns the number."""
        done = self._parts.evictor.free_states(count)
        self.version += 1
        return done

    def evict_session(self, node: int) -> int:
        """Evict both planes of `node`, its descendants, and the ancestors that serve nothing else.

        Locked nodes stay. Returns the KV slots freed.
        """
        freed = self._parts.evictor.drop_session(self._parts.tree.node(node))
        self.version += 1
        return freed

    def resize(self, kv_slots: int, state_slots: int) -> Moves:
        """Resize the pools, evicting by policy what no longer fits.

        Only while no request runs. Returns what to copy before the planes shrink.
        """
        moves = resizing.resize(self._parts, kv_slots, state_slots)
        self._parts.log_change(PoolsResized(kv_slots, state_slots))
        self.version += 1
        return moves

    def by_hand(self, action: Callable[[Parts], T]) -> T:
        """Run an operation of by_hand.py; raises CacheError if it is impossible."""
        self.version += 1
        return action(self._parts)

    def drop_all(self) -> int:
        """Evict everything that is not locked; returns the KV slots freed."""
        freed = self._parts.evictor.drop_all()
        self.version += 1
        return freed

    def _log_live(self) -> None:
        self._parts.log_change(
            SlotsLive(self._parts.kv.counts[LIVE], self._parts.states.counts[LIVE])
        )

    def _checkpoint_node(self, wanted: CheckpointRef) -> Node:
        node = self._parts.tree.node(wanted.node)
        if node.checkpoint is None or node.checkpoint.slot != wanted.slot:
            raise InvariantError(f"stale match: the checkpoint of node {node.id} was evicted")
        return node
