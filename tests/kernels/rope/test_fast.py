"""Rotary embedding against its plain version."""

from __future__ import annotations

import pytest
import torch

from kernels.rope import RopeTable, pair_order, rotate_
from kernels.rope import plain as reference
from tests.kernels.conftest import Compare, Draw

CPU = torch.device("cpu")


class TestRope:
    @pytest.mark.parametrize("rotary", [0, 2, 4, 16], ids=lambda n: f"rotary{n}")
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, rotary: int
    ) -> None:
        x = draw(tokens, 3, 16)
        expected = reference.rope(x, torch.arange(7, 7 + tokens), rotary, 10_000.0)
        rows = RopeTable(rotary, 10_000.0, CPU).rows(7, tokens)
        assert_close(rotate_(x, rows), expected, torch.float32)

    def test_pair_order_turns_halves_into_neighbours(self) -> None:
        assert pair_order(8, 4).tolist() == [0, 2, 1, 3, 4, 5, 6, 7]

    def test_a_grown_table_repeats_its_rows(self) -> None:
        table = RopeTable(8, 1e7, CPU)
        first = table.rows(3, 50).clone()
        table.rows(5000, 3)
        assert torch.equal(table.rows(3, 50), first)
