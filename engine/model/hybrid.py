"""The whole model: embedding, blocks, final norm and vocabulary head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from engine.config import WeightFormat
from engine.model.block import Block
from engine.model.config import ModelConfig
from engine.model.draft_head import DraftHead
from engine.model.expert_pool import ExpertPool
from engine.model.few_rows import DeviceKeptRows, DeviceRun, Kept, Stretch, on_device
from engine.model.layer import RunContext
from engine.model.sizes import kv_token_bytes
from engine.planes import KVPlane, StatePlane, StateShape
from kernels.dispatch import Kernels, kernels_for
from kernels.embedding import Embedding
from kernels.kv_slots import Extent, coalesce, crop
from kernels.matmul import Matrix, few_logits, fields_of
from kernels.native.kept import KeptRows
from kernels.native.layers import LinearShape
from kernels.native.library import library
from kernels.native.rows import MOST_FEW, project_rows
from kernels.norms import rms_norm
from kernels.rope import RopeTable
from kernels.step_ops import StepOps, device_ops

Logits = Literal["last", "all", "none"]
# A longer pass is split into equal parts: products of this many rows run at full speed, and the
# widest intermediate of a layer stays within this many bytes.
MOST_PASS_TOKENS, MOST_ROWS_BYTES, PASS_STEP = 2048, 40 << 20, 64


class HybridModel:
    """A loaded model. Its weights never change; a forward pass mutates only the given planes.

    Attributes:
        config: sizes.
        dtype: of activations between layers, KV and conv windows, and of weights kept as stored.
        weights: the format of the weights, "stored", "int8" or "int4".
        block_types: of a GGUF file's own blocks, if weights are stored in them; else "".
        device: where the weights are.
        embedding, blocks, norm, head: its layers, in the order that a token goes through them;
            norm: [hidden] float32, the scale itself.
        draft_head: drafts tokens; None if the model has none that can run here.
        parameters: number of weights, a tied head counted once.
        experts: the routed experts that are resident.
        notes: sentences about what loading skipped or changed.
        step_ops: the operations of a pass over few rows on a device; None if the C kernels or
            PyTorch run it.
        numerics: names everything the results' bits depend on besides shapes: the kernels'
        version and the format of the weights; part of the cache's namespace.
    """

    def __init__(
        self,
        config: ModelConfig,
        embedding: Embedding,
        blocks: Sequence[Block],
        norm: Tensor,
        head: Matrix,
        *,
        parameters: int,
        dtype: torch.dtype,
        weights: WeightFormat,
        experts: ExpertPool,
        block_types: str = "",
        draft_head: DraftHead | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.config = config
        self.dtype, self.device, self.weights = dtype, norm.device, weights
        self.block_types = block_types
        self.embedding, self.blocks, self.norm, self.head = embedding, blocks, norm, head
        self.draft_head = draft_head
        self._rope = RopeTable(config.rotary_dim, config.rope_theta, self.device)
        self._kernels = kernels_for(self.device)
        self.step_ops: StepOps | None = None
        if self.device.type == "cuda":
            self.step_ops = device_ops()
        # For each row of a pass whose state goes on at once.
        self._scratch: list[DeviceKeptRows] = []
        self._pass_tokens = _pass_tokens(config, dtype)
        self.numerics = f"{self._kernels.version} {weights}"
        if draft_head is not None:
            self.numerics += " with a draft head"
        self.parameters, self.experts, self.notes = parameters, experts, notes
        kept = [*embedding.tensors(), *head.tensors(), norm]
        for block in blocks:
            kept.extend(block.tensors())
        if draft_head is not None:
            kept.extend(draft_head.tensors())
        # A tied head is the embedding's own tensor.
        self._own_bytes = sum(t.nbytes for t in {id(t): t for t in kept}.values())

    @property
    def kernels_name(self) -> str:
        """What runs the model, in a few words for users: "AMX", "AVX2", ..."""
        return self._kernels.name

    @property
    def weight_bytes(self) -> int:
        """Bytes the weights take now, including resident experts."""
        return self._own_bytes + self.experts.used

    @property
    def draft_bytes(self) -> int:
        """Of these, what the draft head takes."""
        return 0 if self.draft_head is None else sum(t.nbytes for t in self.draft_head.tensors())

    def make_kv_plane(self, slots: int) -> KVPlane:
        """A KV plane of `slots` tokens for this model."""
        return KVPlane(self._kv_shape(slots), self.dtype, self.device)

    def make_host_plane(self, slots: int, *, pinned: bool) -> KVPlane:
        """The same in host memory; `pinned` for copies from and to a GPU."""
        return KVPlane(self._kv_shape(slots), self.dtype, torch.device("cpu"), pinned=pinned)

    def _kv_shape(self, slots: int) -> tuple[int, int, int, int]:
        config = self.config
        return (config.kv_layers, config.kv_heads, slots, config.head_dim)

    def make_state_plane(self, slots: int) -> StatePlane:
        """A state plane of `slots` slots, the live slot 0 included."""
        return StatePlane(self.state_shape(), slots, self.device)

    def state_shape(self) -> StateShape:
        """The parts of one state."""
        config = self.config
        return StateShape(
            (
                config.linear_layers,
                config.linear_value_heads,
                config.linear_key_dim,
                config.linear_value_dim,
            ),
            (config.linear_layers, config.conv_kernel - 1, config.conv_channels),
            (config.hidden_size,),
            self.dtype,
        )

    def kv_slot_bytes(self) -> int:
        """Bytes of one token's keys and values."""
        return kv_token_bytes(self.config, self.dtype.itemsize)

    def state_slot_bytes(self) -> int:
        """Bytes of one checkpoint."""
        return self.state_shape().nbytes

    @property
    def workspace_bytes(self) -> int:
        """Bytes kept between passes besides weights and planes; grows with the used context."""
        return self._rope.nbytes + sum(scratch.nbytes for scratch in self._scratch)

    @torch.inference_mode()
    def forward(
        self,
        token_ids: Tensor,
        start: int,
        kv: KVPlane,
        extents: Sequence[tuple[int, int]],
        states: StatePlane,
        live: int,
        *,
        write_from: int,
        scan_splits: Sequence[tuple[int, int]] = (),
        gather: bool = False,
        logits: Logits = "last",
        kernels: Kernels | None = None,
        enters: bool = True,
    ) -> Tensor | None:
        """Run tokens at positions [start, start + T). Mutates the planes, nothing else.

        token_ids: [T] int64. extents: physical KV slots (first, length) of positions [0, start + T)
        in order. KV of positions below write_from is in the pool already and is only read; the
        rest is written to its slots. State slot `live` holds the state after `start` tokens on
        entry and after start + T on exit, including the hidden row. scan_splits: (position, slot)
        in ascending order; the state after that many tokens is copied there, its hidden row only if
        position == start + T, or for the draft head. gather: copy the sequence's KV into one
        workspace first, so that results do not depend on the places of its slots. kernels: replace
        the model's own. enters: whether the draft head's KV of these positions is written, too.

        Returns float32 logits, [vocab] for "last", [T, vocab] for "all". Equal shapes (T, start,
        scan splits) give equal bits.
        """
        tokens = token_ids.shape[0]
        end = start + tokens
        assert tokens, "no tokens to run"
        assert sum(length for _, length in extents) == end, "extents must cover the whole sequence"
        assert start <= write_from <= end, "write_from is outside the pass"
        places = [position for position, _ in scan_splits]
        assert places == sorted(places), "scan splits must be in ascending order"
        assert all(start < p <= end for p in places), "a scan split is outside the pass"
        assert all(slot != live for _, slot in scan_splits), (
            "a scan split must not be the live slot"
        )
        joined = coalesce(extents)
        rows = []
        head = self.draft_head if enters else None
        # Each pass reads it before the new row is written there.
        before = states.hidden[live].unsqueeze(0)
        parts = -(-tokens // self._pass_tokens)
        step = -(-tokens // (parts * PASS_STEP)) * PASS_STEP
        for first in range(start, end, step):
            last = min(first + step, end)
            run = RunContext(
                tokens=last - first,
                kv=kv,
                extents=crop(joined, 0, last),
                writes=crop(joined, max(write_from, first), last),
                skip=max(write_from - first, 0),
                states=states,
                live=live,
                scan_splits=tuple(
                    (p - first, slot) for p, slot in scan_splits if first < p <= last
                ),
                gather=gather,
                rope=self._rope.rows(first, last - first),
                kernels=kernels or self._kernels,
            )
            ids = token_ids[first - start : last - start]
            x = self._blocks_of(ids, run)
            if head is not None or logits == "all":
                normed = self._final_norm(x)
            if logits == "all":
                rows.append(self.head.project(normed).float())
            if head is not None:
                head.enter(ids, torch.cat((before, normed[:-1])), run)
                before = normed[-1:]
                # Whoever resumes there goes on reading.
                for offset, slot in run.scan_splits:
                    states.hidden[slot].copy_(normed[offset - 1])
        hidden = self._final_norm(x[-1])
        states.hidden[live].copy_(hidden)
        for position, slot in scan_splits:
            if position == end:
                states.hidden[slot].copy_(hidden)
        if logits == "all":
            return torch.cat(rows)
        return self.logits_from_hidden(hidden) if logits == "last" else None

    @property
    def runs_apart(self) -> bool:
        """Whether `apart` can run here."""
        if self.step_ops is not None:
            return True
        able = self._kernels.fuses and all(block.runs_apart for block in self.blocks)
        return able and library() is not None and fields_of(self.head) is not None

    def make_kept_rows(self) -> Kept | None:
        """Buffers for drafted rows; None if the model's layers cannot run them here."""
        found, config = library(), self.config
        if self.step_ops is not None:
            return DeviceKeptRows(config, self.dtype, self.device, self.step_ops)
        shape = LinearShape(
            config.linear_key_heads,
            config.linear_value_heads,
            config.linear_key_dim,
            config.linear_value_dim,
            self.dtype,
        )
        if found is None or not self.runs_apart:
            return None
        return KeptRows(found, shape, config.linear_layers)

    @torch.inference_mode()
    def apart(
        self, stretches: Sequence[Stretch], kv: KVPlane, states: StatePlane
    ) -> tuple[Tensor, Tensor]:
        """Run up to 16 rows of one or several sequences, each with the bits of a step.

        KV of all rows is written to their slots. Where a stretch has `kept`, its state is only
        read, until `keep`; else it is advanced. Returns float32 logits [rows, vocab] and the hidden
        rows [rows, hidden], in the order of the stretches.
        """
        if self.step_ops is not None:
            return self._apart_on_device(stretches, kv, states, self.step_ops)
        found, matrix = library(), fields_of(self.head)
        assert found is not None, "rows apart need the kernels in C"
        assert matrix is not None, "the head cannot run rows apart"
        counts = [len(one.tokens) for one in stretches]
        run = RunContext(
            tokens=sum(counts),
            kv=kv,
            extents=(),
            writes=(),
            skip=0,
            states=states,
            live=-1,
            scan_splits=(),
            gather=False,
            rope=torch.cat([self._rope.rows(one.start, len(one.tokens)) for one in stretches]),
            kernels=self._kernels,
            apart=tuple(stretches),
        )
        x = self._blocks_of(torch.tensor([t for one in stretches for t in one.tokens]), run)
        # One by one, as after a step: the norm of several rows may have other bits.
        hidden = torch.stack([self._final_norm(row) for row in x])
        for one, rows in zip(stretches, hidden.split(counts), strict=True):
            if one.kept is None:
                assert len(rows) == 1, "a state goes on by one row at a time"
                states.hidden[one.live].copy_(rows[0])
        return project_rows(found, matrix, hidden.float(), alone=True), hidden

    def _apart_on_device(
        self, stretches: Sequence[Stretch], kv: KVPlane, states: StatePlane, ops: StepOps
    ) -> tuple[Tensor, Tensor]:
        lone = [one for one in stretches if one.kept is None]
        while len(self._scratch) < len(lone):
            self._scratch.append(DeviceKeptRows(self.config, self.dtype, self.device, ops))
        scratch = iter(self._scratch)
        rope = torch.cat([self._rope.rows(one.start, len(one.tokens)) for one in stretches])
        rows = tuple(on_device(one, states, one.kept or next(scratch)) for one in stretches)
        ids = torch.tensor([t for one in stretches for t in one.tokens], device=self.device)
        return self.few_on_device(ids, DeviceRun(kv, rope, rows, ops))

    @torch.inference_mode()
    def few_on_device(self, token_ids: Tensor, run: DeviceRun) -> tuple[Tensor, Tensor]:
        """A pass that asks the host for nothing: what `apart` does and returns."""
        x = self.embedding.rows(token_ids)
        for block in self.blocks:
            block.few_on_device(x, run)
        hidden = run.ops.norm(x, self.norm, self.config.eps, self.dtype)
        run.settle(hidden)
        return few_logits(self.head, hidden), hidden

    @torch.inference_mode()
    def keep(
        self,
        rows: int,
        hidden: Tensor,
        states: StatePlane,
        live: int,
        kept: Kept,
    ) -> None:
        """The live state after the first `rows` tokens of its last stretch, at least one."""
        assert 1 <= rows <= len(hidden), "rows that did not run"
        kept.fold(states.delta[live], states.conv[live], rows)
        states.hidden[live].copy_(hidden[rows - 1])

    def head_run(
        self,
        start: int,
        tokens: int,
        kv: KVPlane,
        extents: Sequence[Extent],
        states: StatePlane,
    ) -> RunContext:
        """Where the draft head runs at positions [start, start + tokens); extents as in `forward`,
        to their end.
        """
        joined = coalesce(extents)
        return RunContext(
            tokens=tokens,
            kv=kv,
            extents=joined,
            writes=crop(joined, start, start + tokens),
            skip=0,
            states=states,
            live=-1,
            scan_splits=(),
            gather=False,
            rope=self._rope.rows(start, tokens),
            kernels=self._kernels,
        )

    def _blocks_of(self, token_ids: Tensor, run: RunContext) -> Tensor:
        """The rows [tokens, hidden] float32 after the last block."""
        x = self.embedding.rows(token_ids)
        few = run.kernels.fuses and run.tokens <= MOST_FEW
        for block in self.blocks:
            x = block.few(x, run) if few else block.forward(x, run)
        return x

    @torch.inference_mode()
    def logits_from_hidden(self, row: Tensor) -> Tensor:
        """Float32 logits [vocab] of a hidden row [hidden]; the same bits `forward` returns."""
        return few_logits(self.head, row.unsqueeze(0))[0]

    def _final_norm(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.norm, self.config.eps, self.dtype)


def _pass_tokens(config: ModelConfig, dtype: torch.dtype) -> int:
    """The maximum number of tokens that go through the layers at once."""
    linear = config.conv_channels + config.value_width + 2 * config.linear_value_heads
    inner = 0 if config.experts is None else config.experts.shared_width
    full = 2 * (config.heads + config.kv_heads) * config.head_dim
    widest = max(linear, full, 2 * config.intermediate_size, 2 * inner, config.hidden_size)
    fitting = MOST_ROWS_BYTES // (widest * dtype.itemsize)
    return max(min(fitting, MOST_PASS_TOKENS) // PASS_STEP * PASS_STEP, PASS_STEP)
