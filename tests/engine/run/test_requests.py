"""Requests on the run loop: order, cancel, limits, errors; the cache stays intact throughout."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine import EngineConfig, Message, ModelError, PromptError, PromptOptions, Sampling, events
from engine.cache.journal.changes import RequestAt
from engine.commands import Cancel, Close, Probe, Submit, WatchJournal
from engine.journal.feed import JournalFed
from engine.journal.tape import Tape
from engine.loop import RunLoop
from engine.snapshot import Evicted
from tests.engine.run.conftest import CACHE_BYTES, Opener, ids

END = (events.RequestFinished, events.RequestFailed)


def finished(all_events: Iterable[events.Event]) -> events.RequestFinished:
    last = list(all_events)[-1]
    assert isinstance(last, events.RequestFinished), last
    return last


class TestEvents:
    def test_they_come_in_order_and_add_up(self, open_engine: Opener) -> None:
        received = list(open_engine().generate(ids(1, 60), Sampling.greedy(12)))
        assert [type(e) for e in received[:2]] == [events.RequestQueued, events.RequestStarted]
        assert isinstance(received[-1], events.RequestFinished)
        assert [e.seq for e in received] == sorted({e.seq for e in received})
        text = "".join(e.text for e in received if isinstance(e, events.TextDelta))
        assert text == received[-1].text
        report = received[-1].report
        assert report.generated == len(received[-1].token_ids) == 12
        assert report.first_token_s is not None
        assert 0 < report.first_token_s <= report.total_s

    def test_a_seed_repeats_an_answer_and_another_does_not(self, open_engine: Opener) -> None:
        engine = open_engine()
        answers = [
            finished(
                engine.generate(ids(1, 30), Sampling(temperature=2.0, seed=seed, max_tokens=16))
            )
            for seed in (7, 7, 8)
        ]
        assert answers[0].token_ids == answers[1].token_ids != answers[2].token_ids

    def test_a_stop_string_ends_the_answer_and_is_not_shown(self, open_engine: Opener) -> None:
        engine = open_engine()
        whole = finished(engine.generate(ids(1, 30), Sampling.greedy(12)))
        stop = whole.text[10:16]
        cut = finished(
            engine.generate(ids(1, 30), Sampling(temperature=0, max_tokens=12, stop=(stop,)))
        )
        assert cut.stop == "stop string"
        assert cut.text == whole.text[: whole.text.find(stop)]
        decoded = engine.on_core(lambda core: core.text.decode(cut.token_ids))
        assert decoded in ("", cut.text)

    def test_a_stop_id_ends_the_answer_and_is_not_part_of_it(self, open_engine: Opener) -> None:
        engine = open_engine()
        whole = finished(engine.generate(ids(1, 30), Sampling.greedy(12)))
        at = whole.token_ids[5]
        sampling = Sampling(temperature=0, max_tokens=12, stop_ids=(at,))
        cut = finished(engine.generate(ids(1, 30), sampling))
        assert cut.stop == "end"
        assert cut.token_ids == whole.token_ids[: whole.token_ids.index(at)]


class TestCancel:
    def test_closing_the_iterator_while_decoding(self, open_engine: Opener) -> None:
        engine = open_engine()
        stream = engine.generate(
            ids(1, 50), Sampling(temperature=0, max_tokens=5000, ignore_end=True)
        )
        for event in stream:
            if isinstance(event, events.TextDelta) and event.tokens > 5:
                break
        stream.close()
        engine.check_invariants()
        snapshot = engine.snapshot()
        assert snapshot.live is None
        assert max(node.end for node in snapshot.nodes) < 5000
        assert engine.logits(ids(1, 50)).reused == 50

    def test_cancelled_during_prefill_what_was_computed_is_kept(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        loop.post(Submit(1, ids(1, 6000), Sampling.greedy(4)))
        received = wait(loop, events.PrefillProgress)
        loop.post(Cancel(1))
        received += wait(loop, END)
        assert isinstance(received[-1], events.RequestFinished)
        assert received[-1].stop == "cancelled"
        plan = loop.call(lambda core: core.probe(ids(1, 6000), PromptOptions())).result()
        assert 0 < plan.reused < 6000
        loop.call(lambda core: core.check_invariants()).result()
        assert loop.close(60)

    def test_a_queued_request_never_starts(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1, parallel=1))
        loop.start()
        long = Sampling(temperature=0, max_tokens=3000, ignore_end=True)
        loop.post(Submit(1, ids(1, 40), long))
        loop.post(Submit(2, ids(2, 40), long))
        wait(loop, events.TextDelta)
        loop.post(Cancel(2))
        loop.post(Cancel(1))
        received: list[events.Event] = []
        while sum(isinstance(e, END) for e in received) < 2:
            received += loop.drain()
            time.sleep(0.005)
        assert not any(isinstance(e, events.RequestStarted) and e.request == 2 for e in received)
        assert loop.close(60)


class TestQueue:
    def test_several_requests_run_one_after_the_other(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1, parallel=1))
        loop.start()
        for number in (1, 2, 3):
            loop.post(Submit(number, ids(number, 30), Sampling.greedy(5)))
        received: list[events.Event] = []
        while sum(isinstance(e, END) for e in received) < 3:
            received += loop.drain()
            time.sleep(0.005)
        marks = [
            (type(e).__name__, e.request)
            for e in received
            if isinstance(e, events.RequestStarted | events.RequestFinished)
        ]
        assert marks == [
            (kind, number) for number in (1, 2, 3) for kind in ("RequestStarted", "RequestFinished")
        ]
        assert loop.close(60)

    def test_probes_are_answered_while_a_request_runs(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        loop.post(WatchJournal(on=True))
        loop.post(Submit(1, ids(1, 40), Sampling(temperature=0, max_tokens=4000, ignore_end=True)))
        received = wait(loop, events.TextDelta)
        loop.post(Probe(9, ids(1, 60)))
        received += wait(loop, events.ProbeAnswered)
        assert not any(isinstance(e, END) for e in received)
        received += wait(loop, JournalFed)
        live = loop.call(lambda core: core.snapshot().live, anytime=True).result()
        assert live is not None
        assert live.request == 1
        told = [line.entry.what for e in received if isinstance(e, JournalFed) for line in e.lines]
        assert any(isinstance(what, RequestAt) and what.request == 1 for what in told)
        loop.post(Close())
        assert loop.close(60)
        assert isinstance(loop.drain()[-1], events.EngineClosed)

    def test_a_probe_that_could_not_run_is_refused_with_the_reason(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1, context=100))
        loop.start()
        for probe in (Probe(1, ids(1, 120)), Probe(2, ()), Probe(3, (Message("user", "\ud800"),))):
            loop.post(probe)
            (refused,) = [
                e for e in wait(loop, events.ProbeRefused) if isinstance(e, events.ProbeRefused)
            ]
            assert refused.probe == probe.probe
            assert refused.tokens == (120 if probe.probe == 1 else None)
            words = ("the context holds only 100", "The prompt is empty", "half of a surrogate")
            assert words[probe.probe - 1] in refused.sentence
        assert loop.close(60)

    def test_every_eviction_is_told_once_to_whoever_looks_now_and_then(
        self, tiny_folder: Path
    ) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=1 << 20, threads=1, interval=64))
        loop.start()
        told: list[Evicted] = []
        whole = loop.call(lambda core: core.recordings.feed()).result()
        loop.call(lambda core: core.snapshot()).result()
        for number in range(1, 7):
            loop.post(Submit(number, ids(number, 400), Sampling.greedy(5)))
            wait(loop, events.RequestFinished)
            if number % 2:
                told += loop.call(lambda core: core.snapshot()).result().evictions
        told += loop.call(lambda core: core.snapshot()).result().evictions
        batch = loop.call(lambda core: whole.take()).result()
        assert batch is not None
        tape = Tape(batch.header)
        tape.append(batch.lines)
        assert [one.seq for one in told] == [one.evicted.seq for one in tape.evictions]
        assert len(told) > 5
        assert loop.close(60)


class TestLimits:
    def test_a_prompt_longer_than_the_context_is_refused_before_any_work(
        self, open_engine: Opener
    ) -> None:
        engine = open_engine(context=100)
        with pytest.raises(PromptError, match="100"):
            engine.logits(ids(1, 100))
        assert len(engine.snapshot().nodes) == 1
        last = list(engine.generate(ids(1, 100)))[-1]
        assert isinstance(last, events.RequestFailed)
        assert "context" in last.sentence

    def test_an_empty_prompt_and_an_unknown_id_are_refused(self, open_engine: Opener) -> None:
        engine = open_engine()
        with pytest.raises(PromptError, match="empty"):
            engine.logits(())
        with pytest.raises(PromptError, match="token id"):
            engine.logits((1, 2, 100_000))

    def test_an_answer_ends_at_the_context(self, open_engine: Opener) -> None:
        engine = open_engine(context=64)
        said = finished(
            engine.generate(ids(1, 40), Sampling(temperature=0, max_tokens=500, ignore_end=True))
        )
        assert said.stop == "context"
        assert 40 + said.report.generated <= 64
        few = Sampling(temperature=0, max_tokens=5, ignore_end=True)
        assert finished(engine.generate(ids(1, 40), few)).stop == "length"

    def test_a_full_cache_evicts_and_goes_on(self, open_engine: Opener) -> None:
        engine = open_engine(cache_bytes=1 << 20, interval=64)
        total = engine.snapshot().kv.total
        for number in range(30):
            prompt = ids(number, total // 3)
            assert engine.logits(prompt).computed > 0
            engine.check_invariants()
        assert sum(count for _, count in engine.snapshot().evicted) > 0

    def test_with_one_state_slot_every_request_still_runs(self, open_engine: Opener) -> None:
        engine = open_engine(state_share=0.001, cache_bytes=4 << 20, interval=64)
        for number in (1, 2, 1, 3):
            said = finished(engine.generate(ids(number, 200), Sampling.greedy(20)))
            assert said.report.generated == 20

    def test_without_a_state_plane_nothing_is_reused_and_all_is_right(
        self, open_engine: Opener
    ) -> None:
        engine = open_engine(state_share=0.0, interval=0, decode_interval=0)
        for _ in range(2):
            assert engine.logits(ids(1, 100)).reused == 0

    def test_a_budget_too_small_for_any_chat_says_how_much_is_needed(
        self, tiny_folder: Path
    ) -> None:
        from engine import Engine

        with pytest.raises(ModelError, match="MiB"):
            Engine.open(tiny_folder, EngineConfig(cache_bytes=1000))


class TestClosing:
    def test_a_closed_engine_raises(self, tiny_folder: Path) -> None:
        from engine import BiplaneError, Engine

        engine = Engine.open(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        engine.close()
        engine.close()
        with pytest.raises(BiplaneError, match="closed"):
            engine.logits(ids(1, 10))
        assert isinstance(list(engine.generate(ids(1, 10)))[-1], events.RequestFailed)

    def test_closing_ends_a_running_request(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        loop.post(Submit(1, ids(1, 40), Sampling(temperature=0, max_tokens=8000, ignore_end=True)))
        loop.post(Submit(2, ids(1, 40), Sampling.greedy(5)))
        wait(loop, events.TextDelta)
        assert loop.close(60)
        ends = [e for e in loop.drain() if isinstance(e, END)]
        assert {e.request for e in ends} == {1, 2}

    @pytest.mark.parametrize("continues", [False, True])
    def test_what_was_said_until_then_is_told_with_its_ids_before_the_end(
        self, tiny_folder: Path, continues: bool
    ) -> None:
        """A window that quits saves it, and can continue it after the next start."""
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        said = Message("assistant", " w1 w2")
        prompt = (Message("user", " w5 w6"), *((said,) if continues else ()))
        sampling = Sampling(temperature=0, max_tokens=8000, ignore_end=True)
        loop.post(Submit(1, prompt, sampling, PromptOptions(continues=continues)))
        heard = wait(loop, events.TextDelta)
        assert loop.close(60)
        heard += loop.drain()
        (end,) = [e for e in heard if isinstance(e, events.RequestFinished)]
        deltas = [e for e in heard if isinstance(e, events.TextDelta)]
        assert heard.index(end) < heard.index(heard[-1])
        assert isinstance(heard[-1], events.EngineClosed)
        assert end.stop == "cancelled"
        assert end.text == (said.content if continues else "") + "".join(d.text for d in deltas)
        assert len(end.token_ids) == deltas[-1].tokens + 2 * continues
        assert end.report.generated == deltas[-1].tokens

    def test_while_the_prompt_is_read_what_there_was_is_told(self, tiny_folder: Path) -> None:
        loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
        loop.start()
        said = Message("assistant", " w1 w2 w3")
        prompt = (Message("user", " w5" * 6000), said)
        loop.post(Submit(1, prompt, Sampling.greedy(5), PromptOptions(continues=True)))
        heard = wait(loop, events.PrefillProgress)
        assert loop.close(60)
        heard += loop.drain()
        (end,) = [e for e in heard if isinstance(e, events.RequestFinished)]
        assert (end.stop, end.text, end.report.generated) == ("cancelled", said.content, 0)
        assert len(end.token_ids) == 3
        assert not any(isinstance(e, events.TextDelta) for e in heard)

    def test_a_missing_folder_is_a_sentence(self, tmp_path: Path) -> None:
        from engine import Engine

        with pytest.raises(ModelError, match="There is no folder"):
            Engine.open(tmp_path / "nothing")


class TestMessages:
    def test_a_chat_reuses_its_past(self, open_engine: Opener) -> None:
        engine = open_engine()
        messages = [Message("system", " w5 w6 w7 w8" * 20), Message("user", " w1 w2 w3")]
        said = finished(engine.generate(messages, Sampling.greedy(10)))
        messages += [
            Message("assistant", said.text, token_ids=said.token_ids),
            Message("user", " w9 w10"),
        ]
        plan = engine.probe(messages)
        assert plan.replayed == 0
        # The last sampled token, the end of the answer, the new turn and the answer's header.
        assert plan.computed == 1 + 2 + 3 + 2 + 2 + 3

    def test_a_conversation_without_messages_is_refused(self, open_engine: Opener) -> None:
        with pytest.raises(PromptError, match="empty"):
            open_engine().logits([])


def test_importing_the_engine_does_not_import_torch() -> None:
    """The window imports it before it is shown."""
    code = "import engine, engine.loop, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def wait(
    loop: RunLoop, kind: type[events.Event] | tuple[type[events.Event], ...]
) -> list[events.Event]:
    """Every event up to and including the first of `kind`."""
    received: list[events.Event] = []
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        received += loop.drain()
        if any(isinstance(event, kind) for event in received):
            return received
        time.sleep(0.002)
    raise AssertionError(f"no {kind} in {[type(e).__name__ for e in received]}")
