"""Replay: recorded settings give the recorded hits, others give other hits that still add up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.analysis.replay import ask_of, make_balance, make_tiers, replay, replay_file
from engine.cache.journal.changes import Cleared
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.errors import CacheError
from engine.journal.lines import TracedRequest, TraceEntry, entry_line, header_line
from engine.journal.request import RunRules, run_request
from engine.journal.settings import CacheSettings, WhatIf
from tests.engine.journal.samples import HEADER, SETTINGS, request
from tests.mostly_slow import mostly_slow


def chats(seed: int, requests: int = 120) -> list[RequestRan]:
    """Several chats on one system text: turns, edits, regenerations, cancels, drops."""
    rng = np.random.default_rng(seed)
    system = rng.integers(0, 1000, 40).tolist()
    said = [list(system) for _ in range(5)]
    asked: list[RequestRan] = []
    while len(asked) < requests:
        chat = int(rng.integers(len(said)))
        kind = rng.random()
        if kind < 0.15:
            said[chat] = said[chat][: int(rng.integers(40, len(said[chat]) + 1))]
        prompt = said[chat] + rng.integers(0, 1000, int(rng.integers(5, 60))).tolist()
        if len(prompt) > 250:
            said[chat] = list(system)
            continue
        if kind > 0.75 and asked:
            prompt = asked[-int(rng.integers(1, min(len(asked), 12) + 1))].prompt.tolist()
        answer = rng.integers(0, 1000, int(rng.integers(1, 40))).tolist()
        cancelled = rng.random() < 0.1
        drops = (len(prompt) + 1,) if rng.random() < 0.03 else ()
        asked.append(
            request(
                prompt,
                [] if cancelled else answer,
                request=len(asked),
                anchors=(40, len(prompt) - 3),
                position=len(prompt) // 2 if cancelled else len(prompt) + len(answer) - 1,
                stop="cancelled" if cancelled else "end",
                kind="logits" if rng.random() < 0.1 else "generate",
                drops=drops,
                one_shot=len(asked) % 5 == 0,
                headroom=min(len(answer), 256),
            )
        )
        if not cancelled and kind < 0.7:
            said[chat] = prompt + answer
    return asked


def recorded(asked: Iterable[RequestRan], settings: CacheSettings) -> list[TraceEntry]:
    """What a recording of these requests would say."""
    tiers = make_tiers(settings)
    balance = make_balance(settings, tiers)
    rules = RunRules(settings.mode, settings.interval, settings.decode_interval)
    lines = []
    for turn, ran in enumerate(asked):
        outcome = run_request(tiers, ask_of(ran), rules, balance)
        tiers.check()
        assert tiers.device.reader.kv_pool().live == tiers.device.reader.state_pool().live == 0
        known = replace(
            ran,
            reused=outcome.reused,
            replayed=outcome.replayed,
            computed=outcome.computed,
            resumed_from=outcome.tier,
            position=outcome.position,
            stop="refused" if outcome.refused else ran.stop,
            decoded=ran.decoded[: max(outcome.position - len(ran.prompt), 0) + 1],
        )
        if outcome.refused:
            known = replace(known, position=0)
        entry = Entry(turn, float(turn), "device", known)
        lines.append(TraceEntry(entry, TracedRequest(0, turn, known, True)))
        if turn == 60:
            lines.append(TraceEntry(Entry(turn, float(turn), "device", Cleared(False))))
            tiers.clear()
    return lines


def saved(lines: list[TraceEntry], settings: CacheSettings, path: Path) -> Path:
    text = [header_line(replace(HEADER, settings=settings))]
    text += [entry_line(line.entry, 0.0, line.request) for line in lines]
    path.write_text("".join(text))
    return path


HOST: dict[str, Any] = {"host_kv_slots": 1200, "host_state_slots": 20}
VARIANTS = {
    "coverage": SETTINGS,
    "lru": replace(SETTINGS, policy="lru"),
    "flops": replace(SETTINGS, policy="flops"),
    "a split that follows the workload": replace(SETTINGS, adaptive=True, state_share=0.2),
    "exact mode": replace(SETTINGS, mode="exact"),
    "with a host tier": replace(SETTINGS, **HOST),
    "exact with a host tier": replace(SETTINGS, mode="exact", **HOST),
    "exact with a compressed host tier": replace(
        SETTINGS, mode="exact", host_format="int8", **HOST
    ),
    "almost no states": replace(SETTINGS, state_slots=1),
    "small": replace(SETTINGS, kv_slots=270, state_slots=3),
}


class TestRecordedSettings:
    @pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS.keys())
    @pytest.mark.parametrize("seed", mostly_slow([1, 2]))
    def test_they_give_the_recorded_hits(
        self, settings: CacheSettings, seed: int, tmp_path: Path
    ) -> None:
        print(f"seed {seed}")
        lines = recorded(chats(seed), settings)
        report = replay_file(saved(lines, settings, tmp_path / "t.jsonl"), WhatIf(), SETTINGS)
        assert report.as_recorded
        assert report.differing == ()
        assert report.recorded is not None
        assert report.replayed.reused == report.recorded.reused > 0
        assert report.replayed.total == report.recorded.total


class TestOtherSettings:
    def test_every_prompt_still_adds_up_and_more_memory_reuses_more(self) -> None:
        lines = recorded(chats(3), SETTINGS)
        small = replay(lines, SETTINGS, WhatIf(device_bytes=5_000))
        large = replay(lines, SETTINGS, WhatIf(device_bytes=200_000))
        for report in (small, large):
            assert not report.as_recorded
            assert report.differing
            assert all(r.reused + r.replayed + r.computed == r.total for r in report.requests)
        assert small.replayed.total == large.replayed.total
        assert small.replayed.reused < large.replayed.reused
        assert small.device_bytes <= 5_000 < large.device_bytes <= 200_000

    def test_a_host_tier_brings_back_what_was_evicted(self) -> None:
        lines = recorded(chats(3), SETTINGS)
        with_host = replay(lines, SETTINGS, WhatIf(host_bytes=100_000))
        assert any(request.tier == "host" for request in with_host.requests)
        assert 0 < with_host.host_bytes <= 100_000
        assert dict(with_host.copied)["device to host: taken in"] > 0

    def test_changes_replace_only_what_they_name(self) -> None:
        changed = WhatIf(policy="lru", interval=128, device_bytes=20_000).changed(SETTINGS)
        assert (changed.policy, changed.interval) == ("lru", 128)
        assert changed.device_bytes <= 20_000
        assert (changed.mode, changed.decode_interval) == ("fast", 8)
        assert WhatIf().changed(SETTINGS) == SETTINGS

    def test_no_such_policy_and_no_room_are_sentences(self) -> None:
        with pytest.raises(CacheError, match="policy"):
            replay([], SETTINGS, WhatIf(policy="newest"))
        with pytest.raises(CacheError, match="interval is 100"):
            replay([], SETTINGS, WhatIf(interval=100))
        with pytest.raises(CacheError, match="host_bytes"):
            replay([], SETTINGS, WhatIf(host_bytes=-1))
        with pytest.raises(CacheError, match="no room for a token"):
            replay([], SETTINGS, WhatIf(device_bytes=1))
        with pytest.raises(CacheError, match="cannot be replayed"):
            replay([], SETTINGS, WhatIf(device_bytes=1 << 60))


class TestMarconi:
    def test_a_file_without_settings_is_replayed_on_those_given(self, tmp_path: Path) -> None:
        lines = []
        for turn, ran in enumerate(chats(5, 40)):
            lines.append(
                json.dumps(
                    {
                        "session_id": 0,
                        "turn_id": turn,
                        "ts": float(turn),
                        "num_input_tokens": len(ran.prompt),
                        "num_output_tokens": len(ran.decoded),
                        "input_tokens": ran.prompt.tolist(),
                        "output_tokens": ran.decoded.tolist(),
                    }
                )
            )
        path = tmp_path / "marconi.jsonl"
        path.write_text("\n".join(lines))
        report = replay_file(path, WhatIf(), SETTINGS)
        assert len(report.requests) == 40
        assert report.recorded is None
        assert report.replayed.reused > 0
        assert report.replayed.first_token_s is None


class TestPredictions:
    def test_seconds_follow_from_the_measured_speed(self) -> None:
        lines = recorded(chats(3, 30), SETTINGS)
        known = []
        for line in lines:
            assert line.request is not None
            ran = line.request.ran
            tokens = ran.replayed + ran.computed
            ran = replace(ran, prefill_ms=10.0 * tokens, first_token_s=0.01 * tokens + 0.002)
            ran = replace(ran, lookup_ms=0.0, restore_ms=0.0)
            known.append(TraceEntry(line.entry, replace(line.request, ran=ran)))
        report = replay(known, SETTINGS)
        for one in report.requests:
            assert one.first_token_s == pytest.approx(0.01 * (one.total - one.reused) + 0.002)
        assert json.dumps(report.as_json())
