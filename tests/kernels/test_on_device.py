"""The same comparisons on a CUDA device, in bfloat16 and at the shapes of real models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from engine.config import Sampling
from engine.run.sampler import Sampler
from kernels.attention.triton import attend_few, attend_slots
from kernels.blocks.matrix import device_blocks
from kernels.causal_conv import plain as plain_conv
from kernels.causal_conv import window_after
from kernels.causal_conv.triton import causal_conv, conv_few
from kernels.gated_delta import fast as fast_delta
from kernels.gated_delta.triton import delta_few, rates_few
from kernels.kv_slots.triton import write_slots
from kernels.matmul import int4_matrix, int8_matrix, quantize_int4, quantize_int8
from kernels.matmul.triton import dense_few
from kernels.norms import plain as plain_norms
from kernels.norms.triton import gated_rms_norm, rms_norm
from kernels.sampling import sample
from tests.kernels.blocks.stored import stored
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
        found = attend_few(q[None], keys, values, slots, length)
        assert_close(found, expected(q[None], keys, values, slots), BF16)

    @pytest.mark.parametrize("total", [17, 2049, SLOTS])
    def test_a_row_alone_has_the_same_bits(self, heads: int, kv_heads: int, total: int) -> None:
        keys, values, slots = pool(kv_heads, total)
        q = cuda_draw(16, heads, DIM).to(BF16)
        lengths = torch.arange(total - 15, total + 1, dtype=torch.int32, device="cuda")
        together = attend_few(q, keys, values, slots, lengths)
        for row in range(16):
            one = slice(row, row + 1)
            alone = attend_few(q[one], keys, values, slots, lengths[one])
            assert torch.equal(alone, together[one])

    def test_one_graph_serves_every_length(
        self, assert_close: Compare, heads: int, kv_heads: int
    ) -> None:
        keys, values, slots = pool(kv_heads, 5000)
        q = cuda_draw(heads, DIM).to(BF16)
        length = torch.tensor([5000], dtype=torch.int32, device="cuda")
        attend_few(q[None], keys, values, slots, length)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = attend_few(q[None], keys, values, slots, length)
        for total in (1, 700, 4999):
            length.fill_(total)
            graph.replay()
            assert_close(found, expected(q[None], keys, values, slots[:total]), BF16)


class TestConv:
    @pytest.mark.parametrize("channels", [6144, 8192])
    def test_prompt_and_steps(self, assert_close: Compare, channels: int) -> None:
        x, window = cuda_draw(300, channels).to(BF16), cuda_draw(3, channels).to(BF16)
        taps = cuda_draw(4, channels)
        out, moved = plain_conv.causal_conv(x, window, taps)
        assert_close(causal_conv(x, window, taps), out, BF16)
        assert torch.equal(window_after(x, window, 300), moved)
        few, kept = torch.empty(16, channels, device="cuda"), torch.empty_like(x[:16])
        conv_few(x[:16], window, taps, few, kept)
        assert_close(few, out[:16], torch.float32)
        assert torch.equal(kept, x[:16])
        alone, one = torch.empty_like(few[:1]), torch.empty_like(x[:1])
        for row in range(16):
            conv_few(x[row : row + 1], window_after(x, window, row), taps, alone, one)
            assert torch.equal(alone[0], few[row])

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
    def test_steps(self, refuses: Compare, heads: int) -> None:
        state = cuda_draw(heads, 128, 128)
        moved, wrong = state.clone(), state.clone()
        wide = 2 * 16 * 128 + heads * 128
        for step in range(5):
            x, raw = cuda_draw(1, 16, wide), cuda_draw(16, 2 * heads) + step
            bias, speed = cuda_draw(heads), -cuda_draw(heads).abs()
            rates, plain = (torch.empty(1, 16, 2, heads, device="cuda") for _ in "tp")
            rates_few(raw[:, :heads], raw[:, heads:], bias, speed, rates[0])
            fast_delta.rates_few(raw[:, :heads], raw[:, heads:], bias, speed, plain[0])
            assert (rates - plain).norm() <= 1e-5 * plain.norm()
            before = moved.clone()
            found = delta_few(x, rates, moved[None], 16, keep=True)
            out = fast_delta.delta_few(x, rates, state[None], 16, keep=True)
            # Sums of 128 float32 products in two different orders.
            assert (found - out).norm() <= 1e-4 * out.norm()
            plain[:, :, 0] = 1.0
            fast_delta.delta_few(x, plain, wrong[None], 16, keep=True)
            self.check_alone(x, rates, before, moved, found)
        assert (moved - state).norm() <= 1e-4 * state.norm()
        refuses(moved, wrong, torch.float32)

    @staticmethod
    def check_alone(x: Tensor, rates: Tensor, before: Tensor, after: Tensor, out: Tensor) -> None:
        """Rows one by one, and the state gone on later, have the bits of the pass."""
        later = before.clone()
        delta_few(x, rates, later[None], 16, keep=False)
        assert torch.equal(later, before)
        for row in range(16):
            own = x.roll(-row, 1), rates.roll(-row, 1)
            alone = delta_few(own[0].contiguous(), own[1].contiguous(), later[None], 1, keep=True)
            assert torch.equal(alone[0, 0], out[0, row])
        assert torch.equal(later, after)


class TestProducts:
    @pytest.mark.parametrize("shape", [(2048, 1024), (9728, 2560), (1000, 4128)], ids=str)
    @pytest.mark.parametrize("kind", ["dense", "int8", "int4", "Q4_K", "Q6_K", "IQ4_XS"])
    def test_a_row_alone_has_the_same_bits(
        self, assert_close: Compare, kind: str, shape: tuple[int, int]
    ) -> None:
        outputs, inputs = shape
        inputs -= inputs % 256 if kind[0] in "QI" else 0
        weight = torch.randn(outputs, inputs, generator=torch.Generator().manual_seed(5))
        x = cuda_draw(16, inputs).to(BF16)
        few, dense = device_product(kind, weight)
        together = few(x)
        assert_close(together.cpu(), x.cpu().float() @ dense.mT, BF16)
        for rows in (1, 2, 5):
            for first in (0, 16 - rows):
                some = slice(first, first + rows)
                assert torch.equal(few(x[some]), together[some])


def device_product(kind: str, weight: Tensor) -> tuple[Callable[[Tensor], Tensor], Tensor]:
    """The product with a matrix in a format on the device, and what the matrix stands for."""
    if kind == "dense":
        narrow = weight.to(BF16)
        return partial(dense_few, weight=narrow.cuda()), narrow.float()
    if kind == "int8":
        eight = quantize_int8(weight)
        return int8_matrix(eight, torch.device("cuda")).project, eight.dense()
    if kind == "int4":
        four = quantize_int4(weight)
        return int4_matrix(four, torch.device("cuda")).project, four.dense()
    block = stored(kind, *weight.shape)
    return device_blocks(block, torch.device("cuda")).project, block.dense()


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
