"""Recording a working engine, and replaying the recording without a model."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine import Engine, EngineConfig, Message, PromptOptions, Sampling, events
from engine.analysis import history
from engine.analysis.replay import Replay, replay_file
from engine.analysis.report import ReplayReport
from engine.analysis.show import TraceState, moment_of
from engine.bench.random_model import random_model
from engine.commands import Cancel, DropCache, Record, StopRecording, Submit
from engine.errors import CacheError, TraceError
from engine.journal.reader import TraceReader
from engine.journal.settings import CacheSettings, WhatIf
from engine.loop import RunLoop
from engine.run.core import Core
from engine.snapshot import NodeView
from engine.verdict import Verdict
from tests.engine.run.conftest import CACHE_BYTES, Opener, ids
from tests.engine.run.test_bit_equal import mixture, parting
from tests.engine.run.test_requests import END, wait
from tests.present import present

TURNS = 45
_PLAIN = PromptOptions()
SMALL = 1500 << 10


def words(rng: np.random.Generator, count: int) -> str:
    return "".join(f" w{word}" for word in rng.integers(0, 400, count))


def said(engine: Engine, messages: list[Message], tokens: int) -> events.RequestFinished:
    last = list(engine.generate(messages, Sampling.greedy(tokens)))[-1]
    assert isinstance(last, events.RequestFinished), last
    return last


def chat(engine: Engine, seed: int, *, drops: bool = True) -> None:
    """Several interleaved chats on one system prompt: turns, edits, retries, cancels, probes."""
    rng = np.random.default_rng(seed)
    start = [Message("system", words(rng, 60))]
    chats = [list(start) for _ in range(4)]
    for _ in range(TURNS):
        at = int(rng.integers(len(chats)))
        kind = rng.random()
        if kind < 0.15 and len(chats[at]) > 3:
            del chats[at][int(rng.integers(1, len(chats[at]))) // 2 * 2 + 1 :]
        if kind < 0.25 and chats[at][-1].role == "assistant":
            chats[at].pop()
        if chats[at][-1].role != "user":
            chats[at].append(Message("user", words(rng, int(rng.integers(5, 80)))))
        if kind > 0.95 and drops:
            engine.drop_cache()
        if kind > 0.85:
            stream = engine.generate(chats[at], Sampling(temperature=0, max_tokens=200))
            for event in stream:
                if isinstance(event, events.TextDelta) and event.tokens > 8:
                    break
            stream.close()
            chats[at] = list(start)
            continue
        if kind > 0.8:
            engine.logits(ids(int(rng.integers(50)), int(rng.integers(20, 300))))
        if kind > 0.75:
            engine.logits(ids(1, 30), reuse=False)
        answer = said(engine, chats[at], int(rng.integers(1, 50)))
        chats[at].append(
            Message("assistant", answer.text, thinking=answer.thinking, token_ids=answer.token_ids)
        )
        if len(chats[at]) > 12:
            chats[at] = list(start)


def replayed(path: Path, what_if: WhatIf | None = None) -> ReplayReport:
    return replay_file(path, what_if or WhatIf(), CacheSettings())


SETTINGS = {
    "fast": {},
    "exact": {"mode": "exact"},
    "lru": {"policy": "lru"},
    "hardly a state": {"state_share": 0.02},
    "few states at first": {"state_share": 0.2},
    "a fixed split": {"rebalance": False},
    "with a host tier": {"host_bytes": 6 << 20},
    "exact with a host tier": {"mode": "exact", "host_bytes": 6 << 20},
    "with a packed host tier": {"host_bytes": 2 << 20, "compression": "int8"},
    "exact with a packed host tier": {
        "mode": "exact",
        "host_bytes": 6 << 20,
        "compression": "bfloat16",
    },
}


class TestRecordedSettings:
    @pytest.mark.slow
    @pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
    def test_every_request_hits_what_it_hit(
        self, open_engine: Opener, tmp_path: Path, settings: dict[str, object]
    ) -> None:
        engine = open_engine(cache_bytes=SMALL, interval=64, decode_interval=16, **settings)
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        chat(engine, seed=4)
        causes = dict(engine.snapshot().evicted)
        evicted = causes.get("state pressure", 0) + causes.get("kv pressure", 0)
        done = engine.stop_recording()
        assert done is not None
        assert not done.problem
        report = replayed(path)
        print(report.recorded, f"{evicted} evicted")
        assert evicted > 10
        assert len(report.requests) >= TURNS
        assert report.as_recorded
        assert report.differing == ()
        assert report.recorded is not None
        assert report.recorded.reused > 0
        if "host_bytes" in settings and settings.get("mode") != "exact":
            assert any(request.tier == "host" for request in report.requests)
        assert report.replayed.first_token_s is not None

    @pytest.mark.parametrize("mode", ["fast", "exact"])
    def test_answers_that_went_on_hit_what_they_hit(
        self, open_engine: Opener, tmp_path: Path, mode: str
    ) -> None:
        engine = open_engine(mode=mode, interval=64, decode_interval=16)
        path = tmp_path / "trace.jsonl"
        engine.record(path, text=True)
        rng = np.random.default_rng(9)
        messages = [Message("user", words(rng, 90))]
        going_on = PromptOptions(continues=True)
        sampling = Sampling(temperature=0, max_tokens=20, ignore_end=True)
        last, sizes = said(engine, messages, 20), []
        for _ in range(4):
            begun = Message("assistant", last.text, token_ids=last.token_ids)
            *_, end = engine.generate([*messages, begun], sampling, going_on)
            assert isinstance(end, events.RequestFinished)
            last = end
            sizes.append(last.report.plan.total)
        engine.stop_recording()
        report = replayed(path)
        assert report.as_recorded
        assert report.differing == ()
        assert [request.total for request in report.requests][1:] == sizes
        assert sizes == [sizes[0] + 20 * at for at in range(4)]

    def test_a_mixture_in_exact_mode_hits_what_it_hit(self, tmp_path: Path) -> None:
        """There KV is used again only if the whole pass that computed it was the same."""
        folder = random_model(tmp_path / "model", mixture(7, 1), seed=1, dtype="float32")
        config = EngineConfig(mode="exact", interval=256, cache_bytes=CACHE_BYTES, threads=1)
        path = tmp_path / "trace.jsonl.gz"
        with Engine.open(folder, config) as engine:
            engine.record(path)
            reused = [engine.logits(prompt).reused for prompt in parting(1)]
            verdicts = [engine.verify(n.id) for n in engine.snapshot().nodes if n.checkpoint]
            engine.stop_recording()
        report = replayed(path)
        assert report.exact
        assert report.differing == ()
        assert report.replayed.reused == sum(reused) > 0
        assert {verdict.status for verdict in verdicts if verdict} == {"verified"}

    def test_other_settings_give_other_hits_that_still_add_up(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(cache_bytes=SMALL, interval=64, decode_interval=16)
        engine.record(tmp_path / "trace.jsonl.gz")
        chat(engine, seed=5)
        engine.stop_recording()
        path = tmp_path / "trace.jsonl.gz"
        more = replayed(path, WhatIf(device_bytes=64 << 20))
        less = replayed(path, WhatIf(interval=0, policy="lru"))
        for report in (more, less):
            assert not report.as_recorded
            assert report.differing
            assert all(r.reused + r.replayed + r.computed == r.total for r in report.requests)
        assert more.recorded == less.recorded
        assert more.recorded is not None
        assert more.replayed.reused > more.recorded.reused > less.replayed.reused


class TestDisk:
    @pytest.mark.slow
    @pytest.mark.parametrize("mode", ["fast", "exact"])
    def test_what_came_from_disk_after_a_restart_is_replayed(
        self, open_engine: Opener, tmp_path: Path, mode: str
    ) -> None:
        settings = {
            "cache_bytes": SMALL,
            "interval": 64,
            "decode_interval": 16,
            "mode": mode,
            "cache_dir": tmp_path / "states",
            "disk_bytes": 20 << 20,
        }
        with open_engine(**settings) as engine:
            chat(engine, seed=9, drops=False)
        engine = open_engine(**settings)
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        chat(engine, seed=9, drops=False)
        engine.stop_recording()
        report = replayed(path)
        from_disk = sum(request.tier == "disk" for request in report.requests)
        print(f"{from_disk} of {len(report.requests)} from disk")
        assert from_disk > 2
        assert report.exact
        assert report.differing == ()
        other = replayed(path, WhatIf(device_bytes=3 << 20))
        assert "files from before" in other.notes[0]


@pytest.mark.parametrize("form", ["bfloat16", "int8"])
def test_a_replay_knows_what_derives_from_a_packed_state(
    open_engine: Opener, tmp_path: Path, form: str
) -> None:
    settings = {"cache_bytes": SMALL, "host_bytes": 3 << 20, "compression": form}
    engine = open_engine(interval=64, decode_interval=16, **settings)
    path = tmp_path / "trace.jsonl"
    engine.record(path)
    chat(engine, seed=4, drops=False)
    held = engine.on_core(lambda core: states_of(core.cache.reader.nodes()))
    assert engine.stop_recording() is not None
    reader = TraceReader(path)
    assert reader.header is not None
    again = Replay(reader.header.settings, as_recorded=True)
    for entry in reader:
        again.follow(entry)
    assert states_of(again._tiers.device.reader.nodes()) == held
    # Some derive from a packed one that another request wrote.
    assert sum(stored == form for _, _, stored in held) > 1
    assert any(stored == "none" for _, _, stored in held)


def states_of(nodes: tuple[NodeView, ...]) -> list[tuple[int, int, str]]:
    """Node, position and format of every checkpoint."""
    points = [(n.id, n.checkpoint) for n in nodes if n.checkpoint is not None]
    return sorted((node, point.state.position, point.state.stored) for node, point in points)


class TestVerdicts:
    def test_what_an_audit_quarantined_is_not_used_in_the_replay_either(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(interval=64, cache_bytes=SMALL, host_bytes=4 << 20)
        for number in (2, 3, 4, 1):
            engine.logits(ids(number, 400))
        condemn(engine, 3)
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        engine.logits(ids(1, 400))
        condemn(engine, 5)
        engine.logits(ids(1, 420))
        engine.stop_recording()
        report = replayed(path)
        assert report.exact
        assert report.differing == ()
        state = moment_of(path).state.tier("device")
        nodes = engine.on_core(lambda core: core.cache.reader.nodes())
        kept = {node.id for node in nodes if condemned(node)}
        assert kept == {node.id for node in state.nodes() if condemned(node)} != set()


def condemn(engine: Engine, most: int) -> None:
    """Quarantine up to `most` checkpoints and whatever derives from them."""

    def stamp(core: Core) -> None:
        for _ in range(most):
            good = [
                n.id
                for n in core.cache.reader.nodes()
                if n.checkpoint and not n.checkpoint.state.verdict
            ]
            if good:
                core.tiers.stamp(good[0], Verdict("quarantined", 1.0, 1.0, time.monotonic()))

    engine.on_core(stamp)


def condemned(node: NodeView) -> bool:
    return node.checkpoint is not None and node.checkpoint.state.verdict is not None


class TestStateFromFile:
    def test_the_file_rebuilds_the_tree_of_the_engine(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(cache_bytes=SMALL, interval=64)
        engine.logits(ids(3, 200))
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        chat(engine, seed=6)
        nodes = engine.on_core(lambda core: core.cache.reader.nodes())
        pools = engine.on_core(
            lambda core: (core.cache.reader.kv_pool(), core.cache.reader.state_pool())
        )
        engine.stop_recording()
        state = TraceState()
        for line in TraceReader(path):
            state.apply(line.entry)
        device = state.tier("device")
        shape = {(n.id, n.parent, n.start, n.end, n.hits) for n in nodes}
        assert {(n.id, n.parent, n.start, n.end, n.hits) for n in device.nodes()} == shape
        assert (device.kv_pool(), device.state_pool()) == pools

    def test_the_file_rebuilds_the_host_tier_beside_the_device(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(cache_bytes=SMALL, interval=64, host_bytes=6 << 20)
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        for number in range(6):
            engine.logits(ids(number, 400))
        caches = engine.on_core(
            lambda core: {
                "device": core.cache.reader.nodes(),
                "host": present(core.tiers.host).reader.nodes(),
            }
        )
        engine.stop_recording()
        state = TraceState()
        for line in TraceReader(path):
            state.apply(line.entry)
        assert len(caches["host"]) > 1
        for tier, nodes in caches.items():
            rebuilt = {(n.id, n.end, n.tombstone) for n in state.tier(tier).nodes()}
            assert rebuilt == {(n.id, n.end, n.tombstone) for n in nodes}, tier

    def test_a_recording_that_starts_late_contains_the_earlier_requests(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(cache_bytes=SMALL, interval=64, decode_interval=16)
        chat(engine, seed=7)
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        engine.drop_cache()
        chat(engine, seed=8)
        engine.stop_recording()
        report = replayed(path)
        assert report.exact
        assert report.differing == ()
        assert len(report.requests) >= 2 * TURNS

    def test_it_does_not_promise_what_it_cannot_know(
        self, open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(history, "MOST_TOKENS", 300)
        engine = open_engine(interval=64)
        for number in range(3):
            engine.logits(ids(number, 200))
        path = tmp_path / "trace.jsonl"
        engine.record(path)
        engine.logits(ids(0, 220))
        engine.stop_recording()
        report = replayed(path)
        assert not report.exact
        assert len(report.requests) == 1
        assert "are not in the trace" in report.notes[0]


class TestPrivacy:
    def test_no_word_of_a_chat_is_in_its_file(self, open_engine: Opener, tmp_path: Path) -> None:
        engine = open_engine()
        secret = [Message("user", " w123" * 30)]
        engine.record(tmp_path / "hashed.jsonl")
        answer = said(engine, secret, 20)
        engine.record(tmp_path / "plain.jsonl", text=True)
        said(engine, secret, 20)
        engine.stop_recording()
        real = engine.on_core(lambda core: core.prompt_ids(tuple(secret), _PLAIN))
        asked = [
            [line.request.ran for line in TraceReader(tmp_path / name) if line.request][-1]
            for name in ("hashed.jsonl", "plain.jsonl")
        ]
        assert asked[1].prompt.tolist() == list(real)
        assert asked[1].text == answer.text
        assert not set(asked[0].prompt.tolist()) & set(real)
        assert asked[0].text == ""


class TestCommands:
    def test_the_window_records_by_command(self, tiny_folder: Path, tmp_path: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1, interval=64))
        loop.start()
        path = tmp_path / "trace.jsonl"
        loop.post(Record(str(path)))
        loop.post(Submit(1, ids(1, 300), Sampling.greedy(40)))
        wait(loop, END)
        loop.post(Submit(2, ids(1, 500), Sampling(temperature=0, max_tokens=3000, ignore_end=True)))
        wait(loop, events.TextDelta)
        loop.post(DropCache())
        wait(loop, events.TextDelta)
        loop.post(Cancel(2))
        wait(loop, END)
        loop.post(Submit(3, ids(1, 6000), Sampling.greedy(4)))
        wait(loop, events.PrefillProgress)
        loop.post(Cancel(3))
        wait(loop, END)
        loop.post(Submit(4, ids(1, 700), Sampling.greedy(4)))
        wait(loop, END)
        loop.post(StopRecording())
        loop.call(lambda core: None).result()
        assert loop.close(60)
        report = replayed(path)
        assert len(report.requests) == 4
        assert report.differing == ()
        kept = [line.request.ran for line in TraceReader(path) if line.request is not None]
        assert kept[1].drops
        assert kept[2].position < len(kept[2].prompt)

    def test_an_unwritable_path_is_a_notice(self, tiny_folder: Path, tmp_path: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        loop.post(Record(str(tmp_path / "no" / "trace.jsonl")))
        received = wait(loop, events.Notice)
        assert "cannot be written" in next(
            event.sentence for event in received if isinstance(event, events.Notice)
        )
        assert loop.close(60)

    def test_from_python_it_is_an_error(self, open_engine: Opener, tmp_path: Path) -> None:
        engine = open_engine()
        with pytest.raises(TraceError, match="cannot be written"):
            engine.record(tmp_path / "no" / "trace.jsonl")
        assert engine.stop_recording() is None

    def test_closing_the_engine_ends_the_file(self, tiny_folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "trace.jsonl"
        with Engine.open(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1)) as engine:
            engine.record(path)
            engine.logits(ids(1, 100))
        assert len(replayed(path).requests) == 1


def test_a_damaged_recording_is_refused_with_a_sentence_or_harmless(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine(cache_bytes=SMALL, interval=64, host_bytes=2 << 20)
    whole = tmp_path / "whole.jsonl"
    engine.record(whole)
    for number in range(4):
        said(engine, [Message("user", words(np.random.default_rng(number), 40))], 6)
    engine.stop_recording()
    raw, rng = whole.read_bytes(), np.random.default_rng(13)
    path = tmp_path / "trace.jsonl"
    refused = 0
    for _ in range(250):
        path.write_bytes(damaged(raw, rng))
        refused += any(
            sentence.startswith("trace.jsonl")
            for sentence in (sentence_of(moment_of, path), sentence_of(replayed, path))
        )
    print(f"{refused} of 250 refused")
    assert refused > 50


def damaged(raw: bytes, rng: np.random.Generator) -> bytes:
    """Change digits where that leaves valid JSON, lose bytes where it does not."""
    out = bytearray(raw)
    digits = [at for at, byte in enumerate(out) if chr(byte).isdigit()]
    for _ in range(int(rng.integers(1, 6))):
        out[digits[int(rng.integers(len(digits)))]] = ord(str(int(rng.integers(10))))
    if rng.random() < 0.3:
        at = int(rng.integers(len(out)))
        del out[at : at + int(rng.integers(1, 2000))]
    return bytes(out)


def sentence_of(function: Callable[[Path], object], path: Path) -> str:
    """Why the file is refused, "" if it is not; anything but a sentence fails."""
    try:
        function(path)
    except (TraceError, CacheError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("text", [False, True], ids=["hashed", "with text"])
def test_a_deletion_while_recording_is_replayed(
    open_engine: Opener, tmp_path: Path, text: bool
) -> None:
    engine = open_engine(cache_bytes=SMALL, host_bytes=3 << 20, interval=64, decode_interval=16)
    path = tmp_path / "trace.jsonl"
    engine.record(path, text=text)
    shared = ids(1, 200)
    for seed in (2, 3, 4):
        engine.logits((*shared, *ids(seed, 150)))
    assert engine.forget([(*shared, *ids(2, 150))], [(*shared, *ids(3, 150))]).bytes > 0
    for seed in (2, 3, 4):
        engine.logits((*shared, *ids(seed, 150)))
    engine.stop_recording()
    report = replayed(path)
    assert report.exact
    assert report.differing == ()
    assert [request.reused for request in report.requests][3:] == [200, 350, 350]
    without = [line for line in path.read_text().splitlines() if '"Forgot"' not in line]
    assert len(without) == len(path.read_text().splitlines()) - 1
    path.write_text("\n".join(without) + "\n")
    assert replayed(path).differing != ()


def test_a_recording_after_a_deletion_says_that_it_begins_late(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine()
    engine.logits(ids(1, 300))
    engine.forget([ids(1, 300)], [ids(2, 300)])
    path = tmp_path / "trace.jsonl"
    engine.record(path, text=True)
    engine.logits(ids(3, 300))
    engine.stop_recording()
    assert str(list(ids(1, 300)[10:20]))[1:-1].replace(" ", "") not in path.read_text()
    assert not replayed(path).exact
