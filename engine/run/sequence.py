"""The live sequence: the one state that is mutated in place, and the KV slots under it.

Everything a request borrows or owns is in here: the lock on the cached path, the KV slots it
wrote and has not yet given to the tree, the live state slot. The tree never points at the live
slot: a checkpoint is always a copy of it (a fork), and resuming copies a checkpoint into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from engine.cache.cache import TwoPlaneCache
from engine.cache.locks import Lock
from engine.cache.match import Match
from engine.cache.node import Provenance
from engine.cache.runs import Runs, count, join, part
from engine.errors import PromptError
from engine.planes import LIVE_SLOT, KVPlane, StatePlane

if TYPE_CHECKING:
    from torch import Tensor

    from engine.model.hybrid import HybridModel

GROWTH_TOKENS = 256
Tags = npt.NDArray[np.int64]


class LiveSequence:
    """Tokens [0, position) have been applied to the live slot; their KV is in `runs`.

    With `cache` None nothing is read from or given to a tree: the planes are the caller's own.

    Attributes:
        tokens: int64, at least `position` of them valid.
        position: tokens applied to the live state.
        runs: physical KV slots of [0, capacity).
        owned_from: slots of positions from here on are this sequence's own.
        skipped: checkpoints not taken because every state slot was held.
    """

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        cache: TwoPlaneCache | None,
        *,
        sink_slot: int,
        exact: bool,
    ) -> None:
        self._model = model
        self._kv = kv
        self._states = states
        self._cache = cache
        self._sink_slot = sink_slot
        self._exact = exact
        self._lock: Lock | None = None
        self._tags: Tags | None = None
        self._chains: Mapping[int, int] = {}
        self._write_from = 0
        self.tokens = np.empty(0, np.int64)
        self.position = 0
        self.runs: Runs = ()
        self.owned_from = 0
        self.node = 0
        self.skipped = 0

    @property
    def capacity(self) -> int:
        return count(self.runs)

    def start(
        self,
        tokens: npt.NDArray[np.int64],
        match: Match | None,
        *,
        headroom: int,
        tags: Tags | None = None,
        chains: Mapping[int, int] | None = None,
    ) -> None:
        """Take the slots a prompt needs and put the matched checkpoint into the live slot.

        Args:
            headroom: slots to take beyond the prompt, for the answer, if they can be had.
            tags, chains: exact mode: what marks this prompt's KV and its checkpoints.

        Raises:
            PromptError: the KV plane cannot hold the prompt; nothing has been changed.
        """
        self.tokens = tokens.copy()
        self._tags = tags
        self._chains = chains or {}
        if match is None:
            self.runs = ((0, self._kv.slots),)
            self._states.zero(LIVE_SLOT)
            return
        assert self._cache is not None
        self._lock = self._cache.lock(match)
        valid = match.kv_valid
        taken = part(match.runs, 0, valid)
        needed = len(tokens) - valid
        own = self._cache.alloc_kv(needed + headroom) or self._cache.alloc_kv(needed)
        if own is None and needed:
            self.release()
            raise PromptError(
                f"The prompt needs {needed:,} more tokens of KV and the cache's budget cannot make "
                "room for them: raise the budget or shorten the conversation."
            )
        self.runs = join((taken, own or ()))
        self.owned_from = self._write_from = valid
        self.position = match.resume
        self.node = match.node
        if match.checkpoint is None:
            self._states.zero(LIVE_SLOT)
        else:
            self._states.copy(match.checkpoint.slot, LIVE_SLOT)

    def last_logits(self) -> Tensor:
        """float32 [vocab] of the last applied token, from the live slot's own hidden row."""
        return self._model.logits_from_hidden(self._states.hidden[LIVE_SLOT])

    def forward(self, end: int, stores: tuple[int, ...], branch: int | None = None) -> Tensor:
        """Apply tokens [position, end) and store the states at `stores`, positions in (.., end].

        A state at `branch` is stored as a branch point's. Returns float32 logits [vocab] of token
        end - 1.
        """
        slots = {position: self._slot_for_store() for position in stores}
        captures = [
            (position, self._sink_slot if slot is None else slot)
            for position, slot in slots.items()
            if position < end
        ]
        start = self.position
        logits = self._model.forward(
            torch.from_numpy(self.tokens[start:end]),
            start,
            self._kv,
            part(self.runs, 0, end),
            self._states,
            LIVE_SLOT,
            write_from=min(max(self._write_from, start), end),
            captures=captures,
            gather=self._exact,
        )
        assert logits is not None
        self.position = end
        if end in slots and (slot := slots[end]) is not None:
            self._states.copy(LIVE_SLOT, slot)
        self._give(slots, end, "prefill", branch)
        return logits

    def step(self, token: int) -> Tensor | None:
        """Apply one decoded token. None where the KV plane has no slot left for it."""
        if self.position == self.capacity and not self._grow():
            return None
        if self.position == len(self.tokens):
            self.tokens = np.concatenate([self.tokens, np.empty(GROWTH_TOKENS, np.int64)])
        self.tokens[self.position] = token
        logits = self._model.forward(
            torch.from_numpy(self.tokens[self.position : self.position + 1]),
            self.position,
            self._kv,
            part(self.runs, 0, self.position + 1),
            self._states,
            LIVE_SLOT,
            write_from=self.position,
            gather=self._exact,
        )
        self.position += 1
        return logits

    def donate(self, provenance: Provenance) -> None:
        """Store the live state, as it is now, at the position it is valid for."""
        if self._cache is None or not self.position:
            return
        slot = self._slot_for_store()
        if slot is not None:
            self._states.copy(LIVE_SLOT, slot)
        self._give({self.position: slot}, self.position, provenance, None)

    def release(self) -> None:
        """Give every slot and lock back. Calling it again does nothing."""
        if self._cache is None:
            return
        own = part(self.runs, self.owned_from, self.capacity)
        self.runs = part(self.runs, 0, self.owned_from)
        if own:
            self._cache.free_kv(own)
        if self._lock is not None:
            lock, self._lock = self._lock, None
            self._cache.unlock(lock)

    def _slot_for_store(self) -> int | None:
        if self._cache is None:
            return None
        slot = self._cache.alloc_state()
        if slot is None:
            self.skipped += 1
            self._cache.note_skip()
        return slot

    def _give(
        self, slots: dict[int, int | None], end: int, provenance: Provenance, branch: int | None
    ) -> None:
        """Put [0, end) into the tree and the forked states at their positions."""
        if self._cache is None or not any(slot is not None for slot in slots.values()):
            return
        assert self._lock is not None
        tags = None if self._tags is None else self._tags_up_to(end)
        result = self._cache.insert(
            self.tokens[:end],
            part(self.runs, 0, end),
            owned_from=min(self.owned_from, end),
            tags=tags,
            prefer_new=self._exact,
            lock=self._lock,
        )
        self.runs = join((result.runs, part(self.runs, end, self.capacity)))
        self.owned_from = max(self.owned_from, end)
        self._write_from = max(self._write_from, end)
        self.node = result.node
        for position, slot in slots.items():
            if slot is not None:
                self._cache.donate(
                    self._lock,
                    position,
                    slot,
                    provenance="branch" if position == branch else provenance,
                    chain=self._chains.get(position) if provenance == "prefill" else None,
                    has_hidden=position == end,
                )

    def _tags_up_to(self, end: int) -> Tags:
        """Tags of [0, end): a decoded token's is 0, never exact."""
        assert self._tags is not None
        known = self._tags[:end]
        return np.concatenate([known, np.zeros(end - len(known), np.int64)])

    def _grow(self) -> bool:
        if self._cache is None:
            return False
        more = self._cache.alloc_kv(GROWTH_TOKENS) or self._cache.alloc_kv(1)
        if more is None:
            return False
        self.runs = join((self.runs, more))
        return True
