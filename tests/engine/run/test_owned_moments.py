"""A tape names the conversations of nodes as the engine did, at any moment, live and in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import EngineConfig, Message, Sampling
from engine.cache.journal.changes import RequestAt
from engine.commands import Claim, Forget, Submit
from engine.journal.saving import save_tape
from engine.journal.tape import Tape, read_tape
from engine.run.core import Core
from engine.snapshot import Branch, CacheSnapshot
from tests.engine.run.conftest import CACHE_BYTES

Whose = dict[str, tuple[int, ...]]
Ended = tuple[int, int, str, int]


def core_of(folder: Path, **settings: object) -> Core:
    config = EngineConfig(**{"cache_bytes": CACHE_BYTES, "threads": 1, **settings})  # type: ignore[arg-type]
    return Core.open(folder, config, lambda *_: None)


def said(*texts: str) -> tuple[Message, ...]:
    roles = ("user", "assistant")
    return tuple(Message(roles[at % 2], text) for at, text in enumerate(texts))


def whose(snapshot: CacheSnapshot) -> Whose:
    """By the tokens down to a node's end, which both sides name alike."""
    return {node.key: node.owners for node in snapshot.nodes if node.owners}


def ends(snapshot: CacheSnapshot, branches: tuple[Branch, ...]) -> set[Ended]:
    keys = {node.id: node.key for node in snapshot.nodes}
    return {(one.owner, one.request, keys[one.node], one.end) for one in branches}


def ended(tape: Tape, moment: int, *owners: int) -> set[Ended]:
    shown = tape.snapshot(moment)
    return set().union(*(ends(shown, tape.branches(moment, owner)) for owner in owners))


class Day:
    """Conversations on an engine, watched and recorded, with what a snapshot said after each."""

    def __init__(self, folder: Path, path: Path) -> None:
        self.core = core_of(folder)
        self.path = path
        self.seen: list[tuple[int, Whose, set[Ended]]] = []
        self.number = 0
        # Before anybody watches: a claim, and a request.
        self.claim(5, said("w1 w2", "w3", "w4"))
        self.run(7, said("w1 w2 w3"))
        self.core.recordings.start(path, text=True)
        self.feed = self.core.recordings.feed()
        self.tape = Tape()
        self.look()

    def run(self, owner: int, prompt: tuple[Message, ...]) -> None:
        self.number += 1
        submit = Submit(self.number, prompt, Sampling.greedy(5), owner=owner)
        self.core.run(submit, lambda event: None, lambda: False)

    def claim(self, owner: int, prompt: tuple[Message, ...]) -> None:
        self.core.background.claim(Claim(owner, prompt, marks=tuple(range(1, len(prompt) + 1))))
        while self.core.background.step():
            pass

    def forget(self, owner: int, *prompts: tuple[Message, ...]) -> None:
        self.core.background.forget(Forget(1, prompts, (), owner=owner), lambda event: None)
        while self.core.background.step():
            pass

    def look(self) -> None:
        batch = self.feed.take()
        if batch is not None:
            if batch.header is not None:
                self.tape = Tape(batch.header)
            self.tape.append(batch.lines)
        snapshot = self.core.snapshot()
        self.seen.append((len(self.tape), whose(snapshot), ends(snapshot, snapshot.branches)))


@pytest.fixture
def day(tiny_folder: Path, tmp_path: Path) -> Day:
    made = Day(tiny_folder, tmp_path / "day.jsonl")
    for owner, prompt in (
        (7, said("w1 w2 w3", "w4", "w5")),
        (3, said("w1 w2 w9")),
        (7, said("w1 w2 w3", "w4", "w6 w7")),
        (0, said("w8 w8")),
        (3, said("w1 w2 w9", "w1", "w2")),
    ):
        made.run(owner, prompt)
        made.look()
    made.claim(9, said("w1 w2 w9", "w1", "w2"))
    made.look()
    made.forget(3, said("w1 w2 w9", "w1", "w2"))
    made.look()
    made.run(9, said("w1 w2 w9", "w1", "w2", "w3", "w4"))
    made.look()
    made.core.close()
    return made


class TestWhoseNodesAre:
    def test_live(self, day: Day) -> None:
        """Forwards, backwards, and from one end to the other."""
        order = [*range(len(day.seen)), *reversed(range(len(day.seen))), 0, len(day.seen) - 1]
        for at in order:
            moment, owners, branches = day.seen[at]
            shown = day.tape.snapshot(moment)
            assert whose(shown) == owners
            assert ended(day.tape, moment, 3, 5, 7, 9) == branches
        names = set().union(*(set(of) for _, owners, _ in day.seen for of in owners.values()))
        assert names == {3, 5, 7, 9}, "the day has no part for somebody"

    def test_from_a_file(self, day: Day) -> None:
        """With other numbers for the same conversations; what nobody asked is one there, too."""
        tape = read_tape(day.path)
        pairs = zip(day.tape.requests, tape.requests, strict=True)
        known = {live.bare.owner: read.bare.owner for live, read in pairs if live.bare.owner}
        (claimed,) = {name for of in whose(tape.snapshot(len(tape))).values() for name in of} - {
            read.bare.owner for read in tape.requests
        }
        known[5] = claimed
        assert len(set(known.values())) == 4
        for moment, owners, branches in day.seen:
            # The feed was begun after the recording, and both end alike.
            shown = tape.snapshot(moment + len(tape) - len(day.tape))
            told = {
                key: tuple(n for n in of if n in known.values()) for key, of in whose(shown).items()
            }
            assert {key: of for key, of in told.items() if of} == {
                key: tuple(known[name] for name in of) for key, of in owners.items()
            }
            assert ended(tape, moment + len(tape) - len(day.tape), *known.values()) == {
                (known[owner], *rest) for owner, *rest in branches
            }

    def test_saved_and_read_again(self, day: Day, tmp_path: Path) -> None:
        saved = tmp_path / "saved.jsonl"
        save_tape(day.tape, saved, text=True)
        tape, first = read_tape(saved), read_tape(day.path)
        assert whose(tape.snapshot(len(tape))) == whose(first.snapshot(len(first)))

    def test_hashed(self, day: Day, tmp_path: Path) -> None:
        """Hashes of sequences are those of the nodes."""
        saved = tmp_path / "hashed.jsonl"
        save_tape(day.tape, saved, text=False)
        tape, first = read_tape(saved), read_tape(day.path)
        named = [[(n.id, n.owners) for n in t.snapshot(len(t)).nodes] for t in (tape, first)]
        assert named[0] == named[1]
        assert "w1" not in saved.read_text()


class TestTheRunningRequest:
    def test_its_conversation_and_speakers(self, day: Day) -> None:
        for tape in (day.tape, read_tape(day.path)):
            at = next(i for i in range(len(tape)) if isinstance(tape.entry(i).what, RequestAt))
            live = tape.snapshot(at + 1).live
            assert live is not None
            request = next(one for one in tape.requests if one.index > at)
            assert live.owner == request.bare.owner > 0
            opened = [one.role for one in live.speech if one.opens]
            assert opened == ["user", "assistant", "user", "assistant"]
