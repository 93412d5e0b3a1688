"""A linear layer between its projections, in C at every level and in PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kernels.causal_conv.plain import causal_conv
from kernels.gated_delta import Rule, ScanSplit, unfused
from kernels.gated_delta import plain as reference
from kernels.gated_delta.fused import conv_delta
from kernels.gated_delta.native import fits
from kernels.gated_delta.native import sweep as native_sweep
from kernels.native.library import TORCH, Library
from kernels.norms import plain as norms
from tests.kernels.conftest import LEVELS, LOADED, Compare, Draw

# Rows, rule, window, state.
Given = tuple[Tensor, Rule, Tensor, Tensor]
Sweep = Callable[..., Tensor]
KEY_HEADS = 2
DIMS = ((16, 16), (16, 48), (48, 80), (128, 128))


def given(
    draw: Draw, tokens: int, repeat: int, dtype: torch.dtype, dims: tuple[int, int] = (16, 48)
) -> Given:
    """A layer's inputs, with NaN in what lies beside the rows."""
    key_dim, value_dim = dims
    heads = KEY_HEADS * repeat
    channels = 2 * KEY_HEADS * key_dim + heads * value_dim
    small = draw(4, channels), -0.2 * draw(heads).exp(), draw(heads), draw(value_dim)
    rule = Rule(*small, 1e-6, KEY_HEADS, key_dim)
    width = sum(rule.widths)
    wider = torch.full((tokens + 2, width + 7), float("nan"), dtype=dtype)
    rows = wider[1 : tokens + 1, 3 : width + 3]
    rows.copy_(draw(tokens, width))
    return rows, rule, draw(3, channels).to(dtype), draw(heads, key_dim, value_dim)


