"""Drafts of the model's own head: the same text, and the same drafts from a cached prefix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from engine import Engine, EngineConfig, Sampling
from engine.commands import FIRST_CLIENT
from engine.drafted import Draft
from engine.events import RequestFinished
from engine.model.draft_head import DraftHead
from engine.model.layer import RunContext
from engine.plan.draft_depth import Depth
from engine.run.core import Core
from kernels.native.library import library
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.test_drafts import DRAWN, GREEDY, MOST, PENALISED, begun, nearly
from tests.engine.run.test_together import Crowd
from tests.engine.run.wrong_drafts import ask_always

pytestmark = [
    pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled"),
    pytest.mark.usefixtures("everywhere"),
]


@pytest.fixture(scope="module")
def tiny_folder(headed_folder: Path) -> Path:
    return headed_folder


def always_ask(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Draft up to `most` tokens of the head at each step, and none from elsewhere."""
    monkeypatch.setattr(Depth, "best", lambda self, length, room, beside: 0)
    ask_always(monkeypatch, most)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    always_ask(monkeypatch, MOST)


def inspire(monkeypatch: pytest.MonkeyPatch, whole: Sequence[int], wrong: int) -> None:
    """Let the head draft what is known to come, but at every `wrong`-th position."""
    drafts = DraftHead.draft

    def draft(self: DraftHead, tokens: Tensor, rows: Tensor, run: RunContext) -> Any:
        row, found, sure = drafts(self, tokens, rows, run)
        at = sum(length for _, length in run.extents) - 1
        if at + 1 < len(whole):
            found = int(whole[at + 1]) if at % wrong else (int(whole[at + 1]) + 1) % 500
        return row, found, sure

    monkeypatch.setattr(DraftHead, "draft", draft)


def ended(engine: Engine, prompt: Any, sampling: Sampling, **how: Any) -> RequestFinished:
    last = list(engine.generate(prompt, sampling, **how))[-1]
    assert isinstance(last, RequestFinished), last
    return last


@pytest.mark.usefixtures("asked")
class TestTheSameText:
    @pytest.mark.parametrize("wrong", [1, 2, 3, 5, 100])
    @pytest.mark.parametrize(
        "sampling", [GREEDY, DRAWN, PENALISED], ids=["greedy", "drawn", "penalised"]
    )
    @pytest.mark.parametrize("mode", ["fast", "exact"])
    def test_with_drafts_and_without(
        self,
        open_engine: Opener,
        monkeypatch: pytest.MonkeyPatch,
        mode: str,
        sampling: Sampling,
        wrong: int,
    ) -> None:
        prompt = ids(wrong, 1 + wrong % 50)
        plain = ended(open_engine(mode=mode, drafts="off"), prompt, sampling)
        inspire(monkeypatch, (*prompt, *plain.token_ids), wrong)
        engine = open_engine(mode=mode, drafts="auto", decode_interval=7)
        for _ in range(2):
            drafted = ended(engine, prompt, sampling)
            assert drafted.token_ids == plain.token_ids
            drafts = drafted.report.drafts
            assert {draft.source for draft in drafts.drafts} == {"head"}
            assert drafts.kept == 0 if wrong == 1 else drafts.kept > 0
            engine.check_invariants()

    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_beside_rounded_weights(self, open_engine: Opener, weights: str) -> None:
        found = [
            ended(open_engine(weights=weights, drafts=drafts), ids(3, 40), DRAWN)
            for drafts in ("off", "auto")
        ]
        assert found[0].token_ids == found[1].token_ids
        assert found[1].report.drafts.drafted > 0

    def test_only_where_drafts_may_come_from_anywhere(self, open_engine: Opener) -> None:
        assert not ended(open_engine(drafts="text"), ids(3, 40), DRAWN).report.drafts.drafts

    def test_several_at_once(self, tiny_folder: Path, open_engine: Opener) -> None:
        prompts = tuple(ids(start, 20 + start) for start in range(3))
        alone = [ended(open_engine(drafts="off"), prompt, DRAWN).token_ids for prompt in prompts]
        crowd = Crowd(tiny_folder, drafts="auto")
        crowd.send(*prompts, sampling=DRAWN, owner=FIRST_CLIENT)
        ends = crowd.ended()
        assert [ends[number].token_ids for number in (1, 2, 3)] == alone
        assert all(end.report.drafts.drafts for end in ends.values())
        crowd.close()


