"""The live sequence: the one state that is mutated in place, and the KV slots below it.

Its lease holds what it borrows from the cache. The tree never points at the live slot: a checkpoint
is always a copy of it (a fork), and resuming copies a checkpoint into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

from engine.cache.extents import Extents, part, to_slots
from engine.cache.lease import GROWTH_TOKENS, Lease
from engine.cache.match import Match, Tags
from engine.errors import PromptError
from engine.model.few_rows import Stretch
from engine.model.layer import RunContext
from engine.planes import LIVE_SLOT, SINK_SLOT, KVPlane, StatePlane
from engine.stored_state import Provenance, Why
from kernels.kv_slots import coalesce
from kernels.native.rows import MOST_FEW

if TYPE_CHECKING:
    from torch import Tensor

    from engine.model.decode_graph import DecodeGraph
    from engine.model.few_rows import Kept
    from engine.model.hybrid import HybridModel

__all__ = ["GROWTH_TOKENS", "LiveSequence"]
# Before a sequence has its live slot.
NO_SLOT = -2


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


class HeadRows:
    """What the draft head has still to read of a sequence.

    Attributes:
        entered: positions that have their KV in the head's layer, perhaps the pushed token's, too.
        rows: final rows of the positions from `entered` - 1 on, so far as they have run.
    """

    def __init__(self, entered: int, row: Tensor) -> None:
        self.entered, self.rows = entered, [row.clone()]


class LiveSequence:
    """Tokens [0, position) have been applied; their KV is in `extents`.

    A decoded token is first pushed, then run: alone, or with those of other sequences. While
    drafted rows are waiting, the live slot is behind by those that were taken; nobody sees it
    before `settle`. KV of rows that are not taken lies in slots that the lease holds for the answer
    anyway, and is written over: a draft never asks the cache for a slot.

    With `lease` None no tree is read or written: the caller owns the planes.

    Attributes:
        position: tokens applied.
        lease: what it borrows from the cache, and what it owns besides.
        kv, states: the planes it runs on.
        live: the number of its live slot.
        given: whether the pushed token has run already, in the last draft.
        model: runs it.
    """

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        lease: Lease | None,
        *,
        exact: bool,
        live: int | None = LIVE_SLOT,
        graph: DecodeGraph | None = None,
        kept: Kept | None = None,
        give_back: Callable[[Kept], None] = lambda kept: None,
    ) -> None:
        """live: its live slot; None: one that the lease takes from the pool.

        graph: a decode step captured over these planes; None runs each step eagerly.

        kept: buffers for drafted rows; None if there can be none. give_back: takes them at the end.
        """
        self.live = NO_SLOT if live is None else live
        self.model = model
        self._graph = graph
        self._kept, self._give_back = kept, give_back
        self._drafted: DraftedRows | None = None
        self._head: HeadRows | None = None
        self.kv = kv
        self.states = states
        self.given = False
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
            self.states.zero(self.live)
            self._entered(0)
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
        if self.live == NO_SLOT:
            # Only now, as it may cost a checkpoint, which must not be the matched one.
            slot = self.lease.take_live()
            assert slot is not None, "no state slot to be a live one"
            self.live = slot
        self.position = match.resume
        if match.checkpoint is None:
            self.states.zero(self.live)
        else:
            self.states.copy(match.checkpoint.slot, self.live)
        self._entered(self.position)

    def last_logits(self) -> Tensor:
        """float32 [vocab] after the last applied token, from the live slot's own hidden row."""
        return self.model.logits_from_hidden(self.states.hidden[self.live])

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
            self.states.copy(self.live, slot)
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

    @property
    def alone(self) -> bool:
        """Whether its rows cannot run with those of other sequences."""
        return self.lease is None or not self.model.runs_apart

    def push(self, token: int) -> bool:
        """Append a decoded token, which is to be run next. False if the KV plane has no slot."""
        self.given = self.expects(token)
        if not self.given:
            self.settle()
        if self.lease is not None:
            return self.lease.append(self.position, token)
        if self.position == self.kv.slots:
            return False
        self._own_tokens = np.append(self._own_tokens[: self.position], token)
        return True

    def run(self, draft: Sequence[int] = ()) -> Tensor:
        """Apply the pushed token: the logits after it.

        draft: at most `room` tokens that may follow; they run in the same pass.
        """
        if self.given:
            return self._take()
        if self._graph is not None and self.lease is not None:
            return self._replayed(self._graph, self.lease, draft)
        if draft or self.model.step_ops is not None:
            return run_together([(self, draft)])[0]
        # The head reads several decoded tokens together, when it is asked or they are stored.
        return self._run(self.position + 1, (), enters=False)

    def step(self, token: int, draft: Sequence[int] = ()) -> Tensor | None:
        """Push a token and run it. None if the KV plane has no slot left for it."""
        return self.run(draft) if self.push(token) else None

    def settle(self) -> None:
        """Bring the live state to `position`, and forget drafted rows that were not taken."""
        rows, self._drafted = self._drafted, None
        if rows is not None:
            assert self._kept is not None
            self.model.keep(rows.taken, rows.hidden, self.states, self.live, self._kept)

    def _take(self) -> Tensor:
        """The logits after the pushed token, which the last draft had."""
        rows = self._drafted
        assert rows is not None
        rows.taken += 1
        self.position += 1
        self._went_on(rows.hidden[rows.taken - 1])
        return rows.logits[rows.taken - 1]

    def stretch(self, draft: Sequence[int]) -> Stretch:
        """The pushed token with a draft behind it, as rows of a pass."""
        assert len(draft) <= max(self.room, 0), "a draft must not need slots"
        end = self.position + 1 + len(draft)
        return Stretch(
            (int(self._tokens[self.position]), *draft),
            self.position,
            coalesce(part(self._extents, 0, end)),
            self.live,
            self._kept if draft else None,
        )

    def ran(self, tokens: Sequence[int], logits: Tensor, hidden: Tensor) -> Tensor:
        """The logits after the pushed token, given those of all rows of its stretch."""
        if len(tokens) > 1:
            self._drafted = DraftedRows(tuple(tokens), logits, hidden)
        self.position += 1
        self._went_on(hidden[0])
        return logits[0]

    def _replayed(self, graph: DecodeGraph, lease: Lease, draft: Sequence[int]) -> Tensor:
        """The same pass by replaying the captured one."""
        # Known slots cost nothing; a checkpoint stored since the last step may have changed them.
        graph.follow(lease.extents)
        tokens = int(lease.tokens[self.position]), *draft
        place = part(lease.extents, self.position, self.position + len(tokens))
        logits, hidden = graph.run(tokens, self.position, to_slots(place).tolist())
        return self.ran(tokens, logits, hidden)

    def donate(self, provenance: Provenance, why: Why) -> None:
        """Store the current live state at its position, with a reason."""
        self.settle()
        self._enter()
        if self.lease is None or not self.position:
            return
        slots = self.lease.take_states((self.position,))
        slot = slots[self.position]
        if slot is not None:
            self.states.copy(self.live, slot)
        self.lease.store(slots, self.position, provenance, why=why)

    def release(self) -> None:
        """Release every slot and lock. A second call does nothing."""
        if self.lease is not None:
            self.lease.close()
        kept, self._kept, self._drafted = self._kept, None, None
        if kept is not None:
            self._give_back(kept)

    def predictions(self) -> Iterator[tuple[int, float]]:
        """Tokens that may follow the pushed one, by the model's own head: each with its chance.

        At most `room` may be asked for.
        """
        head, draft_head = self._head, self.model.draft_head
        assert head is not None, "the model has no draft head"
        assert draft_head is not None
        # What has run since it was last asked goes in with the pushed token, if it is not much.
        if not head.entered or len(head.rows) > MOST_FEW:
            self._enter()
        start, rows = head.entered, torch.stack(head.rows)
        head.entered, head.rows = self.position + 1, []
        tokens = torch.from_numpy(self._tokens[start : head.entered])
        for at in range(self.position, self.position + self.room):
            run = self._head_run(start, at + 1)
            row, token, chance = draft_head.draft(tokens, rows, run)
            yield token, chance
            start, rows, tokens = at + 1, row.unsqueeze(0), torch.tensor([token])

    @property
    def predicts(self) -> bool:
        """Whether there are `predictions`."""
        return self._head is not None and self._kept is not None

    def _entered(self, position: int) -> None:
        """The head has read all before `position`, and the live state is there."""
        if self.model.draft_head is not None:
            self._head = HeadRows(position, self.states.hidden[self.live])

    def _went_on(self, row: Tensor) -> None:
        """A token was applied without the head: the final row after it."""
        if self._head is not None:
            self._head.rows.append(row.clone())

    def _enter(self) -> None:
        """Let the head read what has run without it."""
        head, end = self._head, self.position
        if head is None or head.entered >= end:
            return
        tokens = torch.from_numpy(self._tokens[head.entered : end])
        rows = torch.stack(head.rows[:-1])
        assert self.model.draft_head is not None
        self.model.draft_head.enter(tokens, rows, self._head_run(head.entered, end))
        head.entered, head.rows = end, head.rows[-1:]

    def _head_run(self, start: int, end: int) -> RunContext:
        place = part(self._extents, 0, end)
        return self.model.head_run(start, end - start, self.kv, place, self.states)

    @property
    def _tokens(self) -> npt.NDArray[np.int64]:
        return self._own_tokens if self.lease is None else self.lease.tokens

    @property
    def _extents(self) -> Extents:
        return ((0, self.kv.slots),) if self.lease is None else self.lease.extents

    def _run(
        self, end: int, scan_splits: Sequence[tuple[int, int]], *, enters: bool = True
    ) -> Tensor:
        write_from = 0 if self.lease is None else self.lease.write_from
        logits = self.model.forward(
            torch.from_numpy(self._tokens[self.position : end]),
            self.position,
            self.kv,
            part(self._extents, 0, end),
            self.states,
            self.live,
            write_from=min(max(write_from, self.position), end),
            scan_splits=scan_splits,
            gather=self._exact,
            enters=enters,
        )
        assert logits is not None
        self.position = end
        if enters:
            self._entered(end)
        else:
            self._went_on(self.states.hidden[self.live])
        return logits


def run_together(pushed: Sequence[tuple[LiveSequence, Sequence[int]]]) -> list[Tensor]:
    """Apply the pushed tokens of sequences on the same planes in one pass, each with its draft.

    The logits after each of the tokens, with the bits that it would have alone.
    """
    first = pushed[0][0]
    stretches = [sequence.stretch(draft) for sequence, draft in pushed]
    counts = [len(one.tokens) for one in stretches]
    logits, hidden = first.model.apart(stretches, first.kv, first.states)
    rows = zip(stretches, logits.split(counts), hidden.split(counts), strict=True)
    return [
        sequence.ran(one.tokens, *found)
        for (sequence, _), (one, *found) in zip(pushed, rows, strict=True)
    ]
