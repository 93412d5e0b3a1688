"""The two speed benchmarks on a tiny model: every figure is there and they agree."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine import Engine, EngineConfig, ModelError, PromptError
from engine.bench.decode import (
    DecodeAsk,
    bench_decode,
    copies_of,
    rows_after,
    second_start,
    state_copies,
)
from engine.bench.machine import Effort
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.prefill import PrefillAsk, PrefillReport, bench_prefill
from engine.bench.timed import first_logits, forget_peak, peak_bytes, token_ids
from engine.config import WeightFormat
from kernels.native.library import in_use


def positive(values: object) -> bool:
    """Every number in a report's plain form is above zero, but for what is counted by plan."""
    if isinstance(values, dict):
        return all(positive(value) for name, value in values.items() if name != "replayed")
    if isinstance(values, list | tuple):
        return all(positive(value) for value in values)
    return isinstance(values, bool) or not isinstance(values, int | float) or values > 0


@pytest.fixture(scope="module")
def report(tiny_folder: Path) -> PrefillReport:
    """A whole report without peers."""
    config = EngineConfig(cache_bytes=32 << 20, threads=1)
    ask = PrefillAsk(lengths=(64, 200), repeats=2, warm_context=300)
    progress: list[str] = []
    little = Effort(1 << 20, (16,), 1)
    found = bench_prefill(
        tiny_folder, config, ("stored", "int8"), progress.append, ask, effort=little, peers=False
    )
    assert any(line.startswith("int8") and "200 tokens" in line for line in progress)
    return found


class TestPrefill:
    def test_every_figure_is_positive_and_goes_through_json(self, report: PrefillReport) -> None:
        assert positive(json.loads(json.dumps(dataclasses.asdict(report))))

    def test_rates_follow_from_seconds(self, report: PrefillReport) -> None:
        for found in report.formats:
            assert [row.tokens for row in found.rows] == [64, 200]
            for row in found.rows:
                floor = found.work.prefill_s(row.tokens, found.gemm_flop_s)
                assert row.tok_s == pytest.approx(row.tokens / row.seconds)
                assert row.floor_s == pytest.approx(floor)
                assert row.floor_tok_s == pytest.approx(row.tokens / floor)
                assert row.ratio == pytest.approx(row.tok_s / row.floor_tok_s)

    def test_the_warm_turn_computes_only_what_is_new(self, report: PrefillReport) -> None:
        for found in report.formats:
            turn = found.warm_turn
            assert (turn.reused, turn.replayed, turn.computed) == (300, 0, 73)
            step = found.work.weight_bytes / report.rates.read_bytes_s
            products = found.work.prefill_s(73, found.gemm_flop_s)
            assert turn.floor_s == pytest.approx(products + step)

    def test_it_says_what_was_loaded(self, report: PrefillReport) -> None:
        assert (report.model, report.dtype) == ("tiny", "bfloat16")
        assert report.peers == ()
        stored, int8 = report.formats
        assert (stored.weights, int8.weights) == ("stored", "int8")
        assert stored.memory.weights == stored.work.weight_bytes
        assert int8.memory.weights < stored.memory.weights
        assert stored.kernels == in_use()

    def test_a_prompt_that_has_no_room_is_refused(
        self, tiny_folder: Path, config: EngineConfig, little: Effort
    ) -> None:
        ask = PrefillAsk(lengths=(9000,), repeats=1, warm_context=300)
        with pytest.raises(PromptError, match="9,000"):
            bench_prefill(tiny_folder, config, ("stored",), print, ask, effort=little, peers=False)


