"""Deliberate faults in the cache: one line each, all of which the tests must notice.

`python -m tests.mutation.check` applies them one at a time to a copy and runs the tests named here.
"""

from __future__ import annotations

from dataclasses import dataclass

CACHE = "tests/engine/cache"
TIERS = "tests/engine/cache/test_tiers.py"
RANDOM = "tests/engine/cache/test_random_operations.py"
FILES = "tests/engine/storage"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and what it breaks.

    Attributes:
        file: under engine/.
        old, new: the text, once in the file, and what takes its place.
        meaning: what goes wrong.
        tests: what must fail, under the repository's root.
    """

    file: str
    old: str
    new: str
    meaning: str
    tests: str = CACHE


FAULTS = (
    Fault(
        "cache/match.py",
        "if candidate.position == total and not candidate.has_hidden:",
        "if candidate.position > total and not candidate.has_hidden:",
        "a state at the very end serves a prompt without its last hidden row",
    ),
    Fault(
        "cache/match.py",
        "if held.quarantined:",
        "if held.quarantined and held.exact:",
        "a quarantined state is used again",
        "tests/engine/run/test_verify.py",
    ),
    Fault(
        "cache/match.py",
        "if not held.exact or held.chain != chain(candidate.position):",
        "if not held.exact:",
        "exact mode takes a state that was made with other cuts",
    ),
    Fault(
        "cache/match.py",
        "fits = candidate.position <= kv_valid and",
        "fits = candidate.position <= kv_valid + 64 and",
        "exact mode takes a state above KV of other cuts",
    ),
    Fault(
        "cache/match.py",
        "kv_valid = min(kv_valid, int(suspect.argmax()))",
        "kv_valid = min(kv_valid, int(suspect.argmax()) + len(suspect))",
        "KV that came of a wrong state is read",
        "tests/engine/run/test_verify.py",
    ),
    Fault(
        "cache/tree.py",
        "kv_lock=node.kv_lock,",
        "kv_lock=0,",
        "a split forgets the locks of the upper half",
    ),
    Fault(
        "cache/tree.py",
        "upper.children[int(node.tokens[0])] = node",
        "upper.children[int(upper.tokens[0])] = node",
        "a split files the lower half under the wrong token",
    ),
    Fault(
        "cache/tree.py",
        "runs=kv_runs.part(node.runs, 0, at),",
        "runs=node.runs,",
        "a split gives both halves the same KV",
    ),
    Fault(
        "cache/donation.py",
        "if at.end > position:",
        "if at.end > position + 1:",
        "a state is attached one token beyond its position",
    ),
    Fault(
        "cache/donation.py",
        "states.release(old.slot)",
        "pass",
        "the slot of a replaced state leaks",
    ),
    Fault(
        "cache/donation.py",
        "if at.state_lock or not better(new, old):",
        "if not better(new, old):",
        "a state that a request holds is replaced under it",
    ),
    Fault(
        "cache/insertion.py",
        "low = max(owned_from, node.start)",
        "low = node.start",
        "KV of the tree's own is freed as if it were the caller's",
    ),
    Fault(
        "cache/insertion.py",
        "readers = node.kv_lock - (node.id in own)",
        "readers = 0",
        "KV is swapped under another reader",
    ),
    Fault(
        "cache/insertion.py",
        "takes = known == SUSPECT",
        "takes = known == SUSPECT - 1",
        "suspect KV stays after it was computed anew",
        "tests/engine/run/test_verify.py tests/engine/cache",
    ),
    Fault(
        "cache/insertion.py",
        "takes |= (known != tags) | (tags == 0)",
        "takes |= known != tags",
        "exact mode goes on reading decoded KV of somebody else",
    ),
    Fault(
        "cache/locks.py",
        "node.kv_lock += 1",
        "node.kv_lock += 2",
        "a lock counts twice",
    ),
    Fault(
        "cache/locks.py",
        "node.state_lock -= 1",
        "pass",
        "a state lock is never given back",
    ),
    Fault(
        "cache/eviction.py",
        "if node.checkpoint is None or node.state_lock:",
        "if node.checkpoint is None:",
        "a state that a request holds may be evicted",
    ),
    Fault(
        "cache/eviction.py",
        "self._states.release(node.checkpoint.slot)\n        node.checkpoint = None",
        "node.checkpoint = None",
        "the slot of an evicted state leaks",
    ),
    Fault(
        "cache/eviction.py",
        "while above.bare:",
        "while False:",
        "bare tombstones stay above an evicted leaf",
    ),
    Fault(
        "cache/eviction.py",
        "if self.demote is not None and cause in FOR_WANT_OF_ROOM:",
        "if self.demote is not None and cause is Cause.KV_PRESSURE:",
        "states evicted for want of state slots are not shadowed",
        TIERS,
    ),
    Fault(
        "cache/kv_pool.py",
        "self.counts[new] += length",
        "self.counts[new] += 1",
        "slots are counted by runs",
    ),
    Fault(
        "cache/kv_pool.py",
        "end += self._remove_free(end)",
        "self._remove_free(end)",
        "freed runs swallow their neighbour",
    ),
    Fault(
        "cache/state_pool.py",
        'self._move(slot, CACHED, FREE, "evicted")\n        heappush(self._free, slot)',
        'self._move(slot, CACHED, FREE, "evicted")',
        "an evicted slot is never handed out again",
    ),
    Fault(
        "cache/lease.py",
        "while self._taken:\n            self._cache.free_state(self._taken.pop())",
        "self._taken.clear()",
        "a request that breaks keeps the state slots it took",
        "tests/engine/run/test_faults.py",
    ),
    Fault(
        "cache/lease.py",
        "owned_from=min(self.owned_from, end),",
        "owned_from=end,",
        "a request claims the tree owns what it wrote itself",
    ),
    Fault(
        "cache/lease.py",
        "has_hidden=position == end,",
        "has_hidden=True,",
        "a state without the hidden row of its last token claims to have it",
        "tests/engine/run/test_reuse.py tests/engine/run/test_requests.py",
    ),
    Fault(
        "cache/intake.py",
        "valid = here.kv_valid if incoming.exact else here.matched",
        "valid = here.matched",
        "exact mode puts a state above KV of other cuts",
        TIERS,
    ),
    Fault(
        "cache/intake.py",
        "if slot is not None:\n            target.free_state(slot)",
        "if slot is None:\n            target.free_state(0)",
        "a failed copy between tiers leaks the state slot",
        TIERS,
    ),
    Fault(
        "cache/tiers.py",
        "mover.kv_to_device(part(held.runs, start, at.position), runs)",
        "mover.kv_to_device(part(held.runs, 0, at.position - start), runs)",
        "the wrong stretch of KV comes up from host",
        TIERS,
    ),
    Fault(
        "cache/tiers.py",
        "if holding.checkpoint is None or holding.checkpoint.quarantined:\n            return",
        "if holding.checkpoint is None:\n            return",
        "a state in quarantine is copied to host",
        TIERS,
    ),
    Fault(
        "cache/resize.py",
        "kept.extend(target)",
        "kept.extend(source)",
        "a node still points at KV that was moved",
        "tests/engine/cache/test_resize.py",
    ),
    Fault(
        "cache/cuts.py",
        'state = hashlib.blake2b(state + kind + b"%d" % position, digest_size=8).digest()',
        'state = hashlib.blake2b(kind + b"%d" % position, digest_size=8).digest()',
        "a cut's hash forgets the cuts before it",
    ),
    Fault(
        "storage/segment_file.py",
        "if _checksum(raw.values()) != self._sums[part]:",
        "if False:",
        "damaged bytes are given back",
        FILES,
    ),
    Fault(
        "storage/disk_index.py",
        "if not np.array_equal(entry.tokens, tokens[at : meta.end]):",
        "if len(entry.tokens) != meta.end - at:",
        "any segment of the right length matches",
        FILES,
    ),
    Fault(
        "storage/disk_tier.py",
        "low = max(start, meta.start)",
        "low = meta.start",
        "KV from disk lands at the wrong positions",
        "tests/engine/run/test_disk_tier.py",
    ),
)
