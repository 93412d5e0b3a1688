"""Attention through a list of slots: every unused slot of the pool holds NaN."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.attention import plain as reference
from kernels.attention import triton as attention
from kernels.attention.triton import attend_few, attend_slots
from tests.kernels.conftest import Compare, Draw, Move

KV_HEADS, SLOTS = 2, 400
SHAPES = [(1, 0), (1, 33), (5, 0), (5, 12), (16, 16), (17, 31), (40, 1)]
LENGTHS = [1, 2, 15, 16, 17, 33, 130]


@pytest.fixture(autouse=True)
def _few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter runs programs one after another."""
    monkeypatch.setattr(attention, "PROGRAMS", 8)


def pool(
    draw: Draw, total: int, dim: int, dtype: torch.dtype, seed: int = 0
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Keys and values [total, kv_heads, dim], their pools, and scattered slots [total] int32."""
    k, v = (draw(total, KV_HEADS, dim).to(dtype) for _ in range(2))
    order = torch.randperm(SLOTS, generator=torch.Generator().manual_seed(seed))[:total]
    keys, values = (torch.full((KV_HEADS, SLOTS, dim), float("nan"), dtype=dtype) for _ in "kv")
    keys[:, order], values[:, order] = k.transpose(0, 1), v.transpose(0, 1)
    return k, v, keys, values, order.int()


class TestPrefill:
    @pytest.mark.parametrize(("rows", "prefix"), SHAPES, ids=lambda n: str(n))
    def test_equals_the_reference(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        rows: int,
        prefix: int,
        repeat: int,
        dtype: torch.dtype,
    ) -> None:
        k, v, *where = pool(draw, prefix + rows, 16, dtype)
        q = draw(rows, KV_HEADS * repeat, 16).to(dtype)
        found = attend_slots(on(q), *map(on, where))
        assert found.dtype == dtype
        assert_close(found.cpu(), reference.attention(q, k, v), dtype)

    @pytest.mark.parametrize("dim", [8, 24, 80, 256])
    def test_any_dim(self, draw: Draw, assert_close: Compare, on: Move, dim: int) -> None:
        k, v, *where = pool(draw, 20, dim, torch.bfloat16)
        q = draw(6, 2 * KV_HEADS, dim).bfloat16()
        found = attend_slots(on(q), *map(on, where))
        assert_close(found.cpu(), reference.attention(q, k, v), torch.bfloat16)

    def test_queries_may_be_views_of_a_projection(
        self, draw: Draw, assert_close: Compare, on: Move
    ) -> None:
        k, v, *where = pool(draw, 20, 16, torch.float32)
        wide = on(draw(6, 6, 16))
        q = wide[:, 1:5]
        found = attend_slots(q, *map(on, where))
        assert_close(found.cpu(), reference.attention(q.cpu(), k, v), torch.float32)

    def test_the_layout_changes_no_bit(self, draw: Draw, on: Move, dtype: torch.dtype) -> None:
        k, v, *where = pool(draw, 60, 16, dtype)
        straight = (k.transpose(0, 1).contiguous(), v.transpose(0, 1).contiguous())
        q = on(draw(20, 3 * KV_HEADS, 16).to(dtype))
        found = attend_slots(q, *map(on, where))
        same = attend_slots(q, *map(on, (*straight, torch.arange(60, dtype=torch.int32))))
        assert torch.equal(found, same)

    @pytest.mark.slow
    @pytest.mark.parametrize("cut", [1, 7, 16, 39], ids=lambda n: f"cut{n}")
    def test_a_split_anywhere_changes_no_bit(
        self, draw: Draw, on: Move, cut: int, dtype: torch.dtype
    ) -> None:
        _, _, keys, values, slots = (on(x) for x in pool(draw, 50, 16, dtype))
        q = on(draw(40, 3 * KV_HEADS, 16).to(dtype))
        whole = attend_slots(q, keys, values, slots)
        first = attend_slots(q[:cut], keys, values, slots[: 10 + cut])
        second = attend_slots(q[cut:], keys, values, slots)
        assert torch.equal(torch.cat((first, second)), whole)

    @pytest.mark.parametrize("off", [-1, 1], ids=["one_too_few", "one_too_many"])
    def test_a_mask_off_by_one_would_show(
        self, draw: Draw, refuses: Compare, on: Move, off: int, dtype: torch.dtype
    ) -> None:
        k, v, *where = pool(draw, 40, 16, dtype)
        q = draw(30, 2 * KV_HEADS, 16).to(dtype)
        found = attend_slots(on(q), *map(on, where)).cpu()
        inner = slice(0, 29)
        wrong = reference.attention(q[inner], k[: 39 + off], v[: 39 + off])
        refuses(found[inner], wrong, dtype)

    def test_heads_grouped_the_other_way_would_show(
        self, draw: Draw, refuses: Compare, on: Move
    ) -> None:
        k, v, *where = pool(draw, 20, 16, torch.float32)
        q = draw(5, 2 * KV_HEADS, 16)
        found = attend_slots(on(q), *map(on, where)).cpu()
        crossed = q[:, [0, 2, 1, 3]]
        refuses(found, reference.attention(crossed, k, v)[:, [0, 2, 1, 3]], torch.float32)


def row_case(
    draw: Draw, length: int, repeat: int, dtype: torch.dtype, dim: int = 16
) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
    """A row's keys and values, and the arguments of `attend_row` with spare capacity."""
    k, v, keys, values, slots = pool(draw, length, dim, dtype)
    unused = torch.tensor(sorted(set(range(SLOTS)) - set(slots.tolist())))[:30].int()
    q = draw(KV_HEADS * repeat, dim).to(dtype)
    given = (q, keys, values, torch.cat((slots, unused)), torch.tensor([length]).int())
    return k, v, given


def attend_row(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, length: Tensor) -> Tensor:
    """One row q [heads, dim]."""
    found: Tensor = attend_few(q.unsqueeze(0), keys, values, slots, length)[0]
    return found


def expected_row(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return reference.attention(q.unsqueeze(0), k, v)[0]


class TestRow:
    @pytest.mark.parametrize("length", LENGTHS, ids=lambda n: f"S{n}")
    def test_equals_the_reference(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        length: int,
        repeat: int,
        dtype: torch.dtype,
    ) -> None:
        k, v, given = row_case(draw, length, repeat, dtype)
        found = attend_row(*map(on, given))
        assert found.dtype == dtype
        assert_close(found.cpu(), expected_row(given[0], k, v), dtype)

    @pytest.mark.parametrize("dim", [8, 80, 256])
    def test_any_dim_and_a_group_of_six(
        self, draw: Draw, assert_close: Compare, on: Move, dim: int
    ) -> None:
        k, v, given = row_case(draw, 40, 6, torch.bfloat16, dim)
        found = attend_row(*map(on, given))
        assert_close(found.cpu(), expected_row(given[0], k, v), torch.bfloat16)

    @pytest.mark.parametrize("programs", [2, 4, 32])
    def test_any_number_of_splits(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        monkeypatch: pytest.MonkeyPatch,
        programs: int,
    ) -> None:
        monkeypatch.setattr(attention, "PROGRAMS", programs)
        k, v, given = row_case(draw, 100, 2, torch.float32)
        found = attend_row(*map(on, given))
        assert_close(found.cpu(), expected_row(given[0], k, v), torch.float32)

    def test_the_capacity_changes_no_bit(self, draw: Draw, on: Move) -> None:
        _, _, (q, keys, values, slots, length) = row_case(draw, 50, 2, torch.float32)
        found = [
            attend_row(*map(on, (q, keys, values, slots[:capacity], length)))
            for capacity in (50, 51, 80)
        ]
        assert torch.equal(found[0], found[1])
        assert torch.equal(found[0], found[2])

    def test_scores_of_any_size_merge(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        k, v, given = row_case(draw, 100, 2, torch.float32)
        given = (given[0] * 200, *given[1:])
        found = attend_row(*map(on, given))
        assert_close(found.cpu(), expected_row(given[0], k, v), torch.float32)

    def test_a_length_off_by_one_would_show(
        self, draw: Draw, refuses: Compare, on: Move, dtype: torch.dtype
    ) -> None:
        k, v, given = row_case(draw, 33, 2, dtype)
        found = attend_row(*map(on, given)).cpu()
        refuses(found, expected_row(given[0], k[:-1], v[:-1]), dtype)
        refuses(found, expected_row(given[0], k[1:], v[1:]), dtype)

    def test_parts_merged_without_their_sizes_would_show(
        self, draw: Draw, refuses: Compare, on: Move
    ) -> None:
        k, v, given = row_case(draw, 64, 2, torch.float32)
        found = attend_row(*map(on, given)).cpu()
        parts = [expected_row(given[0], k[a : a + 16], v[a : a + 16]) for a in range(0, 64, 16)]
        refuses(found, torch.stack(parts).mean(0), torch.float32)


class TestFewRows:
    @pytest.mark.parametrize("rows", [2, 16])
    def test_each_equals_the_reference_and_itself_alone(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        rows: int,
        repeat: int,
        dtype: torch.dtype,
    ) -> None:
        k, v, *where = pool(draw, 90, 16, dtype)
        q = draw(rows, KV_HEADS * repeat, 16).to(dtype)
        keys, values, slots = map(on, where)
        lengths = on(torch.arange(91 - rows, 91).int())
        found = attend_few(on(q), keys, values, slots, lengths)
        assert found.dtype == dtype
        assert_close(found.cpu(), reference.attention(q, k, v), dtype)
        for row in range(rows):
            alone = attend_row(on(q[row]), keys, values, slots, lengths[row : row + 1])
            assert torch.equal(alone, found[row])

    def test_rows_of_a_projection_that_see_too_much_would_show(
        self, draw: Draw, assert_close: Compare, refuses: Compare, on: Move
    ) -> None:
        k, v, *where = pool(draw, 40, 16, torch.float32)
        wide = on(draw(3, 6, 16))
        q, lengths = wide[:, 1:5], on(torch.tensor([38, 39, 40]).int())
        keys, values, slots = map(on, where)
        expected = reference.attention(q.cpu(), k, v)
        assert_close(attend_few(q, keys, values, slots, lengths).cpu(), expected, torch.float32)
        late = attend_few(q, keys, values, slots, torch.full_like(lengths, 40)).cpu()
        refuses(late[:2], expected[:2], torch.float32)
