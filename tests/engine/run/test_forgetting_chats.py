"""Deleting conversations of the bundled model, and whose a cached node is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import EngineConfig, Message, Sampling
from engine.commands import PLAIN, Claim, Forget, Prompt, Submit
from engine.events import Event, Forgotten, NodeText, RequestFinished
from engine.loop import RunLoop
from engine.run.core import Core
from tests.engine.run.test_forgetting import TIERS, has, save, sequences_on_disk


class Chats:
    """An engine on the bundled model, driven by commands."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._heard: list[Event] = []
        self._arrived = threading.Condition()
        self.loop = RunLoop(folder, EngineConfig(threads=1, **settings), self._hear)
        self.loop.start()
        self._request = 0

    def _hear(self, event: Event) -> None:
        with self._arrived:
            self._heard.append(event)
            self._arrived.notify_all()

    def wait(self, wanted: Callable[[Event], bool]) -> Any:
        with self._arrived:
            assert self._arrived.wait_for(lambda: any(map(wanted, self._heard)), 120)
            return next(event for event in self._heard if wanted(event))

    def ask(self, owner: int, messages: Prompt) -> Message:
        """The answer, as history has it."""
        self._request += 1
        number = self._request
        self.loop.post(Submit(number, messages, Sampling(max_tokens=24, seed=1), owner=owner))
        done = self.wait(lambda e: isinstance(e, RequestFinished) and e.request == number)
        return Message("assistant", done.text, thinking=done.thinking, token_ids=done.token_ids)

    def on_core(self, function: Callable[[Core], Any]) -> Any:
        done: Future[Any] = self.loop.call(function)
        return done.result(60)

    def save(self) -> None:
        self.on_core(save)

    def files_with(self, text: str, folder: Path) -> list[str]:
        """The files that have the token ids of `text`, whatever their names."""
        ids = self.on_core(lambda core: core.text.encode(text))
        window = np.array(ids, "<i4").tobytes()
        return [path.name for path in folder.rglob("*") if path.is_file() and has(path, window)]

    def forget(self, number: int, gone: tuple[Prompt, ...], kept: tuple[Prompt, ...]) -> Any:
        self.loop.post(Forget(number, gone, kept, owner=1))
        return self.wait(lambda e: isinstance(e, Forgotten) and e.number == number)


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    folder = Path(__file__).parents[3] / "assets" / "demo_model"
    made = Chats(folder, cache_dir=tmp_path, cache_bytes=64 << 20, **TIERS)
    yield made
    made.loop.close(60)


RULES = Message("system", "Answer in one short sentence. " * 12)
HER_NAME = " Annabel"
HERS = Message("user", "My name is Annabel and my locker has the number 4711.")
HIS = Message("user", "What is a prefix cache, and what is it good for?")


def test_of_two_chats_with_one_system_text_only_the_deleted_one_goes(
    chats: Chats, tmp_path: Path
) -> None:
    hers: tuple[Message, ...] = (RULES, HERS)
    his: tuple[Message, ...] = (RULES, HIS)
    hers = (*hers, chats.ask(1, hers), Message("user", "What is my name?"))
    hers = (*hers, chats.ask(1, hers))
    his = (*his, chats.ask(2, his), Message("user", "And what is a checkpoint?"))
    chats.save()
    before = chats.on_core(lambda core: core.probe(his, PLAIN))
    assert chats.files_with(HER_NAME, tmp_path)
    done = chats.forget(5, (hers, hers[:2]), (his,))
    assert (done.sentence, done.files > 0, done.bytes > 0) == ("", True, True)
    assert chats.files_with(HER_NAME, tmp_path) == []
    assert sequences_on_disk(tmp_path), "the other conversation's files are there"
    after = chats.on_core(lambda core: core.probe(his, PLAIN))
    assert (after.reused, after.replayed) == (before.reused, before.replayed)
    assert after.reused > 60
    assert chats.on_core(lambda core: core.broken_invariant()) == ""


def test_what_a_system_text_of_earlier_was_asked_goes_too(chats: Chats, tmp_path: Path) -> None:
    """The store has only the last system text; the engine knows what ran."""
    chats.ask(1, (RULES, HERS))
    today = (Message("system", "Be brief."), HERS)
    chats.save()
    assert chats.files_with(HER_NAME, tmp_path)
    chats.forget(3, (today,), ((RULES, HIS),))
    assert chats.files_with(HER_NAME, tmp_path) == []


def test_a_prompt_that_cannot_be_read_does_not_stop_the_rest(chats: Chats, tmp_path: Path) -> None:
    hers = (RULES, HERS, Message("assistant", "Hello."))
    chats.ask(3, hers[:2])
    chats.save()
    assert chats.files_with(HER_NAME, tmp_path)
    broken = (Message("user", "half a character \ud800"),)
    chats.loop.post(Forget(4, (broken, hers), ((RULES, HIS), broken), owner=3))
    done = chats.wait(lambda e: isinstance(e, Forgotten) and e.number == 4)
    assert chats.files_with(HER_NAME, tmp_path) == []
    assert "One branch" in done.sentence


def owners_of_leaves(chats: Chats) -> dict[int, NodeText]:
    def ask(core: Core) -> dict[int, NodeText]:
        nodes = core.snapshot().nodes
        told = (core.node_text(node.id) for node in nodes)
        return {one.node: one for one in told if one is not None}

    found: dict[int, NodeText] = chats.on_core(ask)
    return found


def test_a_node_says_whose_it_is(chats: Chats) -> None:
    chats.ask(1, (RULES, HERS))
    chats.ask(2, (RULES, HIS))
    told = owners_of_leaves(chats)
    shared = [t for t in told.values() if {o.owner for o in t.owners} == {1, 2}]
    hers = [t for t in told.values() if {o.owner for o in t.owners} == {1}]
    assert shared
    assert max(t.end for t in shared) <= min(t.start for t in hers)
    assert any("Annabel" in t.text for t in hers)
    assert {o.tokens for t in hers for o in t.owners} == {t.end for t in hers}
    assert {o.request for t in hers for o in t.owners} == {1}
    chats.forget(9, ((RULES, HERS),), ((RULES, HIS),))
    assert {o.owner for t in owners_of_leaves(chats).values() for o in t.owners} == {2}


def test_a_claim_tells_whose_an_answer_of_an_earlier_start_is(chats: Chats) -> None:
    said = chats.ask(0, (RULES, HERS))
    again = Message("user", "What is my name?")
    chats.ask(0, (RULES, HERS, said, again))
    assert not any(told.owners for told in owners_of_leaves(chats).values())
    chats.loop.post(Claim(4, (RULES, HERS, said, again), PLAIN, (0, 21, 22, 23)))
    told: dict[int, NodeText] = {}
    for _ in range(50):
        told = owners_of_leaves(chats)
        if any(one.owners for one in told.values()):
            break
    assert {o.owner for one in told.values() for o in one.owners} == {4}
    answered = [one for one in told.values() if one.text.strip() and said.content[:12] in one.text]
    assert answered
    assert {o.request for one in answered for o in one.owners} <= {22, 23}
    assert 22 in {o.request for one in told.values() for o in one.owners}
