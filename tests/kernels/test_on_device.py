"""The same comparisons on a CUDA device, in bfloat16 and at the shapes of real models."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from engine.config import Sampling
from engine.run.sampler import Sampler
from kernels.attention.triton import attend_row_slots, attend_slots
from kernels.causal_conv import plain as plain_conv
from kernels.causal_conv.triton import causal_conv, conv_step_
from kernels.gated_delta import fast as fast_delta
from kernels.gated_delta.triton import gated_delta_step
from kernels.kv_slots.triton import write_slots
from kernels.norms import plain as plain_norms
from kernels.norms.triton import gated_rms_norm, rms_norm
from kernels.sampling import sample
from tests.kernels.conftest import Compare

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]

BF16 = torch.bfloat16
DIM, SLOTS = 256, 65_536
HEADS = [(8, 2), (16, 2), (16, 4), (24, 4)]
HEAD_IDS = [f"{heads}over{kv_heads}" for heads, kv_heads in HEADS]


def cuda_draw(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator("cuda").manual_seed(7), device="cuda")


def pool(kv_heads: int, total: int) -> tuple[Tensor, Tensor, Tensor]:
    """Keys, values and the scattered slots of `total` positions; NaN in every other slot."""
    order = torch.randperm(SLOTS, generator=torch.Generator().manual_seed(3))[:total].cuda()
    planes = []
    for scale in (1.0, 0.5):
        plane = torch.full((kv_heads, SLOTS, DIM), float("nan"), dtype=BF16, device="cuda")
        plane[:, order] = (scale * cuda_draw(kv_heads, total, DIM)).to(BF16)
        planes.append(plane)
    return planes[0], planes[1], order.int()


def expected(q: Tensor, keys: Tensor, values: Tensor, slots: Tensor, late: int = 0) -> Tensor:
    """Attention in float32; a mask off by `late` rows is a planted fault."""
    tokens, total, group = q.shape[0], slots.shape[0], q.shape[1] // keys.shape[0]
    k, v = (x[:, slots.long()].float().repeat_interleave(group, 0) for x in (keys, values))
    mask = torch.ones(tokens, total, dtype=torch.bool, device=q.device).tril(total - tokens + late)
    heads = range(q.shape[1])
    out = [F.scaled_dot_product_attention(q[:, h].float(), k[h], v[h], mask) for h in heads]
    return torch.stack(out, 1)


@pytest.mark.parametrize(("heads", "kv_heads"), HEADS, ids=HEAD_IDS)
class TestAttention:
    @pytest.mark.parametrize(("rows", "total"), [(1, 5), (64, 64), (500, 3001), (257, SLOTS)])
    def test_prefill(
        self, assert_close: Compare, heads: int, kv_heads: int, rows: int, total: int
    ) -> None:
        where = pool(kv_heads, total)
        q = cuda_draw(rows, heads, DIM).to(BF16)
        assert_close(attend_slots(q, *where), expected(q, *where), BF16)

    def test_a_mask_off_by_one_would_show(
        self, refuses: Compare, heads: int, kv_heads: int
    ) -> None:
        where = pool(kv_heads, 64)
        q = cuda_draw(64, heads, DIM).to(BF16)
        found = attend_slots(q, *where)
        refuses(found, expected(q, *where, late=1), BF16)
        refuses(found[1:], expected(q, *where, late=-1)[1:], BF16)

    def test_a_split_changes_no_bit(self, heads: int, kv_heads: int) -> None:
        keys, values, slots = pool(kv_heads, 1000)
        q = cuda_draw(600, heads, DIM).to(BF16)
        first = attend_slots(q[:77], keys, values, slots[:477])
        second = attend_slots(q[77:], keys, values, slots)
        assert torch.equal(torch.cat((first, second)), attend_slots(q, keys, values, slots))

    @pytest.mark.parametrize("total", [1, 31, 33, 2049, SLOTS])
    def test_a_row(self, assert_close: Compare, heads: int, kv_heads: int, total: int) -> None:
        keys, values, slots = pool(kv_heads, total)
        q = cuda_draw(heads, DIM).to(BF16)
        length = torch.tensor([total], dtype=torch.int32, device="cuda")
        found = attend_row_slots(q, keys, values, slots, length)
        assert_close(found, expected(q[None], keys, values, slots)[0], BF16)

    def test_one_graph_serves_every_length(
        self, assert_close: Compare, heads: int, kv_heads: int
    ) -> None:
        keys, values, slots = pool(kv_heads, 5000)
        q = cuda_draw(heads, DIM).to(BF16)
        length = torch.tensor([5000], dtype=torch.int32, device="cuda")
        attend_row_slots(q, keys, values, slots, length)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = attend_row_slots(q, keys, values, slots, length)
        for total in (1, 700, 4999):
            length.fill_(total)
            graph.replay()
            assert_close(found, expected(q[None], keys, values, slots[:total])[0], BF16)


class TestConv:
    @pytest.mark.parametrize("channels", [6144, 8192])
    def test_prompt_and_steps(self, assert_close: Compare, channels: int) -> None:
        x, window = cuda_draw(300, channels).to(BF16), cuda_draw(3, channels).to(BF16)
        taps = cuda_draw(4, channels)
        out, moved = plain_conv.causal_conv(x, window, taps)
        assert_close(causal_conv(x, window, taps), out, BF16)
        carried = window.clone()
        steps = torch.stack([conv_step_(row, carried, taps) for row in x])
        assert_close(steps, out, torch.float32)
        assert torch.equal(carried, moved)

    def test_a_window_shifted_wrongly_would_show(self, refuses: Compare) -> None:
        x, window = cuda_draw(300, 6144).to(BF16), cuda_draw(3, 6144).to(BF16)
        taps = cuda_draw(4, 6144)
        wrong, _ = plain_conv.causal_conv(x, window.roll(1, 0), taps)
        refuses(causal_conv(x, window, taps)[:3], wrong[:3], BF16)


class TestNorms:
    @pytest.mark.parametrize("shape", [(1024,), (512, 1024), (300, 5120), (300, 16, 256)], ids=str)
    def test_plain(self, assert_close: Compare, refuses: Compare, shape: tuple[int, ...]) -> None:
        x, scale = cuda_draw(*shape), 1 + 0.3 * cuda_draw(shape[-1])
        found = rms_norm(x, scale, 1e-6, BF16)
        assert_close(found, plain_norms.rms_norm(x, scale, 1e-6), BF16)
        refuses(found, plain_norms.rms_norm(x, 1 + scale, 1e-6), BF16)

    @pytest.mark.parametrize("heads", [16, 32, 48])
    def test_gated(self, assert_close: Compare, refuses: Compare, heads: int) -> None:
        x, scale = cuda_draw(300, heads, 128), 1 + 0.3 * cuda_draw(128)
        gate = cuda_draw(300, 3 * heads * 128).to(BF16)[:, : heads * 128].unflatten(1, (heads, 128))
        found = gated_rms_norm(x, gate, scale, 1e-6, BF16)
        assert_close(found, plain_norms.gated_rms_norm(x, gate, scale, 1e-6), BF16)
        refuses(found, plain_norms.gated_rms_norm(x, gate.roll(1, 1), scale, 1e-6), BF16)


class TestDelta:
    @pytest.mark.parametrize("heads", [16, 32, 48])
    def test_steps(self, assert_close: Compare, refuses: Compare, heads: int) -> None:
        state = cuda_draw(heads, 128, 128)
        moved, wrong = state.clone(), state.clone()
        for step in range(20):
            qk, v = cuda_draw(2, 16, 128) + step, cuda_draw(heads, 128)
            decay, beta = -cuda_draw(heads, 1).abs(), cuda_draw(heads, 1).sigmoid()
            found = gated_delta_step(qk, v, decay.exp(), beta, moved)
            out = fast_delta.gated_delta_step(qk, v, decay.exp(), beta, state)
            fast_delta.gated_delta_step(qk, v, torch.ones_like(beta), beta, wrong)
            # Sums of 128 float32 products in two different orders.
            assert (found - out).norm() <= 1e-4 * out.norm()
        assert (moved - state).norm() <= 1e-4 * state.norm()
        refuses(moved, wrong, torch.float32)


class TestWrite:
    @pytest.mark.parametrize("kv_heads", [2, 4])
    def test_rows_are_written_to_their_slots(self, kv_heads: int) -> None:
        keys, values, slots = pool(kv_heads, 2000)
        wide = cuda_draw(2000, 2 * kv_heads + 8, DIM).to(BF16)
        k, v = wide[:, :kv_heads], wide[:, -kv_heads:]
        write_slots(k, v, keys, values, slots)
        assert torch.equal(keys[:, slots.long()].transpose(0, 1), k)
        assert torch.equal(values[:, slots.long()].transpose(0, 1), v)
        assert int(keys.isfinite().sum()) == k.numel()


class TestSampling:
    @pytest.mark.parametrize("vocab", [151_936, 248_320])
    def test_chooses_what_the_engine_chooses_without_waiting(self, vocab: int) -> None:
        logits = 3 * cuda_draw(vocab)
        logits[:400] += 9
        settings: tuple[dict[str, Any], ...] = (
            {"temperature": 0.7, "top_k": 20, "top_p": 0.95, "min_p": 0.0},
            {"temperature": 0.7, "top_k": 0, "top_p": 0.5, "min_p": 0.02},
            {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0},
        )
        for setting in settings:
            for seed in range(20):
                generator = torch.Generator().manual_seed(seed)
                uniform = torch.rand((), dtype=torch.float64, generator=generator).cuda()
                sample(logits, uniform=uniform, **setting)
                torch.cuda.set_sync_debug_mode("error")
                try:
                    token = sample(logits, uniform=uniform, **setting)
                finally:
                    torch.cuda.set_sync_debug_mode("default")
                one = Sampler(Sampling(seed=seed, **setting), (), torch.device("cpu"))
                assert int(token) == one.next(logits.cpu())
