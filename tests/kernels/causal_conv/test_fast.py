"""The window and the step against the plain convolution."""

from __future__ import annotations

import torch

from kernels.causal_conv import causal_conv_step, window_after
from kernels.causal_conv import plain as reference
from tests.kernels.conftest import Compare, Draw

CHANNELS = 12


class TestWindow:
    def test_equals_the_reference(
        self, draw: Draw, tokens: int, kernel: int, dtype: torch.dtype
    ) -> None:
        x, window = draw(tokens, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        _, moved = reference.causal_conv(x, window, draw(kernel, CHANNELS))
        before = window.clone()
        assert torch.equal(window_after(x, window, tokens), moved)
        assert torch.equal(window, before)

    def test_is_the_old_one_after_no_token(self, draw: Draw, kernel: int) -> None:
        window = draw(kernel - 1, CHANNELS)
        assert torch.equal(window_after(draw(5, CHANNELS), window, 0), window)


class TestStep:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, kernel: int, dtype: torch.dtype
    ) -> None:
        x, window = draw(6, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        weight = draw(kernel, CHANNELS)
        expected, moved = reference.causal_conv(x, window, weight)
        found = torch.stack([causal_conv_step(row, window, weight) for row in x])
        assert_close(found, expected, torch.float32)
        assert torch.equal(window, moved)
