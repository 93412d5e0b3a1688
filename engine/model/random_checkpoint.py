"""Random models of any shape, written as real model folders: for tests and benchmarks."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from engine.model.config import parse_config
from engine.model.loader import body_shapes, draft_shapes
from engine.model.tensor_store import HEAD, INDEX, SINGLE, text_prefix


def random_tensor(name: str, shape: tuple[int, ...], draw: torch.Generator) -> Tensor:
    """A float32 tensor resembling a trained one: short and long decays, norms near one."""
    if name.endswith("A_log"):
        return torch.empty(shape).uniform_(0.5, 16.0, generator=draw).log_()
    if name.endswith("dt_bias"):
        step = torch.empty(shape).uniform_(math.log(1e-3), math.log(0.1), generator=draw).exp_()
        return step + torch.log(-torch.expm1(-step))
    if name.endswith("linear_attn.norm.weight"):
        return torch.empty(shape).normal_(1.0, 0.1, generator=draw)
    if name.endswith("norm.weight"):
        return torch.empty(shape).normal_(0.0, 0.1, generator=draw)
    if name.endswith("conv1d.weight"):
        return torch.empty(shape).uniform_(-0.5, 0.5, generator=draw)
    spread = 0.5 if name.endswith("embed_tokens.weight") else shape[-1] ** -0.5
    if name.endswith("mlp.gate.weight"):
        # A trained router is decisive: near ties, which rounding could flip, are rare.
        spread *= 4.0
    return torch.empty(shape).normal_(0.0, spread, generator=draw)


def random_checkpoint(
    folder: Path,
    config: Mapping[str, Any],
    seed: int,
    dtype: torch.dtype,
    files: int = 1,
    *,
    fused: bool | None = None,
    draft_head: bool = False,
) -> None:
    """Write config.json and safetensors files of random weights into `folder`.

    config: as in config.json (a nested `text_config` gives the nested tensor names). Decays and
    norms of the linear layers are stored in float32, as published. fused: routed experts as one
    tensor per layer or one by one; None follows the family's published files. draft_head: write
    one, too. Raises ModelError.
    """
    parsed = parse_config(config)
    if parsed.experts is not None and fused is not None:
        parsed = replace(parsed, experts=replace(parsed.experts, fused=fused))
    folder.mkdir(parents=True, exist_ok=True)
    draw = torch.Generator().manual_seed(seed)
    prefix = text_prefix(parsed)
    shapes = {prefix + name: shape for name, shape in body_shapes(parsed).items()}
    if draft_head:
        shapes |= draft_shapes(parsed)
    if not parsed.tied:
        shapes[HEAD] = (parsed.vocab_size, parsed.hidden_size)
    share = math.ceil(len(shapes) / files)
    names = list(shapes)
    groups = [names[i : i + share] for i in range(0, len(names), share)]
    placed: dict[str, str] = {}
    for number, group in enumerate(groups, 1):
        file = SINGLE if files == 1 else f"model-{number:05}-of-{len(groups):05}.safetensors"
        tensors = {}
        for name in group:
            tensor = random_tensor(name, shapes[name], draw)
            wide = name.endswith(("A_log", "linear_attn.norm.weight"))
            tensors[name] = tensor if wide else tensor.to(dtype)
        save_file(tensors, folder / file)
        placed.update(dict.fromkeys(group, file))
    (folder / "config.json").write_text(json.dumps(dict(config), indent=2), "utf-8")
    if files > 1:
        (folder / INDEX).write_text(json.dumps({"weight_map": placed}, indent=2), "utf-8")
