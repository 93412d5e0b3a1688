"""Whole layers of few rows against the plain operations one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.attention import plain as attention
from kernels.attention.layer import AttentionShape, FusedAttention
from kernels.causal_conv import plain as causal_conv
from kernels.gated_delta import plain as gated_delta
from kernels.native.kept import KeptRows
from kernels.native.layers import FusedLinear, FusedMlp, LinearShape, NormBefore
from kernels.native.library import Library
from kernels.norms import plain as norms
from kernels.rope import RopeTable
from kernels.swiglu import plain as swiglu
from tests.kernels.conftest import Draw
from tests.kernels.native.packing import FORMATS, Packed, pack

EPS = 1e-6
ROWS = (1, 2, 3, 5, 8, 9, 16)
# 63, 64 and 65: a whole vector and block, and one more or less.
HIDDEN = (63, 64, 65)
# Of the largest result: what rounding rows once per matrix leaves.
BOUNDS = {"float32": 2e-5, "bfloat16": 5e-5, "int8": 1e-3, "int4": 3e-2}


def packed(draw: Draw, kind: str, outputs: int, inputs: int) -> Packed:
    """A random matrix that keeps the size of a row's numbers."""
    return pack(kind, draw(outputs, inputs) * inputs**-0.5)


def close(found: Tensor, expected: Tensor, bound: float) -> None:
    assert torch.isfinite(found).all()
    error = (found - expected).abs().max() / expected.abs().max()
    assert error <= bound, f"off by {error:.1e} of the largest value"


