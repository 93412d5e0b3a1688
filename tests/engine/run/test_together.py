"""Several requests at once: each answers as it would alone, and everyone has a turn."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from torch import Tensor

from engine import Engine, EngineConfig, events
from engine.analysis.replay import replay_file
from engine.commands import FIRST_CLIENT, Cancel, Record, StopRecording, Submit
from engine.config import Sampling
from engine.journal.settings import CacheSettings, WhatIf
from engine.journal.tape import read_tape
from engine.loop import RunLoop
from engine.run import sequence
from engine.run.core import Core
from engine.run.rota import Rota
from engine.run.turns import Pass, Step, Wait, Work
from tests.engine.run.conftest import CACHE_BYTES, ids

END = events.RequestFinished | events.RequestFailed
GREEDY = Sampling(temperature=0, max_tokens=40, ignore_end=True)
DRAWN = Sampling(temperature=0.9, max_tokens=40, seed=11, ignore_end=True)


class Crowd:
    """A run loop, and what became of the requests that were sent to it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        given = {"cache_bytes": CACHE_BYTES, "threads": 1, "interval": 64, **settings}
        self.heard: list[events.Event] = []
        self.loop = RunLoop(folder, EngineConfig(**given), self.heard.append)  # type: ignore[arg-type]
        self.loop.start()
        self._sent = 0

    def send(self, *prompts: tuple[int, ...], sampling: Sampling = GREEDY, owner: int = 0) -> None:
        """Requests that come together; `owner` is of the first, the next have others."""

        def post(core: Core) -> None:
            # The loop is here, so all of them are there before the first one is let in.
            for prompt in prompts:
                self._sent += 1
                client = owner + self._sent if owner else 0
                self.loop.post(Submit(self._sent, prompt, sampling, owner=client))

        self.loop.call(post, anytime=True).result(60)

    def ended(self) -> dict[int, events.RequestFinished]:
        """Wait for all of them."""
        while True:
            ends = [one for one in self.heard if isinstance(one, END)]
            if len(ends) == self._sent:
                break
            assert self.loop.alive, self.heard[-3:]
            time.sleep(0.002)
        found = {one.request: one for one in ends if isinstance(one, events.RequestFinished)}
        assert len(found) == len(ends), [one for one in ends if one.request not in found]
        return found

    def close(self) -> None:
        self.loop.call(Core.check_invariants).result(60)
        held = self.loop.call(lambda core: core.snapshot()).result(60)
        assert (held.state.live, held.kv.live, held.kv.locked) == (1, 0, 0)
        assert self.loop.close(60)


@pytest.fixture
def alone(tiny_folder: Path) -> Iterator[Engine]:
    """The same model, one request at a time, with nothing cached."""
    with Engine.open(tiny_folder, EngineConfig(threads=1, interval=64, drafts="off")) as engine:
        yield engine


def expected(engine: Engine, prompt: tuple[int, ...], sampling: Sampling) -> tuple[int, ...]:
    last = list(engine.generate(prompt, sampling, reuse=False))[-1]
    assert isinstance(last, events.RequestFinished)
    return last.token_ids


PROMPTS = tuple(ids(start, count) for start, count in ((1, 40), (2, 150), (3, 5), (4, 77)))


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("mode", ["fast", "exact"])
@pytest.mark.parametrize("drafts", ["auto", "off"])
@pytest.mark.parametrize("sampling", [GREEDY, DRAWN], ids=["greedy", "drawn"])
def test_each_answers_as_alone(
    tiny_folder: Path, alone: Engine, mode: str, drafts: str, sampling: Sampling
) -> None:
    crowd = Crowd(tiny_folder, mode=mode, drafts=drafts)
    # Again with everything cached: hits, drafts from the tree, and rows side by side.
    for _ in range(2):
        crowd.send(*PROMPTS, sampling=sampling, owner=FIRST_CLIENT)
    ends = crowd.ended()
    for number, end in ends.items():
        prompt = PROMPTS[(number - 1) % len(PROMPTS)]
        assert end.token_ids == expected(alone, prompt, sampling), number
    crowd.close()


