"""What a model requires of a machine, from its configuration alone: before any download."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import psutil
import torch

from engine.config import WeightFormat
from engine.gguf.file import Gguf
from engine.gguf.header import TensorPlace, begun_metadata
from engine.model import gguf_config
from engine.model.config import GGUF_TYPES, ModelConfig, parse_config
from engine.model.fit import WORKSPACE_BYTES, FormatSize, Memory, memories, states_bytes
from engine.model.inspect import (
    Experts,
    expected_shapes,
    experts_of,
    format_sizes,
    idle_parameters,
    inspect_model,
)
from engine.model.loader import body_shapes, parameter_count
from engine.model.sizes import ROUTED, checkpoint_bytes, kv_token_bytes
from kernels.blocks import BLOCK_TYPES

_LAYERS = "layers."


@dataclass(frozen=True, slots=True)
class FormatNeeds:
    """One weight format, sizes in bytes.

    Attributes:
        name: "bfloat16", "int8", ...; weights: as in `EngineConfig.weights`.
        read_bytes: of the weights, per generated token.
        state_bytes: of a state plane with a few checkpoints.
    """

    name: str
    weights: WeightFormat
    weight_bytes: int
    routed_bytes: int
    read_bytes: int
    kv_token_bytes: int
    state_bytes: int


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """A model and the memory that it would run in.

    Attributes:
        context: its longest, in tokens.
        token_flops: of one token in all matrices of its layers.
        workspace_bytes: besides weights and planes.
        device: "cpu" or "cuda"; free_bytes, total_bytes: of its memory now.
        own_bytes: held by this process, mostly by the open model, which would be closed.
    """

    parameters: int
    active_parameters: int
    context: int
    token_flops: int
    formats: tuple[FormatNeeds, ...]
    workspace_bytes: int
    device: str
    free_bytes: int
    total_bytes: int
    own_bytes: int


def needs_of_config(values: Mapping[str, Any], stored: str = "bfloat16") -> ModelNeeds:
    """From a decoded config.json. stored: the dtype of the weights. Raises ModelError."""
    memory = memories()[0]
    return _on_this_machine(_of_sizes(parse_config(values), stored, memory.device), memory)


def needs_of_folder(folder: Path) -> ModelNeeds:
    """The needs of a local model. Raises ModelError."""
    from engine.model.config import read_config

    report = inspect_model(folder)
    memory = report.memories[0]
    needs = _needs(read_config(folder), report.formats, report.experts, memory.device)
    return _on_this_machine(needs, memory)


def needs_of_begun(path: Path, raw: bytes, nbytes: int) -> ModelNeeds:
    """From the first bytes of a GGUF file and the size of the model. Raises ModelError.

    path: what the file is called.
    """
    metadata, tokens = begun_metadata(path, raw)
    arch = metadata.get("general.architecture")
    hidden = metadata.get(f"{arch}.embedding_length")
    table = TensorPlace(
        path, BLOCK_TYPES[0], (tokens, hidden if isinstance(hidden, int) else 0), 0, 0
    )
    gguf = Gguf(path, (path,), metadata, {gguf_config.EMBEDDING: table}, nbytes)
    config = parse_config(gguf_config.config_values(gguf), GGUF_TYPES)
    memory = memories()[0]
    itemsize = torch.bfloat16.itemsize
    kv, state = kv_token_bytes(config, itemsize), checkpoint_bytes(config, itemsize)
    # Which types the file has is stated further on; its size is that of the weights.
    size = FormatSize("stored", "bfloat16", nbytes, 0, kv, state, blocks="GGUF")
    needs = _needs(config, (size,), experts_of(config, expected_shapes(config, "")), memory.device)
    return _on_this_machine(needs, memory)


@lru_cache(maxsize=64)
def _of_sizes(config: ModelConfig, stored: str, device: str) -> ModelNeeds:
    """Cached, as the tens of thousands of matrices of a large mixture take most of a second."""
    sizes = format_sizes(config, stored, device)
    return _needs(config, sizes, experts_of(config, expected_shapes(config, "")), device)


def token_flops(config: ModelConfig) -> int:
    """Operations per token in all matrices of the layers, counting only the chosen experts."""
    experts = config.experts
    always = routed = 0
    for name, shape in body_shapes(config).items():
        if ROUTED in name:
            routed += math.prod(shape)
        elif name.startswith(_LAYERS) and len(shape) == 2:
            always += math.prod(shape)
    if experts is not None:
        always += routed * experts.per_token // experts.count
    return 2 * always


def _needs(
    config: ModelConfig, sizes: tuple[FormatSize, ...], experts: Experts | None, device: str
) -> ModelNeeds:
    """All but the memory that there is now."""
    parameters = parameter_count(config)
    return ModelNeeds(
        parameters=parameters,
        active_parameters=parameters - idle_parameters(experts),
        context=config.context,
        token_flops=token_flops(config),
        formats=tuple(_format(config, size, experts, device) for size in sizes),
        workspace_bytes=WORKSPACE_BYTES,
        device=device,
        free_bytes=0,
        total_bytes=0,
        own_bytes=0,
    )


def _on_this_machine(needs: ModelNeeds, memory: Memory) -> ModelNeeds:
    """With the memory that there is now."""
    if memory.device == "cuda":
        total = int(torch.cuda.mem_get_info()[1])
        own = int(torch.cuda.memory_reserved())
    else:
        total = int(psutil.virtual_memory().total)
        held = psutil.Process().memory_info()
        # What is mapped from files counts as free already; Linux reports it separately.
        own = int(held.rss - getattr(held, "shared", 0))
    return replace(needs, free_bytes=memory.free_bytes, total_bytes=total, own_bytes=own)


def _format(
    config: ModelConfig, size: FormatSize, experts: Experts | None, device: str
) -> FormatNeeds:
    read = size.weight_bytes
    if experts is not None:
        read -= size.routed_bytes * (experts.count - experts.per_token) // experts.count
    # Only one row is read of an embedding that is not also the head; on a CPU, quantised weights
    # are counted without it, and so are those of a file's own blocks.
    if not config.tied and not size.blocks and (size.weights == "stored" or device != "cpu"):
        itemsize = getattr(torch, size.dtype).itemsize if size.weights == "stored" else 1
        read -= config.vocab_size * config.hidden_size * itemsize
    return FormatNeeds(
        name=size.name,
        weights=size.weights,
        weight_bytes=size.weight_bytes,
        routed_bytes=size.routed_bytes,
        read_bytes=read,
        kv_token_bytes=size.kv_token_bytes,
        state_bytes=states_bytes(size),
    )
