"""What fits into available memory: which weight formats, and how long a context."""

from __future__ import annotations

from dataclasses import dataclass

import psutil
import torch

from engine.config import WeightFormat

# Besides the eight checkpoints a plane has the live state and the sink.
CHECKPOINTS = 8
EXTRA_STATES = 2
# Activations of a prefill pass, rotary tables and the allocator's own share.
WORKSPACE_BYTES = 512 << 20
# A context shorter than this is useless for a chat.
LEAST_CONTEXT, GOOD_CONTEXT = 1024, 8192


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory that is free now: `device` is "cpu" or "cuda"."""

    device: str
    free_bytes: int


@dataclass(frozen=True, slots=True)
class FormatSize:
    """The weights in one format, and the size of a token and of a checkpoint, in bytes.

    Attributes:
        weights: "stored", "int8" or "int4".
        dtype: of activations, KV and conv windows; with "stored" of the matrices too.
        routed_bytes: of the routed experts, part of weight_bytes.
        blocks: the main type of a GGUF file's own blocks, which are kept as they are; "" without.
    """

    weights: WeightFormat
    dtype: str
    weight_bytes: int
    routed_bytes: int
    kv_token_bytes: int
    checkpoint_bytes: int
    blocks: str = ""

    @property
    def name(self) -> str:
        """The format's name: the dtype if weights are not quantised."""
        if self.blocks:
            return self.blocks
        return self.dtype if self.weights == "stored" else self.weights


@dataclass(frozen=True, slots=True)
class Fit:
    """One format in one memory.

    Attributes:
        format: "bfloat16", "int8", ...
        fits: with every weight resident.
        left_bytes: for the cache; negative if memory is short by that much.
        context: longest sequence in tokens with CHECKPOINTS checkpoints; 0 if it does not fit.
        expert_bytes: if it does not fit in full: memory for routed experts with which it would,
        the others mapped from the files; None if that does not help.
    """

    device: str
    format: str
    fits: bool
    left_bytes: int
    context: int
    expert_bytes: int | None


def memories() -> tuple[Memory, ...]:
    """The free memory of this machine, starting with the device that "auto" uses."""
    host = Memory("cpu", int(psutil.virtual_memory().available))
    if not torch.cuda.is_available():
        return (host,)
    return (Memory("cuda", int(torch.cuda.mem_get_info()[0])), host)


def fit(memory: Memory, size: FormatSize, longest: int) -> Fit:
    """Whether a format fits; longest: the model's own context in tokens."""
    left = memory.free_bytes - WORKSPACE_BYTES - size.weight_bytes
    context = context_in(left, size, longest)
    experts = None
    if not context and size.routed_bytes:
        planes = states_bytes(size) + min(GOOD_CONTEXT, longest) * size.kv_token_bytes
        room = left + size.routed_bytes - planes
        experts = room if room > 0 else None
    return Fit(memory.device, size.name, bool(context), left, context, experts)


def context_in(left: int, size: FormatSize, longest: int) -> int:
    """Tokens that `left` bytes hold besides the checkpoints; 0 if too few to chat."""
    room = left - states_bytes(size)
    if room < 0:
        return 0
    tokens = min(longest, room // size.kv_token_bytes) if size.kv_token_bytes else longest
    return tokens if tokens >= min(LEAST_CONTEXT, longest) else 0


def states_bytes(size: FormatSize) -> int:
    """The state plane assumed for the estimate."""
    return (CHECKPOINTS + EXTRA_STATES) * size.checkpoint_bytes