class TestDecode:
    @pytest.mark.slow
    def test_every_figure_is_positive_and_they_agree(
        self, tiny_folder: Path, config: EngineConfig, little: Effort, tmp_path: Path
    ) -> None:
        ask = DecodeAsk(contexts=(50, 200), tokens=6, repeats=2)
        config = replace(config, cache_dir=tmp_path)
        formats: tuple[WeightFormat, ...] = ("stored", "int4")
        report = bench_decode(tiny_folder, config, formats, print, ask, effort=little, peers=False)
        assert positive(json.loads(json.dumps(dataclasses.asdict(report))))
        assert [found.weights for found in report.formats] == ["stored", "int4"]
        for found in report.formats:
            assert [row.context for row in found.rows] == [50, 200]
            for row in found.rows:
                assert row.operator_share == pytest.approx(found.tiny_step_s / row.step_s)
                assert row.floor_all_tok_s < row.floor_tok_s
            assert [(one.context, one.rows) for one in found.passes] == [
                (50, 1),
                (50, 2),
                (50, 4),
                (50, 8),
            ]
            alone = found.passes[0].seconds
            assert all(one.of_one == pytest.approx(one.seconds / alone) for one in found.passes)
            start = found.start
            stages = start.import_s + start.open_s + start.first_token_s
            assert start.whole_s == pytest.approx(stages)
        # Converted once: the later starts take the file.
        assert len(list((tmp_path / "weights").iterdir())) == 1

    def test_passes_of_a_few_rows_touch_no_state_of_the_cache(
        self, tiny_folder: Path, config: EngineConfig
    ) -> None:
        ids = token_ids(1, 200, 512)
        with Engine.open(tiny_folder, config) as engine:
            cold = engine.logits(ids, reuse=False).logits
            engine.logits(ids)
            engine.on_core(lambda core: rows_after(core, 40))
            _, plan = first_logits(engine, ids, reuse=True)
            assert plan.reused == 200
            assert torch.allclose(engine.logits(ids).logits, cold)

    def test_a_start_that_fails_says_why(self, tmp_path: Path, config: EngineConfig) -> None:
        with pytest.raises(ModelError, match="There is no folder"):
            second_start(tmp_path / "none", config, 1)

    def test_a_copy_reads_and_writes_and_the_slower_one_counts(self) -> None:
        found = copies_of(slot_bytes=100, restore_s=0.5, fork_s=1.0, copy_bytes_s=400.0)
        assert (found.restore_bytes_s, found.fork_bytes_s) == (400.0, 200.0)
        assert found.of_copy_rate == 0.5

    def test_copies_touch_no_state_of_the_cache(
        self, tiny_folder: Path, config: EngineConfig
    ) -> None:
        ids = token_ids(1, 200, 512)
        with Engine.open(tiny_folder, config) as engine:
            cold = engine.logits(ids, reuse=False).logits
            engine.logits(ids)
            slot_bytes, *_ = engine.on_core(state_copies)
            assert slot_bytes == engine.model.checkpoint_bytes
            _, plan = first_logits(engine, ids, reuse=True)
            assert plan.reused == 200
            assert torch.allclose(engine.logits(ids).logits, cold)
            engine.check_invariants()

    @pytest.mark.slow
    def test_the_peers_are_asked_for_the_same(
        self,
        tiny_folder: Path,
        config: EngineConfig,
        little: Effort,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        asked = []

        def note(folder: Path, dtype: str, ggufs: Sequence[Path], ask: PeerAsk) -> tuple[Peer, ...]:
            asked.append((folder, dtype, ggufs, ask))
            return (Peer("a peer", None, "It is not here."),)

        monkeypatch.setattr("engine.bench.prefill.all_peers", note)
        ask = DecodeAsk(contexts=(50,), tokens=4, repeats=1)
        files = (Path("a.gguf"), Path("b.gguf"))
        report = bench_decode(
            tiny_folder, config, ("stored",), print, ask, effort=little, ggufs=files
        )
        assert report.peers[0].reason == "It is not here."
        wanted = PeerAsk(threads=1, contexts=(50,), new=4, repeats=1)
        assert asked == [(tiny_folder, "bfloat16", files, wanted)]


class TestPeakMemory:
    def test_the_peak_covers_what_was_given_back(self) -> None:
        size = 200 << 20
        began_over = forget_peak()
        before = peak_bytes()
        held = torch.ones(size, dtype=torch.uint8)
        del held
        assert peak_bytes() >= before
        if began_over:
            assert peak_bytes() >= before + size // 2
            forget_peak()
            assert peak_bytes() < before + size // 2

    def test_without_proc_the_processs_own_peak_is_taken(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> str:
            raise OSError

        monkeypatch.setattr("pathlib.Path.read_text", refuse)
        monkeypatch.setattr("pathlib.Path.write_text", refuse)
        assert not forget_peak()
        assert peak_bytes() > 0
