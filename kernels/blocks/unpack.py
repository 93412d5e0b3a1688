"""Unpacks the bytes of a file's blocks into their form, one function per arrangement of bits.

Source: the layouts of ggml's block types. Every function takes blocks [blocks, bytes] uint8.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from kernels.blocks.forms import FORMS, Unpacked
from kernels.blocks.grids import grid
from kernels.blocks.types import BlockType

# What a block holds, as in Unpacked, but block by block.
_Parts = dict[str, Tensor]


def unpack(raw: Tensor, kind: BlockType) -> Unpacked:
    """raw [rows, row bytes] uint8, not touched. Raises ValueError for a type without blocks."""
    if kind.name not in FORMS:
        raise ValueError(f"{kind.name} weights cannot be computed with.")
    parts = _UNPACKERS[kind.name](raw.reshape(-1, kind.bytes))
    return Unpacked(
        FORMS[kind.name], **{name: part.view(len(raw), -1) for name, part in parts.items()}
    )


def _bits(of: Tensor, count: int, width: int) -> Tensor:
    """[blocks, n] uint8 as [blocks, count, n]: the lowest `width` bits of each, the next, ..."""
    shifts = torch.arange(0, count * width, width, dtype=torch.uint8).view(-1, 1)
    return of.unsqueeze(1) >> shifts & (1 << width) - 1


def _runs(of: Tensor, length: int, count: int, width: int) -> Tensor:
    """Runs of `length` bytes, each holding `count` runs of fields: [blocks, n * count]."""
    return _bits(of.reshape(-1, length), count, width).view(len(of), -1)


def _flags(of: Tensor) -> Tensor:
    """The bits of [blocks, n] uint8, the lowest of each byte first: [blocks, 8 n]."""
    return _bits(of.reshape(-1, 1), 8, 1).view(len(of), -1)


def _as(of: Tensor, dtype: torch.dtype) -> Tensor:
    """Bytes as wider numbers. A copy: where they lie may be no place for such numbers."""
    return of.clone(memory_format=torch.contiguous_format).view(dtype)


def _half(of: Tensor, at: int) -> Tensor:
    return _as(of[:, at : at + 2], torch.float16)


def _words(of: Tensor) -> Tensor:
    """Four bytes each as a number, [blocks, n / 4] int64."""
    return _as(of, torch.int32).long() & 0xFFFFFFFF


def _q8_0(b: Tensor) -> _Parts:
    return {"heads": _half(b, 0), "codes": b[:, 2:].contiguous()}


def _q4_0(b: Tensor) -> _Parts:
    return {"heads": _half(b, 0), "codes": _runs(b[:, 2:], 16, 2, 4)}


def _q4_1(b: Tensor) -> _Parts:
    return {"heads": _half(b, 0), "low": _half(b, 2), "codes": _runs(b[:, 4:], 16, 2, 4)}


def _q5_0(b: Tensor) -> _Parts:
    codes = _runs(b[:, 6:], 16, 2, 4) | _flags(b[:, 2:6]) << 4
    return {"heads": _half(b, 0), "codes": codes}


def _q5_1(b: Tensor) -> _Parts:
    codes = _runs(b[:, 8:], 16, 2, 4) | _flags(b[:, 4:8]) << 4
    return {"heads": _half(b, 0), "low": _half(b, 2), "codes": codes}


def _sixes(b: Tensor) -> _Parts:
    """Eight scales and minima of 6 bits in 12 bytes."""
    first, second, rest = b.view(len(b), 3, 4).unbind(1)
    scales = torch.cat((first & 63, rest & 15 | first >> 2 & 48), 1)
    minima = torch.cat((second & 63, rest >> 4 | second >> 2 & 48), 1)
    return {"scales": scales.view(torch.int8), "minima": minima}


def _q4_k(b: Tensor) -> _Parts:
    heads = {"heads": _half(b, 0), "low": _half(b, 2)}
    return {**heads, **_sixes(b[:, 4:16].contiguous()), "codes": _runs(b[:, 16:], 32, 2, 4)}


def _q5_k(b: Tensor) -> _Parts:
    heads = {"heads": _half(b, 0), "low": _half(b, 2)}
    codes = _runs(b[:, 48:], 32, 2, 4) | _runs(b[:, 16:48], 32, 8, 1) << 4
    return {**heads, **_sixes(b[:, 4:16].contiguous()), "codes": codes}


def _q6_k(b: Tensor) -> _Parts:
    codes = _runs(b[:, :128], 64, 2, 4) | _runs(b[:, 128:192], 32, 4, 2) << 4
    scales = b[:, 192:208].contiguous().view(torch.int8)
    return {"heads": _half(b, 208), "scales": scales, "codes": codes}


def _q2_k(b: Tensor) -> _Parts:
    return {
        "heads": _half(b, 80),
        "low": _half(b, 82),
        "scales": (b[:, :16] & 15).view(torch.int8),
        "minima": b[:, :16] >> 4,
        "codes": _runs(b[:, 16:80], 32, 4, 2),
    }


def _q3_k(b: Tensor) -> _Parts:
    # A set bit of the mask adds 4; codes are 4 more than what they stand for.
    codes = _runs(b[:, 32:96], 32, 4, 2) | _runs(b[:, :32], 32, 8, 1) << 2
    scales = _runs(b[:, 96:104], 8, 2, 4) | _runs(b[:, 104:108], 4, 4, 2) << 4
    return {"heads": _half(b, 108), "scales": scales.view(torch.int8) - 32, "codes": codes}


def _iq4_xs(b: Tensor) -> _Parts:
    high = _bits(b[:, 2:4].reshape(-1, 1), 4, 2).view(len(b), 8)
    scales = (_bits(b[:, 4:8].reshape(-1, 1), 2, 4).view(len(b), 8) | high << 4).view(
        torch.int8
    ) - 32
    return {"heads": _half(b, 0), "scales": scales, "codes": _runs(b[:, 8:], 16, 2, 4)}


def _nibbles(of: Tensor) -> Tensor:
    """The halves of each byte, the lower first: [blocks, 2 n]."""
    return _bits(of.reshape(-1, 1), 2, 4).view(len(of), -1)


@cache
def _entries(name: str) -> Tensor:
    """The grid's entries, one number each: their digits as bytes."""
    digits = grid(name)
    assert digits is not None, f"{name} has no grid"
    return digits.view(torch.int64 if digits.shape[1] == 8 else torch.int32).squeeze(1)


