"""Which tokens of an answer were drafted, and from where: recorded, and drafted anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Engine, Sampling
from engine.analysis import redrafting
from engine.analysis.replay import replay_file
from engine.analysis.report import ReplayReport
from engine.cache.journal.request_ran import RequestRan
from engine.drafted import OF_TREE, Draft
from engine.events import RequestFinished
from engine.journal.settings import CacheSettings, WhatIf
from engine.journal.tape import Tape, read_tape
from engine.plan.draft_depth import MOST_ROWS, Depth
from kernels.native.library import library
from kernels.native.rows import MOST_FEW
from tests.engine.run.conftest import Opener, ids
from tests.engine.run.test_trace import chat
from tests.engine.run.wrong_drafts import draft_always, draft_wrongly

pytestmark = pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled")

MOST = 5
GREEDY = replace(Sampling.greedy(24), ignore_end=True)


def ended(engine: Engine, prompt: object, sampling: Sampling = GREEDY) -> RequestFinished:
    last = list(engine.generate(prompt, sampling))[-1]  # type: ignore[arg-type]
    assert isinstance(last, RequestFinished), last
    return last


def requests(tape: Tape) -> list[RequestRan]:
    return [taped.ran for taped in tape.requests]


def redrafted(path: Path, **what_if: object) -> ReplayReport:
    return replay_file(path, WhatIf(**what_if), CacheSettings())  # type: ignore[arg-type]


def written(report: ReplayReport) -> Iterator[tuple[int, int, int]]:
    for one in report.requests:
        yield one.writing.passes, one.writing.drafted, one.writing.kept


def test_a_replay_drafts_as_many_rows_as_the_kernels_take() -> None:
    assert MOST_ROWS == MOST_FEW


class TestTheRecord:
    @pytest.fixture
    def engine(self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch) -> Engine:
        draft_wrongly(monkeypatch, MOST)
        return open_engine(drafts="auto", decode_interval=7)

    def test_kept_tokens_are_where_it_says(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "drafts.jsonl"
        engine.record(path, text=True)
        answers = [ended(engine, ids(3, 40)) for _ in range(3)]
        engine.stop_recording()
        tape = read_tape(path)
        for answer, taped in zip(answers, tape.requests, strict=True):
            ran = taped.ran
            drafts = ran.drafts
            assert drafts == answer.report.drafts
            assert drafts.steps + drafts.kept == ran.position - len(ran.prompt)
            assert dict(drafts.costs)[1] > 0
            before = tape.snapshot(taped.index)
            tokens, nodes = tape.tokens(taped.index), {node.id: node for node in before.nodes}
            for draft in drafts.drafts:
                kept = ran.decoded[draft.at : draft.at + draft.kept].tolist()
                if draft.rejected and draft.at + draft.kept < len(ran.decoded):
                    assert ran.decoded[draft.at + draft.kept] != draft.rejected[0]
                if draft.source == "text":
                    there = ran.sequence[draft.position : draft.position + draft.kept].tolist()
                    assert (draft.node, there) == (0, kept)
                else:
                    node = nodes[draft.node]
                    assert draft.source == "device"
                    assert node.start <= draft.position < node.end
                    whole = tokens(node)
                    assert whole is not None
                    first = draft.position - node.start
                    there = whole[first : first + draft.kept].tolist()
                    assert there == kept[: len(there)]
        last = answers[2].report.drafts
        assert 0 < last.from_tree <= last.kept < last.drafted

    def test_without_texts_no_rejected_token_is_told(self, engine: Engine, tmp_path: Path) -> None:
        path = tmp_path / "drafts.jsonl"
        engine.record(path)
        for _ in range(3):
            last = ended(engine, ids(3, 40)).report.drafts
        engine.stop_recording()
        found = requests(read_tape(path))[2].drafts
        assert (found.drafted, found.kept) == (last.drafted, last.kept)
        assert {token for draft in found.drafts for token in draft.rejected} == {0}
        assert "hashes" in " ".join(redrafted(path).notes)

    def test_a_prediction_is_named_as_one(self, open_engine: Opener) -> None:
        engine = open_engine(drafts="text")
        plain = ended(engine, ids(5, 30))
        text = "".join(f" w{token - 9}" for token in plain.token_ids)
        told = list(engine.generate(ids(5, 30), GREEDY, reuse=False, prediction=text))[-1]
        assert isinstance(told, RequestFinished)
        assert {draft.source for draft in told.report.drafts.drafts} <= {"prediction", "text"}
        assert any(draft.source == "prediction" for draft in told.report.drafts.drafts)

    def test_off_is_nothing(self, open_engine: Opener) -> None:
        assert ended(open_engine(drafts="off"), ids(5, 30)).report.drafts.sources == "off"


class TestDraftedAnew:
    @pytest.fixture
    def path(self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
        """A day of chats whose drafts depend on no clock."""
        draft_always(monkeypatch, MOST)
        engine = open_engine(drafts="auto", decode_interval=16, host_bytes=6 << 20)
        path = tmp_path / "day.jsonl"
        engine.record(path, text=True)
        chat(engine, seed=4)
        for _ in range(2):
            ended(engine, ids(3, 40))
        engine.stop_recording()
        return path

    def test_as_recorded_it_is_what_was_recorded(self, path: Path) -> None:
        report = redrafted(path)
        assert report.as_recorded
        for one in report.requests:
            assert one.writing == one.recorded_writing, one.request
        assert report.writing == report.recorded_writing
        assert report.writing.kept > 40

    def test_each_draft_is_the_recorded_one(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[tuple[tuple[Draft, ...], tuple[Draft, ...]]] = []
        counted = redrafting.Redrafting.passes

        def passes(self: redrafting.Redrafting, ran: RequestRan) -> object:
            if self._drafting is not None:
                made.append((self._drafting.drafter.drafted.drafts, ran.drafts.drafts))
            return counted(self, ran)

        monkeypatch.setattr(redrafting.Redrafting, "passes", passes)
        redrafted(path)
        assert any(draft.source in OF_TREE for _, recorded in made for draft in recorded)
        for anew, recorded in made:
            assert [draft[:3] for draft in anew] == [draft[:3] for draft in recorded]

    def test_other_sources_and_depths(self, path: Path) -> None:
        made = {
            sources: redrafted(path, drafts=sources).writing for sources in ("auto", "text", "off")
        }
        few, none = (redrafted(path, most_drafted=most).writing for most in (1, 0))
        assert {one.answered for one in (*made.values(), few, none)} == {made["off"].answered}
        assert made["off"].passes == none.passes == made["off"].answered
        assert max(made["auto"].passes, made["text"].passes) < none.passes
        assert made["auto"].drafted > few.drafted > 0
        assert made["auto"].drafted > made["text"].drafted > 0
        assert (made["off"].drafted, made["off"].kept) == (0, 0)
        assert all(one.seconds for one in made.values())

    def test_where_drafts_were_off_it_says_what_they_would_have_done(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(drafts="off")
        path = tmp_path / "off.jsonl"
        engine.record(path, text=True)
        for _ in range(2):
            ended(engine, ids(3, 40))
        engine.stop_recording()
        assert [*written(redrafted(path))] == [(23, 0, 0)] * 2
        again = [*written(redrafted(path, drafts="auto"))][1]
        assert again[0] < 23
        assert again[2] > 0


def test_costs_decide_how_much_is_drafted_anew() -> None:
    depth = Depth()
    depth.costs(((1, 0.1), (8, 0.11)))
    cheap = depth.best(40, 15)
    depth.costs(((1, 0.1), (8, 0.9)))
    assert cheap > depth.best(40, 15) == 0


class TestFiles:
    def test_an_answer_of_an_earlier_run_is_drafted_from_its_file(
        self, open_engine: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        draft_always(monkeypatch, MOST)
        kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "drafts": "auto"}
        engine = open_engine(**kept)
        first = ended(engine, ids(3, 40))
        engine.close()
        engine = open_engine(**kept)
        again = ended(engine, ids(3, 40))
        assert again.token_ids == first.token_ids
        drafts = again.report.drafts
        of_disk = [draft for draft in drafts.drafts if draft.source == "disk"]
        assert sum(draft.kept for draft in of_disk) > MOST
        whole = [*ids(3, 40), *first.token_ids]
        for draft in of_disk:
            drafted = again.token_ids[draft.at : draft.at + draft.kept]
            assert tuple(whole[draft.position : draft.position + draft.kept]) == drafted
            assert draft.node == 0
        # What was written again is in memory now, and is not read from files any more.
        third = ended(engine, ids(3, 40)).report.drafts
        assert {draft.source for draft in third.drafts} == {"device"}
        assert third.steps <= drafts.steps

    def test_paths_in_memory_are_not_told_of_files(
        self, open_engine: Opener, tmp_path: Path
    ) -> None:
        engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20, interval=64)
        for prompt in (ids(1, 200), (*ids(1, 120), *ids(2, 80))):
            engine.logits(prompt)
        told = engine.on_core(lambda core: core.tiers.lines(8, 1000))
        assert told["disk"] == ()
        engine.close()
        engine = open_engine(cache_dir=tmp_path, disk_bytes=64 << 20, interval=64)
        found = engine.on_core(lambda core: core.tiers.lines(8, 1000)["disk"])
        assert [line.tokens.tolist() for line in found] == [
            [*ids(1, 200)],
            [*ids(1, 120), *ids(2, 80)],
        ]
        (last,) = engine.on_core(lambda core: core.tiers.lines(8, 150)["disk"])
        assert (last.place(0), last.place(199)) == ((0, 0), (0, 199))
        engine.logits((*ids(1, 120), *ids(3, 20)))
        rest = engine.on_core(lambda core: core.tiers.lines(8, 1000)["disk"])
        assert all(len(line.tokens) < 200 for line in rest)
        assert [line.place(0)[1] > 0 for line in rest] == [True, True]
