"""Attention over token slots: the placement of the slots must not matter."""

from __future__ import annotations

import pytest
import torch

from kernels.attention import attend, attend_row
from kernels.attention import plain as reference
from kernels.kv_slots import coalesce, gather_extents, write_extents
from kernels.kv_slots import plain as slots
from tests.kernels.conftest import Compare, Draw

KV_HEADS, DIM, SLOTS = 2, 16, 3000
PREFIXES = [0, 1, 5, 64, 130]


def layouts(total: int) -> list[tuple[tuple[int, int], ...]]:
    """The same sequence as one run, and scattered over three out of order."""
    third = total // 3
    scattered = ((2500, third), (1300, third), (2000, total - 2 * third))
    return [((40, total),), coalesce(scattered)]


class TestPrefill:
    @pytest.mark.parametrize("prefix", PREFIXES, ids=lambda n: f"prefix{n}")
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, repeat: int, prefix: int
    ) -> None:
        keys, values = draw(KV_HEADS, SLOTS, DIM), draw(KV_HEADS, SLOTS, DIM)
        q = draw(tokens, KV_HEADS * repeat, DIM)
        for extents in layouts(prefix + tokens):
            k, v = slots.gather(keys, extents), slots.gather(values, extents)
            expected = reference.attention(q, k, v)
            for gather in (False, True):
                found = attend(q, keys, values, extents, gather)
                assert_close(found, expected, torch.float32)

    def test_gathered_results_do_not_depend_on_the_layout(
        self, draw: Draw, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(90, 3 * KV_HEADS, DIM).to(dtype)
        straight, scattered = layouts(300)
        for plane in (keys, values):
            write_extents(plane, gather_extents(plane, straight).transpose(0, 1).clone(), scattered)
        found = [attend(q, keys, values, extents, True) for extents in (straight, scattered)]
        assert torch.equal(*found)


class TestRow:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, repeat: int, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(1, KV_HEADS * repeat, DIM).to(dtype)
        for extents in layouts(tokens):
            k, v = slots.gather(keys, extents), slots.gather(values, extents)
            expected = reference.attention(q, k, v)[0]
            for gather in (False, True):
                assert_close(attend_row(q[0], keys, values, extents, gather), expected, dtype)

    def test_gathered_results_do_not_depend_on_the_layout(
        self, draw: Draw, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(3 * KV_HEADS, DIM).to(dtype)
        straight, scattered = layouts(300)
        for plane in (keys, values):
            write_extents(plane, gather_extents(plane, straight).transpose(0, 1).clone(), scattered)
        found = [attend_row(q, keys, values, extents, True) for extents in (straight, scattered)]
        assert torch.equal(*found)

    def test_the_pool_is_read_in_place(self, draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("decode copied the prefix")

        monkeypatch.setattr("kernels.attention.fast.gather_extents", refuse)
        keys, values = draw(KV_HEADS, SLOTS, DIM), draw(KV_HEADS, SLOTS, DIM)
        for extents in layouts(300):
            attend_row(draw(4, DIM), keys, values, extents, False)
