"""The GPU benchmark on a tiny shape and whatever device there is: its figures, not their size."""

from __future__ import annotations

import dataclasses
import json

import pytest
import torch
from torch import Tensor

from engine.bench import gpu
from engine.bench.gpu import SHAPES, GpuAsk, RandomStore, bench_gpu, bench_shape, random_on_device
from engine.bench.gpu_rates import GpuEffort, GpuRates, measure_gpu
from engine.bench.peer_report import GpuPeer
from engine.config import WeightFormat
from engine.model.config import parse_config
from engine.model.sizes import checkpoint_bytes, kv_token_bytes
from tests.engine.bench import conftest as tiny

CPU = torch.device("cpu")
TINY = tiny.TINY | {"max_position_embeddings": 4096, "tie_word_embeddings": False}
EXTENT = GpuEffort(1 << 20, (32,), 2, 1)
RATES = GpuRates(1e9, 2e9, 1e12)
ASK = GpuAsk(("tiny",), (300, 700), tokens=200, new=5, repeats=1, effort=EXTENT)


def silent(_: str) -> None:
    pass


@pytest.fixture(scope="module")
def run() -> gpu.GpuRun:
    return bench_shape("tiny", TINY, "stored", CPU, ASK, RATES, silent)


class TestShapes:
    # Bytes of one token's KV and MiB of one state, as published for the family's models.
    @pytest.mark.parametrize(
        ("name", "kib", "mib"),
        [("0.8B", 12, 18.63), ("4B", 32, 49.12), ("9B", 32, 49.12), ("27B", 64, 146.81)],
    )
    def test_are_the_family_s(self, name: str, kib: int, mib: float) -> None:
        config = parse_config(SHAPES[name])
        assert kv_token_bytes(config, 2) == kib * 1024
        state = checkpoint_bytes(config, 2) - 2 * config.hidden_size
        assert state / 2**20 == pytest.approx(mib, abs=0.01)

    def test_weights_are_drawn_and_not_read(self) -> None:
        config = parse_config(TINY)
        store = RandomStore(config, CPU, torch.bfloat16)
        name = store.prefix + "layers.0.mlp.up_proj.weight"
        assert torch.equal(store.read(name), store.read(name))
        other = store.read(store.prefix + "layers.1.mlp.up_proj.weight")
        assert not torch.equal(store.read(name), other)
        assert random_on_device(TINY, "stored", CPU, torch.bfloat16).dtype == torch.bfloat16

    @pytest.mark.parametrize("weights", ["stored", "int4"])
    def test_on_another_device_nothing_stays_behind(
        self, weights: WeightFormat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The meta device holds no data, so whatever mixed it with the CPU would fail."""
        there = torch.device("meta")
        store = RandomStore(parse_config(TINY), CPU, torch.bfloat16)

        def empty(name: str, part: object = None) -> Tensor:
            return torch.empty(store.entry(name).shape, dtype=torch.bfloat16, device=there)

        monkeypatch.setattr(store, "read", empty)
        from engine.model.loader import LoadOptions, assemble

        options, config = LoadOptions(weights=weights), parse_config(TINY)
        model = assemble(config, store, options, torch.bfloat16, there, lambda *_: None)
        tensors = [t for block in model.blocks for t in block.tensors()]
        assert {t.device for t in (*tensors, *model.head.tensors())} == {there}


class TestRun:
    def test_everything_is_measured(self, run: gpu.GpuRun) -> None:
        assert run.reason == ""
        for speed in (run.prefill, run.decode, run.eager):
            assert speed is not None
            assert speed.tok_s > 0
            assert speed.ratio == pytest.approx(speed.tok_s / speed.floor_tok_s)
        assert run.restore_s is not None
        assert run.restore_s > 0
        assert run.weight_bytes > 0

    def test_the_second_turn_reuses_the_first(self, run: gpu.GpuRun) -> None:
        assert [turn.context for turn in run.turns] == [300, 700]
        for turn in run.turns:
            assert turn.prompt == turn.context + 64 + 73
            assert turn.context <= turn.reused < turn.prompt
            assert turn.first_s > 0
            assert turn.second_s > 0

    def test_what_cannot_run_is_a_reason_beside_what_could(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise RuntimeError("out of memory\nand much more")

        monkeypatch.setattr(gpu, "_prefill", refuse)
        found = bench_shape("tiny", TINY, "stored", CPU, ASK, RATES, silent)
        assert found.reason == "RuntimeError: out of memory"
        assert found.decode is not None
        assert found.prefill is None

    def test_packed_weights_of_a_cpu_are_not_recorded(self) -> None:
        found = bench_shape("tiny", TINY, "int4", CPU, ASK, RATES, silent)
        assert (found.reason, found.decode) == ("", None)
        assert found.eager is not None


class TestReport:
    def test_holds_a_run_for_each_format_and_a_peer(
        self, monkeypatch: pytest.MonkeyPatch, run: gpu.GpuRun
    ) -> None:
        monkeypatch.setattr(gpu, "SHAPES", {"tiny": TINY})
        monkeypatch.setattr(gpu, "bench_shape", lambda *_: run)
        peer = GpuPeer("transformers is not installed.")
        monkeypatch.setattr(gpu, "gpu_peer", lambda *_: peer)
        report = bench_gpu(CPU, ASK, silent)
        assert report.runs == (run, run)
        assert report.peers == {"tiny": peer}
        assert report.rates.gemm_flop_s > 0
        json.dumps(dataclasses.asdict(report))

    def test_rates(self) -> None:
        rates = measure_gpu(CPU, EXTENT)
        assert min(rates.read_bytes_s, rates.copy_bytes_s, rates.gemm_flop_s) > 0
