"""The shifted multiply-adds against the plain convolution."""

from __future__ import annotations

import pytest
import torch

from kernels import reference
from kernels.causal_conv import causal_conv, causal_conv_step, window_after

CHANNELS = 12


class TestCausalConv:
    def test_equals_the_reference(self, draw, assert_close, tokens, kernel, dtype):
        x, window = draw(tokens, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        weight = draw(kernel, CHANNELS)
        expected, moved = reference.causal_conv(x, window, weight)
        assert_close(causal_conv(x, window, weight), expected, dtype)
        assert torch.equal(window_after(x, window, tokens), moved)

    @pytest.mark.parametrize("cut", [1, 2, 3, 63, 64, 65], ids=lambda n: f"cut{n}")
    def test_a_carried_window_changes_no_bit(self, draw, cut, kernel):
        # Whole vectors of channels, as in every model: torch's scalar tails round differently.
        x, window, weight = draw(90, 64), draw(kernel - 1, 64), draw(kernel, 64)
        whole = causal_conv(x, window, weight)
        first = causal_conv(x[:cut], window, weight)
        second = causal_conv(x[cut:], window_after(x, window, cut), weight)
        assert torch.equal(torch.cat((first, second)), whole)

    def test_rows_may_be_strided(self, draw, assert_close):
        wide, window, weight = draw(70, 3 * CHANNELS), draw(3, CHANNELS), draw(4, CHANNELS)
        x = wide[:, CHANNELS : 2 * CHANNELS]
        expected, _ = reference.causal_conv(x, window, weight)
        assert_close(causal_conv(x, window, weight), expected, torch.float32)

    def test_leaves_the_window_alone(self, draw, kernel):
        window = draw(kernel - 1, CHANNELS)
        before = window.clone()
        causal_conv(draw(2, CHANNELS), window, draw(kernel, CHANNELS))
        assert torch.equal(window, before)


class TestStep:
    def test_equals_the_reference(self, draw, assert_close, kernel, dtype):
        x, window = draw(6, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        weight = draw(kernel, CHANNELS)
        expected, moved = reference.causal_conv(x, window, weight)
        found = torch.stack([causal_conv_step(row, window, weight) for row in x])
        assert_close(found, expected, torch.float32)
        assert torch.equal(window, moved)