@cache
def _sign_bits() -> Tensor:
    """For each byte of eight signs, eight bytes with the fourth bit set: [256] int64."""
    bits = torch.arange(256).unsqueeze(1) >> torch.arange(8) & 1
    return (bits << 3).to(torch.uint8).view(torch.int64).squeeze(1)


def _even(sevens: Tensor) -> Tensor:
    """Seven signs each, and an eighth that makes the number of set ones even."""
    folded = sevens ^ sevens >> 4
    folded = folded ^ folded >> 2
    return sevens | ((folded ^ folded >> 1) & 1) << 7


def _from_grid(name: str, indices: Tensor, signs: Tensor) -> Tensor:
    """Codes of grid entries: a magnitude's digit, and its sign as the fourth bit.

    signs: eight to a number.
    """
    blocks = len(indices)
    digits = _entries(name)[indices.reshape(blocks, -1)].view(torch.int64)
    return (digits | _sign_bits()[signs.reshape(blocks, -1).int()]).view(torch.uint8)


def _odd(of: Tensor) -> Tensor:
    """Scales of 4 bits stand for odd numbers."""
    return (2 * of + 1).to(torch.int8)


def _iq2_xxs(b: Tensor) -> _Parts:
    first, second = _words(b[:, 2:]).view(len(b), 8, 2).unbind(2)
    indices = first.unsqueeze(2) >> torch.arange(0, 32, 8) & 255
    signs = _even(second.unsqueeze(2) >> torch.arange(0, 28, 7) & 127)
    codes = _from_grid("IQ2_XXS", indices, signs)
    return {"heads": _half(b, 0), "scales": _odd(second >> 28), "codes": codes}


def _iq2_xs(b: Tensor) -> _Parts:
    entries = _as(b[:, 2:66], torch.int16).int() & 0xFFFF
    codes = _from_grid("IQ2_XS", entries & 511, _even(entries >> 9))
    return {"heads": _half(b, 0), "scales": _odd(_nibbles(b[:, 66:])), "codes": codes}


def _iq2_s(b: Tensor) -> _Parts:
    high = _bits(b[:, 66:74].reshape(-1, 1), 4, 2).view(len(b), -1).int()
    codes = _from_grid("IQ2_S", b[:, 2:34].int() | high << 8, b[:, 34:66])
    return {"heads": _half(b, 0), "scales": _odd(_nibbles(b[:, 74:])), "codes": codes}


def _iq3_xxs(b: Tensor) -> _Parts:
    words = _words(b[:, 66:])
    signs = _even(words.unsqueeze(2) >> torch.arange(0, 28, 7) & 127)
    codes = _from_grid("IQ3_XXS", b[:, 2:66].int(), signs)
    return {"heads": _half(b, 0), "scales": _odd(words >> 28), "codes": codes}


def _iq3_s(b: Tensor) -> _Parts:
    indices = b[:, 2:66].int() | _flags(b[:, 66:74]).int() << 8
    codes = _from_grid("IQ3_S", indices, b[:, 74:106])
    return {"heads": _half(b, 0), "scales": _odd(_nibbles(b[:, 106:])), "codes": codes}


_UNPACKERS: dict[str, Callable[[Tensor], _Parts]] = {
    "Q8_0": _q8_0,
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "Q2_K": _q2_k,
    "Q3_K": _q3_k,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
    "IQ4_NL": _q4_0,
    "IQ4_XS": _iq4_xs,
    "IQ2_XXS": _iq2_xxs,
    "IQ2_XS": _iq2_xs,
    "IQ2_S": _iq2_s,
    "IQ3_XXS": _iq3_xxs,
    "IQ3_S": _iq3_s,
}
