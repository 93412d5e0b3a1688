"""Describes the loaded model and the device it runs on."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import torch

from engine.config import Sampling
from engine.errors import ModelError
from engine.events import ModelInfo
from engine.gguf.file import model_name
from engine.model.hybrid import HybridModel
from engine.model.sizes import cache_shape
from engine.text.text_model import TextModel

SMALL_PARAMETERS = 50_000_000


def model_info(folder: Path, model: HybridModel, text: TextModel, context: int) -> ModelInfo:
    """The description of a loaded model; `context` is the capacity of the KV plane."""
    config, dtype = model.config, str(model.dtype).removeprefix("torch.")
    return ModelInfo(
        name=model_name(folder),
        family=config.family,
        folder=str(folder),
        parameters=model.parameters,
        weight_bytes=model.weight_bytes,
        dtype=dtype,
        device=str(model.device),
        layers=len(config.layer_types),
        linear_layers=config.linear_layers,
        full_layers=config.full_layers,
        vocab_size=config.vocab_size,
        context=context,
        kv_bytes_per_token=model.kv_slot_bytes(),
        checkpoint_bytes=model.state_slot_bytes(),
        cache_shape=cache_shape(config, dtype, model.dtype.itemsize),
        supports_thinking=text.supports_thinking,
        drops_thinking=text.drops_thinking,
        sampling=Sampling().merged(dict(text.generation_defaults)),
        recommended=tuple(text.generation_defaults),
        weights=model.block_types or (dtype if model.weights == "stored" else model.weights),
        notes=(*model.notes, *text.notes),
        kernels=model.kernels_name,
    )


def threads_for(model: HybridModel) -> int:
    """All cores, or a single one for a small model, where synchronisation would cost more."""
    if model.parameters < SMALL_PARAMETERS:
        return 1
    return all_cores()


def all_cores() -> int:
    """Physical cores, as far as the system reports them."""
    return psutil.cpu_count(logical=False) or os.cpu_count() or 1


def pick_device(name: str) -> torch.device:
    """The device a user requested. Raises ModelError if it does not exist."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name not in ("cpu", "cuda"):
        raise ModelError(f'The device "{name}" is not known: use auto, cpu or cuda.')
    if name == "cuda" and not torch.cuda.is_available():
        raise ModelError("There is no CUDA device on this machine: use --device cpu.")
    return torch.device(name)
