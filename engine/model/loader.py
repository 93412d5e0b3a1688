"""From a model folder to a `HybridModel`: every file is checked before memory is taken."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.model.block import Block, block_shapes
from engine.model.config import ModelConfig, read_config
from engine.model.families import FAMILY_LAYERS
from engine.model.hybrid import HybridModel
from engine.model.layer import LayerSource, Shapes
from engine.model.safetensors_file import DTYPES, SafetensorsFile

Progress = Callable[[str, float | None], None]

INDEX, SINGLE = "model.safetensors.index.json", "model.safetensors"
EMBEDDING, NORM, HEAD = "embed_tokens.weight", "norm.weight", "lm_head.weight"
NAMED_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
MAX_INDEX_BYTES = 64 << 20


def text_prefix(config: ModelConfig) -> str:
    """Where a published file of this kind keeps the text model."""
    return "model.language_model." if config.nested else "model."


def body_shapes(config: ModelConfig) -> Shapes:
    """Every tensor below the text prefix and its shape; the head is not among them."""
    layers = FAMILY_LAYERS[config.family]
    shapes: Shapes = {
        EMBEDDING: (config.vocab_size, config.hidden_size),
        NORM: (config.hidden_size,),
    }
    for number, kind in enumerate(config.layer_types):
        block = block_shapes(config, layers.mixers[kind], layers.mlp)
        shapes.update({f"layers.{number}.{name}": shape for name, shape in block.items()})
    return shapes


def parameter_count(config: ModelConfig) -> int:
    """Number of weights of the text model, a tied head counted once."""
    head = 0 if config.tied else config.vocab_size * config.hidden_size
    return head + sum(math.prod(shape) for shape in body_shapes(config).values())


def load_model(folder: Path, dtype: str, device: torch.device, progress: Progress) -> HybridModel:
    """Load the model in `folder`.

    dtype: "auto" (the embedding's own), "float32", "bfloat16" or "float16"; float16 is computed
    in float32 on a CPU, where half precision is slow and overflows. progress is told what is
    being read and the share done, 0 to 1. Raises ModelError.
    """
    progress("reading config.json", None)
    config = read_config(folder)
    store = _open_files(folder)
    prefix = _find_prefix(store, config)
    _check(store, prefix, config)
    kept = _chosen_dtype(dtype, store[prefix + EMBEDDING].entries[prefix + EMBEDDING].dtype, device)
    total = sum(store[n].entries[n].nbytes for n in store if n.startswith(prefix) or n == HEAD)
    done = 0

    def read(lead: str, name: str) -> Tensor:
        nonlocal done
        done += store[lead + name].entries[lead + name].nbytes
        progress("loading weights", min(done / total, 1.0))
        return store[lead + name].read(lead + name)

    with torch.inference_mode():
        top = LayerSource(partial(read, prefix), kept, device)
        embedding = top.weight(EMBEDDING)
        layers = FAMILY_LAYERS[config.family]
        blocks, seen = [], dict.fromkeys(layers.mixers, 0)
        for number, kind in enumerate(config.layer_types):
            source = LayerSource(partial(read, f"{prefix}layers.{number}."), kept, device)
            mixer = layers.mixers[kind](config, source, seen[kind])
            blocks.append(Block(config, source, mixer, layers.mlp(config, source, number)))
            seen[kind] += 1
        norm = top.scale(NORM, plus=1.0)
        head = embedding
        if not config.tied:
            head = LayerSource(partial(read, ""), kept, device).weight(HEAD)
    progress("loading weights", 1.0)
    return HybridModel(config, embedding, blocks, norm, head, parameter_count(config))


def _open_files(folder: Path) -> dict[str, SafetensorsFile]:
    """The file that holds each tensor, headers checked."""
    index = folder / INDEX
    if not index.is_file():
        if not (folder / SINGLE).is_file():
            raise ModelError(
                f'"{folder}" has neither {SINGLE} nor {INDEX}; only safetensors files are read.'
            )
        file = SafetensorsFile(folder / SINGLE)
        return dict.fromkeys(file.entries, file)
    try:
        if index.stat().st_size > MAX_INDEX_BYTES:
            raise ValueError("it is too large")
        placed = json.loads(index.read_text("utf-8"))["weight_map"]
        wanted = sorted({str(name) for name in placed.values()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{INDEX} cannot be read: {error!r}.") from error
    for name in wanted:
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise ModelError(f'{INDEX} names "{name}", which is not a file of this folder.')
    files = {name: SafetensorsFile(folder / name) for name in wanted}
    store = {}
    for tensor, name in placed.items():
        if tensor not in files[name].entries:
            raise ModelError(f'{name} has no "{tensor}", which {INDEX} places there.')
        store[tensor] = files[name]
    return store


def _find_prefix(store: dict[str, SafetensorsFile], config: ModelConfig) -> str:
    for prefix in (text_prefix(config), "model.language_model.", "model."):
        if prefix + EMBEDDING in store:
            return prefix
    raise ModelError(
        f'The safetensors files have no "{text_prefix(config)}{EMBEDDING}"; they do not hold '
        "the text model that config.json describes."
    )


def _check(store: dict[str, SafetensorsFile], prefix: str, config: ModelConfig) -> None:
    """Every tensor there, of the right shape and a dtype we read, and none too many."""
    shapes = {prefix + name: shape for name, shape in body_shapes(config).items()}
    if not config.tied:
        shapes[HEAD] = (config.vocab_size, config.hidden_size)
    for name, shape in shapes.items():
        if name not in store:
            raise ModelError(
                f'The safetensors files have no "{name}"; expected one of shape {list(shape)}.'
            )
        entry, file = store[name].entries[name], store[name].path.name
        if entry.shape != shape:
            raise ModelError(
                f'{file}: "{name}" has shape {list(entry.shape)}; '
                f"config.json asks for {list(shape)}."
            )
        if entry.dtype not in DTYPES:
            raise ModelError(
                f'{file}: "{name}" is stored as {entry.dtype}; expected {", ".join(DTYPES)}.'
            )
    for name in store:
        if name.startswith(prefix + "layers.") and name not in shapes:
            raise ModelError(
                f'{store[name].path.name}: "{name}" is not part of the model that config.json '
                "describes; expected only its own tensors."
            )


def _chosen_dtype(asked: str, stored: str, device: torch.device) -> torch.dtype:
    if asked == "auto":
        chosen = DTYPES[stored]
    elif asked in NAMED_DTYPES:
        chosen = NAMED_DTYPES[asked]
    else:
        raise ModelError(f'The dtype "{asked}" is not one of auto, {", ".join(NAMED_DTYPES)}.')
    if chosen == torch.float16 and device.type == "cpu":
        return torch.float32
    return chosen
