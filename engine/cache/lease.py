"""A lease: everything one request borrows from the cache or owns itself, released once.

That is the lock on the cached path, the KV slots that the request wrote and has not yet inserted,
and the state slots it allocated and has not yet donated. A live and a simulated request differ only
in whether bytes move; what they allocate, store and release is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.cache.cache import TwoPlaneCache
from engine.cache.extents import Extents, count, join, part
from engine.cache.locks import Lock
from engine.cache.match import Match, Tags
from engine.stored_state import Provenance, StoredState, Why

GROWTH_TOKENS = 256


class Lease:
    """One request's hold on the cache, from its match to its end.

    Attributes:
        tokens: int64, the request's sequence so far; grows as it decodes.
        extents: physical KV slots of positions [0, capacity).
        owned_from: the request owns the slots of positions from here on.
        write_from: KV of earlier positions belongs to the tree and must not be written.
        node: the deepest node of the request's path.
        skipped: checkpoints skipped because no state slot was available.
    """

    def __init__(self, cache: TwoPlaneCache, *, exact: bool, one_shot: bool = False) -> None:
        """one_shot: see Submit."""
        self._cache = cache
        self._exact = exact
        self._one_shot = one_shot
        self._lock: Lock | None = None
        self._tags: Tags | None = None
        self._cut_hashes: Mapping[int, int] = {}
        self._whys: Mapping[int, Why] = {}
        self._taken: set[int] = set()
        # The state from which all states of this request derive.
        self._source: StoredState | None = None
        self.tokens = np.empty(0, np.int64)
        self.extents: Extents = ()
        self.owned_from = 0
        self.write_from = 0
        self.node = 0
        self.skipped = 0

    @property
    def capacity(self) -> int:
        """Positions that have a KV slot."""
        return count(self.extents)

    @property
    def held(self) -> bool:
        """Whether it is open."""
        return self._lock is not None

    def open(
        self,
        tokens: npt.NDArray[np.int64],
        match: Match,
        *,
        headroom: int = 0,
        tags: Tags | None = None,
        cut_hashes: Mapping[int, int] | None = None,
        whys: Mapping[int, Why] | None = None,
    ) -> bool:
        """Lock the match and allocate the KV slots that the prompt needs beyond it.

        False if there is no room for them; nothing is held then.

        Args:
            headroom: slots to allocate beyond the prompt, for the answer, if available.
            tags, cut_hashes: exact mode: the marks of this prompt's KV and its checkpoints.
            whys: why a state is stored at each position, as far as known beforehand.
        """
        assert self._lock is None, "a lease is opened once"
        self.tokens = tokens.copy()
        self._tags, self._cut_hashes, self._whys = tags, cut_hashes or {}, whys or {}
        valid = match.kv_valid
        if valid < match.matched:
            # This run cannot use what the tree has beyond; evicting that may make room.
            usable = self._cache.reader.probe(tokens[:valid])
            match = replace(match, matched=valid, node=usable.node, tail=usable.tail)
        self._lock = self._cache.lock(match)
        if match.checkpoint is not None:
            self._source = match.checkpoint.state
        needed = len(tokens) - valid
        own = self._cache.alloc_kv(needed + headroom) or self._cache.alloc_kv(needed)
        if own is None and needed:
            self.close()
            return False
        self.extents = join((part(match.extents, 0, valid), own or ()))
        self.owned_from = self.write_from = valid
        self.node = match.node
        return True

    def take_states(self, positions: Sequence[int]) -> dict[int, int | None]:
        """Allocate a state slot per position to be stored; None for a position that gets none.

        The deepest comes first: if slots are scarce, that is where the next prompt resumes.
        """
        slots: dict[int, int | None] = {}
        for position in sorted(positions, reverse=True):
            slot = self._cache.alloc_state()
            if slot is None:
                self.skipped += 1
                self._cache.note_skip(position)
            else:
                self._taken.add(slot)
            slots[position] = slot
        return dict(sorted(slots.items()))

    def take_live(self) -> int | None:
        """Allocate a state slot to be the request's live one; None if requests hold every slot."""
        slot = self._cache.alloc_state()
        if slot is not None:
            self._taken.add(slot)
        return slot

    def store(
        self,
        slots: Mapping[int, int | None],
        end: int,
        provenance: Provenance,
        *,
        branch: int | None = None,
        why: Why = "",
    ) -> None:
        """Insert [0, end) into the tree and donate the written state slots at their positions.

        A state at `branch` is stored with provenance "branch". Without a single slot nothing is
        inserted: KV that no state covers is useless. `why`: of states that were not planned.
        """
        if not any(slot is not None for slot in slots.values()):
            return
        assert self._lock is not None, "a released lease cannot store anything"
        result = self._cache.insert(
            self.tokens[:end],
            part(self.extents, 0, end),
            owned_from=min(self.owned_from, end),
            tags=self._tags_up_to(end),
            prefer_new=self._exact,
            one_shot=self._one_shot,
            lock=self._lock,
        )
        self.extents = join((result.extents, part(self.extents, end, self.capacity)))
        self.owned_from = max(self.owned_from, end)
        self.write_from = max(self.write_from, end)
        self.node = result.node
        for position, slot in slots.items():
            if slot is None:
                continue
            self._taken.discard(slot)
            state = StoredState(
                position,
                provenance="branch" if position == branch else provenance,
                cut_hash=self._cut_hashes.get(position) if provenance == "prefill" else None,
                has_hidden=position == end,
                why="branch" if position == branch else why or self._whys.get(position, ""),
            )
            self._cache.donate(self._lock, slot, state.computed_from(self._source))

    def append(self, position: int, token: int) -> bool:
        """Append a decoded token and make sure that it has a KV slot; False if there is no room."""
        if position == self.capacity and not self._grow():
            return False
        if position == len(self.tokens):
            self.tokens = np.concatenate([self.tokens, np.empty(GROWTH_TOKENS, np.int64)])
        self.tokens[position] = token
        return True

    def close(self) -> None:
        """Release every slot and lock, whatever happened. A second call does nothing."""
        own = part(self.extents, self.owned_from, self.capacity)
        self.extents = part(self.extents, 0, self.owned_from)
        if own:
            self._cache.free_kv(own)
        while self._taken:
            self._cache.free_state(self._taken.pop())
        if self._lock is not None:
            lock, self._lock = self._lock, None
            self._cache.unlock(lock)

    def _tags_up_to(self, end: int) -> Tags | None:
        """Tags of [0, end): a decoded token's is 0, never exact."""
        if self._tags is None:
            return None
        known = self._tags[:end]
        return np.concatenate([known, np.zeros(end - len(known), np.int64)])

    def _grow(self) -> bool:
        after = self.extents[-1][0] + self.extents[-1][1] if self.extents else None
        more = self._cache.alloc_kv(GROWTH_TOKENS, after=after) or self._cache.alloc_kv(1)
        if more is None:
            return False
        self.extents = join((self.extents, more))
        return True
