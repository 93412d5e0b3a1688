"""A short comparison of what computes on this processor with the plain references.

The tests go through every size and level of instructions; this runs on the user's own machine,
whose processor no test may have seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.attention import plain as plain_attention
from kernels.causal_conv import plain as plain_conv
from kernels.dispatch import CPU
from kernels.gated_delta import Rule
from kernels.gated_delta import plain as plain_delta
from kernels.matmul import DenseMatrix, int4_matrix, int8_matrix, quantize_int4, quantize_int8
from kernels.norms import plain as plain_norms
from kernels.norms import rms_norm

# Few rows and many take different kernels, and 65 is one more than a whole chunk.
ROWS = (1, 5, 65)
# bfloat16's rounding; 8 bits round the rows too, 4 bits in groups.
_ROUNDED, _FOUR_BITS = 2e-2, 5e-2
_CPU = torch.device("cpu")


@dataclass(frozen=True, slots=True)
class KernelCheck:
    """One operation, against its reference.

    Attributes:
        name: of the operation, in words.
        error: the largest, as a part of the reference's largest value; infinite where a result is
            not a number.
        bound: what rounding may amount to.
    """

    name: str
    error: float
    bound: float

    @property
    def passed(self) -> bool:
        return self.error <= self.bound


def check_kernels() -> tuple[KernelCheck, ...]:
    """Run every operation once on small random inputs, the same ones each time."""
    generator = torch.Generator().manual_seed(20)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    with torch.inference_mode():
        return tuple(
            KernelCheck(name, _error(found, expected), bound)
            for check in (_products, _norm, _attention, _linear_layer)
            for name, found, expected, bound in check(draw)
        )


# An operation's name, its result, the reference's, and the bound.
_Case = tuple[str, Tensor, Tensor, float]
_Draw = Callable[..., Tensor]


def _products(draw: _Draw) -> Iterator[_Case]:
    weight, x = draw(130, 256), draw(max(ROWS), 256).bfloat16()
    eight, four = quantize_int8(weight), quantize_int4(weight)
    stored = weight.bfloat16()
    kinds = (
        ("16-bit", DenseMatrix(stored), stored.double(), _ROUNDED),
        ("8-bit", int8_matrix(eight, _CPU), eight.dense().double(), _ROUNDED),
        ("4-bit", int4_matrix(four, _CPU), four.dense().double(), _FOUR_BITS),
    )
    for name, matrix, dense, bound in kinds:
        for rows in ROWS:
            some = x[:rows]
            found = matrix.project(some) if rows > 1 else matrix.project_row(some[0])[None]
            title = f"product of {rows} rows with {name} weights"
            yield title.replace("1 rows", "1 row"), found, some.double() @ dense.T, bound


def _norm(draw: _Draw) -> Iterator[_Case]:
    x, scale = draw(65, 256), draw(256)
    found = rms_norm(x, scale, 1e-6, torch.bfloat16)
    yield "norm", found, plain_norms.rms_norm(x, scale, 1e-6), _ROUNDED


def _attention(draw: _Draw) -> Iterator[_Case]:
    tokens, heads, dim = 300, 2, 64
    k, v = (draw(tokens, heads, dim).bfloat16() for _ in range(2))
    # Two runs of slots, with something else before, between and after.
    extents = ((10, 100), (200, 200))
    pools = [torch.full((heads, 500, dim), 7.0, dtype=torch.bfloat16) for _ in range(2)]
    for pool, rows in zip(pools, (k, v), strict=True):
        pool[:, 10:110] = rows[:100].transpose(0, 1)
        pool[:, 200:400] = rows[100:].transpose(0, 1)
    for count in ROWS:
        q = draw(count, 3 * heads, dim).bfloat16()
        found = CPU.attend(q, pools[0], pools[1], extents, True)
        expected = plain_attention.attention(q, k, v)
        yield (
            f"attention of {count} tokens".replace("1 tokens", "1 token"),
            found,
            expected,
            _ROUNDED,
        )


def _linear_layer(draw: _Draw) -> Iterator[_Case]:
    tokens, key_heads, heads, key_dim, value_dim = 130, 2, 4, 16, 48
    channels = 2 * key_heads * key_dim + heads * value_dim
    rule = Rule(
        draw(4, channels), -0.2 * draw(heads).exp(), draw(heads), draw(value_dim), 1e-6, 2, key_dim
    )
    rows = draw(tokens, sum(rule.widths)).bfloat16()
    window, state = draw(3, channels).bfloat16(), draw(heads, key_dim, value_dim)
    mixed, z, b, a = rows.float().split_with_sizes(rule.widths, -1)
    convolved, _ = plain_conv.causal_conv(mixed, window.float(), rule.taps)
    keys = key_heads * key_dim
    q, k, v = convolved.split_with_sizes((keys, keys, rule.widths[1]), -1)
    by_key, by_value = (tokens, -1, key_dim), (tokens, heads, value_dim)
    out, final = plain_delta.gated_delta(
        q.view(by_key),
        k.view(by_key),
        v.view(by_value),
        F.softplus(a + rule.bias) * rule.speed,
        b.sigmoid(),
        state,
    )
    expected = plain_norms.gated_rms_norm(out, z.reshape(by_value), rule.norm, rule.eps).flatten(1)
    yield "linear layer", CPU.sweep(rows, rule, window, state), expected, _ROUNDED
    yield "state of a linear layer", state, final, _ROUNDED


def _error(found: Tensor, expected: Tensor) -> float:
    if found.shape != expected.shape or not found.isfinite().all():
        return float("inf")
    largest = expected.abs().max().clamp_min(1e-6)
    return float((found.double() - expected.double()).abs().max() / largest)
