"""`biplane bench gpu`: what it says without a GPU, and how it shows a report."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import torch

from app.cli.bench_gpu import NAMES, NO_GPU, print_gpu
from app.cli.main import main
from engine.bench import gpu
from engine.bench.gpu import SHAPES, GpuReport, GpuRun, GpuSpeed, GpuTurns
from engine.bench.gpu_rates import GpuRates
from engine.bench.peer_report import GpuPeer

TURN = GpuTurns(4800, 1.5, 0.25, 4937, 4864, 88.0)
WHOLE = GpuRun(
    "0.8B",
    "stored",
    "",
    weight_bytes=1 << 30,
    prefill=GpuSpeed(20_000.0, 40_000.0, 0.5),
    decode=GpuSpeed(300.0, 400.0, 0.75),
    eager=GpuSpeed(100.0, 400.0, 0.25),
    restore_s=2e-5,
    turns=(TURN,),
)
REPORT = GpuReport(
    "a GPU",
    {"torch": "2.13", "triton": None},
    GpuRates(1e12, 2e12, 3e14),
    (WHOLE, GpuRun("0.8B", "int4", "OutOfMemoryError: no room")),
    {"0.8B": GpuPeer("", ("5", "0.6"), 5000.0, 50.0), "4B": GpuPeer("fla is not installed.")},
)


class TestWithoutGpu:
    @pytest.fixture(autouse=True)
    def _none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: False)

    @pytest.mark.parametrize("options", [[], ["--json"], ["--shapes", "4B"]], ids=str)
    def test_says_so_in_one_sentence_and_exits_2(
        self, capsys: pytest.CaptureFixture[str], options: list[str]
    ) -> None:
        assert main(["bench", "gpu", *options]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", NO_GPU + "\n")

    def test_an_unknown_size_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bench", "gpu", "--shapes", "4B,5B"]) == 2
        assert "shapes" in capsys.readouterr().err


class TestWithGpu:
    @pytest.fixture(autouse=True)
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[gpu.GpuAsk]:
        asked: list[gpu.GpuAsk] = []

        def bench(
            device: torch.device, ask: gpu.GpuAsk, progress: Callable[[str], None]
        ) -> gpu.GpuReport:
            asked.append(ask)
            return REPORT

        monkeypatch.setattr("engine.bench.gpu_rates.cuda_device", lambda: torch.device("cuda"))
        monkeypatch.setattr(gpu, "bench_gpu", bench)
        return asked

    def test_json(self, capsys: pytest.CaptureFixture[str], asked: list[gpu.GpuAsk]) -> None:
        assert main(["bench", "gpu", "--json", "--shapes", "0.8B", "--contexts", "100,200"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["runs"][0]["turns"][0]["second_s"] == 0.25
        assert (asked[0].shapes, asked[0].contexts) == (("0.8B",), (100, 200))

    def test_a_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bench", "gpu"]) == 0
        shown = capsys.readouterr().out
        for part in ("20,000", "50.0%", "75.0%", "0.250 s", "no room", "5,000", "20 µs"):
            assert part in shown, part

    def test_all_sizes_are_the_default(self, asked: list[gpu.GpuAsk]) -> None:
        main(["bench", "gpu"])
        assert asked[0].shapes == NAMES == tuple(SHAPES)

    def test_a_report_with_nothing_in_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_gpu(GpuReport("a GPU", {}, REPORT.rates, (), {}))
        assert "a GPU" in capsys.readouterr().out
