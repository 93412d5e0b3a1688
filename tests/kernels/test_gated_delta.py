"""The delta rule's fast forms against the token-by-token reference."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels import reference
from kernels.gated_delta import gated_delta_scan, gated_delta_step

KEY_HEADS, KEY_DIM, VALUE_DIM = 2, 16, 24


def inputs(draw, tokens: int, repeat: int, dtype: torch.dtype, speed: float = 1.0):
    heads = KEY_HEADS * repeat
    q, k = (draw(tokens, KEY_HEADS, KEY_DIM).to(dtype) for _ in range(2))
    v = draw(tokens, heads, VALUE_DIM).to(dtype)
    log_decay = -draw(tokens, heads).abs() * speed
    beta = draw(tokens, heads).sigmoid()
    return q, k, v, log_decay, beta, draw(heads, KEY_DIM, VALUE_DIM)


class TestScan:
    def test_equals_the_reference(self, draw, assert_close, tokens, repeat, dtype):
        *given, state = inputs(draw, tokens, repeat, dtype, speed=0.1)
        expected, final = reference.gated_delta(*given, state)
        found = gated_delta_scan(*given, state)
        assert_close(found, expected, dtype)
        assert_close(state, final, dtype)

    @pytest.mark.parametrize("speed", [0.0, 1e-3, 3.0, 30.0], ids=lambda s: f"decay{s}")
    def test_decays_from_none_to_total(self, draw, assert_close, speed):
        *given, state = inputs(draw, 130, 2, torch.float32, speed)
        expected, final = reference.gated_delta(*given, state)
        assert_close(gated_delta_scan(*given, state), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_strong_decay_makes_no_denormal_number(self, draw):
        *given, state = inputs(draw, 128, 1, torch.float32, 3.0)
        gated_delta_scan(*given, state)
        smallest = state[state != 0].abs().min()
        assert smallest >= torch.finfo(torch.float32).tiny

    @pytest.mark.parametrize("cut", [64, 128, 192, 512, 576], ids=lambda n: f"cut{n}")
    def test_a_split_at_a_multiple_of_64_changes_no_bit(self, draw, cut, dtype):
        *given, state = inputs(draw, 700, 2, dtype, 0.1)
        split = state.clone()
        whole = gated_delta_scan(*given, state)
        first = gated_delta_scan(*(x[:cut] for x in given), split)
        second = gated_delta_scan(*(x[cut:] for x in given), split)
        assert torch.equal(torch.cat((first, second)), whole)
        assert torch.equal(split, state)

    @pytest.mark.parametrize("cut", [1, 2, 63, 65, 199], ids=lambda n: f"cut{n}")
    def test_a_split_anywhere_stays_close(self, draw, assert_close, cut):
        *given, state = inputs(draw, 200, 3, torch.float32, 0.1)
        expected, final = reference.gated_delta(*given, state)
        parts = [
            gated_delta_scan(*(x[part] for x in given), state)
            for part in (slice(0, cut), slice(cut, None))
        ]
        assert_close(torch.cat(parts), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_inputs_may_be_views_of_one_matrix(self, draw, assert_close):
        rows = draw(100, 4 * KEY_HEADS * KEY_DIM + 5)
        q, k, v, _ = rows.split_with_sizes([32, 32, 64, 5], dim=-1)
        q, k, v = q.view(100, 2, 16), k.view(100, 2, 16), v.view(100, 4, 16)
        log_decay, beta = -draw(100, 4).abs(), draw(100, 4).sigmoid()
        state = torch.zeros(4, 16, 16)
        expected, _ = reference.gated_delta(q, k, v, log_decay, beta, state)
        assert_close(gated_delta_scan(q, k, v, log_decay, beta, state), expected, torch.float32)


class TestStep:
    def test_equals_the_reference(self, draw, assert_close, repeat):
        q, k, v, log_decay, beta, state = inputs(draw, 5, repeat, torch.float32)
        expected, final = reference.gated_delta(q, k, v, log_decay, beta, state)
        found: list[Tensor] = []
        for t in range(5):
            qk = torch.stack((q[t], k[t]))
            decay = log_decay[t].exp().unsqueeze(1)
            found.append(gated_delta_step(qk, v[t], decay, beta[t].unsqueeze(1), state))
        assert_close(torch.stack(found), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_does_not_mutate_its_row(self, draw):
        q, k, v, log_decay, beta, state = inputs(draw, 1, 2, torch.float32)
        given = (torch.cat((q, k)), v[0], log_decay[0].exp().unsqueeze(1), beta[0].unsqueeze(1))
        before = [x.clone() for x in given]
        gated_delta_step(*given, state)
        assert all(torch.equal(a, b) for a, b in zip(given, before, strict=True))
