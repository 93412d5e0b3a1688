"""Decode without the host: a pass over few rows is captured as a CUDA graph and replayed.

There is one graph for each number of rows that was asked for. Without CUDA the same pass runs
eagerly, which is how its logic is tested on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from engine.cache.extents import Extent, to_slots
from engine.model.attention_layer import AttentionLayer
from engine.model.few_rows import DeviceKeptRows, DeviceRun, DeviceStretch
from engine.model.linear_layer import LinearLayer
from engine.model.mlp import DenseMlp
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from kernels.embedding import DenseEmbedding, Int8Embedding
from kernels.matmul import Matrix, stays_on_device
from kernels.native.rows import MOST_FEW
from kernels.step_ops import TORCH, StepOps

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel


# Warm-up runs before a capture, in which kernels, workspaces and the allocator settle.
WARM_RUNS = 2


@dataclass(frozen=True, slots=True)
class StepBuffers:
    """Inputs and outputs of a pass besides weights and planes, at fixed addresses.

    Attributes:
        token, position, new_slot: [16] int64, of the rows; the slot is for the KV of the token.
        fresh: [16] int32, the same slots, written by the pass.
        slots: [capacity] int32, the KV slot of every earlier position; the pass adds the new ones.
        lengths: [16] int32, tokens of the sequence that each row sees; written by the pass.
        rope: [capacity, rotary_dim / 2] complex64, by position.
        logits: [16, vocab] float32, written by the pass.
        hidden: [16, hidden], the final rows, written by the pass.
    """

    token: Tensor
    position: Tensor
    new_slot: Tensor
    fresh: Tensor
    slots: Tensor
    lengths: Tensor
    rope: Tensor
    logits: Tensor
    hidden: Tensor


class DecodeStep:
    """A model's pass over few rows on given planes.

    One row updates the live state slot in place; of several, what they do to it is kept.
    """

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        buffers: StepBuffers,
        kept: DeviceKeptRows,
        ops: StepOps,
    ) -> None:
        self._model, self._kv, self._buffers, self._ops = model, kv, buffers, ops
        self._kept = kept
        self._state = states.parts(LIVE_SLOT)

    @torch.inference_mode()
    def __call__(self, rows: int) -> None:
        """Apply the tokens in the buffers. Mutates KV slots, the buffers and the live state."""
        model, buffers = self._model, self._buffers
        position, fresh = buffers.position[:rows], buffers.fresh[:rows]
        fresh.copy_(buffers.new_slot[:rows])
        buffers.slots.index_copy_(0, position, fresh)
        lengths = buffers.lengths[:rows]
        lengths.copy_(position + 1)
        stretch = DeviceStretch(
            rows,
            buffers.slots,
            lengths,
            fresh,
            *self._state,
            self._kept,
            goes_on=rows == 1,
        )
        run = DeviceRun(self._kv, buffers.rope.index_select(0, position), (stretch,), self._ops)
        logits, hidden = model.few_on_device(buffers.token[:rows], run)
        buffers.logits[:rows].copy_(logits)
        buffers.hidden[:rows].copy_(hidden)


def steps_on_device(model: HybridModel) -> bool:
    """Whether a step of the model runs without the host.

    A mixture of experts does not: the host decides which experts run.
    """
    if not isinstance(model.embedding, DenseEmbedding | Int8Embedding):
        return False
    matrices: list[Matrix] = [model.head]
    for block in model.blocks:
        mixer, mlp = block.mixer, block.mlp
        if not isinstance(mlp, DenseMlp) or not isinstance(mixer, AttentionLayer | LinearLayer):
            return False
        matrices += (mixer._inputs, mixer._output, mlp._gate_up, mlp._down)
    return all(stays_on_device(matrix) for matrix in matrices)


class DecodeGraph:
    """The decode steps of one model over one pair of planes.

    Planes may be resized between two tokens: their tensors then have other addresses, and the next
    run captures again. The live state is slot 0 of the state plane.

    Attributes:
        kept: what drafted rows do to the live state.
        recorded: how often a pass was captured (or prepared, without CUDA); for tests and reports.
    """

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        *,
        ops: StepOps | None = None,
        eager: bool = False,
    ) -> None:
        """`supports(model)` must hold.

        ops: None uses those of the model's device. eager: never capture, as on a CPU.
        """
        assert self.supports(model), "the model's step needs the host"
        self._model, self._kv, self._states = model, kv, states
        self._ops = ops or model.step_ops or TORCH
        self.kept = DeviceKeptRows(model.config, model.dtype, model.device, self._ops)
        self._records = model.device.type == "cuda" and not eager
        self._where: tuple[int, ...] = ()
        self._extents: tuple[Extent, ...] = ()
        self._known = to_slots(())
        self._step: DecodeStep | None = None
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}
        self._inputs = torch.zeros(3, MOST_FEW, dtype=torch.int64, device=model.device)
        self._buffers = self._made_buffers()
        self.recorded = 0

    @staticmethod
    def supports(model: HybridModel) -> bool:
        """Whether the model's step can be captured: dense, and every matrix on the device."""
        return steps_on_device(model)

    @property
    def nbytes(self) -> int:
        """Bytes of its own buffers besides `kept`; the rotations belong to the model."""
        buffers = self._buffers
        own = (self._inputs, buffers.slots, buffers.logits, buffers.hidden)
        return sum(tensor.nbytes for tensor in own)

    @torch.inference_mode()
    def follow(self, extents: Sequence[Extent]) -> None:
        """Load the KV slots of positions [0, n) from `extents`; free for known ones.

        Needed before the first `run` of a sequence, and after anything that changed its slots: a
        stored checkpoint, or resized planes.
        """
        self._place()
        wanted = tuple(extents)
        if wanted == self._extents:
            return
        # Slots may have been allocated beyond the end of the context.
        self._known = to_slots(wanted)[: len(self._buffers.slots)]
        # Pageable memory: the copy is complete when this returns.
        self._buffers.slots[: len(self._known)].copy_(torch.from_numpy(self._known))
        self._extents = wanted

    @torch.inference_mode()
    def run(
        self, tokens: Sequence[int], start: int, new_slots: Sequence[int]
    ) -> tuple[Tensor, Tensor]:
        """Apply 1 to 16 tokens from position `start` on, their KV to `new_slots`.

        One token advances the live state; what several would do to it is in `kept`. `follow` must
        have given the slots of all positions before, unless they came through `run`. Returns
        float32 logits [rows, vocab] and hidden rows [rows, hidden], overwritten by the next run.
        Does not wait for the device.
        """
        self._place()
        rows = len(tokens)
        assert 0 < rows == len(new_slots) <= MOST_FEW, "few rows, each with a slot"
        assert 0 <= start <= len(self._buffers.slots) - rows, "a position beyond the planes"
        assert all(0 <= slot < self._kv.slots for slot in new_slots), "no such KV slot"
        known = self._known[start : start + rows].tolist()
        if known != list(new_slots[: len(known)]):
            # The table diverges from what `follow` set, so `follow` must be called again.
            self._extents = ()
        self._feed((tokens, range(start, start + rows), new_slots))
        assert self._step is not None
        if not self._records:
            self._step(rows)
        else:
            if rows not in self._graphs:
                self._graphs[rows] = self._recorded(self._step, rows)
            self._graphs[rows].replay()
        return self._buffers.logits[:rows], self._buffers.hidden[:rows]

    def _feed(self, numbers: Sequence[Sequence[int]]) -> None:
        """One copy; pinned memory is not reused before the copy from it is complete."""
        fed = torch.zeros(self._inputs.shape, dtype=torch.int64, pin_memory=self._records)
        fed[:, : len(numbers[0])] = torch.tensor([list(row) for row in numbers])
        self._inputs.copy_(fed, non_blocking=True)

    def _place(self) -> None:
        """Prepare for the planes' current addresses, if they have changed."""
        tensors = (*self._kv.parts, *self._states.parts(LIVE_SLOT))
        where = (self._kv.slots, *(tensor.data_ptr() for tensor in tensors))
        if where == self._where:
            return
        if len(self._buffers.slots) != self._capacity():
            self._buffers = self._made_buffers()
        # The planes moved their contents too: the known slots are invalid.
        self._extents = ()
        self._graphs = {}
        self._step = DecodeStep(
            self._model, self._kv, self._states, self._buffers, self.kept, self._ops
        )
        self._where = where
        self.recorded += not self._records

    def _recorded(self, step: DecodeStep, rows: int) -> torch.cuda.CUDAGraph:
        """Capture a pass. That runs it first, so the live state is restored afterwards."""
        live = self._states.parts(LIVE_SLOT)
        before = [part.clone() for part in live]
        device = self._model.device
        main, side = torch.cuda.current_stream(device), torch.cuda.Stream(device)
        side.wait_stream(main)
        graph = torch.cuda.CUDAGraph()
        # Not `torch.cuda.graph`, which may collect garbage: only the GUI thread may do that.
        with torch.cuda.stream(side):
            for _ in range(WARM_RUNS):
                step(rows)
            side.synchronize()
            # Other threads (the disk writer) may use the device meanwhile.
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                step(rows)
            finally:
                graph.capture_end()
        main.wait_stream(side)
        for part, kept in zip(live, before, strict=True):
            part.copy_(kept)
        self.recorded += 1
        return graph

    def _capacity(self) -> int:
        return min(self._kv.slots, self._model.config.context)

    def _made_buffers(self) -> StepBuffers:
        """New buffers for as many positions as a sequence can have."""
        model, device, capacity = self._model, self._model.device, self._capacity()
        token, position, new_slot = self._inputs
        with torch.inference_mode():
            return StepBuffers(
                token=token,
                position=position,
                new_slot=new_slot,
                fresh=torch.zeros(MOST_FEW, dtype=torch.int32, device=device),
                # Slots past the length are never read, or masked: any existing one will do.
                slots=torch.zeros(capacity, dtype=torch.int32, device=device),
                lengths=torch.zeros(MOST_FEW, dtype=torch.int32, device=device),
                rope=model._rope.rows(0, capacity),
                logits=torch.zeros(MOST_FEW, model.config.vocab_size, device=device),
                hidden=torch.zeros(
                    MOST_FEW, model.config.hidden_size, dtype=model.dtype, device=device
                ),
            )
