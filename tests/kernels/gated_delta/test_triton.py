"""One token of the delta rule in one launch."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.gated_delta import fast
from kernels.gated_delta import plain as reference
from kernels.gated_delta.triton import gated_delta_step
from tests.kernels.conftest import Compare, Draw, Move

KEY_HEADS = 2

# q, k, v, log decays and betas of all steps; and of one step what the kernel is given.
Given = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]
Row = tuple[Tensor, Tensor, Tensor, Tensor]


def inputs(
    draw: Draw, steps: int, repeat: int, key_dim: int, value_dim: int
) -> tuple[Given, Tensor]:
    heads = KEY_HEADS * repeat
    q, k = (draw(steps, KEY_HEADS, key_dim) for _ in range(2))
    v, log_decay = draw(steps, heads, value_dim), -draw(steps, heads).abs()
    given = q, k, v, log_decay, draw(steps, heads).sigmoid()
    return given, draw(heads, key_dim, value_dim)


def row(q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, t: int) -> Row:
    """The arguments of one step."""
    qk = torch.stack((q[t], k[t]))
    return qk, v[t], log_decay[t].exp().unsqueeze(1), beta[t].unsqueeze(1)


def step(on: Move, given: Row, state: Tensor) -> Tensor:
    """The kernel on a row where it runs; `state` lies there and is changed."""
    qk, v, decay, beta = given
    return gated_delta_step(on(qk), on(v), on(decay), on(beta), state)


class TestStep:
    @pytest.mark.parametrize(
        "dims",
        [(16, 24), (16, 16), (24, 40), pytest.param((128, 128), marks=pytest.mark.slow)],
        ids=str,
    )
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, on: Move, repeat: int, dims: tuple[int, int]
    ) -> None:
        given, state = inputs(draw, 4, repeat, *dims)
        expected, final = reference.gated_delta(*given, state)
        moved = on(state.clone())
        found = [step(on, row(*given, t), moved) for t in range(4)]
        assert_close(torch.stack(found).cpu(), expected, torch.float32)
        assert_close(moved.cpu(), final, torch.float32)

    def test_equals_the_torch_version(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        given, state = inputs(draw, 1, 3, 16, 24)
        moved = on(state.clone())
        found = step(on, row(*given, 0), moved)
        assert_close(found.cpu(), fast.gated_delta_step(*row(*given, 0), state), torch.float32)
        assert_close(moved.cpu(), state, torch.float32)

    def test_a_state_inside_a_pool_leaves_its_neighbours_alone(self, draw: Draw, on: Move) -> None:
        given, _ = inputs(draw, 1, 2, 16, 24)
        pool = on(draw(3, 4, 16, 24))
        before = pool.clone()
        step(on, row(*given, 0), pool[1])
        assert torch.equal(pool[[0, 2]], before[[0, 2]])
        assert not torch.equal(pool[1], before[1])

    def test_does_not_mutate_its_row(self, draw: Draw, on: Move) -> None:
        given, state = inputs(draw, 1, 2, 16, 24)
        qk, v, decay, beta = rows = [on(x) for x in row(*given, 0)]
        before = [x.clone() for x in rows]
        gated_delta_step(qk, v, decay, beta, on(state))
        assert all(torch.equal(a, b) for a, b in zip(rows, before, strict=True))

    def test_wrong_rules_would_show(self, draw: Draw, refuses: Compare, on: Move) -> None:
        given, state = inputs(draw, 1, 2, 16, 24)
        q, k, v, log_decay, beta = given
        moved = on(state.clone())
        found = step(on, row(*given, 0), moved).cpu()
        for wrong in (
            (k, q, v, log_decay, beta),
            (q, k, v, torch.zeros_like(log_decay), beta),
            (q, k, v, log_decay, torch.ones_like(beta)),
            (q.flip(1), k.flip(1), v, log_decay, beta),
        ):
            out, final = reference.gated_delta(*wrong, state)
            refuses(found.unsqueeze(0), out, torch.float32)
            refuses(moved.cpu(), final, torch.float32)
        # The delta computed before the decay: from what the old state predicted.
        factor = log_decay.exp()
        early = reference.gated_delta(q, k, v / factor[..., None], 0 * log_decay, beta, state)
        refuses(found.unsqueeze(0), early[0], torch.float32)
