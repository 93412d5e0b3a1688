"""The live sequence: the one state that is mutated in place, and the KV slots below it.

Its lease holds what it borrows from the cache. The tree never points at the live slot: a checkpoint
is always a copy of it (a fork), and resuming copies a checkpoint into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from engine.cache.extents import Extents, part
from engine.cache.lease import GROWTH_TOKENS, Lease
from engine.cache.match import Match, Tags
from engine.errors import PromptError
from engine.planes import LIVE_SLOT, SINK_SLOT, KVPlane, StatePlane
from engine.stored_state import Provenance, Why

if TYPE_CHECKING:
    from torch import Tensor

    from engine.model.decode_graph import DecodeGraph
    from engine.model.hybrid import HybridModel

__all__ = ["GROWTH_TOKENS", "LiveSequence"]


class LiveSequence:
    """Tokens [0, position) have been applied to the live slot; their KV is in `extents`.

    With `lease` None no tree is read or written: the caller owns the planes.

    Attributes:
        position: tokens applied to the live state.
        lease: what it borrows from the cache, and what it owns besides.
        kv, states: the planes it runs on.
    """

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        lease: Lease | None,
        *,
        exact: bool,
        graph: DecodeGraph | None = None,
    ) -> None:
        """graph: a decode step captured over these planes; None runs each step eagerly."""
        self._model = model
        self._graph = graph
        self.kv = kv
        self.states = states
        self._exact = exact
        self._own_tokens = np.empty(0, np.int64)
        self.lease = lease
        self.position = 0

    @property
    def node(self) -> int:
        """The deepest node of the path that the request has read or written."""
        return 0 if self.lease is None else self.lease.node

    @property
    def skipped(self) -> int:
        """Checkpoints skipped because every state slot was held."""
        return 0 if self.lease is None else self.lease.skipped

    def start(
        self,
        tokens: npt.NDArray[np.int64],
        match: Match | None,
        *,
        headroom: int,
        tags: Tags | None = None,
        cut_hashes: Mapping[int, int] | None = None,
        whys: Mapping[int, Why] | None = None,
    ) -> None:
        """Allocate the slots a prompt needs and copy the matched checkpoint into the live slot.

        Args:
            headroom: slots to allocate beyond the prompt, for the answer, if available.
            tags, cut_hashes: exact mode: the marks of this prompt's KV and its checkpoints.
            whys: see Lease.open.

        Raises:
            PromptError: the KV plane cannot hold the prompt; nothing has been changed.
        """
        if self.lease is None or match is None:
            self._own_tokens = tokens
            self.states.zero(LIVE_SLOT)
            return
        if not self.lease.open(
            tokens, match, headroom=headroom, tags=tags, cut_hashes=cut_hashes, whys=whys
        ):
            raise PromptError(
                "The prompt needs {more:,} more tokens of KV, and the "
                "cache's budget has no room for them: raise the budget or shorten the "
                "conversation.",
                more=len(tokens) - match.kv_valid,
            )
        self.position = match.resume
        if match.checkpoint is None:
            self.states.zero(LIVE_SLOT)
        else:
            self.states.copy(match.checkpoint.slot, LIVE_SLOT)

    def last_logits(self) -> Tensor:
        """float32 [vocab] after the last applied token, from the live slot's own hidden row."""
        return self._model.logits_from_hidden(self.states.hidden[LIVE_SLOT])

    def forward(self, end: int, stores: tuple[int, ...], branch: int | None = None) -> Tensor:
        """Apply tokens [position, end) and store the states at `stores`, positions in (.., end].

        A state at `branch` is stored with provenance "branch". Returns float32 logits [vocab] of
        token end - 1.
        """
        # Split the scan even without a slot: a cold run must have the shapes of a cached one.
        slots = dict.fromkeys(stores) if self.lease is None else self.lease.take_states(stores)
        scan_splits = [
            (position, SINK_SLOT if slot is None else slot)
            for position, slot in slots.items()
            if position < end
        ]
        logits = self._run(end, scan_splits)
        if end in slots and (slot := slots[end]) is not None:
            self.states.copy(LIVE_SLOT, slot)
        if self.lease is not None:
            self.lease.store(slots, end, "prefill", branch=branch)
        return logits

    def step(self, token: int) -> Tensor | None:
        """Apply one decoded token. None if the KV plane has no slot left for it."""
        if self.lease is None:
            if self.position == self.kv.slots:
                return None
            self._own_tokens = np.append(self._own_tokens[: self.position], token)
        elif not self.lease.append(self.position, token):
            return None
        if self._graph is not None and self.lease is not None:
            return self._replayed(self._graph, self.lease, token)
        return self._run(self.position + 1, [])

    def _replayed(self, graph: DecodeGraph, lease: Lease, token: int) -> Tensor:
        """The same step by replaying the captured one."""
        # Known slots cost nothing; a checkpoint stored since the last step may have changed them.
        graph.follow(lease.extents)
        place = part(lease.extents, self.position, self.position + 1)
        logits = graph.run(token, self.position, place[0][0])
        self.position += 1
        return logits

    def donate(self, provenance: Provenance, why: Why) -> None:
        """Store the current live state at its position, with a reason."""
        if self.lease is None or not self.position:
            return
        slots = self.lease.take_states((self.position,))
        slot = slots[self.position]
        if slot is not None:
            self.states.copy(LIVE_SLOT, slot)
        self.lease.store(slots, self.position, provenance, why=why)

    def release(self) -> None:
        """Release every slot and lock. A second call does nothing."""
        if self.lease is not None:
            self.lease.close()

    def _run(self, end: int, scan_splits: list[tuple[int, int]]) -> Tensor:
        lease = self.lease
        tokens: npt.NDArray[np.int64] = self._own_tokens if lease is None else lease.tokens
        extents: Extents = ((0, self.kv.slots),) if lease is None else lease.extents
        write_from = 0 if lease is None else lease.write_from
        logits = self._model.forward(
            torch.from_numpy(tokens[self.position : end]),
            self.position,
            self.kv,
            part(extents, 0, end),
            self.states,
            LIVE_SLOT,
            write_from=min(max(write_from, self.position), end),
            scan_splits=scan_splits,
            gather=self._exact,
        )
        assert logits is not None
        self.position = end
        return logits
