"""The live sequence: the one state that is mutated in place, and the KV slots below it.

Its lease holds what it borrows from the cache. The tree never points at the live slot: a checkpoint
is always a copy of it (a fork), and resuming copies a checkpoint into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from kernels.native.rows import MOST_FEW

if TYPE_CHECKING:
    from torch import Tensor

    from engine.model.decode_graph import DecodeGraph
    from engine.model.hybrid import HybridModel
    from kernels.native.kept import KeptRows

__all__ = ["GROWTH_TOKENS", "LiveSequence"]


@dataclass(slots=True)
class DraftedRows:
    """Rows of one pass behind the last token that is in the live state.

    Attributes:
        tokens: of the rows; the first is no draft.
        logits, hidden: after each of them.
        taken: rows that the sequence has taken so far.
    """

    tokens: tuple[int, ...]
    logits: Tensor
    hidden: Tensor
    taken: int = 1


class LiveSequence:
    """Tokens [0, position) have been applied; their KV is in `extents`.

    While drafted rows are waiting, the live slot is behind by those that were taken; nobody sees it
    before `settle`. KV of rows that are not taken lies in slots that the lease holds for the answer
    anyway, and is written over: a draft never asks the cache for a slot.

    With `lease` None no tree is read or written: the caller owns the planes.

    Attributes:
        position: tokens applied.
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
        kept: KeptRows | None = None,
    ) -> None:
        """graph: a decode step captured over these planes; None runs each step eagerly.

        kept: buffers for drafted rows; None if there can be none.
        """
        self._model = model
        self._graph = graph
        self._kept = kept
        self._drafted: DraftedRows | None = None
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

    @property
    def room(self) -> int:
        """Tokens that a draft may have now: slots that are there beyond the next token's."""
        if self._kept is None:
            return 0
        slots = self.kv.slots if self.lease is None else self.lease.capacity
        return min(slots - self.position, MOST_FEW) - 1

    def expects(self, token: int) -> bool:
        """Whether the next row of the last draft is this token's."""
        rows = self._drafted
        return (
            rows is not None and rows.taken < len(rows.tokens) and rows.tokens[rows.taken] == token
        )

    def step(self, token: int, draft: Sequence[int] = ()) -> Tensor | None:
        """Apply one decoded token. None if the KV plane has no slot left for it.

        draft: at most `room` tokens that may follow; they run in the same pass, unless the last
        draft has this token.
        """
        expected = self.expects(token)
        if not expected:
            self.settle()
        if self.lease is None:
            if self.position == self.kv.slots:
                return None
            self._own_tokens = np.append(self._own_tokens[: self.position], token)
        elif not self.lease.append(self.position, token):
            return None
        if expected:
            return self._take()
        if draft:
            return self._try((token, *draft))
        if self._graph is not None and self.lease is not None:
            return self._replayed(self._graph, self.lease, token)
        return self._run(self.position + 1, [])

    def settle(self) -> None:
        """Bring the live state to `position`, and forget drafted rows that were not taken."""
        rows, self._drafted = self._drafted, None
        if rows is not None:
            assert self._kept is not None
            self._model.keep(rows.taken, rows.hidden, self.states, LIVE_SLOT, self._kept)

    def _take(self) -> Tensor:
        """The logits after the next drafted row, which has become a token of the sequence."""
        rows = self._drafted
        assert rows is not None
        rows.taken += 1
        self.position += 1
        return rows.logits[rows.taken - 1]

    def _try(self, tokens: tuple[int, ...]) -> Tensor:
        """Run a token with a draft behind it: the logits after the token."""
        assert self._kept is not None, "no drafts on this sequence"
        assert len(tokens) - 1 <= self.room, "a draft must not need slots"
        end = self.position + len(tokens)
        extents = ((0, self.kv.slots),) if self.lease is None else self.lease.extents
        logits, hidden = self._model.draft(
            torch.tensor(tokens),
            self.position,
            self.kv,
            part(extents, 0, end),
            self.states,
            LIVE_SLOT,
            self._kept,
        )
        self._drafted = DraftedRows(tokens, logits, hidden)
        self.position += 1
        return logits[0]

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
        self.settle()
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