@dataclass(frozen=True)
class Linear:
    """A linear layer with random weights, and the state it starts from."""

    shape: LinearShape
    norm: NormBefore
    taps: Tensor
    speed: Tensor
    step_bias: Tensor
    gate_norm: Tensor
    inputs: Packed
    output: Packed
    delta: Tensor
    window: Tensor

    @classmethod
    def drawn(cls, draw: Draw, kind: str, hidden: int, shape: LinearShape, kernel: int) -> Linear:
        values = shape.value_heads * shape.value_dim
        channels = 2 * shape.key_heads * shape.key_dim + values
        outputs = channels + values + 2 * shape.value_heads
        return cls(
            shape,
            NormBefore(1 + 0.1 * draw(hidden), EPS),
            0.5 * draw(kernel, channels),
            -draw(shape.value_heads).exp(),
            draw(shape.value_heads),
            1 + 0.1 * draw(shape.value_dim),
            packed(draw, kind, outputs, hidden),
            packed(draw, kind, hidden, values),
            draw(shape.value_heads, shape.key_dim, shape.value_dim),
            draw(kernel - 1, channels).to(shape.window_dtype),
        )

    def fused(self, library: Library) -> FusedLinear:
        small = (self.taps, self.speed, self.step_bias, self.gate_norm)
        fields = self.inputs.fields, self.output.fields
        return FusedLinear(library, self.norm, self.shape, small, *fields)

    def expected(self, x: Tensor, delta: Tensor, window: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The rows, the state and the window after x, from the plain operations."""
        shape, values = self.shape, self.shape.value_heads * self.shape.value_dim
        heads, keys = shape.value_heads, shape.key_heads * shape.key_dim
        row = self.inputs.exact(norms.rms_norm(x, self.norm.scale, EPS)).float()
        mixed, z, b, a = row.split_with_sizes((2 * keys + values, values, heads, heads), -1)
        kept = mixed.to(shape.window_dtype)
        convolved, after = causal_conv.causal_conv(kept, window, self.taps)
        q, k, v = convolved.split_with_sizes((keys, keys, values), -1)
        by_key = (-1, shape.key_heads, shape.key_dim)
        log_decay = F.softplus(a + self.step_bias) * self.speed
        out, state = gated_delta.gated_delta(
            q.view(by_key),
            k.view(by_key),
            v.view(-1, heads, shape.value_dim),
            log_decay,
            b.sigmoid(),
            delta,
        )
        gated = norms.gated_rms_norm(out, z.view(out.shape), self.gate_norm, EPS).flatten(1)
        return x + self.output.exact(gated).float(), state, after


SHAPE = LinearShape(2, 4, 48, 80, torch.bfloat16)


class TestLinear:
    @pytest.mark.parametrize("hidden", HIDDEN)
    @pytest.mark.parametrize("kind", FORMATS)
    def test_equals_the_operations_one_by_one(
        self, native: Library, draw: Draw, kind: str, hidden: int
    ) -> None:
        layer = Linear.drawn(draw, kind, hidden, SHAPE, 4)
        for rows in ROWS:
            x, delta, window = draw(rows, hidden), layer.delta.clone(), layer.window.clone()
            expected, state, after = layer.expected(x, delta, window)
            layer.fused(native)(x, delta, window)
            # The window is bfloat16: a number at a tie may be rounded either way.
            bound = max(BOUNDS[kind], 1e-2)
            close(x, expected, bound)
            close(delta, state, bound)
            close(window.float(), after.float(), bound)

    @pytest.mark.parametrize(
        "shape",
        [
            LinearShape(1, 1, 16, 16, torch.float32),
            LinearShape(3, 3, 64, 128, torch.float32),
            LinearShape(2, 6, 128, 128, torch.float32),
            LinearShape(1, 2, 256, 256, torch.float32),
        ],
        ids=lambda shape: f"{shape.key_heads}x{shape.key_dim}",
    )
    @pytest.mark.parametrize("taps", [2, 3, 4, 8])
    def test_every_shape_in_float32(
        self, native: Library, draw: Draw, shape: LinearShape, taps: int
    ) -> None:
        layer = Linear.drawn(draw, "float32", 64, shape, taps)
        for rows in (1, 3):
            x, delta, window = draw(rows, 64), layer.delta.clone(), layer.window.clone()
            expected, state, after = layer.expected(x, delta, window)
            layer.fused(native)(x, delta, window)
            close(x, expected, 2e-5)
            close(delta, state, 2e-5)
            close(window, after, 2e-5)

    def test_a_split_gets_the_state_after_so_many_rows(self, native: Library, draw: Draw) -> None:
        layer = Linear.drawn(draw, "bfloat16", 64, SHAPE, 4)
        x, delta, window = draw(6, 64), layer.delta.clone(), layer.window.clone()
        splits = [
            (after, torch.full_like(delta, torch.nan), torch.full_like(window, torch.nan))
            for after in (1, 2, 5, 6)
        ]
        rows = x.clone()
        layer.fused(native)(rows, delta, window, splits)
        for after, state, conv in splits:
            alone, moved = layer.delta.clone(), layer.window.clone()
            for row in range(after):
                layer.fused(native)(x[row : row + 1].clone(), alone, moved)
            close(state, alone, 1e-2)
            close(conv.float(), moved.float(), 1e-2)
        assert torch.equal(splits[-1][1], delta)
        assert torch.equal(splits[-1][2], window)


@pytest.mark.parametrize("kind", FORMATS)
class TestKeptRows:
    """Rows that must not touch the state, and the state after some of them."""

    @pytest.mark.parametrize("window", [torch.bfloat16, torch.float32], ids=str)
    def test_any_of_them_may_stay(
        self, native: Library, draw: Draw, kind: str, window: torch.dtype
    ) -> None:
        shape = replace(SHAPE, window_dtype=window)
        layers = [Linear.drawn(draw, kind, 65, shape, 4) for _ in range(2)]
        x = draw(16, 65)
        for rows in (2, 5, 9, 16):
            for stay in {0, 1, 2, rows - 1, rows}:
                kept = KeptRows(native, shape, 2)
                delta = torch.stack([layer.delta for layer in layers])
                history = torch.stack([layer.window for layer in layers])
                before = delta.clone(), history.clone()
                found = [x[:rows].clone() for _ in layers]
                for at, layer in enumerate(layers):
                    live = rows, delta[at], history[at], kept.layer(at)
                    layer.fused(native).apart(found[at], [live])
                assert torch.equal(delta, before[0]), "the state was written"
                assert torch.equal(history, before[1]), "the window was written"
                kept.fold(delta, history, stay)
                for at, layer in enumerate(layers):
                    alone, moved = layer.delta.clone(), layer.window.clone()
                    for row in range(rows):
                        if row == stay:
                            assert torch.equal(delta[at], alone)
                            assert torch.equal(history[at], moved)
                        one = x[row : row + 1].clone()
                        layer.fused(native)(one, alone, moved)
                        assert torch.equal(found[at][row], one[0]), (rows, row)

    def test_rows_attend_as_if_each_ran_alone(self, native: Library, draw: Draw, kind: str) -> None:
        layer = Attention.drawn(draw, kind, 64)
        for rows in ROWS:
            x, pool, ends = draw(rows, 64), layer.pool(), TOTAL - rows
            found = x.clone()
            layer.fused(native)(found, *pool, [(EXTENTS, rows)], layer.rope(rows), alone=True)
            for row in range(rows):
                one, length = x[row : row + 1].clone(), ends + row + 1
                places = (EXTENTS[0], (EXTENTS[1][0], length - EXTENTS[0][1]))
                rope = layer.rope(rows)[row : row + 1].contiguous()
                layer.fused(native)(one, *pool, [(places, 1)], rope)
                assert torch.equal(found[row], one[0]), (rows, row)

    @pytest.mark.parametrize("drafts", [(1, 1, 1, 1), (3, 1, 5, 2)], ids=["steps", "drafts"])
    def test_answers_side_by_side_are_as_if_each_ran_alone(
        self, native: Library, draw: Draw, kind: str, drafts: tuple[int, ...]
    ) -> None:
        """Each on its own state; one row without a draft advances it at once."""
        layer, kept = (
            Linear.drawn(draw, kind, 65, SHAPE, 4),
            [KeptRows(native, SHAPE, 1) for _ in drafts],
        )
        states = [(draw(*layer.delta.shape), layer.window.clone() * (n + 1)) for n in range(4)]
        expected, x = (
            [(delta.clone(), window.clone()) for delta, window in states],
            draw(sum(drafts), 65),
        )
        found, at = x.clone(), 0
        lives = [
            (rows, *state, buffers.layer(0) if rows > 1 else None)
            for rows, state, buffers in zip(drafts, states, kept, strict=True)
        ]
        layer.fused(native).apart(found, lives)
        for rows, state, alone, buffers in zip(drafts, states, expected, kept, strict=True):
            if rows > 1:
                buffers.fold(state[0].unsqueeze(0), state[1].unsqueeze(0), rows)
            for row in range(at, at + rows):
                one = x[row : row + 1].clone()
                layer.fused(native)(one, *alone)
                assert torch.equal(found[row], one[0]), row
            assert all(map(torch.equal, state, alone))
            at += rows

    def test_answers_side_by_side_attend_each_to_its_own(
        self, native: Library, draw: Draw, kind: str
    ) -> None:
        layer = Attention.drawn(draw, kind, 64)
        pool = draw(KV_HEADS, 700, DIM).bfloat16(), draw(KV_HEADS, 700, DIM).bfloat16()
        sequences = [
            (((600, 3),), 1),
            (((0, 200), (300, 65)), 3),
            (((400, 20),), 1),
            (((500, 90), (250, 7)), 4),
        ]
        table = RopeTable(ROTARY, 10_000.0, torch.device("cpu"))
        ends = [sum(length for _, length in places) for places, _ in sequences]
        ropes = [
            table.rows(end - rows, rows) for end, (_, rows) in zip(ends, sequences, strict=True)
        ]
        x = draw(9, 64)
        found, expected = x.clone(), x.clone()
        own = pool[0].clone(), pool[1].clone()
        layer.fused(native)(found, *own, sequences, torch.cat(ropes), alone=True)
        at = 0
        for one, rope in zip(sequences, ropes, strict=True):
            rows = expected[at : at + one[1]]
            layer.fused(native)(rows, *pool, [one], rope, alone=True)
            at += one[1]
        assert torch.equal(found, expected)
        assert all(map(torch.equal, own, pool)), "keys went elsewhere"

    def test_a_range_that_only_later_rows_see_changes_nothing(
        self, native: Library, draw: Draw, kind: str
    ) -> None:
        # Keys are taken 256 at a time; these rows lie on both sides of the end of a range.
        layer = Attention.drawn(draw, kind, 64)
        pool = draw(KV_HEADS, 300, DIM).bfloat16(), draw(KV_HEADS, 300, DIM).bfloat16()
        rope = RopeTable(ROTARY, 10_000.0, torch.device("cpu")).rows(251, 9)
        x = draw(9, 64)
        found = x.clone()
        layer.fused(native)(found, *pool, [(((0, 260),), len(found))], rope, alone=True)
        for row in range(9):
            one = x[row : row + 1].clone()
            places = ((0, 252 + row),)
            layer.fused(native)(one, *pool, [(places, 1)], rope[row : row + 1].contiguous())
            assert torch.equal(found[row], one[0]), row

    def test_rows_of_a_feed_forward_layer_are_as_if_each_ran_alone(
        self, native: Library, draw: Draw, kind: str
    ) -> None:
        norm = NormBefore(1 + 0.1 * draw(65), EPS)
        gate_up, down = packed(draw, kind, 2 * 96, 65), packed(draw, kind, 65, 96)
        whole = FusedMlp(native, norm, gate_up.fields, down.fields)
        x, share = draw(16, 65), draw(16).abs()
        for rows in ROWS:
            found = torch.zeros(rows, 65)
            whole(x[:rows], found, share[:rows], alone=True)
            for row in range(rows):
                one = torch.zeros(1, 65)
                whole(x[row : row + 1], one, share[row : row + 1])
                assert torch.equal(found[row], one[0]), (rows, row)


class TestAttention:
    @pytest.mark.parametrize("hidden", HIDDEN)
    @pytest.mark.parametrize("kind", FORMATS)
    def test_equals_the_operations_one_by_one(
        self, native: Library, draw: Draw, kind: str, hidden: int
    ) -> None:
        layer = Attention.drawn(draw, kind, hidden)
        for rows in ROWS:
            x = draw(rows, hidden)
            expected, keys, values = layer.expected(x)
            pool = layer.pool()
            layer.fused(native)(x, *pool, [(EXTENTS, rows)], layer.rope(rows))
            bound = max(BOUNDS[kind], 1e-2)
            close(x, expected, bound)
            places = [at for first, count in EXTENTS for at in range(first, first + count)]
            close(pool[0][:, places].float(), keys.float(), bound)
            close(pool[1][:, places].float(), values.float(), bound)

    def test_rows_below_skip_are_not_written(self, native: Library, draw: Draw) -> None:
        layer = Attention.drawn(draw, "bfloat16", 64)
        x, found = draw(4, 64), []
        whole, rest = layer.pool(), layer.pool()
        for pool, skip in ((whole, 0), (rest, 0), (rest, 2)):
            row = x.clone()
            layer.fused(native)(row, *pool, [(EXTENTS, 4)], layer.rope(4), skip)
            found.append(row)
        assert torch.equal(found[0], found[2])
        last = EXTENTS[-1][0] + EXTENTS[-1][1]
        rest[0][:, last - 4 : last - 2] = 7.0
        layer.fused(native)(x.clone(), *rest, [(EXTENTS, 4)], layer.rope(4), 2)
        assert (rest[0][:, last - 4 : last - 2] == 7.0).all()


TOTAL, KV_HEADS, HEADS, DIM, ROTARY = 70, 2, 6, 48, 16
EXTENTS = ((100, 30), (5, TOTAL - 30))


@dataclass(frozen=True)
class Attention:
    """An attention layer with random weights, over a sequence whose beginning is in its slots."""

    norm: NormBefore
    scales: Tensor
    inputs: Packed
    output: Packed
    keys: Tensor
    values: Tensor

    @classmethod
    def drawn(cls, draw: Draw, kind: str, hidden: int) -> Attention:
        rows = (2 * HEADS + 2 * KV_HEADS) * DIM
        return cls(
            NormBefore(1 + 0.1 * draw(hidden), EPS),
            1 + 0.1 * draw(HEADS + KV_HEADS, DIM),
            packed(draw, kind, rows, hidden),
            packed(draw, kind, hidden, HEADS * DIM),
            draw(KV_HEADS, TOTAL, DIM).bfloat16(),
            draw(KV_HEADS, TOTAL, DIM).bfloat16(),
        )

    def fused(self, library: Library) -> FusedAttention:
        shape = AttentionShape(HEADS, KV_HEADS, DIM, ROTARY, torch.bfloat16)
        fields = self.inputs.fields, self.output.fields
        return FusedAttention(library, self.norm, shape, self.scales, *fields)

    def pool(self) -> tuple[Tensor, Tensor]:
        """A pool with the sequence in EXTENTS, and NaN everywhere else."""
        pools = []
        for rows in (self.keys, self.values):
            pool = torch.full((KV_HEADS, 200, DIM), torch.nan, dtype=torch.bfloat16)
            at = 0
            for first, count in EXTENTS:
                pool[:, first : first + count] = rows[:, at : at + count]
                at += count
            pools.append(pool)
        return pools[0], pools[1]

    @staticmethod
    def rope(rows: int) -> Tensor:
        return RopeTable(ROTARY, 10_000.0, torch.device("cpu")).rows(TOTAL - rows, rows)

    def expected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The rows, and the sequence's keys and values, from the plain operations."""
        count = len(x)
        row = self.inputs.exact(norms.rms_norm(x, self.norm.scale, EPS)).float()
        sizes = ((HEADS + KV_HEADS) * DIM, KV_HEADS * DIM, HEADS * DIM)
        qk, v, gate = row.split_with_sizes(sizes, -1)
        normed = norms.rms_norm(qk.view(count, -1, DIM), self.scales, EPS)
        pairs = torch.view_as_complex(normed[..., :ROTARY].unflatten(-1, (-1, 2)).contiguous())
        turned = torch.view_as_real(pairs * self.rope(count).unsqueeze(1)).flatten(-2)
        normed = torch.cat((turned, normed[..., ROTARY:]), -1)
        keys, values = self.keys.clone(), self.values.clone()
        keys[:, -count:] = normed[:, HEADS:].transpose(0, 1).bfloat16()
        values[:, -count:] = v.view(count, KV_HEADS, DIM).transpose(0, 1).bfloat16()
        out = attention.attention(
            normed[:, :HEADS], keys.transpose(0, 1), values.transpose(0, 1)
        ).flatten(1)
        return x + self.output.exact(out * gate.sigmoid()).float(), keys, values


class TestMlp:
    @pytest.mark.parametrize("hidden", HIDDEN)
    @pytest.mark.parametrize("kind", FORMATS)
    def test_equals_the_operations_one_by_one(
        self, native: Library, draw: Draw, kind: str, hidden: int
    ) -> None:
        norm = NormBefore(1 + 0.1 * draw(hidden), EPS)
        gate_up, down = packed(draw, kind, 2 * 96, hidden), packed(draw, kind, hidden, 96)
        whole = FusedMlp(native, norm, gate_up.fields, down.fields)
        for rows in ROWS:
            x = draw(rows, hidden)
            normed = norms.rms_norm(x, norm.scale, EPS)
            expected = x + down.exact(swiglu.swiglu(gate_up.exact(normed).float())).float()
            whole(x, x)
            close(x, expected, BOUNDS[kind])

    def test_an_expert_adds_its_share_of_rows_that_are_normed(
        self, native: Library, draw: Draw
    ) -> None:
        gate_up, down = packed(draw, "bfloat16", 2 * 96, 64), packed(draw, "bfloat16", 64, 96)
        x, out, share = draw(3, 64), draw(3, 64), torch.tensor([0.5, 0.0, 2.0])
        mixed = down.exact(swiglu.swiglu(gate_up.exact(x).float())).float()
        expected = out + share.unsqueeze(1) * mixed
        FusedMlp(native, None, gate_up.fields, down.fields)(x, out, share)
        close(out, expected, 5e-5)


def layers(draw: Draw, native: Library) -> list[Callable[[], tuple[Tensor, ...]]]:
    """One call of each layer on copies of the same inputs, giving all that it wrote."""
    linear = Linear.drawn(draw, "int8", 192, replace(SHAPE, key_heads=4), 4)
    attend, norm = Attention.drawn(draw, "int4", 192), NormBefore(1 + 0.1 * draw(192), EPS)
    gate_up, down = packed(draw, "bfloat16", 800, 192), packed(draw, "bfloat16", 192, 400)
    x = draw(5, 192)

    def run_linear() -> tuple[Tensor, ...]:
        rows, delta, window = x.clone(), linear.delta.clone(), linear.window.clone()
        linear.fused(native)(rows, delta, window)
        return rows, delta, window

    def run_attention() -> tuple[Tensor, ...]:
        rows, pool = x.clone(), attend.pool()
        attend.fused(native)(rows, *pool, [(EXTENTS, 5)], attend.rope(5))
        return (rows, *(plane.nan_to_num() for plane in pool))

    def run_mlp() -> tuple[Tensor, ...]:
        rows = x.clone()
        FusedMlp(native, norm, gate_up.fields, down.fields)(rows, rows)
        return (rows,)

    return [run_linear, run_attention, run_mlp]


def test_threads_do_not_change_a_bit(native: Library, draw: Draw) -> None:
    for run in layers(draw, native):
        found = []
        for threads in (1, 2, 3):
            native.call.biplane_limit_threads(threads)
            found.append(run())
        for other in found[1:]:
            assert all(map(torch.equal, found[0], other))
