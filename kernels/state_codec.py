"""Cold copies of a state: unchanged, in bfloat16, or in int8 with a scale per row.

Only copies are packed, never the live state: a state that is rounded at every step drifts, one that
is rounded once per restore does not. A row is the last dimension of a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import torch
from torch import Tensor

Format = Literal["none", "bfloat16", "int8"]
INT8_MAX = 127.0
# No larger: 127 steps of a larger scale could round to infinity.
SCALE_MAX = torch.finfo(torch.float32).max / INT8_MAX * (1 - 2**-20)
BFLOAT16_MAX = torch.finfo(torch.bfloat16).max
SCALE = "_scale"


def pack(parts: Mapping[str, Tensor], form: Format) -> tuple[dict[str, Tensor], float]:
    """Pack the named tensors of one state into new tensors on the same device.

    Returns them, the int8 scales as "<name>_scale" float32 [.., 1], and the largest error of any
    tensor relative to its own largest absolute value (0.0: bit-equal; infinite: a packed tensor
    held a non-finite number).
    """
    packed: dict[str, Tensor] = {}
    worst = 0.0
    for name, part in parts.items():
        packed |= _packed(name, part, form)
        if packed[name].dtype != part.dtype:
            restored = unpack_part(packed, name, torch.float32)
            worst = max(worst, _relative_error(part, restored))
    return packed, worst


def unpack_part(packed: Mapping[str, Tensor], name: str, dtype: torch.dtype) -> Tensor:
    """One tensor of a packed state, in `dtype`."""
    part, scale = packed[name], packed.get(name + SCALE)
    if scale is None:
        return part.to(dtype)
    return (part.float() * scale).to(dtype)


def packed_bytes(parts: Sequence[tuple[tuple[int, ...], torch.dtype]], form: Format) -> int:
    """The size in bytes of a packed state with parts of these shapes and dtypes."""
    total = 0
    for shape, dtype in parts:
        count = math.prod(shape)
        if form == "int8":
            total += count + 4 * (count // shape[-1])
        elif form == "bfloat16" and dtype == torch.float32:
            total += 2 * count
        else:
            total += dtype.itemsize * count
    return total


def _packed(name: str, part: Tensor, form: Format) -> dict[str, Tensor]:
    if form == "int8":
        scale = part.float().abs().amax(-1, keepdim=True) / INT8_MAX
        scale = scale.clamp_(max=SCALE_MAX)
        # A row of zeros has no scale; any divisor will do.
        steps = part.float() / torch.where(scale > 0, scale, 1.0)
        # The scale of a row of subnormal numbers is so coarse itself that steps may overflow a
        # byte.
        steps = steps.round_().clamp_(-INT8_MAX, INT8_MAX)
        return {name: steps.to(torch.int8), name + SCALE: scale}
    if form == "bfloat16" and part.dtype == torch.float32:
        # The largest float32 would round up to infinity.
        return {name: part.to(torch.bfloat16).clamp_(-BFLOAT16_MAX, BFLOAT16_MAX)}
    return {name: part.clone()}


def _relative_error(part: Tensor, restored: Tensor) -> float:
    original = part.float()
    largest = _largest(original) if original.numel() else 0.0
    if not largest:
        return 0.0
    error = _largest(original - restored) / largest
    # Comparisons with NaN are always false, so NaN would pass as no error at all.
    return error if math.isfinite(error) else math.inf


def _largest(part: Tensor) -> float:
    """The largest absolute value; NaN if any element is NaN."""
    least, most = torch.aminmax(part)
    return max(abs(float(least)), abs(float(most)))
