"""Deliberate faults in the cache: trees and pools, evictions, copies between tiers, files."""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Later, Put, Returns, Set, Without

CLOSING = "engine/run/test_closing.py"
DELETING = "engine/run/test_forgetting.py"
DISK = "engine/run/test_disk_tier.py engine/storage"
DROPPED = "engine/storage/test_dropped_on_the_way.py"
EVICTION = "engine/cache/eviction"
FILES = "engine/storage"
FORGETTING = "engine/cache/tiers/test_forgetting.py"
HOST = "engine/run/test_host_tier.py"
JUDGE = "engine/run/test_judge.py"
PROVENANCE = "engine/cache/test_provenance.py"
QUARANTINE = "engine/cache/test_quarantine.py"
ROOM = "engine/storage/test_disk_room.py"
SAVING = "engine/cache/tiers/test_saving.py engine/run/test_disk_at_rest.py"
TIERS = "engine/cache/tiers/test_tiers.py"
VERIFY = "engine/run/test_verify.py"

CACHE_FAULTS = {
    "a state at the very end serves a prompt without its last hidden row": Fault(
        "cache/match.py", "find", Put("state.position == total", "state.position > total")
    ),
    "a quarantined state is used again": Fault(
        "cache/match.py",
        "_refusal",
        Put("state.quarantined", "state.quarantined and state.exact"),
        VERIFY,
    ),
    "exact mode takes a state that was computed with other cuts": Fault(
        "cache/match.py", "_refusal", Without("state.cut_hash != cut_hash_at(state.position)")
    ),
    "exact mode takes a state above KV of other cuts": Fault(
        "cache/match.py", "_refusal", Put("kv_valid", "kv_valid + 64")
    ),
    "KV that derives from a wrong state is read": Fault(
        "cache/match.py",
        "find",
        Put("int(suspect.argmax())", "int(suspect.argmax()) + len(suspect)"),
        VERIFY,
    ),
    "an evicted state above hides why one was refused": Fault(
        "cache/match.py", "_state_reason", Put("max(...)", "resume"), "engine/cache/test_match.py"
    ),
    "a split forgets the locks of the upper half": Fault(
        "cache/tree.py", "Tree.split", Set("kv_lock", "0")
    ),
    "a split files the lower half under the wrong token": Fault(
        "cache/tree.py", "Tree.split", Put("node.tokens[0]", "upper.tokens[0]")
    ),
    "a split gives both halves the same KV": Fault(
        "cache/tree.py", "Tree.split", Set("extents", "node.extents")
    ),
    "the tree's own KV is freed as if it were the caller's": Fault(
        "cache/insertion.py", "insert", Set("low", "node.start")
    ),
    "KV is swapped under another reader": Fault(
        "cache/insertion.py", "insert", Set("readers", "0")
    ),
    "suspect KV stays after it was recomputed": Fault(
        "cache/insertion.py",
        "_swap",
        Put("SUSPECT", "SUSPECT - 1"),
        "engine/run/test_verify.py engine/cache",
    ),
    "exact mode keeps reading KV that another request decoded": Fault(
        "cache/insertion.py", "_swap", Without("tags == 0")
    ),
    "a hole in the KV is not noticed": Fault(
        "cache/insertion.py", "insert", Put("owned_from > ...", "owned_from > total")
    ),
    "a state is attached one token beyond its position": Fault(
        "cache/donation.py", "donate", Put("at.end > position", "at.end > position + 1")
    ),
    "the slot of a replaced state leaks": Fault(
        "cache/donation.py", "donate", Drop("parts.states.release")
    ),
    "a state that a request holds is replaced under it": Fault(
        "cache/donation.py", "donate", Without("at.state_lock")
    ),
    "a tombstone with a new checkpoint still reports its loss": Fault(
        "cache/donation.py",
        "donate",
        Put("at.checkpoint, at.loss = (new, None)", "at.checkpoint = new"),
    ),
    "a compressed state replaces a whole one": Fault(
        "stored_state.py",
        "StoredState.better_than",
        Put("self._coarseness < ...", "self._coarseness > other._coarseness"),
        PROVENANCE,
    ),
    "a state computed from a compressed one passes for whole": Fault(
        "cache/lease.py", "Lease.open", Drop("self._source"), PROVENANCE
    ),
    "a state computed from a drifted one is used in exact mode": Fault(
        "stored_state.py", "StoredState.whole", Without("not self.error"), PROVENANCE
    ),
    "states computed from a drifted one stay exact": Fault(
        "cache/cache.py", "TwoPlaneCache.stamp", Without("broken"), PROVENANCE
    ),
    "a flipped near tie makes a correct state fail": Fault(
        "run/verify.py", "_same_choice", Returns("logits.same_top"), JUDGE
    ),
    "with experts any state passes": Fault(
        "run/verify.py", "judge", Without("_few_off(difference)"), JUDGE
    ),
    "with experts wrong KV passes": Fault(
        "run/verify.py", "distance", Drop("stretch.append"), JUDGE
    ),
    "a cut's hash forgets the cuts before it": Fault(
        "plan/cuts.py", "hash_cuts", Put("state + kind", "kind"), "engine/plan"
    ),
    "a mixture's KV that was computed beside other tokens counts as exact": Fault(
        "run/prepared.py", "prepare", Set("hashed", "None"), "engine/run/test_bit_equal.py"
    ),
    "a branch point near the end of a prompt is not stored": Fault(
        "plan/passes.py",
        "plan_passes",
        Put("resume < branch < total", "resume < branch < total - 64"),
        "scenarios/test_match.py scenarios/test_whole_chats.py",
    ),
    "a lock counts twice": Fault("cache/locks.py", "LockTable._lock", Put("1", "2")),
    "a state lock is never released": Fault(
        "cache/locks.py", "LockTable.release_state", Drop("node.state_lock")
    ),
    "a failed request keeps its state slots": Fault(
        "cache/lease.py",
        "Lease.close",
        Put("while self._taken: ...", "self._taken.clear()"),
        "engine/run/test_faults.py",
    ),
    "a request claims the tree owns what it wrote itself": Fault(
        "cache/lease.py", "Lease.store", Set("owned_from", "end")
    ),
    "a state without the hidden row of its last token claims to have it": Fault(
        "cache/lease.py",
        "Lease.store",
        Set("has_hidden", "True"),
        "scenarios/test_match.py engine/run/test_reuse.py",
    ),
    "a branch point passes for a prefill's own": Fault(
        "cache/lease.py", "Lease.store", Set("provenance", "provenance"), "scenarios/test_match.py"
    ),
    "if slots are scarce the shallow states get them": Fault(
        "cache/lease.py", "Lease.take_states", Without("reverse")
    ),
    "a match does not refresh the KV it passes through": Fault(
        "cache/cache.py", "TwoPlaneCache.match", Drop("node.used")
    ),
    "KV that no state covers stays": Fault(
        "cache/cache.py", "TwoPlaneCache.unlock", Drop("self._parts.evictor.prune")
    ),
    "an allocation that cannot succeed evicts anyway": Fault(
        "cache/cache.py",
        "TwoPlaneCache.alloc_kv",
        Put("self._parts.evictor.evictable_kv()", "self._parts.kv.total"),
    ),
    "a promoted state still names its old tier": Fault(
        "cache/cache.py", "TwoPlaneCache.match", Drop("held.state"), TIERS
    ),
    "states that derive from a wrong one stay": Fault(
        "cache/cache.py", "TwoPlaneCache.stamp", Drop("self._parts.evictor.drop_below"), PROVENANCE
    ),
    "matches are not counted": Fault("cache/recency.py", "Recency.stamp_match", Put("1", "0")),
    "worth counts from the parent, live or not": Fault(
        "cache/eviction/facts.py", "live_above", Put("at is not None and ...", "at is None")
    ),
    "coverage ranks by depth instead of replay": Fault(
        "cache/eviction/coverage.py",
        "Coverage.checkpoint_worth",
        Put("facts.replay(node)", "node.end"),
        "engine/cache/eviction/test_policy.py",
    ),
    "lru evicts the most recently used": Fault(
        "cache/eviction/registry.py",
        "Lru.checkpoint_worth",
        Returns("-float(facts.consumed(node))"),
    ),
    "on_split is not called": Fault(
        "cache/tree.py", "Tree.split", Drop("self._follower.on_split"), EVICTION
    ),
    "on_insert is not called": Fault(
        "cache/tree.py", "Tree.attach", Drop("self._follower.on_insert"), EVICTION
    ),
    "on_remove is not called for a leaf": Fault(
        "cache/eviction/evictor.py",
        "Evictor._remove",
        Drop("self.policy.on_remove(leaf, ...)"),
        EVICTION,
    ),
    "on_remove is not called for a bare tombstone above its leaf": Fault(
        "cache/eviction/evictor.py",
        "Evictor._remove",
        Drop("self.policy.on_remove(bare, ...)"),
        EVICTION,
    ),
    "on_match is called only after the nodes have counted the match": Fault(
        "cache/cache.py", "TwoPlaneCache.match", Later("self._parts.evictor.matched"), EVICTION
    ),
    "places of nodes that left are never forgotten": Fault(
        "cache/eviction/habits.py", "Habits.on_remove", Drop("self._places.pop"), EVICTION
    ),
    "a node that left stays the last child its parent's prompts entered": Fault(
        "cache/eviction/habits.py", "Habits.on_remove", Drop("self._last_child[above.id]"), EVICTION
    ),
    "a path that a prompt leaves is not followed past a split": Fault(
        "cache/eviction/habits.py", "Habits.on_split", Drop("self._last_child[upper.id]"), EVICTION
    ),
    "a split leaves the node above pointing past its new child": Fault(
        "cache/eviction/habits.py",
        "Habits.on_split",
        Drop("self._last_child[upper.parent.id]"),
        EVICTION,
    ),
    "an evicted leaf passes nothing on to the place above": Fault(
        "cache/eviction/habits.py",
        "Habits.on_remove",
        Put("cause is not ...", "cause is None"),
        EVICTION,
    ),
    "coverage does not learn from chats that were never resumed": Fault(
        "cache/eviction/coverage.py",
        "Coverage.on_remove",
        Put("cause in PRESSURE and ...", "cause is None"),
        EVICTION,
    ),
    "a state that a request holds may be evicted": Fault(
        "cache/eviction/evictor.py", "Evictor._holder_entry", Without("node.state_lock")
    ),
    "the slot of an evicted state leaks": Fault(
        "cache/eviction/evictor.py", "Evictor._forget_checkpoint", Drop("self._states.release")
    ),
    "bare tombstones stay above an evicted leaf": Fault(
        "cache/eviction/evictor.py", "Evictor._remove", Put("above.bare", "False")
    ),
    "leaves of one-shot requests push chats out": Fault(
        "cache/eviction/evictor.py",
        "Evictor._leaf_entry",
        Set("worth", "self.policy.leaf_worth(node)"),
        EVICTION,
    ),
    "a chat that went on stays a one-shot request": Fault(
        "cache/insertion.py", "insert", Drop("node.one_shot"), EVICTION
    ),
    "states evicted for lack of state slots are not demoted": Fault(
        "cache/eviction/evictor.py",
        "Evictor._forget_checkpoint",
        Put("cause in PRESSURE", "cause is Cause.KV_PRESSURE"),
        TIERS,
    ),
    "slots are counted per extent": Fault(
        "cache/kv_pool.py", "KVPool._move", Set("self.counts[new]", "1")
    ),
    "freeing an extent loses its free neighbour": Fault(
        "cache/kv_pool.py", "KVPool._give_back", Put("end += ...", "self._remove_free(end)")
    ),
    "an evicted slot is never reused": Fault(
        "cache/state_pool.py", "StatePool.release", Drop("heappush")
    ),
    "the wrong stretch of KV is promoted from host": Fault(
        "cache/tiers/tiers.py",
        "Tiers._promote_from_host.fetch",
        Put("part(...)", "part(held.extents, 0, at.state.position - start)"),
        TIERS,
    ),
    "a state in quarantine is copied to host": Fault(
        "cache/tiers/tiers.py",
        "Tiers._demote_from_device",
        Without("holding.checkpoint.state.quarantined"),
        TIERS,
    ),
    "what the device already has is promoted again": Fault(
        "cache/tiers/tiers.py",
        "Tiers._deepest_below",
        Put("on_host.resume > resume", "on_host.resume >= resume"),
        PROVENANCE,
    ),
    "a damaged file is not given as the reason": Fault(
        "cache/tiers/tiers.py",
        "Tiers.promote",
        Put("self.met_damage |= ...", "self.met_damage = False"),
        "engine/run/test_reasons.py",
    ),
    "a wrong state stays on disk": Fault(
        "cache/tiers/tiers.py", "Tiers._drop_below", Drop("self.disk.remove"), VERIFY
    ),
    "a wrong state stays on host": Fault(
        "cache/tiers/tiers.py",
        "Tiers._drop_below",
        Drop("self.host.drop_passing(tokens, cause)"),
        QUARANTINE,
    ),
    "possible ancestors of a wrong state stay on host": Fault(
        "cache/tiers/tiers.py",
        "Tiers._drop_below",
        Put("self.host.reader.path_ends(...)", "()"),
        QUARANTINE,
    ),
    "KV that spans the wrong position stays on host": Fault(
        "cache/cache.py",
        "TwoPlaneCache.drop_passing",
        Put("not len(tokens)", "walk.tail is not None"),
        QUARANTINE,
    ),
    "wrong KV of a node that was split off is still read": Fault(
        "cache/tree.py",
        "Tree.since_checkpoint",
        Without("above.checkpoint is not None"),
        QUARANTINE,
    ),
    "a less valuable state displaces a more valuable one": Fault(
        "cache/tiers/saving.py", "Saver._next", Put("len(path) > 1 and ...", "False"), SAVING
    ),
    "an idle engine looks for something to write forever": Fault(
        "cache/tiers/saving.py", "Saver._look", Put("self._seen == now", "False"), SAVING
    ),
    "the least recently used is written first": Fault(
        "cache/tiers/saving.py",
        "Saver._look",
        Put("self._device.reader.checkpoints()", "self._device.reader.checkpoints()[::-1]"),
        SAVING,
    ),
    "a file displaces one that was used more recently": Fault(
        "storage/disk_store.py",
        "DiskStore.put",
        Put("... > self.room(used, kept)", "nbytes > self.budget"),
        FILES,
    ),
    "a file that was removed to make room is written again at once": Fault(
        "storage/disk_store.py", "Displaced.since", Returns("False"), FILES
    ),
    "a segment that spans the wrong position stays on disk": Fault(
        "storage/disk_store.py",
        "DiskStore.remove_passing",
        Put("self._index.passing(tokens)", "()"),
        DROPPED,
    ),
    "a segment waiting to be written is written although it is wrong": Fault(
        "storage/disk_store.py", "DiskStore._forget", Drop("self._writer.drop"), DROPPED
    ),
    "a write failure that is over is still reported": Fault(
        "storage/disk_store.py", "DiskStore.settle", Drop("self._trouble.over"), FILES
    ),
    "possible ancestors of a wrong state stay on disk": Fault(
        "storage/disk_tier.py",
        "DiskTier.remove",
        Put("entry.meta.end > beyond and ...", "not entry.meta.end"),
        "engine/run/test_disk_quarantine.py",
    ),
    "ages are those of another boot": Fault(
        "storage/disk_index.py", "SegmentRecords.added", Set("created", "meta.created"), CLOSING
    ),
    "a segment that spans the wrong position stays": Fault(
        "storage/disk_index.py",
        "DiskIndex.passing",
        Put("entry.meta.end >= len(tokens)", "entry.meta.end == len(tokens)"),
        DROPPED,
    ),
    "files of equal worth take turns": Fault(
        "storage/disk_index.py",
        "DiskIndex.bytes_used_before",
        Put("entry.used < used", "entry.used <= used + 10"),
        FILES,
    ),
    "a file claims tokens that it does not hold": Fault(
        "storage/segment_file.py",
        "SegmentFile._read_sequence",
        Put("token and ...", "False"),
        FILES,
    ),
    "a sparse file takes unlimited memory": Fault(
        "storage/segment_file.py",
        "SegmentFile._read_header",
        Put("self.nbytes > ...", "False"),
        FILES,
    ),
    "others can read what an older version wrote": Fault(
        "private_files.py",
        "mend",
        Drop("path.chmod"),
        "engine/test_private_files.py engine/storage/test_private_store.py",
    ),
    "a packed state passes for an unpacked one": Fault(
        "stored_state.py", "StoredState.packed", Set("stored", "form"), PROVENANCE
    ),
    "a packed state forgets its error": Fault(
        "stored_state.py", "StoredState.packed", Set("error", "error"), PROVENANCE
    ),
    "exact mode puts a state above KV of other cuts": Fault(
        "cache/tiers/intake.py", "take_in", Set("valid", "on_target.matched"), TIERS
    ),
    "a failed copy between tiers leaks the state slot": Fault(
        "cache/tiers/intake.py",
        "take_in",
        Put("if slot is not None: ...", "if slot is None: target.free_state(0)"),
        TIERS,
    ),
    "KV copied to a lower tier loses the tags of how it was computed": Fault(
        "cache/holding.py",
        "holding_of",
        Put("pool.tags_of(extents)", "pool.tags_of(extents) * 0"),
        TIERS,
    ),
    "a node still points to the old slots of moved KV": Fault(
        "cache/resize.py",
        "_pull_kv",
        Put("kept.extend(target)", "kept.extend(source)"),
        "engine/cache/test_resize.py",
    ),
    "the split moves away from the plane that loses more": Fault(
        "cache/budget/balance.py",
        "Split._poorer",
        Put("1 if self._state > self._kv else -1", "-1 if self._state > self._kv else 1"),
        "engine/cache/budget/test_share.py",
    ),
    "a prompt cannot regain room from the states": Fault(
        "cache/budget/balance.py",
        "Balance.before_request",
        Put("not grown or ...", "tokens"),
        "engine/run/test_rebalance.py",
    ),
    "a packed state claims to have no error": Fault(
        "storage/mover.py",
        "TierMover.state_to_host",
        Put("pack_state(...)", "(pack_state(self._states, device, form)[0], 0.0)"),
        "engine/run/test_host_tier.py engine/storage",
    ),
    "KV lands in the slots it came from": Fault(
        "storage/mover.py",
        "_copy_spans",
        Put("there[...]", "there[..., first:first + length, :]"),
        HOST,
    ),
    "the live hidden row is saved instead of the state's": Fault(
        "storage/host_planes.py",
        "pack_in_place",
        Put("states.hidden[slot]", "states.hidden[0]"),
        HOST,
    ),
    "damaged bytes are returned": Fault(
        "storage/segment_file.py",
        "SegmentFile._read",
        Put("_checksum(raw.values()) != ...", "False"),
        FILES,
    ),
    "half-written files stay": Fault(
        "storage/segment_file.py", "write_segment", Drop("folder.unlink"), FILES
    ),
    "another model's file is used": Fault(
        "storage/segment_file.py",
        "SegmentFile._read_header",
        Put("inner['fingerprint'] != fingerprint", "not fingerprint"),
        FILES,
    ),
    "a renamed file is used": Fault(
        "storage/segment_file.py",
        "SegmentFile._read_header",
        Put("self.name != ...", "not self.name"),
        FILES,
    ),
    "any segment of the right length matches": Fault(
        "storage/disk_index.py",
        "DiskIndex.match",
        Put("not np.array_equal(...)", "len(entry.tokens) != meta.end - at"),
        FILES,
    ),
    "a state on disk answers without its hidden row": Fault(
        "storage/disk_index.py", "DiskIndex.match", Set("ends", "True"), FILES
    ),
    "the newest file goes first": Fault(
        "storage/disk_index.py", "DiskIndex.oldest", Put("min", "max"), FILES
    ),
    "a replaced file counts twice": Fault(
        "storage/disk_store.py", "DiskStore.put", Set("self._used_bytes", "nbytes"), FILES
    ),
    "files grow beyond their budget": Fault(
        "storage/disk_store.py", "DiskStore._trim", Put("self.budget", "2 * self.budget"), FILES
    ),
    "a damaged file stays": Fault(
        "storage/disk_store.py",
        "DiskStore._damaged",
        Put("self._folder.unlink(name)", "True"),
        FILES,
    ),
    "files that were dropped stay on disk": Fault(
        "storage/disk_store.py", "DiskStore._forget", Put("True", "False"), FILES
    ),
    "KV from disk lands at the wrong positions": Fault(
        "storage/disk_tier.py",
        "DiskTier.restore",
        Set("low", "meta.start"),
        "engine/run/test_disk_tier.py",
    ),
    "an exact state does not replace another on disk": Fault(
        "storage/disk_tier.py",
        "DiskTier._replaces",
        Put(
            "replace(...).better_than(...)",
            "replace(held.state, has_hidden=old.state.has_hidden).whole and not old.state.whole",
        ),
        DISK,
    ),
    "a file continues one with other KV": Fault(
        "storage/disk_tier.py",
        "DiskTier._above.same",
        Put("np.array_equal(...)", "len(entry.tags)"),
        DISK,
    ),
    "engines with different settings share a folder": Fault(
        "storage/fingerprint.py",
        "fingerprint",
        Put("sorted(settings)", "()"),
        "engine/storage engine/run/test_disk_tier.py",
    ),
    "a state that could not be written counts as saved": Fault(
        "cache/tiers/saving.py", "Saver._look", Put("self._disk.failed", "0"), CLOSING
    ),
    "a closing engine does not retry a disk that failed a moment ago": Fault(
        "run/lower_tiers.py", "LowerTiers.finish", Drop("disk.try_again"), CLOSING
    ),
    "a file that replaces another is older than the files that continue it": Fault(
        "storage/disk_store.py", "DiskStore.put", Drop("used = max(...)"), ROOM
    ),
    "files that continue a skipped file stay beyond the budget": Fault(
        "storage/disk_store.py", "DiskStore._leave_orphan", Put("... in left_out", "False"), ROOM
    ),
    "closing an iterator that another thread reads blocks forever": Fault(
        "api.py", "RequestEvents.__next__", Drop("self._heard.put"), "engine/test_api.py"
    ),
    "what is deleted stays in host memory": Fault(
        "cache/tiers/tiers.py", "Tiers.forget", Drop("self.host.drop_passing"), FORGETTING
    ),
    "what is deleted stays on disk": Fault(
        "cache/tiers/tiers.py", "Tiers.forget", Drop("self.disk.forget"), FORGETTING
    ),
    "a token of a deleted conversation stays": Fault(
        "run/background.py",
        "own_prefixes",
        Put(
            "found.setdefault(...)",
            "found.setdefault(one[:shared + 2].tobytes(), one[:shared + 2])",
        ),
        DELETING,
    ),
    "what a conversation that stays begins with is deleted": Fault(
        "run/background.py",
        "own_prefixes",
        Put("shared < len(one)", "shared <= len(one)"),
        DELETING,
    ),
    "what ran under an earlier system text is not deleted": Fault(
        "run/background.py", "Forgetting._forget", Drop("gone"), DELETING
    ),
    "a file that is being written outlives the answer": Fault(
        "run/background.py", "Forgetting._forget", Drop("self._wait_for_writer"), DELETING
    ),
    "closing writes what is to be deleted": Fault(
        "run/core.py", "Core.close", Drop("self.background.finish"), DELETING
    ),
    "a later recording writes what was deleted": Fault(
        "analysis/history.py",
        "History.on_entry",
        Put("isinstance(what, Forgot)", "False"),
        "engine/analysis/test_history.py",
    ),
    "a link in the cache folder is followed": Fault(
        "private_files.py", "", Set("_NO_LINK", "0"), FILES
    ),
    "a folder of another user is used": Fault(
        "private_files.py", "_take", Put("hasattr(os, 'geteuid') and ...", "False"), FILES
    ),
    "somebody else's file is removed for its name": Fault(
        "storage/segment_file.py",
        "SegmentFile.__init__",
        Put("not is_segment(file)", "False"),
        FILES,
    ),
    "somebody else's file is removed with the segment whose place it took": Fault(
        "storage/disk_store.py", "DiskStore._forget", Put("unlink and ...", "unlink"), FILES
    ),
    "somebody else's file is written over": Fault(
        "storage/disk_store.py", "DiskStore.refuses", Without("key in self._taken"), FILES
    ),
    "somebody else's file makes room for ours": Fault(
        "storage/disk_store.py", "Neighbours.remove_older", Put("gone not in ...", "True"), FILES
    ),
    "somebody else's file is swept away as half-written": Fault(
        "storage/segment_file.py", "sweep", Without("is_segment(file)"), FILES
    ),
}