def test_their_tokens_run_in_one_pass(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    together = sequence.run_together

    def counted(pushed: list[tuple[sequence.LiveSequence, list[int]]]) -> list[Tensor]:
        rows.append(len(pushed))
        return together(pushed)

    monkeypatch.setattr("engine.run.turns.run_together", counted)
    crowd = Crowd(tiny_folder, drafts="off")
    crowd.send(*PROMPTS, owner=FIRST_CLIENT)
    crowd.ended()
    assert rows.count(4) > 25, rows
    crowd.close()


def test_a_prefix_that_they_share_runs_once(tiny_folder: Path) -> None:
    crowd = Crowd(tiny_folder)
    shared = ids(7, 640)
    crowd.send(*((*shared, *ids(20 + i, 30)) for i in range(4)), owner=FIRST_CLIENT)
    plans = [end.report.plan for end in crowd.ended().values()]
    assert sum(plan.reused for plan in plans) == 3 * 640
    assert sum(isinstance(one, events.RequestWaits) for one in crowd.heard) == 3
    crowd.close()


def test_an_agent_with_three_others_reads_nothing_twice(tiny_folder: Path) -> None:
    """Thirty turns: what runs is what is new, and once the beginning that the three share."""
    crowd = Crowd(tiny_folder, decode_interval=0)
    shared, prompt, applied, new, ran = ids(3, 640), ids(4, 100), 0, 640, 0
    for turn in range(30):
        tasks = [(*shared, *ids(100 + 3 * turn + one, 40 + one)) for one in range(3)]
        crowd.send(prompt, *tasks, owner=FIRST_CLIENT, sampling=replace(GREEDY, max_tokens=12))
        ends = crowd.ended()
        last = [ends[number] for number in range(4 * turn + 1, 4 * turn + 5)]
        ran += sum(end.report.plan.replayed + end.report.plan.computed for end in last)
        new += len(prompt) - applied + sum(len(task) - len(shared) for task in tasks)
        # The last token of an answer has been drawn, not run.
        applied = len(prompt) + len(last[0].token_ids) - 1
        prompt = (*prompt, *last[0].token_ids, *ids(200 + turn, 15))
    assert ran == new
    crowd.close()


def test_the_person_comes_first(tiny_folder: Path) -> None:
    """Beside agents that read long prompts the window waits for one pass at most."""
    crowd = Crowd(tiny_folder, interval=64)
    crowd.send(*(ids(30 + i, 2000) for i in range(4)), owner=FIRST_CLIENT)
    crowd.send(ids(9, 30))
    ends = crowd.ended()
    started = {
        one.request: at
        for at, one in enumerate(crowd.heard)
        if isinstance(one, events.RequestStarted)
    }
    first = {
        one.request: at
        for at, one in reversed(list(enumerate(crowd.heard)))
        if isinstance(one, events.TextDelta)
    }
    between = crowd.heard[started[5] : first[5]]
    passes = [one for one in between if isinstance(one, events.PrefillProgress)]
    assert [one.request for one in passes] == [5]
    assert len(ends) == 5
    crowd.close()


def test_without_room_it_waits_and_says_why(tiny_folder: Path, alone: Engine) -> None:
    """Two long answers in a plane that holds one: both are whole."""
    crowd = Crowd(tiny_folder, cache_bytes=3 << 20, state_share=0.4, rebalance=False)
    slots = crowd.loop.call(lambda core: core.store.kv.slots).result(60)
    prompts = [ids(40 + i, slots * 6 // 10) for i in range(2)]
    crowd.send(*prompts, owner=FIRST_CLIENT)
    ends = crowd.ended()
    assert any(
        "no room" in one.sentence for one in crowd.heard if isinstance(one, events.RequestWaits)
    )
    for number, end in ends.items():
        assert end.token_ids == expected(alone, prompts[number - 1], GREEDY)
    crowd.close()


def test_it_goes_on_once_another_has_ended(tiny_folder: Path) -> None:
    """Not only when it is alone: the third fits as soon as the first has ended."""
    crowd = Crowd(tiny_folder, cache_bytes=3 << 20, state_share=0.4, rebalance=False)
    slots = crowd.loop.call(lambda core: core.store.kv.slots).result(60)
    crowd.send(ids(50, slots // 5), sampling=replace(GREEDY, max_tokens=10), owner=FIRST_CLIENT)
    crowd.send(ids(51, slots // 5), sampling=replace(GREEDY, max_tokens=150), owner=FIRST_CLIENT)
    crowd.send(ids(52, slots * 3 // 5), owner=FIRST_CLIENT)
    crowd.ended()
    marks = [
        (type(one), one.request)
        for one in crowd.heard
        if isinstance(one, events.RequestWaits | events.RequestStarted | events.RequestFinished)
    ]
    assert marks.index((events.RequestWaits, 3)) < marks.index((events.RequestFinished, 1))
    assert marks.index((events.RequestStarted, 3)) < marks.index((events.RequestFinished, 2))
    crowd.close()


def test_a_failure_is_its_own(tiny_folder: Path) -> None:
    crowd = Crowd(tiny_folder)
    bad = replace(GREEDY, logit_bias=((100_000, 1.0),))
    crowd.send(PROMPTS[0], owner=FIRST_CLIENT)
    crowd.send(PROMPTS[1], sampling=bad, owner=FIRST_CLIENT)
    while sum(isinstance(one, END) for one in crowd.heard) < 2:
        time.sleep(0.002)
    kinds = {one.request: type(one) for one in crowd.heard if isinstance(one, END)}
    assert kinds == {1: events.RequestFinished, 2: events.RequestFailed}
    crowd.close()


@pytest.mark.parametrize("seed", range(6))
def test_the_random_driver(tiny_folder: Path, alone: Engine, seed: int) -> None:
    """Prompts that grow, cancels at any moment, memory for less than half of it."""
    chance = random.Random(seed)
    crowd = Crowd(
        tiny_folder,
        cache_bytes=chance.choice((3, 6, 32)) << 20,
        mode=chance.choice(("fast", "exact")),
        parallel=chance.choice((2, 4)),
        drafts=chance.choice(("auto", "off")),
        decode_interval=chance.choice((0, 8)),
    )
    prompts: dict[int, tuple[int, ...]] = {}
    answers: dict[int, tuple[int, ...]] = {}
    cancelled: set[int] = set()
    for turn in range(8):
        group = []
        for _ in range(4):
            grown = (
                chance.choice(list(answers.values())) if answers and chance.random() < 0.6 else ()
            )
            group.append((*grown, *ids(chance.randrange(99), chance.randrange(1, 90))))
        first = turn * 4 + 1
        prompts |= {first + i: prompt for i, prompt in enumerate(group)}
        crowd.send(*group, owner=FIRST_CLIENT * (chance.random() < 0.7))
        if chance.random() < 0.5:
            number = first + chance.randrange(4)
            cancelled.add(number)
            crowd.loop.post(Cancel(number))
        for number, end in crowd.ended().items():
            whole = expected(alone, prompts[number], GREEDY) if number >= first else ()
            if number >= first:
                assert end.token_ids == whole[: len(end.token_ids)], (seed, number)
                assert number in cancelled or end.token_ids == whole, (seed, number)
                answers[number] = (*prompts[number], *end.token_ids)
        crowd.loop.call(Core.check_invariants).result(60)
    crowd.close()


def test_a_recording_of_them_is_read_explained_and_replayed(
    tiny_folder: Path, tmp_path: Path
) -> None:
    crowd, path = Crowd(tiny_folder), tmp_path / "together.jsonl.gz"
    crowd.loop.post(Record(str(path), text=False))
    shared = ids(7, 400)
    crowd.send(*((*shared, *ids(20 + i, 60)) for i in range(4)), owner=FIRST_CLIENT)
    crowd.ended()
    crowd.send(*PROMPTS)
    ends = crowd.ended()
    crowd.loop.post(StopRecording())
    while not any(isinstance(one, events.RecordingEnded) for one in crowd.heard):
        time.sleep(0.002)
    tape = read_tape(path)
    assert sorted(one.bare.request for one in tape.requests) == sorted(ends)
    reused = {one.bare.request: one.bare.reused for one in tape.requests}
    assert reused == {number: end.report.plan.reused for number, end in ends.items()}
    for index in range(len(tape)):
        tape.snapshot(index)
    report = replay_file(path, WhatIf(), CacheSettings())
    assert len(report.requests) == len(ends)
    assert not report.exact
    assert any("while others ran" in note for note in report.notes)
    crowd.close()


class TestRota:
    """Whose turn it is, without a model."""

    def rota(self, most: int = 2) -> tuple[Rota, list[str]]:
        from engine.plan.draft_depth import Depth

        order: list[str] = []
        rota = Rota(Depth(), most, lambda submit, error: order.append(repr(error)), lambda *_: None)
        return rota, order

    def reader(self, order: list[str], name: str, passes: int) -> Work[None]:
        for _ in range(passes):
            yield Pass()
            order.append(name)

    def test_clients_read_by_turns(self) -> None:
        rota, order = self.rota()
        for number, (name, client) in enumerate((("a", 1), ("b", 2))):
            submit = Submit(number, (1,), GREEDY, owner=FIRST_CLIENT + client)
            rota.add(submit, lambda _, name=name: self.reader(order, name, 3))  # type: ignore[misc]
        while rota:
            rota.go_on()
        assert order == ["a", "b"] * 3

    def test_the_person_has_a_place_and_goes_first(self) -> None:
        rota, order = self.rota(most=1 + 1)
        waiting = [Submit(n, (1,), GREEDY, owner=FIRST_CLIENT + n) for n in (1, 2, 3)]
        for submit in waiting[:2]:
            assert rota.next_of([submit]) is submit
            rota.add(submit, lambda _: self.reader(order, "client", 2))
        assert rota.next_of(waiting[2:]) is None
        person = Submit(9, (1,), GREEDY, owner=5)
        assert rota.next_of([*waiting[2:], person]) is person
        rota.add(person, lambda _: self.reader(order, "person", 2))
        while rota:
            rota.go_on()
        assert order[:2] == ["person", "person"]

    def test_no_program_reads_while_the_person_s_answer_is_written(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rota, order = self.rota()
        monkeypatch.setattr("engine.run.rota.run_steps", lambda steps, depth: [None] * len(steps))

        def writer(name: str) -> Work[None]:
            for _ in range(3):
                yield Step(None, 0, None, 0)  # type: ignore[arg-type]
                order.append(name)

        rota.add(Submit(1, (1,), GREEDY), lambda _: writer("person"))
        rota.add(Submit(2, (1,), GREEDY, owner=FIRST_CLIENT), lambda _: self.reader(order, "a", 2))
        rota.add(Submit(3, (1,), GREEDY, owner=FIRST_CLIENT + 1), lambda _: writer("b"))
        while rota:
            rota.go_on()
        assert order == ["person", "b"] * 3 + ["a"] * 2

    def test_with_one_place_nobody_runs_beside(self) -> None:
        rota, order = self.rota(most=1)
        rota.add(Submit(1, (1,), GREEDY, owner=FIRST_CLIENT), lambda _: self.reader(order, "a", 1))
        assert rota.next_of([Submit(2, (1,), GREEDY)]) is None

    def test_what_waits_goes_on_when_it_is_ready(self) -> None:
        rota, order = self.rota()
        ready: list[bool] = []

        def waits() -> Work[None]:
            yield Wait("for it", lambda: bool(ready))
            order.append("went on")

        rota.add(Submit(1, (1,), GREEDY), lambda _: waits())
        rota.go_on()
        assert not order
        ready.append(True)
        rota.go_on()
        assert order == ["went on"]
