"""Rows of blocks with every bit drawn, and the `gguf` package that says what they stand for."""

from __future__ import annotations

import gguf
import numpy as np
import torch
from torch import Tensor

from kernels.blocks import BLOCK_TYPES_BY_NAME, BlockWeight
from kernels.blocks.forms import FORMS

NAMES = tuple(FORMS)
# Where the float16 numbers of a block lie: random bits would be infinite, or no numbers.
_HEADS = {
    "Q4_1": (0, 2),
    "Q5_1": (0, 2),
    "Q4_K": (0, 2),
    "Q5_K": (0, 2),
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q6_K": (208,),
}


def stored(name: str, rows: int, inputs: int, seed: int = 7) -> BlockWeight:
    """A matrix of about the size of real weights, all of whose codes and scales are drawn."""
    kind = BLOCK_TYPES_BY_NAME[name]
    draw = torch.Generator().manual_seed(seed)
    raw = torch.randint(0, 256, (rows, kind.row_bytes(inputs)), generator=draw).to(torch.uint8)
    blocks = raw.view(-1, kind.bytes)
    for at in _HEADS.get(name, (0,)):
        heads = torch.randn(len(blocks), 1, generator=draw) * 0.01
        blocks[:, at : at + 2] = heads.half().view(torch.uint8)
    return BlockWeight(raw, kind)


def oracle(weight: BlockWeight) -> Tensor:
    """What the reference implementation makes of it, [rows, inputs] float32."""
    kind = gguf.GGMLQuantizationType[weight.kind.name]
    with np.errstate(over="ignore", invalid="ignore"):
        found = gguf.quants.dequantize(weight.raw[:].numpy(), kind)
    return torch.from_numpy(np.ascontiguousarray(found, dtype=np.float32))
