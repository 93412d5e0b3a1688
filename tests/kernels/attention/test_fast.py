"""Attention over token slots: where the slots lie must not matter."""

from __future__ import annotations

import pytest
import torch

from kernels.attention import attend, attend_row
from kernels.attention import plain as reference
from kernels.kv_slots import coalesce, gather_runs, write_runs
from kernels.kv_slots import plain as slots
from tests.kernels.conftest import Compare, Draw

KV_HEADS, DIM, SLOTS = 2, 16, 3000
PREFIXES = [0, 1, 5, 64, 130]


def layouts(total: int) -> list[tuple[tuple[int, int], ...]]:
    """The same sequence in one run, and scattered in three out of order."""
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
        for runs in layouts(prefix + tokens):
            k, v = slots.gather(keys, runs), slots.gather(values, runs)
            expected = reference.attention(q, k, v)
            for gather in (False, True):
                found = attend(q, keys, values, runs, gather)
                assert_close(found, expected, torch.float32)

    def test_gathered_results_do_not_depend_on_the_layout(
        self, draw: Draw, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(90, 3 * KV_HEADS, DIM).to(dtype)
        straight, scattered = layouts(300)
        for plane in (keys, values):
            write_runs(plane, gather_runs(plane, straight).transpose(0, 1).clone(), scattered)
        found = [attend(q, keys, values, runs, True) for runs in (straight, scattered)]
        assert torch.equal(*found)


class TestRow:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, repeat: int, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(1, KV_HEADS * repeat, DIM).to(dtype)
        for runs in layouts(tokens):
            k, v = slots.gather(keys, runs), slots.gather(values, runs)
            expected = reference.attention(q, k, v)[0]
            for gather in (False, True):
                assert_close(attend_row(q[0], keys, values, runs, gather), expected, dtype)

    def test_gathered_results_do_not_depend_on_the_layout(
        self, draw: Draw, dtype: torch.dtype
    ) -> None:
        keys, values = (draw(KV_HEADS, SLOTS, DIM).to(dtype) for _ in range(2))
        q = draw(3 * KV_HEADS, DIM).to(dtype)
        straight, scattered = layouts(300)
        for plane in (keys, values):
            write_runs(plane, gather_runs(plane, straight).transpose(0, 1).clone(), scattered)
        found = [attend_row(q, keys, values, runs, True) for runs in (straight, scattered)]
        assert torch.equal(*found)

    def test_the_pool_is_read_in_place(self, draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("decode copied the prefix")

        monkeypatch.setattr("kernels.attention.fast.gather_runs", refuse)
        keys, values = draw(KV_HEADS, SLOTS, DIM), draw(KV_HEADS, SLOTS, DIM)
        for runs in layouts(300):
            attend_row(draw(4, DIM), keys, values, runs, False)
