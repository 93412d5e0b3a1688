"""Decode without the host: a step is captured as a CUDA graph and replayed for every token.

Without CUDA the same step runs eagerly, which is how its logic is tested on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.cache.extents import Extent, to_slots
from engine.model.attention_layer import AttentionLayer
from engine.model.linear_layer import LinearLayer
from engine.model.mlp import DenseMlp, gated_row
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from kernels.embedding import DenseEmbedding, Int8Embedding
from kernels.matmul import Matrix, stays_on_device
from kernels.step_ops import StepOps, ops_for

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel


# Warm-up runs before a capture, in which kernels, workspaces and the allocator settle.
WARM_RUNS = 2


@dataclass(frozen=True, slots=True)
class StepBuffers:
    """A step's inputs and outputs besides weights and planes, at fixed addresses.

    Attributes:
        token, position, new_slot: [1] int64; the slot is for the KV of the new token.
        fresh: [1] int32, the same slot, written by the step.
        slots: [capacity] int32, the KV slot of every earlier position; the step adds the new one.
        length: [1] int32, tokens of the sequence including the new one; written by the step.
        rope: [capacity, rotary_dim / 2] complex64, by position.
        logits: [vocab] float32, written by the step.
    """

    token: Tensor
    position: Tensor
    new_slot: Tensor
    fresh: Tensor
    slots: Tensor
    length: Tensor
    rope: Tensor
    logits: Tensor


class DecodeStep:
    """A model's step over given planes, updating the live state slot in place."""

    def __init__(
        self,
        model: HybridModel,
        kv: KVPlane,
        states: StatePlane,
        buffers: StepBuffers,
        ops: StepOps,
    ) -> None:
        self._model, self._buffers, self._ops = model, buffers, ops
        self._keys, self._values = tuple(kv.k), tuple(kv.v)
        self._delta, self._conv, self._hidden = states.parts(LIVE_SLOT)

    @torch.inference_mode()
    def __call__(self) -> None:
        """Apply the token in the buffers. Mutates the live state, one KV slot and the buffers."""
        model, buffers = self._model, self._buffers
        buffers.fresh.copy_(buffers.new_slot)
        buffers.slots.index_copy_(0, buffers.position, buffers.fresh)
        buffers.length.copy_(buffers.position + 1)
        rope = buffers.rope.index_select(0, buffers.position)[0]
        row = model.embedding.rows(buffers.token)[0]
        for block in model.blocks:
            norm = partial(self._norm, dtype=block._dtype)
            mixer, mlp = block.mixer, block.mlp
            assert isinstance(mlp, DenseMlp), "the step supports only dense feed-forward layers"
            x = norm(row, block.before_mixer)
            if isinstance(mixer, AttentionLayer):
                row.add_(self._attention(mixer, x, rope))
            else:
                assert isinstance(mixer, LinearLayer), "the step does not support this layer"
                row.add_(self._linear(mixer, x))
            x = norm(row, block.before_mlp)
            row.add_(gated_row(x, mlp._gate_up, mlp._down))
        last = self._norm(row, model.norm, dtype=model.dtype)
        self._hidden.copy_(last)
        buffers.logits.copy_(model.head.project_row(last))

    def _norm(self, x: Tensor, scale: Tensor, *, dtype: torch.dtype) -> Tensor:
        return self._ops.norm(x, scale, self._model.config.eps, dtype)

    def _attention(self, layer: AttentionLayer, x: Tensor, rope: Tensor) -> Tensor:
        buffers, ops, dim = self._buffers, self._ops, self._model.config.head_dim
        qk, value, gate = layer._inputs.project_row(x).split_with_sizes(layer._splits)
        q, k = layer._turned(qk.view(-1, dim), rope)
        keys, values = self._keys[layer._index], self._values[layer._index]
        ops.write(k.unsqueeze(0), value.view(1, -1, dim), keys, values, buffers.fresh)
        out = ops.attend(q, keys, values, buffers.slots, buffers.length)
        return layer._output.project_row(out.view(-1).mul_(gate.sigmoid()))

    def _linear(self, layer: LinearLayer, x: Tensor) -> Tensor:
        config, ops, index = self._model.config, self._ops, layer._index
        heads, width = config.linear_value_heads, config.value_width
        row = layer._inputs.project_row(x)
        mixed, rest = row.split_with_sizes((config.conv_channels, width + 2 * heads))
        z, b, a = rest.float().split_with_sizes((width, heads, heads))
        convolved = ops.convolve(mixed, self._conv[index], layer._taps)
        qk, v = convolved.split_with_sizes((2 * config.key_width, width))
        decay = F.softplus(a + layer._step_bias).mul_(layer._speed).exp_()
        by_head = (heads, config.linear_value_dim)
        out = ops.delta(
            qk.view(2, config.linear_key_heads, config.linear_key_dim),
            v.view(by_head),
            decay.unsqueeze(1),
            b.sigmoid().unsqueeze(1),
            self._delta[index],
        )
        normed = ops.gated_norm(out, z.view(by_head), layer._norm, config.eps, x.dtype)
        return layer._output.project_row(normed.view(-1))


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
    """The decode step of one model over one pair of planes.

    Planes may be resized between two tokens: their tensors then have other addresses, and the next
    run captures again. The live state is slot 0 of the state plane.

    Attributes:
        recorded: how often a step was captured (or prepared, without CUDA); for tests and reports.
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
        self._ops = ops_for(model.device) if ops is None else ops
        self._records = model.device.type == "cuda" and not eager
        self._where: tuple[int, ...] = ()
        self._extents: tuple[Extent, ...] = ()
        self._known = to_slots(())
        self._step: DecodeStep | None = None
        self._graph: torch.cuda.CUDAGraph | None = None
        self._inputs = torch.zeros(3, dtype=torch.int64, device=model.device)
        self._buffers = self._made_buffers()
        self.recorded = 0

    @staticmethod
    def supports(model: HybridModel) -> bool:
        """Whether the model's step can be captured: dense, and every matrix on the device."""
        return steps_on_device(model)

    @property
    def nbytes(self) -> int:
        """Bytes of its own buffers; the rotations belong to the model."""
        own = (self._inputs, self._buffers.slots, self._buffers.length, self._buffers.logits)
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
    def run(self, token: int, position: int, new_slot: int) -> Tensor:
        """Apply `token` at `position`, its KV to slot `new_slot`: float32 logits [vocab].

        `follow` must have given the slots of all positions before, unless they came through `run`.
        The logits are overwritten by the next run. Does not wait for the device.
        """
        self._place()
        assert 0 <= position < len(self._buffers.slots), "a position beyond the planes"
        assert 0 <= new_slot < self._kv.slots, "no such KV slot"
        if position < len(self._known) and self._known[position] != new_slot:
            # The table diverges from what `follow` set, so `follow` must be called again.
            self._extents = ()
        self._feed((token, position, new_slot))
        if not self._records:
            assert self._step is not None
            self._step()
            return self._buffers.logits
        if self._graph is None:
            self._record()
        assert self._graph is not None
        self._graph.replay()
        return self._buffers.logits

    def _feed(self, numbers: tuple[int, int, int]) -> None:
        """One copy; pinned memory is not reused before the copy from it is complete."""
        fed = torch.tensor(numbers, dtype=torch.int64, pin_memory=self._records)
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
        self._graph = None
        self._step = DecodeStep(self._model, self._kv, self._states, self._buffers, self._ops)
        self._where = where
        self.recorded += not self._records

    def _record(self) -> None:
        """Capture the step. Capturing runs it first, so the live state is restored afterwards."""
        assert self._step is not None
        live = self._states.parts(LIVE_SLOT)
        before = [part.clone() for part in live]
        device = self._model.device
        main, side = torch.cuda.current_stream(device), torch.cuda.Stream(device)
        side.wait_stream(main)
        graph = torch.cuda.CUDAGraph()
        # Not `torch.cuda.graph`, which may collect garbage: only the GUI thread may do that.
        with torch.cuda.stream(side):
            for _ in range(WARM_RUNS):
                self._step()
            side.synchronize()
            # Other threads (the disk writer) may use the device meanwhile.
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                self._step()
            finally:
                graph.capture_end()
        main.wait_stream(side)
        for part, kept in zip(live, before, strict=True):
            part.copy_(kept)
        self._graph = graph
        self.recorded += 1

    def _capacity(self) -> int:
        return min(self._kv.slots, self._model.config.context)

    def _made_buffers(self) -> StepBuffers:
        """New buffers for as many positions as a sequence can have."""
        model, device, capacity = self._model, self._model.device, self._capacity()
        token, position, new_slot = self._inputs.split_with_sizes((1, 1, 1))
        with torch.inference_mode():
            return StepBuffers(
                token=token,
                position=position,
                new_slot=new_slot,
                fresh=torch.zeros(1, dtype=torch.int32, device=device),
                # Slots past the length are never read, or masked: any existing one will do.
                slots=torch.zeros(capacity, dtype=torch.int32, device=device),
                length=torch.zeros(1, dtype=torch.int32, device=device),
                rope=model._rope.rows(0, capacity),
                logits=torch.zeros(model.config.vocab_size, dtype=torch.float32, device=device),
            )
