"""Attention in C: neither the slots, nor what lies beside them, nor the threads may matter."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.attention import plain as reference
from kernels.attention.native import MOST_ROWS, attend_many, attend_rows, supports, turn_heads_
from kernels.kv_slots import Extent, coalesce
from kernels.native.library import Library
from kernels.norms import plain as norms
from kernels.rope import RopeTable
from tests.kernels.conftest import Compare, Draw

KV_HEADS, SLOTS = 2, 2600
ROWS = (1, 2, 3, 5, 8, 9, 16)
# 256 and 257 tokens: a whole range, and one token in the next.
TOTALS = (1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 1000)
PREFIXES = (0, 1, 64, 255, 256, 300)
DIMS = (16, 48, 64, 80, 256)


def layouts(total: int) -> list[tuple[Extent, ...]]:
    """The same sequence as one run, over three out of order, and with a cut in every block."""
    third = total // 3
    scattered = ((2100, third), (40, third), (1000, total - 2 * third))
    cut = tuple((2 * at, min(7, total - at)) for at in range(0, total, 7))
    return [((40, total),), coalesce(scattered), cut]


def filled(k: Tensor, v: Tensor, extents: tuple[Extent, ...]) -> tuple[Tensor, Tensor]:
    """A pool with rows k, v [tokens, kv_heads, dim] in `extents` and NaN everywhere else."""
    planes = []
    for rows in (k, v):
        plane = torch.full((rows.shape[1], SLOTS, rows.shape[2]), float("nan"), dtype=rows.dtype)
        at = 0
        for first, length in extents:
            plane[:, first : first + length] = rows[at : at + length].transpose(0, 1)
            at += length
        planes.append(plane)
    return planes[0], planes[1]


class TestRows:
    @pytest.mark.parametrize("total", TOTALS, ids=lambda n: f"T{n}")
    def test_equals_the_reference_in_every_layout(
        self, native: Library, draw: Draw, assert_close: Compare, total: int, dtype: torch.dtype
    ) -> None:
        k, v = (draw(total, KV_HEADS, 64).to(dtype) for _ in range(2))
        for rows in (rows for rows in ROWS if rows <= total):
            q = draw(rows, 3 * KV_HEADS, 64)
            expected = reference.attention(q, k, v)
            found = [
                attend_rows(native, q, *filled(k, v, extents), extents)
                for extents in layouts(total)
            ]
            assert_close(found[0], expected, torch.float32)
            assert all(torch.equal(found[0], other) for other in found[1:])

    @pytest.mark.parametrize("dim", DIMS, ids=lambda n: f"dim{n}")
    @pytest.mark.parametrize("group", [1, 2, 4, 5, 16])
    def test_every_size_of_heads(
        self, native: Library, draw: Draw, assert_close: Compare, dim: int, group: int
    ) -> None:
        k, v = draw(300, KV_HEADS, dim).bfloat16(), draw(300, KV_HEADS, dim).bfloat16()
        extents = ((100, 300),)
        for rows in (1, 3):
            q = draw(rows, group * KV_HEADS, dim)
            found = attend_rows(native, q, *filled(k, v, extents), extents)
            assert_close(found, reference.attention(q, k, v), torch.float32)

    @pytest.mark.parametrize("rows", [1, 4])
    def test_threads_do_not_change_a_bit(self, native: Library, draw: Draw, rows: int) -> None:
        k, v = draw(1000, KV_HEADS, 64).bfloat16(), draw(1000, KV_HEADS, 64).bfloat16()
        pool, q = filled(k, v, ((0, 1000),)), draw(rows, 8, 64)
        found = []
        for threads in (1, 2, 3):
            native.call.biplane_limit_threads(threads)
            found.append(attend_rows(native, q, *pool, ((0, 1000),)))
        assert all(torch.equal(found[0], other) for other in found[1:])

    def test_a_row_does_not_depend_on_the_rows_after_it(self, native: Library, draw: Draw) -> None:
        k, v = draw(520, KV_HEADS, 64).bfloat16(), draw(520, KV_HEADS, 64).bfloat16()
        pool, q = filled(k, v, ((0, 520),)), draw(MOST_ROWS, 8, 64)
        # From three rows on they are multiplied by tiles where there are any.
        for most, some in ((MOST_ROWS, 3), (2, 1)):
            together = attend_rows(native, q[:most], *pool, ((0, 520),))
            for row in range(most - some + 1):
                extents = ((0, 520 - most + row + some),)
                apart = attend_rows(native, q[row : row + some], *pool, extents)
                assert torch.equal(apart, together[row : row + some])

    def test_scores_far_apart_do_not_overflow(
        self, native: Library, draw: Draw, assert_close: Compare
    ) -> None:
        k, v = 40 * draw(600, KV_HEADS, 64), draw(600, KV_HEADS, 64)
        q = 40 * draw(2, 4, 64)
        found = attend_rows(native, q, *filled(k, v, ((3, 600),)), ((3, 600),))
        assert_close(found, reference.attention(q, k, v), torch.float32)

    def test_what_is_not_a_number_stays_visible(self, native: Library, draw: Draw) -> None:
        k, v = draw(70, KV_HEADS, 64), draw(70, KV_HEADS, 64)
        k[30, 0] = float("nan")
        out = attend_rows(native, draw(1, 4, 64), *filled(k, v, ((0, 70),)), ((0, 70),))
        assert out[0, :2].isnan().all()
        assert out[0, 2:].isfinite().all()


class TestMany:
    @pytest.mark.parametrize("prefix", PREFIXES, ids=lambda n: f"prefix{n}")
    def test_equals_the_reference_in_every_layout(
        self,
        native: Library,
        draw: Draw,
        assert_close: Compare,
        tokens: int,
        prefix: int,
        dtype: torch.dtype,
    ) -> None:
        total = prefix + tokens
        k, v = (draw(total, KV_HEADS, 64).to(dtype) for _ in range(2))
        q = draw(tokens, 3 * KV_HEADS, 64).to(dtype)
        found = [
            attend_many(native, q, *filled(k, v, extents), extents) for extents in layouts(total)
        ]
        assert found[0].dtype == dtype
        assert_close(found[0], reference.attention(q, k, v), dtype)
        assert all(torch.equal(found[0], other) for other in found[1:])

    @pytest.mark.parametrize("dim", DIMS, ids=lambda n: f"dim{n}")
    @pytest.mark.parametrize("group", [1, 2, 4, 5, 16])
    def test_every_size_of_heads(
        self,
        native: Library,
        draw: Draw,
        assert_close: Compare,
        dim: int,
        group: int,
        dtype: torch.dtype,
    ) -> None:
        k, v = (draw(300, KV_HEADS, dim).to(dtype) for _ in range(2))
        q, extents = draw(33, group * KV_HEADS, dim).to(dtype), ((100, 300),)
        found = attend_many(native, q, *filled(k, v, extents), extents)
        assert_close(found, reference.attention(q, k, v), dtype)

    def test_queries_in_float32_over_a_pool_in_bfloat16(
        self, native: Library, draw: Draw, assert_close: Compare
    ) -> None:
        k, v = draw(400, KV_HEADS, 64).bfloat16(), draw(400, KV_HEADS, 64).bfloat16()
        q, extents = draw(70, 8, 64), ((0, 400),)
        found = attend_many(native, q, *filled(k, v, extents), extents)
        assert found.dtype == torch.float32
        assert_close(found, reference.attention(q, k, v), torch.bfloat16)

    def test_threads_do_not_change_a_bit(self, native: Library, draw: Draw) -> None:
        k, v = draw(1000, KV_HEADS, 64).bfloat16(), draw(1000, KV_HEADS, 64).bfloat16()
        pool, q = filled(k, v, ((0, 1000),)), draw(200, 8, 64).bfloat16()
        found = []
        for threads in (1, 2, 3):
            native.call.biplane_limit_threads(threads)
            found.append(attend_many(native, q, *pool, ((0, 1000),)))
        assert all(torch.equal(found[0], other) for other in found[1:])

    def test_a_row_does_not_depend_on_the_rows_beside_it(
        self, native: Library, draw: Draw, dtype: torch.dtype
    ) -> None:
        k, v = (draw(700, KV_HEADS, 64).to(dtype) for _ in range(2))
        # Later rows have larger scores, and raise the maximum of the tiles that they are in.
        q = (draw(600, 6, 64) * torch.linspace(0.1, 30, 600)[:, None, None]).to(dtype)
        pool = filled(k, v, ((0, 700),))
        together = attend_many(native, q, *pool, ((0, 700),))
        for first, last in ((0, 1), (5, 70), (71, 300), (599, 600)):
            extents = ((0, 100 + last),)
            assert torch.equal(
                attend_many(native, q[first:last], *pool, extents), together[first:last]
            )

    @pytest.mark.parametrize("size", [1.0, 40.0])
    def test_scores_far_apart_do_not_overflow(
        self, native: Library, draw: Draw, assert_close: Compare, dtype: torch.dtype, size: float
    ) -> None:
        k, v = (size * draw(900, KV_HEADS, 64)).to(dtype), draw(900, KV_HEADS, 64).to(dtype)
        # The largest score of every row is in the last block, so that all sums are scaled.
        k[850] *= 3
        q, extents = (size * k[850, :1] + draw(40, 4, 64)).to(dtype), ((3, 900),)
        found = attend_many(native, q, *filled(k, v, extents), extents)
        assert_close(found, reference.attention(q, k, v), dtype)

    def test_rows_may_lie_apart(self, native: Library, draw: Draw) -> None:
        k, v = draw(90, KV_HEADS, 64).bfloat16(), draw(90, KV_HEADS, 64).bfloat16()
        pool, wide = filled(k, v, ((0, 90),)), draw(40, 12, 64).bfloat16()
        q = wide[:, :8]
        assert not q.is_contiguous()
        expected = attend_many(native, q.contiguous(), *pool, ((0, 90),))
        assert torch.equal(attend_many(native, q, *pool, ((0, 90),)), expected)

    def test_what_is_not_a_number_stays_visible(
        self, native: Library, draw: Draw, dtype: torch.dtype
    ) -> None:
        k, v = (draw(70, KV_HEADS, 64).to(dtype) for _ in range(2))
        k[30, 0] = float("nan")
        q = draw(60, 4, 64).to(dtype)
        out = attend_many(native, q, *filled(k, v, ((0, 70),)), ((0, 70),))
        assert out[20:, :2].isnan().all()
        assert out[:20].isfinite().all()
        assert out[:, 2:].isfinite().all()


class TestHeads:
    @pytest.mark.parametrize("rotary", [0, 2, 16, 64])
    @pytest.mark.parametrize("rows", [1, 2, 16, 65])
    def test_equals_norm_rotation_and_copy(
        self,
        native: Library,
        draw: Draw,
        assert_close: Compare,
        dtype: torch.dtype,
        rows: int,
        rotary: int,
    ) -> None:
        heads, dim, total = 6, 64, 130
        table = RopeTable(rotary, 10_000.0, torch.device("cpu")).rows(total - rows, rows)
        scales = draw(heads + KV_HEADS, dim)
        for extents in layouts(total):
            qk, v = draw(rows, heads + KV_HEADS, dim), draw(rows, KV_HEADS, dim)
            normed = norms.rms_norm(qk, scales, 1e-6)
            expected = turned_by_complex_numbers(normed, table)
            keys, values = (
                torch.full((KV_HEADS, SLOTS, dim), float("nan"), dtype=dtype) for _ in range(2)
            )
            turn_heads_(
                native, qk, v, keys, values, extents, skip=0, scales=scales, rope=table, eps=1e-6
            )
            assert_close(qk, expected, torch.float32)
            at = [s for first, length in extents for s in range(first, first + length)][-rows:]
            assert torch.equal(keys[:, at], qk[:, heads:].transpose(0, 1).to(dtype))
            assert torch.equal(values[:, at], v.transpose(0, 1).to(dtype))
            others = torch.ones(SLOTS, dtype=torch.bool)
            others[at] = False
            assert keys[:, others].isnan().all()
            assert values[:, others].isnan().all()

    def test_rows_of_bfloat16_that_lie_apart(
        self, native: Library, draw: Draw, assert_close: Compare
    ) -> None:
        """As a projection leaves them: queries, keys and values in one row."""
        rows, heads, dim = 65, 6, 64
        table = RopeTable(16, 10_000.0, torch.device("cpu")).rows(0, rows)
        scales = draw(heads + KV_HEADS, dim)
        projected = draw(rows, (heads + 2 * KV_HEADS) * dim + 8).bfloat16()
        before = projected.clone()
        qk = projected[:, : (heads + KV_HEADS) * dim].view(rows, -1, dim)
        v = projected[:, (heads + KV_HEADS) * dim : -8].view(rows, -1, dim)
        expected = turned_by_complex_numbers(norms.rms_norm(qk.float(), scales, 1e-6), table)
        keys, values = (torch.zeros(KV_HEADS, rows, dim).bfloat16() for _ in range(2))
        turn_heads_(
            native, qk, v, keys, values, ((0, rows),), skip=0, scales=scales, rope=table, eps=1e-6
        )
        assert_close(qk, expected, torch.bfloat16)
        assert torch.equal(keys, qk[:, heads:].transpose(0, 1))
        assert torch.equal(values, v.transpose(0, 1))
        assert torch.equal(projected[:, -8:], before[:, -8:])
        assert torch.equal(v.flatten(1), before[:, (heads + KV_HEADS) * dim : -8])

    def test_skipped_rows_are_turned_but_not_written(self, native: Library, draw: Draw) -> None:
        qk, v, scales = draw(5, 3, 16), draw(5, 1, 16), draw(3, 16)
        table = RopeTable(8, 10_000.0, torch.device("cpu")).rows(0, 5)
        before = qk.clone()
        keys, values = (torch.full((1, 20, 16), float("nan")) for _ in range(2))
        extents = ((10, 5),)
        turn_heads_(
            native, qk, v, keys, values, extents, skip=3, scales=scales, rope=table, eps=1e-6
        )
        assert (qk != before).any(-1).all()
        assert keys[0].isfinite().all(-1).nonzero().flatten().tolist() == [13, 14]
        assert torch.equal(values[0, 13:15], v[3:, 0])


def turned_by_complex_numbers(x: Tensor, table: Tensor) -> Tensor:
    """x [rows, heads, dim] with its leading pairs times table [rows, pairs]."""
    turned, width = x.clone(), 2 * table.shape[-1]
    pairs = torch.view_as_complex(x[..., :width].unflatten(-1, (-1, 2)).contiguous())
    turned[..., :width] = torch.view_as_real(pairs * table[:, None]).flatten(-2)
    return turned


def test_pools_that_it_does_not_read_are_refused() -> None:
    assert supports(torch.zeros(2, 5, 256).bfloat16())
    assert not supports(torch.zeros(2, 5, 24))
    assert not supports(torch.zeros(2, 5, 272))
    assert not supports(torch.zeros(2, 5, 64).half())
