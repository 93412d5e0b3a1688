"""Compile every kernel for one GPU architecture, without a GPU; print its shared memory in bytes.

Run as `compile_all.py cuda 90` or `compile_all.py hip gfx1100`. Launches are intercepted and
compiled ahead of time; tensors are on the meta device, so nothing runs. Triton must not be in
interpreter mode.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
import triton
from torch import Tensor
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction, mangle_type

from kernels.attention import triton as attention
from kernels.blocks import BLOCK_TYPES_BY_NAME, BlockWeight
from kernels.blocks.matrix import device_blocks
from kernels.causal_conv import triton as conv
from kernels.gated_delta import triton as delta
from kernels.kv_slots import triton as kv_slots
from kernels.matmul import Int4Weight, Int8Weight
from kernels.matmul import triton as matmul
from kernels.matmul.choice import int4_on_device, int8_on_device
from kernels.norms import triton as norms
from kernels.sampling import sample

BACKEND, ARCHITECTURE = sys.argv[1:]
TARGET = GPUTarget(BACKEND, int(ARCHITECTURE) if BACKEND == "cuda" else ARCHITECTURE, 32)
META = torch.device("meta")
BF16, INT = torch.bfloat16, torch.int32
ALIGNED = [["tt.divisibility", 16]]


def compile_launch(self: Any, *args: Any, grid: object, warmup: bool, **named: Any) -> None:
    """Replacement for JITFunction.run: specialises as a launch does, and compiles."""
    options = {name: named.pop(name) for name in ("num_warps", "num_stages") if name in named}
    given = dict(zip(self.arg_names, args, strict=False)) | named
    signature, constants, attributes = {}, {}, {}
    for index, parameter in enumerate(self.params):
        value = given[parameter.name]
        special = isinstance(value, int) and not parameter.do_not_specialize
        if parameter.is_constexpr or (special and value == 1):
            signature[parameter.name] = "constexpr"
            constants[(index,)] = value
            continue
        signature[parameter.name] = parameter.annotation_type or mangle_type(value)
        if isinstance(value, Tensor) or (special and value % 16 == 0):
            attributes[(index,)] = ALIGNED
    source = ASTSource(fn=self, signature=signature, constexprs=constants, attrs=attributes)
    made = triton.compile(source, target=TARGET, options=options)
    print(self.__module__, self.__name__, made.metadata.shared)


def zeros(*shape: int, dtype: torch.dtype = BF16) -> Tensor:
    return torch.zeros(*shape, dtype=dtype, device="meta")


def launch_all() -> None:
    for heads, kv_heads, dim in ((24, 4, 256), (16, 2, 128)):
        pool, slots = zeros(kv_heads, 4096, dim), zeros(2000, dtype=INT)
        attention.attend_slots(zeros(512, heads, dim), pool, pool, slots)
        attention.attend_few(zeros(5, heads, dim), pool, pool, slots, zeros(5, dtype=INT))
    wide = torch.float32
    window, taps = zeros(3, 6144), zeros(4, 6144, dtype=wide)
    conv.conv_few(zeros(5, 6144), window, taps, zeros(5, 6144, dtype=wide), zeros(5, 6144))
    conv.causal_conv(zeros(100, 6144), window, taps)
    norms.rms_norm(zeros(100, 5120, dtype=wide), zeros(5120, dtype=wide), 1e-6, BF16)
    rows = zeros(10, 16, 128, dtype=wide)
    norms.gated_rms_norm(rows, zeros(10, 16, 128), zeros(128, dtype=wide), 1e-6, BF16)
    by_head = zeros(5, 24, 256, dtype=wide)
    norms.rms_norm(by_head, zeros(24, 256, dtype=wide), 1e-6, BF16)
    head = zeros(32, dtype=wide)
    rates, states = zeros(3, 16, 2, 32, dtype=wide), zeros(3, 32, 128, 128, dtype=wide)
    delta.rates_few(zeros(16, 32), zeros(16, 32), head, head, rates[0])
    delta.delta_few(zeros(3, 16, 8192, dtype=wide), rates, states, 5, keep=True)
    rows, plane = zeros(10, 2, 256), zeros(2, 100, 256)
    kv_slots.write_slots(rows, rows, plane, plane, zeros(10, dtype=INT))
    codes = zeros(300, 1024, dtype=torch.int8)
    groups = [zeros(300, 64), zeros(300, 64)]
    for matrix in (
        int8_on_device(Int8Weight(codes, zeros(300, dtype=wide)), META),
        int4_on_device(Int4Weight(zeros(300, 1024, dtype=torch.uint8), *groups), META),
    ):
        inputs = matrix.shape[1]
        matrix.project(zeros(5, inputs))
        matrix.project(zeros(50, inputs))
    matmul.dense_few(zeros(5, 2048), zeros(300, 2048))
    matmul.dense_few(zeros(5, 2048, dtype=wide), zeros(300, 2048, dtype=wide))
    for name in ("Q8_0", "Q4_K", "Q5_0", "Q6_K", "IQ4_XS"):
        kind = BLOCK_TYPES_BY_NAME[name]
        stored = BlockWeight(torch.zeros(300, kind.row_bytes(2048), dtype=torch.uint8), kind)
        blocked = device_blocks(stored, META)
        blocked.project(zeros(5, 2048))
        blocked.project(zeros(50, 2048))
    logits, uniform = zeros(5000, dtype=wide), zeros(1, dtype=torch.float64)
    sample(logits, 0.7, 0, 0.9, 0.05, uniform)
    sample(logits, 0.7, 20, 0.9, 0.05, uniform)


def launch_smallest() -> None:
    """A size of one is compiled into a kernel as a constant."""
    pool, slots = zeros(1, 1, 16), zeros(1, dtype=INT)
    attention.attend_slots(zeros(1, 1, 16), pool, pool, slots)
    attention.attend_few(zeros(1, 1, 16), pool, pool, slots, zeros(1, dtype=INT))
    wide = torch.float32
    matmul.dense_few(zeros(1, 64), zeros(1, 64))
    conv.causal_conv(zeros(1, 64), zeros(3, 64), zeros(4, 64, dtype=wide))
    norms.rms_norm(zeros(64, dtype=wide), zeros(64, dtype=wide), 1e-6, BF16)
    head = zeros(1, dtype=wide)
    rates, states = zeros(1, 16, 2, 1, dtype=wide), zeros(1, 1, 64, 64, dtype=wide)
    delta.rates_few(zeros(1, 1), zeros(1, 1), head, head, rates[0, :1])
    delta.delta_few(zeros(1, 16, 192, dtype=wide), rates, states, 1, keep=True)
    rows = zeros(1, 1, 16)
    kv_slots.write_slots(rows, rows, pool, pool, slots)
    sample(zeros(5000, dtype=wide), 0.7, 1, 0.9, 0.05, zeros(1, dtype=wide))


if __name__ == "__main__":
    JITFunction.run = compile_launch
    launch_all()
    launch_smallest()
