"""Every branching action on the real engine: it processes what the radix tree says, and no more.

The expectation comes from a naive reading of the tree: all paths from the root, compared with the
prompt token by token.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.session.changes import Outcome
from app.core.session.model import Session
from app.core.session.records import EnginePhase, TurnState
from engine.commands import Submit
from engine.config import EngineConfig, Mode, Sampling
from engine.loop import RunLoop
from engine.reuse import ReusePlan

BUNDLED = Path(__file__).parents[2] / "assets" / "demo_model"
LONG = "The wing carries the weight of the machine and bends a little in the wind. " * 12
PATIENCE_S = 60.0


class Talk:
    """A session on a real engine, without a window."""

    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self.session = Session(sampling=Sampling.greedy(24))
        config = EngineConfig(
            mode=mode,
            interval=64,
            decode_interval=16,
            cache_bytes=64 << 20,
            threads=1,
        )
        self.loop = RunLoop(BUNDLED, config)
        self.loop.start()
        self.until(lambda: self.session.engine.phase is EnginePhase.READY)
        # The model's own would not be greedy.
        self.session.sampling = Sampling.greedy(24)

    def until(self, done: Any) -> None:
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, "the engine never came to an end"
            for event in self.loop.drain():
                for command in self.session.apply(event).commands:
                    self.loop.post(command)
            time.sleep(0.002)

    def do(self, outcome: Outcome) -> tuple[tuple[int, int, int], ReusePlan]:
        """Ask; what the tree held of the prompt just before, and what was made of it."""
        (submit,) = [c for c in outcome.commands if isinstance(c, Submit)]
        expected = self.loop.call(lambda core: expectation(core, submit)).result(PATIENCE_S)
        for command in outcome.commands:
            self.loop.post(command)
        self.until(lambda: not self.session.busy)
        answer = self.session.current.turns[-1]
        assert answer.state is TurnState.DONE, self.session.current.turns[-1].text
        assert answer.report is not None
        return expected, answer.report.plan

    def ask(self, outcome: Outcome) -> ReusePlan:
        (reused, replayed, computed), plan = self.do(outcome)
        assert plan.computed == computed
        if self._mode == "fast":
            assert (plan.reused, plan.replayed) == (reused, replayed)
        else:
            # Exact mode also wants the same cuts, which a naive reading does not see.
            assert plan.reused <= reused
        return plan


def expectation(core: Any, submit: Submit) -> tuple[int, int, int]:
    """(reused, replayed, new) by comparing the prompt with every path of the tree."""
    ids = list(core.prompt_ids(submit.prompt, submit.options))
    reader = core.cache.reader
    known = resume = 0
    for view in reader.nodes():
        path = [t for node in reader.path_of(view.id) for t in reader.tokens_of(node).tolist()]
        same = next((i for i, (a, b) in enumerate(zip(path, ids, strict=False)) if a != b), None)
        common = min(len(path), len(ids)) if same is None else same
        known = max(known, common)
        point = view.checkpoint
        whole = point is not None and point.state.position <= common == len(path)
        # The end of the prompt serves only if the row that gives its logits was kept.
        if whole and (common < len(ids) or point.state.has_hidden):
            resume = max(resume, common)
    return resume, known - resume, len(ids) - known


@pytest.fixture(params=["fast", "exact"])
def talk(request: pytest.FixtureRequest) -> Iterator[Talk]:
    """Two questions, answered; the first one is long."""
    made = Talk(request.param)
    try:
        made.ask(made.session.send(f"{LONG}\nWhat does it carry?"))
        made.ask(made.session.send("And what bends?"))
        yield made
    finally:
        assert made.loop.call(lambda core: core.broken_invariant()).result(PATIENCE_S) == ""
        assert made.loop.close(PATIENCE_S)


def branch(talk: Talk) -> list[int]:
    return [turn.id for turn in talk.session.current.turns]


class TestBranches:
    def test_another_answer_reads_nothing_again(self, talk: Talk) -> None:
        plan = talk.ask(talk.session.regenerate())
        assert plan.computed == 0

    def test_another_answer_to_an_earlier_question_reads_nothing_again(self, talk: Talk) -> None:
        plan = talk.ask(talk.session.regenerate(branch(talk)[1]))
        assert plan.computed == 0

    def test_an_edit_reads_its_own_text_only(self, talk: Talk) -> None:
        plan = talk.ask(talk.session.edit(branch(talk)[2], "And what breaks?"))
        assert 0 < plan.computed < 20

    def test_an_edited_first_message_keeps_what_it_shares(self, talk: Talk) -> None:
        plan = talk.ask(talk.session.edit(branch(talk)[0], f"{LONG}\nWhat is it made of?"))
        assert plan.reused + plan.replayed > plan.computed

    def test_the_same_question_on_a_branch_is_all_there(self, talk: Talk) -> None:
        first = branch(talk)[2]
        talk.ask(talk.session.edit(first, "And what breaks?"))
        plan = talk.ask(talk.session.edit(first, "And what bends?"))
        assert plan.computed == 0

    def test_going_back_to_a_branch_finds_it_as_it_was(self, talk: Talk) -> None:
        talk.ask(talk.session.edit(branch(talk)[2], "And what breaks?"))
        talk.session.show_sibling(branch(talk)[2], -1)
        plan = talk.ask(talk.session.send("Why?"))
        assert plan.computed < 60

    def test_an_edited_answer_is_read_and_what_is_before_it_is_not(self, talk: Talk) -> None:
        talk.session.edit_answer(branch(talk)[1], "It carries the load.")
        plan = talk.ask(talk.session.send("Why?"))
        assert plan.computed < 60

    def test_continuing_reads_nothing_but_its_last_token(self, talk: Talk) -> None:
        answer = talk.session.current.turns[-1]
        assert answer.stop == "length"
        before = len(answer.token_ids)
        plan = talk.ask(talk.session.continue_answer())
        assert plan.computed <= 1
        assert len(answer.token_ids) > before

    def test_continuing_an_earlier_answer_is_a_branch_as_warm(self, talk: Talk) -> None:
        plan = talk.ask(talk.session.continue_answer(branch(talk)[1]))
        assert plan.computed <= 1
        assert len(talk.session.current.turns) == 2

    def test_a_fork_is_as_warm_as_what_it_was_forked_from(self, talk: Talk) -> None:
        talk.session.fork(branch(talk)[3])
        plan = talk.ask(talk.session.send("Why?"))
        assert plan.computed < 60

    def test_a_fork_up_to_the_first_answer(self, talk: Talk) -> None:
        talk.session.fork(branch(talk)[1])
        plan = talk.ask(talk.session.send("And what bends?"))
        assert plan.computed == 0


class TestTeeth:
    def test_a_tree_that_forgot_its_states_is_told_apart(self, talk: Talk) -> None:
        """The expectation is about the tree: without it, the same question costs all of it."""
        asked = talk.session.regenerate()
        (submit,) = [c for c in asked.commands if isinstance(c, Submit)]
        expected = talk.loop.call(lambda core: expectation(core, submit)).result(PATIENCE_S)
        talk.loop.call(lambda core: core.drop_cache()).result(PATIENCE_S)
        for command in asked.commands:
            talk.loop.post(command)
        talk.until(lambda: not talk.session.busy)
        report = talk.session.current.turns[-1].report
        assert report is not None
        assert (report.plan.reused, report.plan.replayed, report.plan.computed) != expected
