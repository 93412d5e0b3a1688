"""One step of the delta rule against the token-by-token reference."""

from __future__ import annotations

import torch
from torch import Tensor

from kernels.gated_delta import gated_delta_step
from kernels.gated_delta import plain as reference
from tests.kernels.conftest import Compare, Draw

KEY_HEADS, KEY_DIM, VALUE_DIM = 2, 16, 24


def inputs(
    draw: Draw, tokens: int, repeat: int, dtype: torch.dtype, speed: float = 1.0
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """q, k, v as the convolution would produce them, log decays, betas and a state."""
    heads = KEY_HEADS * repeat
    q, k = (draw(tokens, KEY_HEADS, KEY_DIM).to(dtype) for _ in range(2))
    v = draw(tokens, heads, VALUE_DIM).to(dtype)
    log_decay = -draw(tokens, heads).abs() * speed
    beta = draw(tokens, heads).sigmoid()
    return q, k, v, log_decay, beta, draw(heads, KEY_DIM, VALUE_DIM)


class TestStep:
    def test_equals_the_reference(self, draw: Draw, assert_close: Compare, repeat: int) -> None:
        q, k, v, log_decay, beta, state = inputs(draw, 5, repeat, torch.float32)
        expected, final = reference.gated_delta(q, k, v, log_decay, beta, state)
        found: list[Tensor] = []
        for t in range(5):
            qk = torch.stack((q[t], k[t]))
            decay = log_decay[t].exp().unsqueeze(1)
            found.append(gated_delta_step(qk, v[t], decay, beta[t].unsqueeze(1), state))
        assert_close(torch.stack(found), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_does_not_mutate_its_row(self, draw: Draw) -> None:
        q, k, v, log_decay, beta, state = inputs(draw, 1, 2, torch.float32)
        given = (torch.cat((q, k)), v[0], log_decay[0].exp().unsqueeze(1), beta[0].unsqueeze(1))
        before = [x.clone() for x in given]
        gated_delta_step(*given, state)
        assert all(torch.equal(a, b) for a, b in zip(given, before, strict=True))
