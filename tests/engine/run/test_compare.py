"""What a comparison of two rows of logits reports."""

from __future__ import annotations

import torch

from engine.run.verify import compare


class TestCompare:
    def test_equal_rows(self) -> None:
        row = torch.randn(50, generator=torch.Generator().manual_seed(1))
        result = compare(row, row.clone())
        assert result.bit_equal
        assert result.same_top
        assert result.largest == result.relative == 0
        assert abs(result.kl) < 1e-12

    def test_one_bit_is_enough(self) -> None:
        row = torch.ones(4)
        other = row.clone()
        other[2] = torch.nextafter(other[2], torch.tensor(2.0))
        assert not compare(other, row).bit_equal