def drafts_of(engine: Engine, prompt: Any, sampling: Sampling, **how: Any) -> tuple[Draft, ...]:
    found = ended(engine, prompt, sampling, **how).report.drafts.drafts
    assert found
    return found


@pytest.mark.usefixtures("asked")
class TestFromTheCache:
    """From a cached prefix the head drafts what it drafts after a cold run."""

    @pytest.mark.parametrize("mode", ["fast", "exact"])
    @pytest.mark.parametrize("interval", [0, 5])
    def test_turn_after_turn(self, open_engine: Opener, mode: str, interval: int) -> None:
        how = {"mode": mode, "decode_interval": interval}
        engine, cold, prompt = open_engine(**how), open_engine(**how), ids(1, 150)
        for turn in range(4):
            warm = ended(engine, prompt, GREEDY)
            if turn and mode == "fast":
                assert warm.report.plan.reused > 0
            assert warm.report.drafts.drafts == drafts_of(cold, prompt, GREEDY, reuse=False)
            prompt = (*prompt, *warm.token_ids, *ids(turn + 9, 30))

    def test_on_a_branch(self, open_engine: Opener) -> None:
        engine, stem = open_engine(interval=64), ids(2, 300)
        drafts_of(engine, (*stem, *ids(3, 60)), GREEDY)
        for start in (4, 5):
            prompt = (*stem, *ids(start, 50))
            warm = ended(engine, prompt, GREEDY)
            assert warm.report.plan.reused > 0
            assert warm.report.drafts.drafts == drafts_of(engine, prompt, GREEDY, reuse=False)

    def test_the_same_prompt_again(self, open_engine: Opener) -> None:
        engine, prompt = open_engine(), ids(6, 100)
        first = drafts_of(engine, prompt, GREEDY)
        assert drafts_of(engine, prompt, GREEDY) == first

    def test_after_a_restart(self, open_engine: Opener, tmp_path: Path) -> None:
        how = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
        engine, prompt = open_engine(**how), ids(7, 200)
        first = drafts_of(engine, prompt, GREEDY)
        engine.close()
        again = ended(open_engine(**how), prompt, GREEDY)
        assert again.report.plan.reused > 0
        assert again.report.drafts.drafts == first

    def test_wrong_entries_cost_drafts_but_no_text(self, open_engine: Opener) -> None:
        engine, prompt = open_engine(), ids(8, 120)
        first = ended(engine, prompt, GREEDY)
        engine.on_core(spoil)
        again = ended(engine, prompt, GREEDY)
        assert again.report.plan.reused == len(prompt)
        assert again.token_ids == first.token_ids
        assert again.report.drafts.drafts != first.report.drafts.drafts


def spoil(core: Core) -> None:
    """Overwrite what the head has of every token."""
    kv, last = core.store.kv, core.model.config.full_layers
    for part in (kv.k[last], kv.v[last]):
        part.copy_(torch.randn(part.shape))


def test_the_rows_of_kept_tokens_go_to_the_head(tiny_folder: Path) -> None:
    prompt, follows, read = ids(3, 30), ids(4, 6), []
    with Engine.open(tiny_folder, EngineConfig(cache_bytes=16 << 20, threads=1)) as engine:
        # The test runs where the core does: nothing else uses it meanwhile.
        core = engine.on_core(lambda core: core)
        for drafts in ((), (*follows[1:4], 499, 498)):
            sequence = begun(core, prompt)
            for token in follows:
                sequence.step(token, drafts if token == follows[0] else ())
            assert sequence._head is not None
            read.append(torch.stack(sequence._head.rows))
            sequence.release()
    assert len(read[0]) == 7
    alike = torch.equal if core.model.step_ops is None else nearly
    assert alike(*read)
