"""Few tokens of the delta rule in one launch."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.gated_delta import fast
from kernels.gated_delta import plain as reference
from kernels.gated_delta.triton import delta_few, rates_few
from tests.kernels.conftest import Compare, Draw, Move

KEY_HEADS, MOST = 2, 6

# q, k, v, log decays and betas of all steps.
Given = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def inputs(
    draw: Draw, steps: int, repeat: int, key_dim: int, value_dim: int
) -> tuple[Given, Tensor]:
    heads = KEY_HEADS * repeat
    q, k = (draw(steps, KEY_HEADS, key_dim) for _ in range(2))
    v, log_decay = draw(steps, heads, value_dim), -draw(steps, heads).abs()
    given = q, k, v, log_decay, draw(steps, heads).sigmoid()
    return given, draw(heads, key_dim, value_dim)


def rows(given: Given, on: Move) -> tuple[Tensor, Tensor]:
    """What the kernel takes for one layer; rows that do not run hold NaN."""
    q, k, v, log_decay, beta = given
    x = torch.cat([part.flatten(1) for part in (q, k, v)], 1)
    rates = torch.stack((log_decay.exp(), beta), 1)
    buffers = []
    for part in (x, rates):
        buffer = torch.full((1, MOST, *part.shape[1:]), float("nan"))
        buffer[0, : len(part)] = part
        buffers.append(on(buffer))
    return buffers[0], buffers[1]


def run(given: Given, state: Tensor, on: Move, *, count: int = 0, keep: bool = True) -> Tensor:
    """Run the first rows, all by default; `state` lies where the kernel runs."""
    return delta_few(*rows(given, on), state.unsqueeze(0), count or len(given[0]), keep=keep)[0]


class TestFew:
    @pytest.mark.parametrize(
        "dims",
        [(16, 24), (16, 16), (24, 40), pytest.param((128, 128), marks=pytest.mark.slow)],
        ids=str,
    )
    def test_equal_the_reference(
        self, draw: Draw, assert_close: Compare, on: Move, repeat: int, dims: tuple[int, int]
    ) -> None:
        given, state = inputs(draw, 4, repeat, *dims)
        expected, final = reference.gated_delta(*given, state)
        moved = on(state.clone())
        assert_close(run(given, moved, on).cpu(), expected, torch.float32)
        assert_close(moved.cpu(), final, torch.float32)

    def test_equal_the_torch_version(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        given, state = inputs(draw, 3, 3, 16, 24)
        moved = on(state.clone())
        found = run(given, moved, on)
        x, rates = rows(given, lambda x: x)
        expected = fast.delta_few(x, rates, state.unsqueeze(0), 3, keep=True)[0]
        assert_close(found.cpu(), expected, torch.float32)
        assert_close(moved.cpu(), state, torch.float32)

    def test_a_row_alone_has_the_same_bits(self, draw: Draw, on: Move, repeat: int) -> None:
        given, state = inputs(draw, MOST, repeat, 16, 24)
        moved = on(state.clone())
        together = run(given, moved, on, keep=False)
        assert torch.equal(moved.cpu(), state), "the state was only to be read"
        for row in range(MOST):
            one = tuple(part[row : row + 1] for part in given)
            q, k, v, decay, beta = one
            alone = run((q, k, v, decay, beta), moved, on)
            assert torch.equal(alone[0], together[row])
            # Going on by so many rows at once leaves the same state.
            at_once = on(state.clone())
            run(given, at_once, on, count=row + 1)
            assert torch.equal(at_once, moved)

    def test_several_layers_at_once(self, draw: Draw, on: Move) -> None:
        cases = [inputs(draw, 4, 2, 16, 24) for _ in range(3)]
        states = on(torch.stack([state for _, state in cases]))
        alone = [on(state.clone()) for _, state in cases]
        expected = [
            run(given, state, on, count=3) for (given, _), state in zip(cases, alone, strict=True)
        ]
        parts = [rows(given, on) for given, _ in cases]
        x, rates = (torch.cat(part) for part in zip(*parts, strict=True))
        found = delta_few(x, rates, states, 3, keep=True)
        assert torch.equal(found, torch.stack(expected))
        assert torch.equal(states, torch.stack(alone))

    def test_a_state_inside_a_pool_leaves_its_neighbours_alone(self, draw: Draw, on: Move) -> None:
        given, _ = inputs(draw, 1, 2, 16, 24)
        pool = on(draw(3, 4, 16, 24))
        before = pool.clone()
        run(given, pool[1], on)
        assert torch.equal(pool[[0, 2]], before[[0, 2]])
        assert not torch.equal(pool[1], before[1])

    def test_does_not_mutate_its_rows(self, draw: Draw, on: Move) -> None:
        given, state = inputs(draw, 2, 2, 16, 24)
        x, rates = rows(given, on)
        before = x.clone(), rates.clone()
        delta_few(x, rates, on(state).unsqueeze(0), 2, keep=True)
        assert torch.equal(x.nan_to_num(), before[0].nan_to_num())
        assert torch.equal(rates.nan_to_num(), before[1].nan_to_num())

    def test_wrong_rules_would_show(self, draw: Draw, refuses: Compare, on: Move) -> None:
        given, state = inputs(draw, 1, 2, 16, 24)
        q, k, v, log_decay, beta = given
        moved = on(state.clone())
        found = run(given, moved, on).cpu()
        for wrong in (
            (k, q, v, log_decay, beta),
            (q, k, v, torch.zeros_like(log_decay), beta),
            (q, k, v, log_decay, torch.ones_like(beta)),
            (q.flip(1), k.flip(1), v, log_decay, beta),
        ):
            out, final = reference.gated_delta(*wrong, state)
            refuses(found, out, torch.float32)
            refuses(moved.cpu(), final, torch.float32)
        # The delta computed before the decay: from what the old state predicted.
        factor = log_decay.exp()
        early = reference.gated_delta(q, k, v / factor[..., None], 0 * log_decay, beta, state)
        refuses(found, early[0], torch.float32)


class TestRates:
    def test_equal_the_torch_version(
        self, draw: Draw, assert_close: Compare, on: Move, dtype: torch.dtype
    ) -> None:
        # A step of 90 overflows where the exponential is not taken of the negative side.
        wide = (8 * draw(5, 90)).to(dtype)
        wide[0, 3], wide[0, 4] = 90.0, -90.0
        a, b = wide[:, :40], wide[:, 45:85]
        bias, speed = draw(40), -draw(40).abs()
        expected = torch.empty(5, 2, 40)
        fast.rates_few(a, b, bias, speed, expected)
        found = on(torch.empty(5, 2, 40))
        rates_few(on(wide)[:, :40], on(wide)[:, 45:85], on(bias), on(speed), found)
        assert_close(found.cpu(), expected, torch.float32)

    def test_swapped_rates_would_show(self, draw: Draw, refuses: Compare, on: Move) -> None:
        a, b, bias, speed = draw(2, 8), draw(2, 8), draw(8), -draw(8).abs()
        found = on(torch.empty(2, 2, 8))
        rates_few(on(a), on(b), on(bias), on(speed), found)
        expected = torch.empty(2, 2, 8)
        for wrong in ((b, a, bias, speed), (a, b, speed, bias), (a, b, 0 * bias, speed)):
            fast.rates_few(*wrong, expected)
            refuses(found.cpu(), expected, torch.float32)
