"""What-if: what it changes, and that the real engine then does exactly what was predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig, Message, Sampling
from engine.analysis.replay import replay, replay_file
from engine.cache.journal.changes import Tuned
from engine.commands import Tune
from engine.errors import CacheError
from engine.events import RequestFinished
from engine.journal.reader import TraceReader
from engine.journal.settings import CacheSettings, WhatIf
from tests.engine.journal.samples import SETTINGS

BASE = EngineConfig(cache_bytes=5 << 20, interval=64, decode_interval=16, threads=1, context=1024)
SAID = (
    "Hello, I am Anna and I live in Bremen.",
    "What is my name?",
    "Tell me about the cache.",
    "Where do I live?",
    "What is a checkpoint?" + " word" * 60,
)


@dataclass(frozen=True)
class Change:
    """A what-if, and the configuration that should do the same."""

    what_if: WhatIf
    config: EngineConfig


CHANGES = {
    "a larger budget": Change(WhatIf(device_bytes=9 << 20), replace(BASE, cache_bytes=9 << 20)),
    "more for states": Change(WhatIf(state_share=0.6), replace(BASE, state_share=0.6)),
    "other intervals": Change(
        WhatIf(interval=0, decode_interval=0), replace(BASE, interval=0, decode_interval=0)
    ),
    "lru": Change(WhatIf(policy="lru"), replace(BASE, policy="lru")),
    "a host tier": Change(WhatIf(host_bytes=12 << 20), replace(BASE, host_bytes=12 << 20)),
    "exact mode": Change(WhatIf(mode="exact"), replace(BASE, mode="exact")),
}


def day(engine: Engine, tunes: Sequence[tuple[int, Tune]] = ()) -> None:
    """Four chats by turns; `tunes`: before the turn of that number."""
    chats = [[Message("system", f"You are helper {n}.")] for n in range(4)]
    for turn in range(24):
        for at, tune in tunes:
            if at == turn:
                tune_engine(engine, tune)
        chat = chats[(turn * 7 + turn // 5) % 4]
        chat.append(Message("user", SAID[turn % len(SAID)]))
        end = list(engine.generate(tuple(chat), Sampling.greedy(12)))[-1]
        assert isinstance(end, RequestFinished)
        chat.append(Message("assistant", end.text, token_ids=end.token_ids))
        if len(chat) > 8:
            del chat[1:]


def tune_engine(engine: Engine, tune: Tune) -> None:
    engine.on_core(lambda core: core.tuning.tune(tune))


def record(path: Path, config: EngineConfig, tunes: Sequence[tuple[int, Tune]] = ()) -> Path:
    with Engine.open(demo_model_dir(), config) as engine:
        engine.record(path)
        day(engine, tunes)
        engine.stop_recording()
    return path


def test_the_budget_that_was_given_is_the_sum_of_both_planes() -> None:
    """The state that a request runs on comes on top, and is named as such."""
    with Engine.open(demo_model_dir(), BASE) as engine:
        seen = engine.snapshot()
        assert seen.state.beside == 1
        planes = seen.kv.budget_bytes + seen.state.budget_bytes
        assert 0 <= BASE.cache_bytes - planes < seen.kv.slot_bytes
        memory = seen.memory
        assert memory.kv_plane + memory.state_plane == planes + seen.state.slot_bytes


def test_a_changed_budget_is_told_as_it_was_given(tmp_path: Path) -> None:
    given = (9 << 20) + 5
    tunes = [(2, Tune(1, cache_bytes=given)), (4, Tune(2, interval=128))]
    reader = TraceReader(record(tmp_path / "t.jsonl", BASE, tunes))
    told = [line.entry.what for line in reader if isinstance(line.entry.what, Tuned)]
    assert [one.budget for one in told] == [given, 0]


def hits(path: Path) -> list[tuple[int, int, int]]:
    """Reused, replayed and computed of each recorded request."""
    return [
        (line.request.ran.reused, line.request.ran.replayed, line.request.ran.computed)
        for line in TraceReader(path)
        if line.request is not None
    ]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("base") / "day.jsonl", BASE)


class TestTheRealEngine:
    def test_unchanged_settings_give_the_recorded_figures(self, base: Path) -> None:
        report = replay_file(base, WhatIf(), SETTINGS)
        assert report.exact
        assert [(r.reused, r.replayed, r.computed) for r in report.requests] == hits(base)
        assert report.recorded is not None
        assert report.replayed.reused == report.recorded.reused > 0

    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
    def test_it_does_what_was_predicted(self, base: Path, change: Change, tmp_path: Path) -> None:
        report = replay_file(base, change.what_if, SETTINGS)
        real = record(tmp_path / "real.jsonl", change.config)
        assert [(r.reused, r.replayed, r.computed) for r in report.requests] == hits(real)
        assert hits(real) != hits(base), "this change changes nothing"

    def test_settings_that_changed_on_the_way_are_followed(self, tmp_path: Path) -> None:
        tunes = (
            (6, Tune(interval=128, decode_interval=8)),
            (12, Tune(cache_bytes=9 << 20, state_share=0.6)),
            (18, Tune(cache_bytes=4 << 20)),
        )
        path = record(tmp_path / "tuned.jsonl", BASE, tunes)
        report = replay_file(path, WhatIf(), SETTINGS)
        assert report.exact
        assert report.differing == ()
        assert hits(path) != hits(record(tmp_path / "plain.jsonl", BASE))


class TestTuning:
    def test_it_is_refused_in_words_and_changes_nothing(self) -> None:
        with Engine.open(demo_model_dir(), BASE) as engine:
            before = engine.snapshot()
            for tune in (Tune(cache_bytes=1 << 20), Tune(interval=63), Tune(state_share=2.0)):
                with pytest.raises(CacheError):
                    tune_engine(engine, tune)
            assert engine.on_core(lambda core: core.tuning.config) == BASE
            after = engine.snapshot()
            assert (after.kv.total, after.state.total) == (before.kv.total, before.state.total)

    def test_planes_take_their_new_sizes_and_keep_what_fits(self) -> None:
        with Engine.open(demo_model_dir(), BASE) as engine:
            day(engine)
            engine.on_core(
                lambda core: core.tuning.tune(Tune(cache_bytes=8 << 20, state_share=0.25))
            )
            grown = engine.snapshot()
            engine.check_invariants()
            assert grown.memory.kv_plane + grown.memory.state_plane <= (8 << 20) + (1 << 20)
            assert grown.kv.total * grown.kv.slot_bytes > 5 << 20
            before = len(grown.nodes)
            assert before > 1
            day(engine)
            engine.check_invariants()


class TestChanges:
    def test_each_setting_alone(self) -> None:
        def same(what_if: WhatIf) -> CacheSettings:
            return what_if.changed(SETTINGS)

        assert same(WhatIf()) == SETTINGS
        split = same(WhatIf(state_share=0.25))
        assert (split.state_slots, split.state_share) == (2, 0.25)
        assert split.device_bytes <= SETTINGS.device_bytes < split.device_bytes + 10
        assert same(WhatIf(disk_bytes=1)).disk
        assert not WhatIf(disk_bytes=0).changed(replace(SETTINGS, disk=True)).disk
        hosted = same(WhatIf(host_bytes=20_000))
        assert (hosted.host_kv_slots, hosted.host_state_slots) == (1000, 10)
        # The host has the device's split.
        both = WhatIf(state_share=0.25).changed(hosted)
        assert (both.host_kv_slots, both.host_state_slots) == (1500, 5)

    @pytest.mark.parametrize("wrong", [{"state_share": 2.0}, {"disk_bytes": -1}, {"interval": 5}])
    def test_impossible_values_are_refused(self, wrong: dict[str, float]) -> None:
        with pytest.raises(CacheError):
            WhatIf(**wrong).changed(SETTINGS)  # type: ignore[arg-type]

    def test_no_requests_no_prediction(self) -> None:
        report = replay([], SETTINGS)
        assert report.replayed.requests == 0
        assert report.prefill_tok_s is None
