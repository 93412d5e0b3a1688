"""What a user does to the cache of a live engine: each action, its undo, its trace."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import Engine, EngineConfig, Sampling, commands, events
from engine.analysis.replay import replay_file
from engine.analysis.show import TraceState
from engine.commands import Action
from engine.errors import CacheError
from engine.journal.reader import TraceReader
from engine.journal.settings import CacheSettings, WhatIf
from engine.loop import RunLoop
from engine.run.by_hand import Done
from engine.run.core import Core
from engine.snapshot import CacheSnapshot, NodeView
from tests.engine.run.conftest import Opener, ids

NUMBERS = itertools.count(1)
PATIENCE_S = 60.0


def act(engine: Engine, action: Action, node: int, position: int = 0) -> tuple[Done, int]:
    """Do it; returns what came of it and its number."""
    command = commands.Act(next(NUMBERS), action, node, position)

    def do(core: Core) -> Done:
        done = core.by_hand.run(core.by_hand.job(command), lambda: False, lambda done, of: None)
        assert done is not None
        return done

    done = engine.on_core(do)
    engine.check_invariants()
    return done, command.number


def undo(engine: Engine, of: int) -> Done:
    number = next(NUMBERS)

    def do(core: Core) -> Done:
        job = core.by_hand.undo_job(number, of)
        done = core.by_hand.run(job, lambda: False, lambda done, of: None)
        assert done is not None
        return done

    done = engine.on_core(do)
    engine.check_invariants()
    return done


def same(engine: Engine, prompt: tuple[int, ...], mode: str) -> int:
    """A cached run gives what a cold one gives; returns the tokens that it reused."""
    cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
    if mode == "exact":
        assert torch.equal(cached.logits, cold.logits)
    else:
        assert float((cached.logits - cold.logits).abs().max()) < 2e-3
    return cached.reused


def at(snapshot: CacheSnapshot, end: int) -> NodeView:
    return next(node for node in snapshot.nodes if node.end == end)


@pytest.mark.parametrize("mode", ["fast", "exact"])
class TestEachAction:
    def test_a_pinned_path_outlives_any_pressure_until_it_is_unpinned(
        self, open_engine: Opener, mode: str
    ) -> None:
        engine = open_engine(mode=mode, interval=64, cache_bytes=2 << 20)
        prompt = ids(1, 200)
        engine.logits(prompt)
        _, number = act(engine, "pin", at(engine.snapshot(), 200).id)
        assert at(engine.snapshot(), 200).pinned
        for other in range(2, 14):
            engine.logits(ids(other, 400))
        kept = at(engine.snapshot(), 200)
        assert kept.pinned
        assert kept.checkpoint is not None
        assert same(engine, prompt, mode) == 200
        undo(engine, number)
        assert not any(node.pinned for node in engine.snapshot().nodes)
        for other in range(14, 26):
            engine.logits(ids(other, 400))
        assert not [node for node in engine.snapshot().nodes if node.end == 200]

    def test_a_pin_stays_with_its_lower_half_when_a_node_is_split(
        self, open_engine: Opener, mode: str
    ) -> None:
        engine = open_engine(mode=mode, interval=1024)
        prompt = ids(1, 200)
        engine.logits(prompt)
        act(engine, "pin", at(engine.snapshot(), 200).id)
        engine.logits((*prompt[:150], *ids(7, 60)))
        engine.logits((*prompt, *ids(8, 60)))
        assert {node.end for node in engine.snapshot().nodes if node.pinned} == {200}
        engine.drop_cache()
        assert not any(node.pinned for node in engine.snapshot().nodes)

    def test_a_dropped_state_is_computed_again_by_its_undo(
        self, open_engine: Opener, mode: str
    ) -> None:
        engine = open_engine(mode=mode, interval=64)
        prompt = ids(1, 400)
        engine.logits(prompt)
        before = at(engine.snapshot(), 256)
        assert before.checkpoint is not None
        done, number = act(engine, "drop state", before.id)
        assert "no copy" in done.sentence
        assert at(engine.snapshot(), 256).tombstone
        told = undo(engine, number)
        assert "Stored the state at token 256" in told.sentence
        after = at(engine.snapshot(), 256).checkpoint
        assert after is not None
        assert after.why == "asked for"
        assert after.state.cut_hash == before.checkpoint.state.cut_hash
        assert same(engine, (*prompt[:256], *prompt[256:], *ids(3, 20)), mode) >= 256

    def test_a_dropped_state_comes_back_from_host_memory(
        self, open_engine: Opener, mode: str
    ) -> None:
        engine = open_engine(mode=mode, interval=64, host_bytes=8 << 20)
        prompt = ids(1, 400)
        engine.logits(prompt)
        node = at(engine.snapshot(), 256).id
        done, number = act(engine, "move to host", node)
        moved = at(engine.snapshot(), 256).checkpoint
        assert moved is not None
        assert moved.state.tier == "host"
        assert "host memory" in done.sentence
        told = undo(engine, number)
        assert "from host memory" in told.sentence
        back = at(engine.snapshot(), 256).checkpoint
        assert back is not None
        assert back.state.tier == "device"
        assert same(engine, (*prompt[:256], *prompt[256:], *ids(3, 20)), mode) >= 256
        with pytest.raises(CacheError, match=r"already\.$"):
            act(engine, "checkpoint", node)

    def test_what_is_evicted_is_gone_on_every_tier(
        self, open_engine: Opener, mode: str, tmp_path: Path
    ) -> None:
        engine = open_engine(
            mode=mode, interval=64, host_bytes=8 << 20, disk_bytes=8 << 20, cache_dir=tmp_path
        )
        prompt, other = ids(1, 300), (*ids(1, 300)[:64], *ids(5, 200))
        engine.logits(prompt)
        engine.logits(other)
        act(engine, "move to host", at(engine.snapshot(), 256).id)
        engine.on_core(lambda core: core.tiers.save())
        shown = next(node for node in engine.snapshot().nodes if node.start == 64)
        below = prompt if shown.end <= 300 and shown.parent is not None else other
        done, _ = act(engine, "evict", shown.id)
        assert done.undo is None
        assert "freed" in done.sentence
        left = engine.snapshot().nodes
        assert shown.id not in {node.id for node in left}
        assert len([node for node in left if node.start == 64]) == 1
        assert same(engine, below, mode) <= 300


class TestCheckpointHere:
    def test_it_runs_only_what_is_missing_and_splits_the_node(self, open_engine: Opener) -> None:
        engine = open_engine(interval=1024)
        prompt = ids(1, 500)
        engine.logits(prompt)
        node = next(n for n in engine.snapshot().nodes if n.start < 300 < n.end)
        done, number = act(engine, "checkpoint", node.id, 300)
        assert "ran 300 tokens from token 0" in done.sentence
        made = at(engine.snapshot(), 300).checkpoint
        assert made is not None
        assert made.why == "asked for"
        assert same(engine, (*prompt[:300], *ids(9, 30)), "fast") == 300
        node = next(n for n in engine.snapshot().nodes if n.start < 400 < n.end)
        done, _ = act(engine, "checkpoint", node.id, 400)
        assert "ran 100 tokens from token 300" in done.sentence
        undo(engine, number)
        assert at(engine.snapshot(), 300).tombstone

    def test_exact_mode_makes_none_that_it_would_never_use(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=1024)
        engine.logits(ids(1, 500))
        node = next(n for n in engine.snapshot().nodes if n.start < 300 < n.end)
        before = engine.snapshot().nodes
        with pytest.raises(CacheError, match="none was cut at token 300"):
            act(engine, "checkpoint", node.id, 300)
        assert engine.snapshot().nodes == before

    def test_it_stops_between_two_passes_and_leaves_nothing(self, open_engine: Opener) -> None:
        engine = open_engine(interval=4096)
        engine.logits(ids(1, 3000))
        node = next(n for n in engine.snapshot().nodes if n.start < 2900 < n.end)
        command = commands.Act(next(NUMBERS), "checkpoint", node.id, 2900)
        asked = iter((False, True))

        def stopped(core: Core) -> object:
            job = core.by_hand.job(command)
            return core.by_hand.run(job, lambda: next(asked), lambda done, of: None)

        before = {n.end for n in engine.snapshot().nodes if n.checkpoint}
        assert engine.on_core(stopped) is None
        assert {n.end for n in engine.snapshot().nodes if n.checkpoint} == before

    def test_with_every_state_pinned_there_is_a_sentence(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 200))

        def full(core: Core) -> None:
            node = next(n for n in core.snapshot().nodes if n.end > n.start + 20)
            command = commands.Act(next(NUMBERS), "checkpoint", node.id, node.start + 10)
            job = core.by_hand.job(command)
            slots = core.cache.reader.sizes[1]
            # A request that held every slot: whatever the policy could evict is gone.
            held = [core.cache.alloc_state() for _ in range(slots)]
            try:
                with pytest.raises(CacheError, match="no room for another state"):
                    core.by_hand.run(job, lambda: False, lambda done, of: None)
            finally:
                for slot in held:
                    if slot is not None:
                        core.cache.free_state(slot)

        engine.on_core(full)


class TestRefusals:
    def test_pins_leave_half_of_the_memory_to_chats(self, open_engine: Opener) -> None:
        engine = open_engine(cache_bytes=1 << 20, interval=1024)
        said = ""
        for number in range(1, 30):
            engine.logits(ids(number, 300))
            node = max(engine.snapshot().nodes, key=lambda n: n.created)
            try:
                act(engine, "pin", node.id)
            except CacheError as error:
                said = str(error)
                break
        assert "may be pinned" in said
        assert same(engine, ids(40, 300), "fast") >= 0

    def test_a_node_without_a_state_is_not_pinned(self, open_engine: Opener) -> None:
        engine = open_engine(interval=1024)
        engine.logits(ids(1, 200))
        act(engine, "drop state", at(engine.snapshot(), 192).id)
        with pytest.raises(CacheError, match="make a checkpoint here first"):
            act(engine, "pin", at(engine.snapshot(), 192).id)

    def test_what_is_pinned_is_neither_dropped_nor_evicted(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64, host_bytes=8 << 20)
        engine.logits(ids(1, 200))
        node = at(engine.snapshot(), 200).id
        act(engine, "pin", node)
        top = at(engine.snapshot(), 64).id
        actions: tuple[Action, ...] = ("drop state", "evict", "move to host")
        for action in actions:
            with pytest.raises(CacheError, match="pinned"):
                act(engine, action, node)
        with pytest.raises(CacheError, match="below it is pinned"):
            act(engine, "evict", top)

    def test_what_is_gone_or_cannot_be_said_again(self, open_engine: Opener) -> None:
        engine = open_engine()
        engine.logits(ids(1, 200))
        with pytest.raises(CacheError, match="no longer in the cache"):
            act(engine, "pin", 9999)
        with pytest.raises(CacheError, match="no longer in the cache"):
            act(engine, "evict", 0)
        with pytest.raises(CacheError, match="no longer be taken back"):
            undo(engine, 77)
        with pytest.raises(CacheError, match="not inside"):
            act(engine, "checkpoint", at(engine.snapshot(), 200).id, 201)
        with pytest.raises(CacheError, match="no host memory tier"):
            act(engine, "move to host", at(engine.snapshot(), 200).id)

    def test_a_wrong_state_is_not_kept(self, open_engine: Opener) -> None:
        engine = open_engine(interval=1024)
        engine.logits(ids(1, 200))
        node = at(engine.snapshot(), 200).id
        act(engine, "pin", node)
        engine.logits((*ids(1, 200), *ids(4, 50)))
        deep = at(engine.snapshot(), 250).id
        act(engine, "pin", deep)
        engine.on_core(lambda core: core.store.spoil_states())
        verdict = engine.verify(node)
        assert verdict is not None
        assert verdict.status == "quarantined"
        assert deep not in {n.id for n in engine.snapshot().nodes}
        engine.check_invariants()


class TestTheLoop:
    """The same as commands, answered by events, with a request under way."""

    @pytest.fixture
    def heard(self) -> list[events.Event]:
        return []

    @pytest.fixture
    def loop(self, tiny_folder: Path, heard: list[events.Event]) -> RunLoop:
        self.more = threading.Condition()

        def hear(event: events.Event) -> None:
            with self.more:
                heard.append(event)
                self.more.notify_all()

        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=32 << 20, threads=1), hear)
        loop.start()
        return loop

    def wait(self, heard: list[events.Event], kind: type, number: int = 0) -> events.Event:
        def found() -> list[events.Event]:
            return [
                e
                for e in heard
                if isinstance(e, kind) and (not number or getattr(e, "number", 0) == number)
            ]

        with self.more:
            assert self.more.wait_for(lambda: bool(found()), PATIENCE_S)
            return found()[0]

    def nodes(self, loop: RunLoop) -> tuple[NodeView, ...]:
        return loop.call(lambda core: core.snapshot().nodes, anytime=True).result(PATIENCE_S)

    def test_an_answer_undo_and_a_refusal(self, loop: RunLoop, heard: list[events.Event]) -> None:
        try:
            loop.call(lambda core: core.logits(ids(1, 200), True, commands.PLAIN)).result(60)
            node = max(self.nodes(loop), key=lambda n: n.end).id
            loop.post(commands.Act(1, "pin", node))
            done = self.wait(heard, events.Acted, 1)
            assert isinstance(done, events.Acted)
            assert (done.done, done.node, done.undo) == (True, node, "Unpin it")
            loop.post(commands.UndoAct(2, 1))
            undone = self.wait(heard, events.Acted, 2)
            assert isinstance(undone, events.Acted)
            assert (undone.done, undone.undo) == (True, "Pin it again")
            loop.post(commands.Act(3, "evict", 12345))
            refused = self.wait(heard, events.Acted, 3)
            assert isinstance(refused, events.Acted)
            assert not refused.done
            loop.post(commands.WarmPrompt(4, ids(2, 300)))
            warm = self.wait(heard, events.Acted, 4)
            assert isinstance(warm, events.Acted)
            assert "300 were computed" in warm.sentence
            assert self.wait(heard, events.ActProgress, 4)
        finally:
            assert loop.close(PATIENCE_S)

    def test_what_the_answer_reads_is_refused_and_the_rest_waits_for_it(
        self, loop: RunLoop, heard: list[events.Event]
    ) -> None:
        try:
            loop.call(lambda core: core.logits(ids(1, 200), True, commands.PLAIN)).result(60)
            loop.call(lambda core: core.logits(ids(3, 200), True, commands.PLAIN)).result(60)
            ends = [n for n in self.nodes(loop) if n.end == 200]
            first = loop.call(lambda core: core.cache.reader.probe(ids(1, 200)).node)
            read = first.result(PATIENCE_S)
            other = next(n.id for n in ends if n.id != read)
            sampling = Sampling(temperature=0, max_tokens=4000, ignore_end=True)
            loop.post(commands.Submit(1, (*ids(1, 200), 30), sampling))
            self.wait(heard, events.TextDelta)
            loop.post(commands.Act(11, "evict", read))
            refused = self.wait(heard, events.Acted, 11)
            assert isinstance(refused, events.Acted)
            assert "running answer" in refused.sentence
            loop.post(commands.Act(12, "drop state", other))
            loop.post(commands.Cancel(1))
            done = self.wait(heard, events.Acted, 12)
            assert isinstance(done, events.Acted)
            assert done.done
            ended = self.wait(heard, events.RequestFinished)
            assert ended.seq < done.seq
        finally:
            assert loop.close(PATIENCE_S)

    def test_stopping_answers_everything_that_waits(
        self, loop: RunLoop, heard: list[events.Event]
    ) -> None:
        loop.call(lambda core: core.logits(ids(1, 200), True, commands.PLAIN)).result(60)
        node = max(self.nodes(loop), key=lambda n: n.end)
        loop.post(commands.WarmPrompt(1, ids(4, 6000)))
        loop.post(commands.Act(2, "checkpoint", node.id, node.start + 1))
        loop.post(commands.StopActs())
        for number in (1, 2):
            stopped = self.wait(heard, events.Acted, number)
            assert isinstance(stopped, events.Acted)
            assert stopped.done is False or number == 1
        assert loop.close(PATIENCE_S)
        loop.post(commands.Act(9, "pin", node.id))
        closed = self.wait(heard, events.Acted, 9)
        assert isinstance(closed, events.Acted)
        assert closed.sentence == "The engine is closed."


SETTINGS: dict[str, dict[str, object]] = {
    "fast": {},
    "exact": {"mode": "exact"},
    "host": {"host_bytes": 6 << 20},
    "exact host": {"mode": "exact", "host_bytes": 6 << 20},
}


def shape(node: NodeView) -> tuple[object, ...]:
    return node.id, node.start, node.end, node.pinned, node.checkpoint is not None


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True], ids=["from the start", "late"])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
def test_a_trace_follows_and_a_replay_repeats_what_was_done(
    open_engine: Opener, tmp_path: Path, settings: dict[str, object], late: bool
) -> None:
    engine = open_engine(cache_bytes=1500 << 10, interval=64, decode_interval=16, **settings)
    path = tmp_path / "trace.jsonl"
    if not late:
        engine.record(path)
    rng = np.random.default_rng(6)
    chats = [ids(n, 120) for n in range(1, 6)]
    actions: tuple[Action, ...] = ("pin", "unpin", "drop state", "evict", "warm", "move to host")
    done = 0
    for step in range(90):
        if late and step == 60:
            engine.record(path)
        at_chat = int(rng.integers(len(chats)))
        prompt = (*chats[at_chat], *ids(100 + step, int(rng.integers(1, 60))))
        *_, last = engine.generate(prompt, Sampling.greedy(int(rng.integers(1, 20))))
        assert isinstance(last, events.RequestFinished)
        chats[at_chat] = (*prompt, *last.token_ids) if len(prompt) < 350 else prompt[:100]
        nodes = [node for node in engine.snapshot().nodes if node.parent is not None]
        node = nodes[int(rng.integers(len(nodes)))]
        try:
            if rng.random() < 0.4:
                inside = int(rng.integers(node.start + 1, node.end + 1))
                act(engine, "checkpoint", node.id, inside if rng.random() < 0.5 else 0)
            else:
                act(engine, actions[int(rng.integers(len(actions)))], node.id)
            done += 1
        except CacheError:
            pass
    assert done > 20
    live = engine.on_core(lambda core: core.cache.reader.nodes())
    recorded = engine.stop_recording()
    assert recorded is not None
    assert not recorded.problem
    state = TraceState()
    for line in TraceReader(path):
        state.apply(line.entry)
    told = state.snapshot().nodes
    assert sorted(map(shape, told)) == sorted(map(shape, live))
    whys = {n.id: n.checkpoint.why for n in live if n.checkpoint is not None}
    assert {n.id: n.checkpoint.why for n in told if n.checkpoint is not None} == whys
    report = replay_file(path, WhatIf(), CacheSettings())
    assert report.as_recorded
    assert report.differing == ()
    assert len(report.requests) == 90
    other = replay_file(path, WhatIf(interval=128), CacheSettings())
    assert len(other.requests) == 90
