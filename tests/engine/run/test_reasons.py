"""Every gap in the reuse of a prompt has a named cause, as data and in one sentence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine import Engine, EngineConfig, Message, PromptOptions, Reason, Sampling
from engine.commands import Submit
from engine.events import Event, RequestFinished
from engine.reuse import ReusePlan, ReuseReport
from engine.run.core import Core
from engine.verdict import Verdict
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.test_disk_tier import files
from tests.present import present

SYSTEM = Message("system", " w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17")


@contextmanager
def filed(folder: Path, tmp_path: Path) -> Iterator[Engine]:
    """An engine whose files survive it."""
    kept = EngineConfig(threads=1, cache_dir=tmp_path / "files", disk_bytes=64 << 20)
    with Engine.open(folder, kept) as engine:
        yield engine


def user(text: str) -> Message:
    return Message("user", text)


def say(engine: Engine, *messages: Message, thinking: bool = False) -> ReuseReport:
    options = PromptOptions(thinking=thinking)
    sampling = Sampling(temperature=0, max_tokens=6, ignore_end=True)
    last = list(engine.generate(list(messages), sampling, options))[-1]
    assert isinstance(last, RequestFinished), last
    return last.report


def answered(engine: Engine, *messages: Message) -> Message:
    sampling = Sampling(temperature=0, max_tokens=10, ignore_end=True)
    last = list(engine.generate(list(messages), sampling))[-1]
    assert isinstance(last, RequestFinished)
    return Message("assistant", last.text, token_ids=last.token_ids)


class TestDivergence:
    def test_first_sight_and_new_tokens(self, open_engine: Opener) -> None:
        engine = open_engine()
        assert say(engine, SYSTEM, user(" w20 w21")).plan.reason is Reason.FIRST_SIGHT
        answer = answered(engine, SYSTEM, user(" w20 w21"))
        following = say(engine, SYSTEM, user(" w20 w21"), answer, user(" w30 w31 w32")).plan
        assert following.reason is Reason.NEW_TOKENS
        assert following.divergence is None

    def test_an_edited_message_differs_from_another_chat(self, open_engine: Opener) -> None:
        engine = open_engine()
        first = (SYSTEM, user(" w20 w21 w22"))
        answer = answered(engine, *first)
        say(engine, *first, answer, user(" w30 w31 w32"))
        edited = say(engine, *first, answer, user(" w40 w41 w42 w43")).plan
        assert edited.reason is Reason.MESSAGE_EDITED
        assert edited.divergence is not None
        assert (edited.divergence.message, edited.divergence.role) == (3, "user")
        assert "w30" in edited.divergence.cached
        assert "w40" in edited.divergence.prompt
        assert "w40" in edited.detail
        other = say(engine, SYSTEM, user(" w50 w51 w52")).plan
        assert other.reason is Reason.ANOTHER_CHAT
        assert other.divergence is not None
        assert other.divergence.message == 1

    def test_a_date_in_the_system_text_is_shown_on_both_sides(self, open_engine: Opener) -> None:
        engine = open_engine()
        text = " ".join(f"w{n}" for n in range(1, 20))
        say(engine, Message("system", f" {text} w101 w1"), user(" w20 w21"))
        plan = say(engine, Message("system", f" {text} w102 w1"), user(" w20 w21")).plan
        assert plan.reason is Reason.SYSTEM_TEXT_CHANGED
        assert plan.divergence is not None
        assert plan.divergence.role == "system"
        assert "w101" in plan.divergence.cached
        assert "w102" in plan.divergence.prompt
        assert "w101" in plan.detail
        assert "w102" in plan.detail

    def test_a_dropped_thought(self, open_engine: Opener) -> None:
        engine = open_engine()
        first = (SYSTEM, user(" w20 w21 w22"))
        say(engine, *first, thinking=True)
        shown = Message("assistant", " w60 w61 w62 w63")
        plan = say(engine, *first, shown, user(" w30 w31"), thinking=True).plan
        assert plan.reason is Reason.TEMPLATE_DROPPED_THINKING
        assert plan.replayed == 0

    def test_what_a_changed_system_text_lets_run_again(self, open_engine: Opener) -> None:
        """The question and the answer, which are the same; not the new text, nor the new question.

        A continued chat and a regenerated answer have none.
        """
        engine = open_engine()
        asked, text = user(" w20 w21 w22"), " ".join(f"w{n}" for n in range(1, 20))
        old, new = (Message("system", f" {text} w{at} w1") for at in (101, 102))
        answer = answered(engine, old, asked)
        following = user(" w30 w31")
        for _ in range(2):
            assert say(engine, old, asked, answer, following).plan.again == 0
        plan = say(engine, new, asked, answer, following, user(" w40")).plan
        assert plan.reason is Reason.SYSTEM_TEXT_CHANGED
        assert plan.replayed < plan.again < plan.replayed + plan.computed
        without = say(engine, new, user(" w60")).plan
        assert without.again == without.replayed

    def test_an_edited_answer(self, open_engine: Opener) -> None:
        engine = open_engine()
        first = (SYSTEM, user(" w20 w21 w22"))
        answer = answered(engine, *first)
        changed = replace(answer, content=" w70 w71 w72")
        plan = say(engine, *first, changed, user(" w30 w31")).plan
        assert plan.again == plan.replayed
        assert plan.reason is Reason.MESSAGE_EDITED
        assert "answer" in plan.detail

    def test_a_window_that_slides(self, open_engine: Opener) -> None:
        """A client that sends the last turns only, as many do to bound what they pay for."""
        engine = open_engine()
        first, second = user(" w20 w21 w22"), user(" w30 w31 w32")
        one, two = Message("assistant", " w60 w61"), Message("assistant", " w62 w63")
        say(engine, SYSTEM, user(" w90 w91"))
        say(engine, SYSTEM, first, one, second)
        plan = say(engine, SYSTEM, second, two, user(" w40 w41")).plan
        assert plan.reason is Reason.OLDEST_DROPPED
        divergence = present(plan.divergence)
        assert "w20" in divergence.cached
        assert "w30" in divergence.prompt

    def test_two_chats_with_a_part_of_the_system_text(self, open_engine: Opener) -> None:
        engine = open_engine()
        text = " ".join(f"w{n}" for n in range(1, 40))
        say(engine, Message("system", f" {text} w101"), user(" w20 w21"))
        plan = say(engine, Message("system", f" {text} w102 w7 w8"), user(" w50")).plan
        assert plan.reason is Reason.SYSTEM_TEXT_SHARED
        assert "w101" in present(plan.divergence).cached
        assert "No checkpoint is stored there" in plan.detail


class TestNotInTheCache:
    """What was seen before, and cannot be used: only what is certain is said."""

    def test_an_answer_of_an_earlier_start(self, open_engine: Opener) -> None:
        first = (SYSTEM, user(" w20 w21"))
        answer = answered(open_engine(), *first)
        later = open_engine()
        assert say(later, *first, answer, user(" w30")).plan.reason is Reason.READ_BEFORE
        other = replace(answer, token_ids=())
        assert say(open_engine(), *first, other, user(" w30")).plan.reason is Reason.FIRST_SIGHT

    def test_files_that_other_numerics_wrote(self, open_engine: Opener, tmp_path: Path) -> None:
        kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
        engine = open_engine(**kept)
        engine.logits(ids(1, 300))
        engine.close()
        exact = open_engine(mode="exact", **kept)
        plan = exact.logits((*ids(1, 300), 4)).plan
        assert plan.reason is Reason.OTHER_FILES
        assert "the first 256 tokens" in plan.detail
        assert exact.logits(ids(2, 300)).plan.reason is Reason.FIRST_SIGHT

    def test_a_template_that_changed_since_the_files_were_written(
        self, tiny_folder: Path, tmp_path: Path
    ) -> None:
        folder = Path(shutil.copytree(tiny_folder, tmp_path / "model"))
        template = folder / "chat_template.jinja"
        first = (SYSTEM, user(" w20 w21 w22 w23 w24 w25 w26"))
        with filed(folder, tmp_path) as engine:
            answer = answered(engine, *first)
        template.write_text("<|im_start|> w99 w98\n" + template.read_text())
        with filed(folder, tmp_path) as engine:
            plan = say(engine, *first, answer, user(" w30")).plan
        assert plan.reason is Reason.RENDERED_DIFFERENTLY
        assert "The template or the tools changed since the files were written" in plan.detail
        assert "w99" in plan.detail
        assert "w99" in plan.unquoted().detail
        assert "system" not in plan.unquoted().detail

    def test_a_system_text_that_changed_since_the_files_were_written(
        self, tiny_folder: Path, tmp_path: Path
    ) -> None:
        first = user(" w20 w21 w22 w23 w24 w25 w26")
        with filed(tiny_folder, tmp_path) as engine:
            answer = answered(engine, SYSTEM, first)
        # Every word of it is in the earlier one.
        brief = Message("system", " w7 w8 w9")
        with filed(tiny_folder, tmp_path) as engine:
            plan = say(engine, brief, first, answer, user(" w30")).plan
        assert plan.reason is Reason.SYSTEM_TEXT_CHANGED
        assert "in message 1, the system prompt changed" in plan.detail

    def test_a_file_that_was_deleted(self, open_engine: Opener, tmp_path: Path) -> None:
        kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
        engine = open_engine(**kept)
        engine.logits(ids(1, 300))
        engine.close()
        again = open_engine(**kept)
        for path in files(tmp_path):
            path.unlink()
        plan = again.logits((*ids(1, 300), 4)).plan
        assert plan.reason is Reason.FILE_GONE
        assert "had been deleted" in plan.detail


class TestStateMissing:
    def replayed(self, engine: Engine, prompt: tuple[int, ...]) -> ReusePlan:
        return engine.logits(prompt).plan

    def test_never_taken(self, open_engine: Opener) -> None:
        engine = open_engine()
        engine.logits(ids(1, 200))
        plan = self.replayed(engine, (*ids(1, 150), *ids(2, 20)))
        assert (plan.reused, plan.replayed) == (0, 150)
        assert plan.missing is not None
        assert (plan.missing.why, plan.missing.position) == (Reason.NO_CHECKPOINT, 150)
        assert "No checkpoint is stored there" in plan.detail

    def test_evicted_why_and_when(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 400))
        prompt = (*ids(1, 390), *ids(2, 20))
        for _ in range(6):
            engine.on_core(lambda core: core.cache.evict_state())
            found = engine.probe(prompt).missing
            if found is not None and found.by:
                break
        plan = self.replayed(engine, prompt)
        assert plan.missing is not None
        assert plan.missing.why is Reason.CHECKPOINT_EVICTED
        assert plan.missing.by == "state pressure"
        assert plan.missing.seconds_ago is not None
        assert 0 <= plan.missing.seconds_ago < 60
        assert "state pressure, 0 s ago" in plan.detail

    def test_quarantined(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 300))

        def quarantine(core: Core) -> None:
            first = min(
                core.cache.reader.checkpoints(),
                key=lambda n: len(core.cache.reader.holding(n).tokens),
            )
            core.cache.stamp(first, Verdict("quarantined", 1.0, 1.0, 0.0))

        engine.on_core(quarantine)
        plan = self.replayed(engine, (*ids(1, 300), *ids(2, 20)))
        assert plan.reused == 0
        assert plan.missing is not None
        assert plan.missing.why is Reason.QUARANTINED
        assert "wrong" in plan.detail

    def test_compressed_in_exact_mode(self, open_engine: Opener) -> None:
        engine = open_engine(mode="exact", interval=64)
        engine.logits(ids(1, 300))
        prompt = (*ids(1, 300), *ids(2, 20))
        assert engine.probe(prompt).reused > 0

        def pack(core: Core) -> None:
            for node in core.cache.reader.checkpoints():
                held = core.cache.reader.holding(node).checkpoint
                assert held is not None
                held.state = replace(held.state, stored="int8")

        engine.on_core(pack)
        cold = engine.logits(prompt, reuse=False)
        found = engine.logits(prompt)
        assert found.reused == 0
        assert found.plan.missing is not None
        assert found.plan.missing.why is Reason.COMPRESSED
        assert torch.equal(found.logits, cold.logits)

    def test_a_damaged_file(self, open_engine: Opener, tmp_path: Path) -> None:
        kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
        engine = open_engine(**kept)
        engine.logits(ids(1, 300))
        engine.close()
        for path in files(tmp_path):
            raw = bytearray(path.read_bytes())
            for at in range(len(raw) // 3, len(raw), 50):
                raw[at] ^= 1
            path.write_bytes(raw)
        plan = open_engine(**kept).logits((*ids(1, 300), 4)).plan
        assert plan.reason is Reason.DAMAGED_FILE
        assert "damaged" in plan.detail


class TestReport:
    def test_it_names_the_checkpoint_and_where_the_time_went(self, open_engine: Opener) -> None:
        engine = open_engine(cache_bytes=1 << 20, host_bytes=16 << 20, compression="bfloat16")
        for n in range(8):
            list(engine.generate(ids(n, 400), Sampling(temperature=0, max_tokens=2)))
        last = list(engine.generate((*ids(0, 400), 5, 6), Sampling(temperature=0, max_tokens=2)))[
            -1
        ]
        assert isinstance(last, RequestFinished)
        report = last.report
        state = present(report.plan.state)
        assert (state.tier, state.stored) == ("host", "bfloat16")
        assert state.error > 0
        assert state.provenance in ("prefill", "decode", "branch")
        assert report.plan.checkpoint is not None
        assert report.lookup_ms > 0
        assert report.restore_ms > 0
        assert report.prefill_ms > 0
        assert report.replay_ms == 0

    def test_replay_has_its_share_of_the_time(self, open_engine: Opener) -> None:
        engine = open_engine(interval=64)
        engine.logits(ids(1, 400))
        engine.on_core(lambda core: core.cache.evict_state(4))
        prompt = (*ids(1, 390), *ids(2, 20))
        last = list(engine.generate(prompt, Sampling(temperature=0, max_tokens=2)))[-1]
        assert isinstance(last, RequestFinished)
        report = last.report
        assert report.plan.replayed > 0
        share = report.plan.replayed / (report.plan.replayed + report.plan.computed)
        whole = report.replay_ms + report.prefill_ms
        assert report.replay_ms == pytest.approx(whole * share)


class TestCancelled:
    """The report of a cancelled request covers what actually ran."""

    def cancelled(self, engine: Engine, prompt: tuple[int, ...], after: int) -> RequestFinished:
        """Cancel a request when `after` segments of its prompt have run."""

        def run(core: Core) -> RequestFinished:
            asked = iter(range(1_000))
            said: list[Event] = []
            submit = Submit(1, prompt, Sampling.greedy(2))
            core.run(submit, said.append, lambda: next(asked) >= after)
            assert isinstance(said[-1], RequestFinished)
            return said[-1]

        return engine.on_core(run)

    @pytest.mark.parametrize("after", [0, 1, 2])
    def test_tokens_and_times_are_of_what_ran(self, open_engine: Opener, after: int) -> None:
        engine = open_engine(mode="exact", interval=256)
        engine.logits(ids(1, 1000))
        # Cached up to 1000, but with other cuts planned: some of it runs again before the new
        # tokens.
        engine.on_core(lambda core: core.cache.evict_state(3))
        prompt = (*ids(1, 1000), *ids(2, 700))
        planned = engine.probe(prompt)
        assert planned.replayed > 256
        report = self.cancelled(engine, prompt, after).report
        plan = report.plan
        assert plan.reused + plan.replayed + plan.computed == plan.total
        assert plan.reused == planned.reused
        assert plan.total - plan.reused == 256 * after
        assert plan.replayed == min(256 * after, planned.replayed)
        assert f"of {planned.total:,} of the prompt" in plan.detail or not plan.total
        assert (report.replay_ms > 0) == bool(after)
        assert report.prefill_ms > 0 if plan.computed else report.prefill_ms >= 0
        if after:
            assert (report.prefill_ms > 0) == bool(plan.computed)

    def test_one_that_never_ran_displaces_nothing(self, open_engine: Opener) -> None:
        """The state it resumed from is already stored; storing it again would displace another."""
        engine = open_engine(cache_bytes=4 << 20, interval=64, rebalance=False, state_share=0.05)
        for n in range(6):
            engine.logits(ids(n, 300))
        before = engine.snapshot()
        assert before.state.free == 0
        done = self.cancelled(engine, (*ids(5, 300), 7, 8), 0)
        assert done.report.plan.reused == 300
        assert engine.snapshot().evicted == before.evicted


def test_a_plan_is_cut_where_its_run_was() -> None:
    plan = ReusePlan(100, 40, 25, 35, Reason.DIVERGED, "Why.", again=30, reread_for_thinking=20)
    assert plan.cut_at(100) is plan
    for position in range(40, 100):
        cut = plan.cut_at(position)
        assert (cut.total, cut.reused) == (position, 40)
        assert cut.replayed == min(25, position - 40)
        assert cut.again == min(30, position - 40)
        assert cut.reread_for_thinking == min(20, position - 40)
        assert cut.reused + cut.replayed + cut.computed == position
        assert cut.detail == f"Cancelled at token {position} of 100 of the prompt. Why."
    fresh = ReusePlan(10, 0, 0, 10, Reason.FIRST_SIGHT, "")
    assert fresh.cut_at(0).detail == "Cancelled at its first token of the prompt."
