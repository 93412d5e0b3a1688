"""The two-plane prefix cache: one radix tree over KV slots and state slots.

It hands out and takes back slot *numbers* and never touches a byte of a tensor. One request runs at
a time today, but nothing here assumes it: what a request reads it locks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.cache import donation, insertion
from engine.cache import match as matching
from engine.cache import resize as resizing
from engine.cache import runs as kv_runs
from engine.cache.eviction.cause import Cause
from engine.cache.eviction.evictor import Evictor
from engine.cache.eviction.registry import make_policy
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
from engine.cache.match import ChainAt, CheckpointRef, Match, Tags, Usable
from engine.cache.node import Checkpoint, Node
from engine.cache.parts import Parts
from engine.cache.reader import CacheReader
from engine.cache.recency import Recency
from engine.cache.resize import Moves
from engine.cache.runs import Run
from engine.cache.state_pool import StatePool
from engine.cache.tree import TokenIds, Tree, as_tokens
from engine.errors import InvariantError
from engine.stored_state import StoredState, TierName
from engine.verdict import Verdict

__all__ = ["CheckpointRef", "Holding", "InsertResult", "Lock", "Match", "TwoPlaneCache"]


class TwoPlaneCache:
    """Match, lock, allocate, insert, donate, evict; see each method for who owns what.

    Args:
        kv_slots: tokens of KV, slots 0..kv_slots-1.
        state_slots: checkpoints the tree may own, slots 1..state_slots (0 is the live slot and
            never handed out).
        kv_slot_bytes, state_slot_bytes: for the views only.
        policy: a name in the registry of policies. Raises CacheError for another.
        clock: seconds; only for people to read, never for order.
        journal: is told every change, as one of the tier called `tier`.

    Attributes:
        reader: everything that only looks.
        opened: what it was made with.
        version: grows with every visible change.
        skipped: checkpoints that were not taken since no state slot could be had.
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
        tell = silent if journal is None else journal.of(tier, clock)
        chosen = make_policy(policy)
        tree = Tree(recency.stamp(), chosen, tell)
        kv, states = KVPool(kv_slots), StatePool(state_slots)
        evictor = Evictor(tree, kv, states, recency, chosen, tell)
        self._parts = Parts(tree, kv, states, LockTable(tree, tell), evictor, recency, tell)
        self.version = 0
        self.skipped = 0
        self.opened = CacheOpened(policy, kv_slots, state_slots, kv_slot_bytes, state_slot_bytes)
        self.reader = CacheReader(self._parts, self.opened)
        tell(self.opened, tree.root.created.time)

    def match(
        self,
        tokens: TokenIds,
        *,
        usable: Usable | None = None,
        chain: ChainAt | None = None,
        tags: Tags | None = None,
    ) -> Match:
        """The longest token match and the deepest checkpoint on it that may be used.

        Refreshes KV recency on the whole path and state recency on the consumed checkpoint only.
        A checkpoint at the very end of the prompt is used only where it carries the hidden row.
        Lock the match before anything else touches the cache.

        Args:
            usable: a further condition on checkpoints.
            chain: exact mode: the chain hash the new run would have at a position, None where it
                would not cut; only `prefill` checkpoints with that chain are used.
            tags: exact mode: `[tokens] int64`, the tag the new run would write at each position;
                only checkpoints are used below which all KV carries these tags.
        """
        match, walk = matching.find(self._parts, as_tokens(tokens), usable, chain, tags)
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
                # From now on it is here like any other.
                held.state = replace(held.state, tier="device")
        used = match.checkpoint.node if match.checkpoint is not None else None
        self._parts.tell(Touched(walk.nodes[-1].id, used), stamp.time)
        self.version += 1
        return match

    # ---- locks

    def lock(self, match: Match) -> Lock:
        """Hold the KV of [0, match.matched) and the checkpoint of `match` until unlock.

        Splits a node that the match entered only in part, so that the lock can end there. Raises
        InvariantError where the match is stale (something it needs was evicted since).
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
        """Move the KV lock down to `node`; one that it covers already changes nothing."""
        self._parts.locks.extend(lock, self._parts.tree.node(node))
        self.version += 1

    def release_state(self, lock: Lock) -> None:
        """Give back the checkpoint (copied by now) and keep the KV lock."""
        state = self._parts.locks.holding(lock).state
        self._parts.locks.release_state(lock)
        if state is not None:
            self._parts.evictor.note(self._parts.tree.node(state))
        self.version += 1

    def unlock(self, lock: Lock) -> None:
        """Give a lock back, once; a second time raises InvariantError.

        KV beyond the last checkpoint is of no use without a state: where the lock ended on a leaf
        tombstone, that leaf is removed (cause "uncovered tail") with the bare tombstones above it.
        Donate before unlocking what is to stay.
        """
        state = self._parts.locks.holding(lock).state
        end = self._parts.locks.release(lock)
        if state is not None:
            self._parts.evictor.note(self._parts.tree.node(state))
        self._parts.evictor.note(end)
        self._parts.evictor.prune(end, Cause.UNCOVERED_TAIL)
        self.version += 1

    # ---- slots

    def alloc_kv(self, slots: int, *, after: int | None = None) -> list[Run] | None:
        """`slots` KV slots for the caller, in as few runs as can be; None if they cannot be had.

        Evicts unlocked leaves by policy until they fit, and nothing at all if they cannot. `after`
        is the slot that follows the caller's last one: where free it is used first.
        """
        missing = slots - self._parts.kv.free_slots
        if missing > 0:
            if missing > self._parts.evictor.evictable_kv():
                return None
            self._parts.evictor.free_kv(missing)
        runs = self._parts.kv.alloc(slots, after)
        self._tell_live()
        self.version += 1
        return None if runs is None else list(runs)

    def free_kv(self, runs: Sequence[Run]) -> None:
        """Give back KV slots that were not inserted. Raises InvariantError on a double free."""
        self._parts.kv.free(runs)
        self._tell_live()
        self.version += 1

    def alloc_state(self) -> int | None:
        """A state slot for the caller to write; evicts a checkpoint by policy.

        None where a request holds every one; the caller goes on without and calls note_skip.
        """
        slot = self._parts.states.alloc()
        if slot is None and self._parts.evictor.free_states(1):
            slot = self._parts.states.alloc()
        if slot is not None:
            self._tell_live()
            self.version += 1
        return slot

    def free_state(self, slot: int) -> None:
        """Give back a state slot that was not donated. Raises InvariantError on a double free."""
        self._parts.states.free(slot)
        self._tell_live()
        self.version += 1

    def note_skip(self, position: int = 0) -> None:
        """Count a checkpoint that was not taken for want of a slot."""
        self.skipped += 1
        self._parts.tell(CheckpointSkipped(position))
        self.version += 1

    # ---- feeding

    def insert(
        self,
        tokens: TokenIds,
        runs: Sequence[Run],
        *,
        owned_from: int,
        lock: Lock,
        tags: Tags | None = None,
        prefer_new: bool = False,
    ) -> InsertResult:
        """Put tokens [0, n) with the physical runs of [0, n) into the tree.

        The caller owns the slots of positions >= owned_from and afterwards none; those before are
        the tree's already. Where the tree has KV for an owned position, the caller's duplicate is
        freed, or with `prefer_new` swapped in and the tree's own freed, unless equal tags promise
        equal bits (and never under another request's lock). No node is made for zero tokens.

        Args:
            lock: the caller's lock on this path, moved down to the new end where it does not reach
                there yet: what has no checkpoint lives by its lock.
            tags: `[n] int64`, how each position's KV was computed (cuts.tags_for); None is never
                exact.
        """
        result = insertion.insert(
            self._parts,
            lock,
            as_tokens(tokens),
            kv_runs.merged(runs),
            owned_from=owned_from,
            tags=tags,
            prefer_new=prefer_new,
        )
        self._parts.locks.extend(lock, self._parts.tree.node(result.node))
        self._tell_live()
        self.version += 1
        return result

    def donate(
        self,
        lock: Lock,
        slot: int,
        state: StoredState,
    ) -> bool:
        """Give the tree a slot that `state` was written to, as the checkpoint at its position.

        The position lies on the path that `lock` holds; the node there is split where needed. Heals
        a tombstone. Where there is a checkpoint already, the better one stays
        (StoredState.better_than) and the other's slot is freed. Returns whether the donated one was
        taken.
        """
        at = self._parts.tree.covering(
            self._parts.tree.node(self._parts.locks.holding(lock).kv), state.position
        )
        stamp = self._parts.recency.stamp()
        self.version += 1
        new = Checkpoint(state, slot, stamp.time, stamp)
        taken = donation.donate(self._parts, at, new)
        self._tell_live()
        return taken

    def stamp(self, node: int, verdict: Verdict) -> None:
        """Note what an audit said of a node's checkpoint.

        A quarantined one is not used again, the KV since the checkpoint above is written anew by
        the next run, and what was computed after it goes, since it may have come of it. The same
        where one that was exact has drifted: nothing that came of it is exact.
        """
        held = self._parts.tree.node(node)
        if held.checkpoint is None:
            return
        promised = held.checkpoint.state.exact
        state = held.checkpoint.state = replace(held.checkpoint.state, verdict=verdict)
        donation.tell_verdict(self._parts.tell, held, verdict, inherited=False)
        broken = promised and state.drifted
        if state.quarantined or broken:
            cause = Cause.DRIFTED_ABOVE if broken else Cause.QUARANTINED_ABOVE
            for since in self._parts.tree.since_checkpoint(held):
                self._parts.kv.distrust(since.runs)
            self._parts.evictor.drop_below(held, cause)
        self.version += 1

    def drop_passing(self, tokens: TokenIds, cause: Cause) -> int:
        """Evict both planes of everything that goes through the end of `tokens`.

        For what may have come of a wrong state there. What is locked stays. Returns the KV slots
        freed.
        """
        walk = self._parts.tree.walk(as_tokens(tokens))
        if walk.matched < len(tokens) or not len(tokens):
            return 0
        freed = self._parts.evictor.drop_passing(walk.nodes[-1], cause)
        self.version += 1
        return freed

    def refresh(self, tokens: TokenIds, other: StoredState) -> bool:
        """Whether the checkpoint at the end of `tokens` is as good as `other`; stamps it as used.

        Changes nothing where it is not.
        """
        return donation.refresh(self._parts, as_tokens(tokens), other)

    # ---- eviction

    def demote_to(self, lower: Callable[[int], TierName | None]) -> None:
        """Have `lower(node)` called before a checkpoint is evicted for want of room.

        It answers which tier has the checkpoint then, None where none does.

        At that moment both planes of the node are still whole; `lower` must not change this cache.
        """
        self._parts.evictor.demote = lambda node: lower(node.id)

    def evict_kv(self, slots: int) -> int:
        """Evict unlocked leaves by policy until `slots` KV slots came free; returns how many."""
        freed = self._parts.evictor.free_kv(slots)
        self.version += 1
        return freed

    def evict_state(self, count: int = 1) -> int:
        """Evict checkpoints that no request holds, by policy; returns how many."""
        done = self._parts.evictor.free_states(count)
        self.version += 1
        return done

    def evict_session(self, node: int) -> int:
        """Evict both planes of `node`, of all below it, and of what above serves nothing else.

        What is locked stays. Returns the KV slots freed.
        """
        freed = self._parts.evictor.drop_session(self._parts.tree.node(node))
        self.version += 1
        return freed

    def resize(self, kv_slots: int, state_slots: int) -> Moves:
        """Give the pools new sizes, evicting by policy what no longer fits.

        Only while no request runs. Returns what to copy before the planes shrink.
        """
        moves = resizing.resize(self._parts, kv_slots, state_slots)
        self._parts.tell(PoolsResized(kv_slots, state_slots))
        self.version += 1
        return moves

    def drop_all(self) -> int:
        """Evict everything that is not locked; returns the KV slots freed."""
        freed = self._parts.evictor.drop_all()
        self.version += 1
        return freed

    def _tell_live(self) -> None:
        self._parts.tell(SlotsLive(self._parts.kv.counts[LIVE], self._parts.states.counts[LIVE]))

    def _checkpoint_node(self, wanted: CheckpointRef) -> Node:
        node = self._parts.tree.node(wanted.node)
        if node.checkpoint is None or node.checkpoint.slot != wanted.slot:
            raise InvariantError(f"stale match: the checkpoint of node {node.id} was evicted")
        return node
