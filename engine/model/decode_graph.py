"""Decode without the host: a step is recorded as a CUDA graph and replayed for every token.

Without CUDA the same step extents eagerly, which is how its logic is tested on a CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from engine.cache.extents import Extent, to_slots
from engine.model.decode_step import DecodeStep, StepBuffers, steps_on_device
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from kernels.step_ops import StepOps, ops_for

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel

# Warm-up extents before a recording, in which kernels, workspaces and the allocator settle.
WARM_RUNS = 2


class DecodeGraph:
    """The decode step of one model over one pair of planes.

    Planes may be resized between two tokens: their tensors then have other addresses, and the next
    run records again. The live state is slot 0 of the state plane.

    Attributes:
        recorded: how often a step was recorded (or prepared, without CUDA); for tests and reports.
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

        ops: None uses those of the model's device. eager: never record, as on a CPU.
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
        """Whether the model's step can be recorded: dense, and every matrix on the device."""
        return steps_on_device(model)

    @property
    def nbytes(self) -> int:
        """Bytes of its own buffers; the rotations belong to the model."""
        own = (self._inputs, self._buffers.slots, self._buffers.length, self._buffers.logits)
        return sum(tensor.nbytes for tensor in own)

    @torch.inference_mode()
    def follow(self, extents: Sequence[Extent]) -> None:
        """Take the KV slots of positions [0, n) from `extents`; free for known ones.

        Needed before the first `run` of a sequence, and after anything that changed its slots: a
        stored checkpoint, or resized planes.
        """
        self._place()
        wanted = tuple(extents)
        if wanted == self._extents:
            return
        # Slots may have been taken beyond the end of the context.
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
        """Record the step. Recording extents it, so the live state is restored afterwards."""
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
