"""The convolution's two launches against the plain one and against the torch versions."""

from __future__ import annotations

import pytest
import torch

from kernels.causal_conv import fast
from kernels.causal_conv import plain as reference
from kernels.causal_conv.triton import causal_conv, conv_step_
from tests.kernels.conftest import Compare, Draw, Move

CHANNELS = 150
ROWS = [1, 2, 3, 15, 16, 17, 40]


class TestCausalConv:
    @pytest.mark.parametrize("rows", ROWS, ids=lambda n: f"T{n}")
    def test_equals_the_reference(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        rows: int,
        kernel: int,
        dtype: torch.dtype,
    ) -> None:
        x, window = draw(rows, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        taps = draw(kernel, CHANNELS)
        found = causal_conv(on(x), on(window), on(taps)).cpu()
        assert found.dtype == dtype
        assert_close(found, reference.causal_conv(x, window, taps)[0], dtype)

    def test_rows_may_be_strided(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        wide, window, taps = on(draw(20, 400)), draw(3, CHANNELS), draw(4, CHANNELS)
        x = wide[:, 100 : 100 + CHANNELS]
        found = causal_conv(x, on(window), on(taps)).cpu()
        assert_close(found, reference.causal_conv(x.cpu(), window, taps)[0], torch.float32)

    @pytest.mark.parametrize("cut", [1, 2, 16, 17], ids=lambda n: f"cut{n}")
    def test_a_carried_window_changes_no_bit(
        self, draw: Draw, on: Move, cut: int, kernel: int
    ) -> None:
        x, window = on(draw(30, CHANNELS)), on(draw(kernel - 1, CHANNELS))
        taps = on(draw(kernel, CHANNELS))
        whole = causal_conv(x, window, taps)
        first = causal_conv(x[:cut], window, taps)
        second = causal_conv(x[cut:], fast.window_after(x, window, cut), taps)
        assert torch.equal(torch.cat((first, second)), whole)

    def test_leaves_the_window_alone(self, draw: Draw, on: Move) -> None:
        window = on(draw(3, CHANNELS))
        before = window.clone()
        causal_conv(on(draw(2, CHANNELS)), window, on(draw(4, CHANNELS)))
        assert torch.equal(window, before)

    def test_wrong_neighbours_would_show(self, draw: Draw, refuses: Compare, on: Move) -> None:
        x, window, taps = draw(20, CHANNELS), draw(3, CHANNELS), draw(4, CHANNELS)
        found = causal_conv(on(x), on(window), on(taps)).cpu()
        for wrong in (
            reference.causal_conv(x, window, taps.flip(0)),
            reference.causal_conv(x, window.flip(0), taps),
            reference.causal_conv(x, torch.cat((window[1:], x[:1])), taps),
            reference.causal_conv(x, torch.zeros_like(window), taps),
        ):
            refuses(found, wrong[0], torch.float32)


class TestStep:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, on: Move, kernel: int, dtype: torch.dtype
    ) -> None:
        x, window = draw(6, CHANNELS).to(dtype), draw(kernel - 1, CHANNELS).to(dtype)
        taps = draw(kernel, CHANNELS)
        expected, moved = reference.causal_conv(x, window, taps)
        carried = on(window.clone())
        found = torch.stack([conv_step_(row, carried, on(taps)) for row in on(x)])
        assert found.dtype == torch.float32
        assert_close(found.cpu(), expected, torch.float32)
        assert torch.equal(carried.cpu(), moved)

    def test_a_window_inside_a_pool_leaves_its_neighbours_alone(self, draw: Draw, on: Move) -> None:
        pool, taps = on(draw(3, 3, CHANNELS)), on(draw(4, CHANNELS))
        before, x = pool.clone(), on(draw(CHANNELS))
        conv_step_(x, pool[1], taps)
        assert torch.equal(pool[[0, 2]], before[[0, 2]])
        assert torch.equal(pool[1], torch.cat((before[1, 1:], x.unsqueeze(0))))

    def test_a_window_shifted_wrongly_would_show(
        self, draw: Draw, refuses: Compare, on: Move
    ) -> None:
        x, window, taps = draw(2, CHANNELS), draw(3, CHANNELS), draw(4, CHANNELS)
        carried = on(window.clone())
        found = torch.stack([conv_step_(row, carried, on(taps)) for row in on(x)]).cpu()
        unmoved = torch.stack([reference.causal_conv(row[None], window, taps)[0][0] for row in x])
        refuses(found, unmoved, torch.float32)
        pushed = torch.cat((x[:1], window[:-1]))
        refuses(found[1:], reference.causal_conv(x[1:], pushed, taps)[0], torch.float32)