def expected_of(
    rows: Tensor, rule: Rule, window: Tensor, state: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The references' rows, window and state."""
    mixed, z, b, a = rows.float().split_with_sizes(rule.widths, -1)
    convolved, moved = causal_conv(mixed, window.float(), rule.taps)
    keys, by_key = rule.key_heads * rule.key_dim, (len(rows), -1, rule.key_dim)
    by_value = (len(rows), rule.value_heads, rule.value_dim)
    q, k, v = convolved.split_with_sizes((keys, keys, rule.widths[1]), -1)
    log_decay = F.softplus(a + rule.bias) * rule.speed
    out, final = reference.gated_delta(
        q.view(by_key), k.view(by_key), v.view(by_value), log_decay, b.sigmoid(), state
    )
    normed = norms.gated_rms_norm(out, z.reshape(by_value), rule.norm, rule.eps)
    return normed.flatten(1), moved.to(window.dtype), final


def in_torch() -> Sweep:
    return partial(unfused.sweep, conv_delta)


@pytest.fixture(params=[TORCH, *LEVELS])
def sweep(request: pytest.FixtureRequest) -> Iterator[Sweep]:
    """The operation in PyTorch, and in C at each level that this processor can run."""
    if request.param == TORCH or LOADED is None:
        yield in_torch()
        return
    assert LOADED.call.biplane_use_level(request.param.encode())
    yield partial(native_sweep, LOADED)
    LOADED.call.biplane_use_level(LOADED.level.encode())


class TestSweep:
    def test_equals_the_references(
        self, sweep: Sweep, draw: Draw, assert_close: Compare, tokens: int, dtype: torch.dtype
    ) -> None:
        for repeat in (1, 3):
            rows, rule, window, state = given(draw, tokens, repeat, dtype)
            expected, moved, final = expected_of(rows, rule, window, state)
            found = sweep(rows, rule, window, state)
            assert found.dtype == dtype
            assert_close(found, expected, dtype)
            assert_close(state, final, dtype)
            assert torch.equal(window, moved)

    @pytest.mark.parametrize("dims", DIMS, ids=str)
    def test_every_size_of_heads(
        self, sweep: Sweep, draw: Draw, assert_close: Compare, dims: tuple[int, int]
    ) -> None:
        for dtype in (torch.float32, torch.bfloat16):
            rows, rule, window, state = given(draw, 100, 2, dtype, dims)
            expected, _, final = expected_of(rows, rule, window, state)
            assert_close(sweep(rows, rule, window, state), expected, dtype)
            assert_close(state, final, dtype)

    @pytest.mark.parametrize("speed", [0.0, 1e-3, 3.0, 30.0], ids=lambda s: f"decay{s}")
    def test_decays_from_none_to_total(
        self, sweep: Sweep, draw: Draw, assert_close: Compare, speed: float
    ) -> None:
        rows, rule, window, state = given(draw, 130, 2, torch.float32)
        rule.speed.fill_(-speed)
        expected, _, final = expected_of(rows, rule, window, state)
        assert_close(sweep(rows, rule, window, state), expected, torch.float32)
        assert_close(state, final, torch.float32)
        assert state[state != 0].abs().min() >= torch.finfo(torch.float32).tiny

    @pytest.mark.parametrize("bias", [-60.0, -20.0, 20.0, 60.0])
    def test_rates_far_from_zero(
        self, sweep: Sweep, draw: Draw, assert_close: Compare, bias: float
    ) -> None:
        rows, rule, window, state = given(draw, 65, 2, torch.float32)
        rule.bias.fill_(bias)
        rows[:, -rule.widths[2] - rule.widths[3] :].mul_(10)
        expected, _, final = expected_of(rows, rule, window, state)
        assert_close(sweep(rows, rule, window, state), expected, torch.float32)
        assert_close(state, final, torch.float32)

    def test_equal_tokens_are_erased_and_written_anew(
        self, sweep: Sweep, draw: Draw, assert_close: Compare
    ) -> None:
        rows, rule, window, state = given(draw, 64, 1, torch.float32, (16, 16))
        # One key again and again at full rate: the coefficients between tokens are all about one.
        rows.copy_(rows[:1].clone())
        rows[:, -2 * rule.value_heads : -rule.value_heads] = 9.0
        expected, _, final = expected_of(rows, rule, window, state)
        assert_close(sweep(rows, rule, window, state), expected, torch.float32)
        assert_close(state, final, torch.float32)


class TestSplits:
    @pytest.mark.parametrize("cuts", [(1,), (2, 3), (64,), (65, 130), (5, 5, 200)], ids=str)
    def test_a_split_takes_state_and_window(
        self, sweep: Sweep, draw: Draw, assert_close: Compare, cuts: Sequence[int]
    ) -> None:
        rows, rule, window, state = given(draw, 200, 2, torch.float32)
        splits = [ScanSplit(n, torch.empty_like(state), torch.empty_like(window)) for n in cuts]
        wanted = [expected_of(rows[:n], rule, window, state) for n in cuts]
        expected, moved, final = expected_of(rows, rule, window, state)
        assert_close(sweep(rows, rule, window, state, splits), expected, torch.float32)
        assert_close(state, final, torch.float32)
        assert torch.equal(window, moved)
        for split, (_, after, then) in zip(splits, wanted, strict=True):
            assert split.delta is not None
            assert split.conv is not None
            assert_close(split.delta, then, torch.float32)
            assert torch.equal(split.conv, after)


class TestNative:
    @pytest.mark.parametrize("cut", [1, 64, 70, 128], ids=lambda n: f"cut{n}")
    def test_a_split_is_the_end_of_one_pass_and_the_start_of_another(
        self, native: Library, draw: Draw, dtype: torch.dtype, cut: int
    ) -> None:
        rows, rule, window, state = given(draw, 150, 2, dtype)
        apart = window.clone(), state.clone()
        whole = native_sweep(native, rows, rule, window, state, [ScanSplit(cut)])
        parts = [native_sweep(native, part, rule, *apart) for part in (rows[:cut], rows[cut:])]
        assert torch.equal(torch.cat(parts), whole)
        assert torch.equal(apart[0], window)
        assert torch.equal(apart[1], state)

    def test_threads_do_not_change_a_bit(
        self, native: Library, draw: Draw, dtype: torch.dtype
    ) -> None:
        found = []
        rows, rule, window, state = given(draw, 150, 3, dtype)
        for threads in (1, 2, 3, 5):
            native.call.biplane_limit_threads(threads)
            mine = window.clone(), state.clone()
            splits = [ScanSplit(70, torch.empty_like(state), torch.empty_like(window))]
            out = native_sweep(native, rows, rule, *mine, splits)
            given_out = splits[0].delta
            assert given_out is not None
            found.append(torch.cat([x.float().flatten() for x in (out, *mine, given_out)]))
        assert all(torch.equal(found[0], other) for other in found[1:])

    def test_what_is_not_a_number_stays_in_its_head(self, native: Library, draw: Draw) -> None:
        for dtype in (torch.float32, torch.bfloat16):
            rows, rule, window, state = given(draw, 90, 2, dtype)
            native.call.biplane_limit_threads(1)
            for column in (0, sum(rule.widths) - rule.value_heads, sum(rule.widths[:2])):
                marked = rows.clone()
                marked[20, column] = float("nan")
                out = native_sweep(native, marked, rule, window.clone(), state.clone())
                by_head = out.view(90, rule.value_heads, -1)
                assert by_head[20:, 0].isnan().any()
                assert by_head[:, 2:].isfinite().all()

    def test_what_it_cannot_do_is_told(self, draw: Draw) -> None:
        _, rule, _, _ = given(draw, 1, 1, torch.float32)
        assert fits(rule, torch.float32)
        assert fits(rule, torch.bfloat16)
        assert not fits(rule, torch.float16)
        for dims in ((24, 16), (16, 24)):
            odd = given(draw, 1, 1, torch.float32, dims)[1]
            assert not fits(odd, torch.float32)
        short = Rule(rule.taps[1:], rule.speed, rule.bias, rule.norm, 1e-6, KEY_HEADS, 16)
        assert not fits(short, torch.float32)
