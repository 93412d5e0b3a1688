"""The fused convolution and delta rule against the token-by-token references."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.causal_conv.plain import causal_conv
from kernels.gated_delta import plain as reference
from kernels.gated_delta.fused import conv_delta
from tests.kernels.conftest import Compare, Draw

KEY_HEADS, KEY_DIM, VALUE_DIM = 2, 16, 24


def rows(
    draw: Draw, tokens: int, repeat: int, dtype: torch.dtype, speed: float = 1.0
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The arguments of `conv_delta`: rows, window, taps, log decays, betas, and a state."""
    heads = KEY_HEADS * repeat
    channels = 2 * KEY_HEADS * KEY_DIM + heads * VALUE_DIM
    x, window = draw(tokens, channels).to(dtype), draw(3, channels).to(dtype)
    log_decay = -draw(tokens, heads).abs() * speed
    beta = draw(tokens, heads).sigmoid()
    return x, window, draw(4, channels), log_decay, beta, draw(heads, KEY_DIM, VALUE_DIM)


def expected_of(
    x: Tensor, window: Tensor, taps: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> tuple[Tensor, Tensor]:
    """The reference's outputs and final state."""
    convolved, _ = causal_conv(x, window, taps)
    heads, key_dim, value_dim = state.shape
    width = (x.shape[1] - heads * value_dim) // 2
    q, k, v = convolved.split_with_sizes((width, width, heads * value_dim), -1)
    by_key, by_value = (len(x), -1, key_dim), (len(x), heads, value_dim)
    return reference.gated_delta(
        q.view(by_key), k.view(by_key), v.view(by_value), log_decay, beta, state
    )


class TestConvDelta:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, repeat: int, dtype: torch.dtype
    ) -> None:
        given = rows(draw, tokens, repeat, dtype, speed=0.1)
        expected, final = expected_of(*given)
        found = conv_delta(*given)
        assert found.dtype == dtype
        assert_close(found, expected, dtype)
        assert_close(given[-1], final, dtype)

    @pytest.mark.parametrize("speed", [0.0, 1e-3, 3.0, 30.0], ids=lambda s: f"decay{s}")
    def test_decays_from_none_to_total(
        self, draw: Draw, assert_close: Compare, speed: float
    ) -> None:
        given = rows(draw, 130, 2, torch.float32, speed)
        expected, final = expected_of(*given)
        assert_close(conv_delta(*given), expected, torch.float32)
        assert_close(given[-1], final, torch.float32)

    def test_strong_decay_makes_no_denormal_number(self, draw: Draw) -> None:
        given = rows(draw, 128, 1, torch.float32, 3.0)
        conv_delta(*given)
        state = given[-1]
        assert state[state != 0].abs().min() >= torch.finfo(torch.float32).tiny

    @pytest.mark.parametrize("cut", [64, 128, 192, 512, 576], ids=lambda n: f"cut{n}")
    def test_a_split_at_a_multiple_of_64_changes_no_bit(
        self, draw: Draw, cut: int, dtype: torch.dtype
    ) -> None:
        x, window, taps, log_decay, beta, state = rows(draw, 700, 2, dtype, 0.1)
        split = state.clone()
        whole = conv_delta(x, window, taps, log_decay, beta, state)
        first = conv_delta(x[:cut], window, taps, log_decay[:cut], beta[:cut], split)
        before = x[cut - 3 : cut]
        second = conv_delta(x[cut:], before, taps, log_decay[cut:], beta[cut:], split)
        assert torch.equal(torch.cat((first, second)), whole)
        assert torch.equal(split, state)

    @pytest.mark.parametrize("cut", [1, 2, 63, 65, 199], ids=lambda n: f"cut{n}")
    def test_a_split_anywhere_stays_close(
        self, draw: Draw, assert_close: Compare, cut: int
    ) -> None:
        x, window, taps, log_decay, beta, state = rows(draw, 200, 3, torch.float32, 0.1)
        expected, final = expected_of(x, window, taps, log_decay, beta, state)
        first = conv_delta(x[:cut], window, taps, log_decay[:cut], beta[:cut], state)
        before = torch.cat((window, x[:cut]))[-3:]
        second = conv_delta(x[cut:], before, taps, log_decay[cut:], beta[cut:], state)
        assert_close(torch.cat((first, second)), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_rows_may_be_a_view_of_a_wider_matrix(self, draw: Draw, assert_close: Compare) -> None:
        x, *rest = rows(draw, 100, 2, torch.float32)
        expected, _ = expected_of(x, *rest)
        wider = torch.cat((x, draw(100, 5)), 1)[:, : x.shape[1]]
        assert_close(conv_delta(wider, *rest), expected, torch.float32)

    def test_the_window_is_not_changed_and_is_read(self, draw: Draw) -> None:
        x, window, taps, log_decay, beta, state = rows(draw, 10, 1, torch.float32)
        before = window.clone()
        found = conv_delta(x, window, taps, log_decay, beta, state.clone())
        assert torch.equal(window, before)
        moved = conv_delta(x, window + 1.0, taps, log_decay, beta, state.clone())
        assert not torch.equal(moved, found)
