"""The two speed benchmarks on a tiny model: every figure is there and they agree."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch

from engine import Engine, EngineConfig, PromptError
from engine.bench.decode import DecodeAsk, bench_decode, copies_of, state_copies
from engine.bench.machine import Effort
from engine.bench.peak_memory import forget_peak, peak_bytes
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.prefill import PrefillAsk, PrefillReport, bench_prefill
from engine.bench.timed import first_logits, token_ids


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
    found = bench_prefill(tiny_folder, config, progress.append, ask, effort=little, peers=False)
    assert any("200 tokens" in line for line in progress)
    return found


class TestPrefill:
    def test_every_figure_is_positive_and_goes_through_json(self, report: PrefillReport) -> None:
        assert positive(json.loads(json.dumps(dataclasses.asdict(report))))

    def test_rates_follow_from_seconds(self, report: PrefillReport) -> None:
        assert [row.tokens for row in report.rows] == [64, 200]
        for row in report.rows:
            floor = report.work.prefill_s(row.tokens, report.gemm_flop_s)
            assert row.tok_s == pytest.approx(row.tokens / row.seconds)
            assert row.floor_s == pytest.approx(floor)
            assert row.floor_tok_s == pytest.approx(row.tokens / floor)
            assert row.ratio == pytest.approx(row.tok_s / row.floor_tok_s)

    def test_the_warm_turn_computes_only_what_is_new(self, report: PrefillReport) -> None:
        turn = report.warm_turn
        assert (turn.reused, turn.replayed, turn.computed) == (300, 0, 73)
        step = report.work.weight_bytes / report.rates.read_bytes_s
        products = report.work.prefill_s(73, report.gemm_flop_s)
        assert turn.floor_s == pytest.approx(products + step)

    def test_it_says_what_was_loaded(self, report: PrefillReport) -> None:
        assert (report.model, report.dtype, report.weights) == ("tiny", "bfloat16", "stored")
        assert report.peers == ()
        assert report.memory.weights == report.work.weight_bytes

    def test_a_prompt_that_has_no_room_is_refused(
        self, tiny_folder: Path, config: EngineConfig, little: Effort
    ) -> None:
        ask = PrefillAsk(lengths=(9000,), repeats=1)
        with pytest.raises(PromptError, match="9,000"):
            bench_prefill(tiny_folder, config, print, ask, effort=little, peers=False)


class TestDecode:
    def test_every_figure_is_positive_and_they_agree(
        self, tiny_folder: Path, config: EngineConfig, little: Effort
    ) -> None:
        ask = DecodeAsk(contexts=(50, 200), tokens=6, repeats=2)
        report = bench_decode(tiny_folder, config, print, ask, effort=little, peers=False)
        assert positive(json.loads(json.dumps(dataclasses.asdict(report))))
        assert [row.context for row in report.rows] == [50, 200]
        for row in report.rows:
            assert row.operator_share == pytest.approx(report.tiny_step_s / row.step_s)
            assert row.floor_all_tok_s < row.floor_tok_s

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

    def test_the_peers_are_asked_for_the_same(
        self,
        tiny_folder: Path,
        config: EngineConfig,
        little: Effort,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        asked = []

        def note(folder: Path, dtype: str, gguf: Path | None, ask: PeerAsk) -> tuple[Peer, ...]:
            asked.append((folder, dtype, gguf, ask))
            return (Peer("a peer", None, "It is not here."),)

        monkeypatch.setattr("engine.bench.prefill.all_peers", note)
        ask = DecodeAsk(contexts=(50,), tokens=4, repeats=1)
        report = bench_decode(tiny_folder, config, print, ask, effort=little)
        assert report.peers[0].reason == "It is not here."
        wanted = PeerAsk(threads=1, contexts=(50,), new=4, repeats=1)
        assert asked == [(tiny_folder, "bfloat16", None, wanted)]


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
