"""What this processor multiplies fast, as far as oneDNN may use it.

Measured on one machine with oneDNN limited to older instructions (ONEDNN_MAX_CPU_ISA), GFLOP/s on
two cores: bfloat16 products of 64 rows 1,005 with AMX, 187 with AVX-512 BF16, 62 with AVX-512 alone
and 34 with AVX2, where float32 reaches 210 to 240 throughout; 8-bit products without VNNI overflow.
"""

from __future__ import annotations

import os
from functools import cache

import torch

from kernels.native.library import library

# Weakest first; each contains those before it.
_ISAS = (
    "SSE41",
    "AVX",
    "AVX2",
    "AVX2_VNNI",
    "AVX2_VNNI_2",
    "AVX512_CORE",
    "AVX512_CORE_VNNI",
    "AVX512_CORE_BF16",
)
_SWITCHES = ("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA")


@cache
def fast_bfloat16() -> bool:
    """Whether products of bfloat16 rows are about as fast as float32's or faster.

    False on every kind of processor that was not measured: float32 is never far behind.
    """
    able = _capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16")) and _allowed("AVX512_CORE_BF16")


@cache
def fast_int8() -> bool:
    """Whether there are exact and fast products of 8-bit rows and matrices."""
    return bool(_capabilities().get("avx512_vnni")) and _allowed("AVX512_CORE_VNNI")


def use_threads(threads: int) -> None:
    """Set how many threads compute for this one: PyTorch's, and those of the C kernels."""
    torch.set_num_threads(threads)
    native = library()
    if native is not None:
        native.call.biplane_limit_threads(threads)


def features() -> str:
    """Both features, for the fingerprint of everything that results may depend on."""
    return f"{'bf16' if fast_bfloat16() else 'fp32'}+{'int8' if fast_int8() else 'fp32'}"


def _capabilities() -> dict[str, object]:
    """What PyTorch says of the processor; PyTorch 2.9 says nothing, which counts as no feature."""
    return getattr(torch.cpu, "get_capabilities", dict)()


def _allowed(isa: str) -> bool:
    """Whether oneDNN may use the instructions `isa`, or is limited to weaker ones."""
    for switch in _SWITCHES:
        most = os.environ.get(switch, "").upper()
        # Names not in the list are newer, or mean all.
        if most in _ISAS:
            return _ISAS.index(most) >= _ISAS.index(isa)
    return True
