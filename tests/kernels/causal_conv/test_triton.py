"""The convolution's two launches against the plain one and against the torch versions."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from kernels.causal_conv import fast
from kernels.causal_conv import plain as reference
from kernels.causal_conv.triton import causal_conv, conv_few
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


def few(x: Tensor, window: Tensor, taps: Tensor) -> tuple[Tensor, Tensor]:
    """The kernel's two results."""
    out, kept = torch.empty(x.shape, device=x.device), torch.empty_like(x)
    conv_few(x, window, taps, out, kept)
    return out, kept


class TestFew:
    @pytest.mark.parametrize("rows", [1, 2, 3, 16])
    def test_equal_the_reference(
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
        carried = on(window.clone())
        found, kept = few(on(x), carried, on(taps))
        assert found.dtype == torch.float32
        assert_close(found.cpu(), reference.causal_conv(x, window, taps)[0], torch.float32)
        assert torch.equal(kept.cpu(), x)
        assert torch.equal(carried.cpu(), window)

    def test_equal_the_torch_version(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        x, window, taps = draw(5, CHANNELS), draw(3, CHANNELS), draw(4, CHANNELS)
        expected, kept = torch.empty(5, CHANNELS), torch.empty(5, CHANNELS)
        fast.conv_few(x, window, taps, expected, kept)
        assert_close(few(on(x), on(window), on(taps))[0].cpu(), expected, torch.float32)
        assert torch.equal(kept, x)

    def test_a_row_alone_has_the_same_bits(self, draw: Draw, on: Move, kernel: int) -> None:
        x, window, taps = on(draw(9, CHANNELS)), on(draw(kernel - 1, CHANNELS)), draw(4, CHANNELS)
        taps = on(taps[:kernel])
        whole, _ = few(x, window, taps)
        for row in range(9):
            before = fast.window_after(x, window, row)
            alone, _ = few(x[row : row + 1], before, taps)
            assert torch.equal(alone[0], whole[row])

    def test_rows_may_be_strided(self, draw: Draw, assert_close: Compare, on: Move) -> None:
        wide, window, taps = on(draw(6, 400)), draw(3, CHANNELS), draw(4, CHANNELS)
        x = wide[:, 100 : 100 + CHANNELS]
        out = torch.empty(x.shape, device=x.device)
        conv_few(x, on(window), on(taps), out, torch.empty_like(out))
        assert_close(out.cpu(), reference.causal_conv(x.cpu(), window, taps)[0], torch.float32)

    def test_wrong_neighbours_would_show(self, draw: Draw, refuses: Compare, on: Move) -> None:
        x, window, taps = draw(4, CHANNELS), draw(3, CHANNELS), draw(4, CHANNELS)
        found = few(on(x), on(window), on(taps))[0].cpu()
        unmoved = torch.stack([reference.causal_conv(row[None], window, taps)[0][0] for row in x])
        refuses(found, unmoved, torch.float32)
        for wrong in (window.flip(0), torch.cat((window[1:], x[:1]))):
            refuses(found, reference.causal_conv(x, wrong, taps)[0], torch.float32)
