"""What-if without a window: sliders, figures, curves, and the process that predicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.debugger.traces import demo_trace
from app.debugger.what_if.logic.figures import figures, recorded_text, verdict_sentence
from app.debugger.what_if.logic.knobs import knobs_for, value_words
from app.debugger.what_if.logic.study import Point, Study, best, sweep_cases
from app.debugger.what_if.logic.wanted import LIVE, Wanted, config_fields, tuned, wanted_of
from app.debugger.what_if.requests_plot import columns, predicted_tokens, today_tokens, tooltip
from engine.analysis.replay import replay
from engine.analysis.report import ReplayReport
from engine.cache.journal.changes import Tuned
from engine.cache.journal.journal import Entry
from engine.config import EngineConfig
from engine.journal.lines import TraceEntry
from engine.journal.settings import WhatIf
from engine.journal.tape import Tape, read_tape
from tests.app.debugger.recorded_day import RECORDED, save_day
from tests.engine.analysis.test_ledger import Day
from tests.present import present

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_day(Day(4), tmp_path_factory.mktemp("trace") / "day.jsonl")


@pytest.fixture(scope="module")
def tape(trace: Path) -> Tape:
    return read_tape(trace)


@pytest.fixture
def study(tape: Tape) -> Iterator[Study]:
    made = Study()
    made.show(tape)
    assert made.follow(10.0)
    yield made
    made.close()


def until(study: Study, done: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < ends, "nothing was predicted"
        study.take()
        time.sleep(0.005)


@cache
def replayed(tape: Tape, what_if: WhatIf) -> ReplayReport:
    lines = [
        TraceEntry(tape.entry(at), {one.index: one.traced for one in tape.requests}.get(at))
        for at in range(len(tape))
    ]
    return replay(lines, RECORDED, what_if)


class TestPredicting:
    def test_unchanged_sliders_give_the_recorded_figures(self, study: Study, tape: Tape) -> None:
        study.ask()
        until(study, lambda: not study.working)
        for report in (present(study.today), present(study.predicted)):
            assert report.differing == ()
            hits = [(one.reused, one.replayed, one.computed) for one in report.requests]
            rans = [one.ran for one in tape.requests]
            assert hits == [(ran.reused, ran.replayed, ran.computed) for ran in rans]

    def test_moved_sliders_give_what_a_replay_gives(self, study: Study, tape: Tape) -> None:
        changes = {"device_bytes": 20_000, "state_share": 0.8, "policy": "coverage"}
        for name, value in changes.items():
            study.set(name, value)
        assert study.changes == changes
        study.ask()
        until(study, lambda: not study.working)
        expected = replayed(tape, WhatIf(**changes))  # type: ignore[arg-type]
        assert present(study.predicted).requests == expected.requests
        assert expected.replayed.reused != present(study.today).replayed.reused

    def test_drafts_are_replayed_where_they_are_asked_for(self) -> None:
        made = Study()
        made.show(read_tape(demo_trace()))
        try:
            assert made.follow(10.0)
            made.set("drafts", "off")
            made.ask()
            until(made, lambda: made.predicted is not None)
            today, off = present(made.today), present(made.predicted)
        finally:
            made.close()
        assert today.writing == today.recorded_writing
        assert off.writing.passes == off.writing.answered > today.writing.passes
        assert off.replayed == today.replayed
        said = verdict_sentence(today, off)
        assert said.startswith("These settings would have reused the same tokens.")
        assert f"{off.writing.passes:,} passes of the model instead of" in said
        rows = {row.name: row for row in figures(today, off, made.base)}
        assert rows["Decode steps"].verdict == rows["Writing time"].verdict == "worse"
        assert rows["Rejected drafts"].predicted == "0"
        assert config_fields(made.changes) == {}

    @pytest.mark.slow
    def test_the_curve_is_a_replay_for_each_position(self, study: Study, tape: Tape) -> None:
        study.sweep("state_share")
        study.ask()
        until(study, lambda: not study.working)
        knob = study.knobs["state_share"]
        assert [present(point).value for point in study.points] == list(knob.values)
        for at in (2, 15):
            expected = replayed(tape, WhatIf(state_share=knob.values[at]))
            assert present(study.points[at]).reused == expected.replayed.reused_share
        top = present(best(study.points))
        assert top.reused == max(present(point).reused for point in study.points)

    @pytest.mark.slow
    def test_a_newer_question_takes_the_place_of_the_one_before(self, study: Study) -> None:
        for share in (0.1, 0.2, 0.3, 0.4):
            study.set("state_share", share)
            study.ask()
        until(study, lambda: not study.working)
        assert present(study.predicted).settings.state_share == 0.4

    def test_what_cannot_be_is_said(self, study: Study) -> None:
        study.set("device_bytes", 5)
        study.ask()
        until(study, lambda: not study.working)
        assert study.predicted is None
        assert "room for a token" in study.sentence

    def test_a_process_that_dies_is_told_and_started_again(self, study: Study) -> None:
        study.ask()
        process = present(study._predictor._process)
        process.kill()
        until(study, lambda: not study.working)
        assert "has ended" in study.sentence
        study.set("state_share", 0.3)
        assert study.follow(10.0)
        study.ask()
        until(study, lambda: study.predicted is not None)
        assert study.sentence == ""

    @pytest.mark.slow
    def test_asking_never_waits(self, study: Study) -> None:
        began = time.perf_counter()
        study.ask()
        until(study, lambda: not study.working)
        answered_s = time.perf_counter() - began
        gaps = []
        for step in range(200):
            began = time.perf_counter()
            study.set("interval", 64 * (step % 9))
            study.ask()
            study.take()
            gaps.append(time.perf_counter() - began)
        print(f"asked in {1e3 * sorted(gaps)[100]:.2f} ms, answered in {1e3 * answered_s:.0f} ms")
        # Each is a message to a queue; a replay of this day takes far longer.
        assert sorted(gaps)[len(gaps) // 2] < answered_s / 10
        until(study, lambda: not study.working)

    def test_settings_that_change_on_the_way_move_the_other_sliders(self, trace: Path) -> None:
        tape = read_tape(trace)
        study = Study()
        study.show(tape)
        study.follow(10.0)
        study.set("policy", "flops")
        now = tape.time(len(tape))
        change = Tuned(128, 0, 300, 4, 0.25)
        tape.append([TraceEntry(Entry(10**6, now, "device", change))])
        study.follow(10.0)
        assert (study.base.interval, study.base.decode_interval) == (128, 0)
        assert study.base.device_bytes == 300 * 10 + 4 * 1000
        assert study.changes == {"policy": "flops"}
        study.close()

    def test_what_was_applied_is_the_value_and_not_the_slots_that_it_made(
        self, trace: Path
    ) -> None:
        tape = read_tape(trace)
        study = Study()
        study.show(tape)
        study.follow(10.0)
        study.set("device_bytes", 7_005)
        base = study.base
        change = Tuned(base.interval, base.decode_interval, 300, 4, base.state_share, budget=7_005)
        tape.append([TraceEntry(Entry(10**6, tape.time(len(tape)), "device", change))])
        study.follow(10.0)
        assert study.base.device_bytes == 7_005
        assert study.changes == {}
        study.close()

    def test_no_requests_no_question(self) -> None:
        study = Study()
        study.show(Tape())
        study.follow(1.0)
        study.ask()
        assert not study.working
        study.close()


class TestSliders:
    BASE = wanted_of(RECORDED)

    def test_today_is_a_position_of_every_slider(self) -> None:
        odd = replace(self.BASE, interval=640, device_bytes=123_457, state_share=0.33)
        for knob in knobs_for(odd, RECORDED, odd):
            value = getattr(odd, knob.name)
            assert knob.values[knob.position(value)] == value
            if not knob.choice:
                assert all(a < b for a, b in pairwise(knob.values))

    def test_a_suggestion_between_two_positions_gets_one(self) -> None:
        wanted = self.BASE.filled(WhatIf(interval=320))
        knob = next(k for k in knobs_for(self.BASE, RECORDED, wanted) if k.name == "interval")
        assert knob.values[knob.position(320)] == 320

    def test_every_position_is_a_valid_setting(self) -> None:
        for knob in knobs_for(self.BASE, RECORDED, self.BASE):
            for value in knob.values:
                if value != self.BASE.state_share:
                    EngineConfig(**config_fields({knob.name: value}))

    def test_only_what_differs_is_asked(self) -> None:
        assert self.BASE.what_if(self.BASE) == WhatIf()
        wanted = replace(self.BASE, interval=128, mode="exact")
        assert wanted.what_if(self.BASE) == WhatIf(interval=128, mode="exact")
        assert config_fields({"device_bytes": 5}) == {"cache_bytes": 5}
        assert not LIVE.issuperset(wanted.differing(self.BASE))

    def test_an_interval_changed_alone_leaves_the_planes(self) -> None:
        assert tuned(self.BASE, RECORDED, Tuned(0, 0, 0, 0, 0.5)) == replace(
            self.BASE, interval=0, decode_interval=0
        )

    @pytest.mark.parametrize(
        ("name", "value", "words"),
        [
            ("interval", 0, "never"),
            ("interval", 1024, "1,024 tokens"),
            ("host_bytes", 0, "none"),
            ("device_bytes", 3 << 20, "3.00 MiB"),
            ("state_share", 0.55, "55%"),
            ("policy", "lru", "lru"),
            ("most_drafted", 7, "7 tokens"),
            ("most_drafted", 0, "none"),
        ],
    )
    def test_values_in_words(self, name: str, value: object, words: str) -> None:
        assert value_words(name, value) == words

    def test_a_sweep_changes_one_setting_alone(self) -> None:
        wanted = replace(self.BASE, policy="flops")
        knob = next(k for k in knobs_for(wanted, RECORDED, wanted) if k.name == "interval")
        cases = sweep_cases(knob, wanted, self.BASE)
        assert [case.what_if.interval or self.BASE.interval for case in cases[1:]] == list(
            knob.values[1:]
        )
        assert {case.what_if.policy for case in cases} == {"flops"}
        assert all(case.brief for case in cases)

    def test_the_best_is_the_smallest_of_equals(self) -> None:
        points = [Point(1, 0.2, 0), None, Point(2, 0.5, 0), Point(3, 0.5, 0), Point(4, 0.9, 0, "x")]
        assert present(best(points)).value == 2
        assert best([None]) is None


class TestWords:
    @pytest.mark.slow
    def test_figures_and_their_verdicts(self, tape: Tape) -> None:
        today, less = replayed(tape, WhatIf()), replayed(tape, WhatIf(device_bytes=5_000))
        rows = {row.name: row for row in figures(today, less, wanted_of(RECORDED))}
        assert rows["Reused"].verdict == "worse"
        assert rows["Reused"].change.startswith("-")
        assert rows["New tokens"].verdict == "worse"
        assert rows["Reserved"].change.startswith("−")
        assert rows["Evictions"].verdict == "same"
        assert "Host memory" not in rows
        hosted = figures(today, replayed(tape, WhatIf(host_bytes=9_000)), wanted_of(RECORDED))
        assert "Host memory" in {row.name for row in hosted}
        same = figures(today, today, wanted_of(RECORDED))
        assert {row.change for row in same} == {""}
        assert {row.predicted for row in figures(today, None, wanted_of(RECORDED))} == {""}

    def test_today_is_what_was_measured_and_what_is_set_now(self, tape: Tape) -> None:
        """The recording began with a full cache and a slow first token, unlike its replay."""
        simulated = replayed(tape, WhatIf())
        sums = present(simulated.recorded)
        measured = replace(
            sums, reused=sums.reused + 40, computed=sums.computed - 40, first_token_s=2.0
        )
        simulated = replace(simulated, replayed=replace(simulated.replayed, first_token_s=0.5))
        today = replace(simulated, recorded=measured)
        faster = replace(
            simulated,
            replayed=replace(
                sums, reused=sums.reused + 7, computed=sums.computed - 7, first_token_s=0.25
            ),
        )
        applied = replace(wanted_of(RECORDED), device_bytes=3 << 20)
        rows = {row.name: row for row in figures(today, faster, applied)}
        first, new = rows["First token"], rows["New tokens"]
        assert (first.today, first.predicted) == ("2.00 s", "1.75 s")
        assert new.today == f"{measured.computed:,}"
        assert new.change == "-7"
        assert rows["Reserved"].today == "3.00 MiB"
        same = figures(today, simulated, wanted_of(RECORDED))
        assert {row.change for row in same} == {""}

    def test_the_prediction_in_a_sentence(self, tape: Tape) -> None:
        today, less = replayed(tape, WhatIf()), replayed(tape, WhatIf(device_bytes=5_000))
        lost = today.replayed.reused - less.replayed.reused
        assert verdict_sentence(today, less).startswith(f"{lost:,} fewer tokens would have")
        assert "the same tokens" in verdict_sentence(today, today)
        assert "exactly what was recorded" in recorded_text(today)

    def test_many_requests_share_columns(self, tape: Tape) -> None:
        report = replayed(tape, WhatIf())
        requests = report.requests
        tokens = today_tokens(report)
        wide, narrow = columns(tokens, 1000), columns(tokens, 30)
        assert len(wide) == len(requests)
        assert len(narrow) == 10
        for made in (wide, narrow):
            assert sum(column.total for column in made) == sum(one.total for one in requests)
            assert sum(column.reused for column in made) == sum(one.reused for one in requests)
        assert narrow[1].first == narrow[0].requests
        assert columns((), 100) == []
        assert tooltip(narrow[0], None).startswith(f"Requests 1 to {narrow[0].requests}, ")
        assert "\npredicted: " in tooltip(wide[0], wide[0])

    def test_a_request_is_drawn_as_it_was_measured(self, tape: Tape) -> None:
        simulated = replayed(tape, WhatIf())
        *rest, last = simulated.requests
        assert last.reused > 5
        # Measured, it reused less than its replay, and other settings replay five tokens more.
        measured = (last.reused - 1, last.replayed, last.computed + 1)
        today = replace(simulated, requests=(*rest, replace(last, recorded=measured)))
        more = replace(last, reused=last.reused - 5, replayed=last.replayed + 5)
        predicted = replace(simulated, requests=(*rest, more))
        assert today_tokens(today)[-1] == measured
        assert predicted_tokens(today, simulated)[-1] == measured
        assert predicted_tokens(today, predicted)[-1] == (
            measured[0] - 5,
            measured[1] + 5,
            measured[2],
        )


def test_a_wanted_is_whole() -> None:
    assert set(Wanted.__slots__) == set(WhatIf.__slots__)
