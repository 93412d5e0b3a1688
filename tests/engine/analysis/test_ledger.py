"""The ledger of evictions: ages and ranks, and what was needed again, against a plain search."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from engine.analysis.ledger import Ledger, UseOrder
from engine.analysis.replay import NoBytes
from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import (
    CheckpointDropped,
    CheckpointStored,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Touched,
)
from engine.cache.journal.journal import Entry, Journal
from engine.cache.tiers.tiers import Tiers
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.tape import Tape
from tests.engine.journal.samples import request
from tests.mostly_slow import mostly_slow

RULES = RunRules("fast", interval=64, decode_interval=8)


@dataclass
class Lost:
    """An eviction as the caches themselves know it; `began` counts the requests before it."""

    began: int
    tokens: tuple[int, ...]
    hidden: bool
    elsewhere: bool


@dataclass
class Day:
    """Random chats on small caches, with their tape and, aside, what really left."""

    seed: int
    host: bool = False
    tape: Tape = field(default_factory=Tape)
    losses: list[Lost | None] = field(default_factory=list)
    reused: list[int] = field(default_factory=list)
    prompts: list[tuple[int, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._now = 0.0
        self.began = 0
        # By tier and node: the tokens down to its end, and whether its state has a hidden row.
        self._paths: dict[tuple[str, int], tuple[int, ...]] = {}
        self._hidden: dict[tuple[str, int], bool] = {}
        journal = Journal()
        caches = {"device": self._cache(journal, "device", 400, 5)}
        if self.host:
            caches["host"] = self._cache(journal, "host", 300, 4)
        self.caches = caches
        self.tiers = Tiers(caches["device"], caches.get("host"), NoBytes() if self.host else None)
        for entry in journal.entries():
            self._take(entry)
        journal.listen(self._take)
        self.journal = journal
        self._run(random.Random(self.seed))

    def _cache(self, journal: Journal, tier: str, kv: int, states: int) -> TwoPlaneCache:
        return TwoPlaneCache(
            kv,
            states,
            kv_slot_bytes=10,
            state_slot_bytes=1000,
            policy="lru",
            clock=self._clock,
            journal=journal,
            tier=tier,  # type: ignore[arg-type]
        )

    def _clock(self) -> float:
        self._now += 1.0
        return self._now

    def _take(self, entry: Entry) -> None:
        what = entry.what
        if isinstance(what, Touched) and entry.tier == "device":
            self.began += 1
        if isinstance(what, CheckpointStored):
            self._hidden[entry.tier, what.node] = what.state.has_hidden
        if isinstance(what, NodeAdded):
            tokens = self.caches[entry.tier].reader.tokens_of(what.node).tolist()
            above = self._paths.get((entry.tier, what.parent), ())
            self._paths[entry.tier, what.node] = (*above, *tokens)
        if isinstance(what, NodeSplit):
            whole = self._paths[entry.tier, what.node]
            self._paths[entry.tier, what.upper] = whole[: what.position]
        if isinstance(what, NodeRemoved | CheckpointDropped):
            self._lose(entry.tier, what)
        if not hasattr(what, "prompt"):
            self.tape.append([TraceEntry(entry)])

    def _lose(self, tier: str, what: NodeRemoved | CheckpointDropped) -> None:
        hidden = self._hidden.pop((tier, what.node), None)
        if hidden is None:
            self.losses.append(None)
            return
        tokens = self._paths[tier, what.node]
        others = [cache for name, cache in self.caches.items() if name != tier]
        elsewhere = bool(what.copy) or any(self._has(cache, tokens) for cache in others)
        self.losses.append(Lost(self.began, tokens, hidden, elsewhere))

    def _has(self, cache: TwoPlaneCache, tokens: tuple[int, ...]) -> bool:
        return any(
            view.checkpoint is not None
            and view.end == len(tokens)
            and tuple(cache.reader.holding(view.id).tokens.tolist()) == tokens
            for view in cache.reader.nodes()
        )

    def _run(self, draw: random.Random) -> None:
        chats: list[list[int]] = []
        for number in range(60):
            if len(chats) < 4 or draw.random() < 0.15:
                chats.append([draw.randrange(9) for _ in range(draw.randrange(8, 60))])
            chat = draw.choice(chats[-6:])
            chat += [draw.randrange(9) for _ in range(draw.randrange(1, 30))]
            del chat[280:]
            prompt = np.asarray(chat, np.int64)
            answer = np.asarray([draw.randrange(9) for _ in range(draw.randrange(0, 20))], np.int64)
            ask = Ask(prompt, answer, anchors=(min(20, len(chat) - 1),), headroom=8)
            self.prompts.append(tuple(chat))
            out = run_request(self.tiers, ask, RULES)
            self.reused.append(out.reused)
            ran = replace(
                request(chat, answer.tolist()),
                request=number,
                anchors=tuple(ask.anchors),
                headroom=ask.headroom,
                reused=out.reused,
                replayed=out.replayed,
                computed=out.computed,
                position=out.position,
            )
            entry = Entry(self.journal.seq, self._now, "device", ran)
            self.tape.append([TraceEntry(entry, TracedRequest(0, number, ran, True))])
            chat += answer.tolist()

    def needs(self) -> dict[int, tuple[int, int, int]]:
        """By eviction: the first request that needed it again, how much later, and the tokens."""
        found: dict[int, tuple[int, int, int]] = {}
        for number, prompt in enumerate(self.prompts):
            last: dict[tuple[int, ...], int] = {}
            for at, lost in enumerate(self.losses):
                if lost is not None and lost.began <= number:
                    last[lost.tokens] = at
            for tokens, at in last.items():
                lost = self.losses[at]
                assert lost is not None
                end = len(tokens)
                usable = prompt[:end] == tokens and (end < len(prompt) or lost.hidden)
                if usable and end > self.reused[number] and not lost.elsewhere:
                    after = number + 1 - lost.began
                    found.setdefault(at, (number, after, end - self.reused[number]))
        return found


@pytest.mark.parametrize("host", [False, True], ids=["device", "device and host"])
@pytest.mark.parametrize("seed", mostly_slow(range(6)))
def test_what_was_needed_again_is_what_a_search_finds(seed: int, host: bool) -> None:
    day = Day(seed, host)
    ledger = Ledger(day.tape)
    assert ledger.follow()
    assert len(ledger.evictions) == len(day.tape.evictions) == len(day.losses)
    needs = {
        number: (need.request, need.after, need.tokens)
        for number in range(len(day.losses))
        if (need := ledger.need(number)) is not None
    }
    assert needs == day.needs()
    assert needs, "this day evicted nothing that was needed"
    assert all(ledger.knows(number) for number in range(len(day.losses)))


def test_portions_give_what_one_go_gives() -> None:
    day = Day(3, host=True)
    whole, portions = Ledger(day.tape), Ledger(day.tape)
    assert whole.follow()
    assert not portions.follow(0.0)
    while not portions.follow(0.0):
        pass
    assert [replace(one, witness=None) for one in whole.evictions] == [
        replace(one, witness=None) for one in portions.evictions
    ]
    assert whole.needs == portions.needs
    assert len(whole.take_needs()) == len(whole.needs)
    assert whole.take_needs() == []


def test_under_lru_what_goes_for_lack_of_states_was_unused_the_longest() -> None:
    day = Day(1)
    ledger = Ledger(day.tape)
    ledger.follow()
    # A node in the middle of the running request's path is locked, but never its oldest state.
    pressed = [one for one in ledger.evictions if one.evicted.cause == "state pressure"]
    assert pressed
    for one in pressed:
        assert one.rank >= 1
        assert one.rank <= one.among <= 5
        assert one.age_s is not None
        assert one.unused_s is not None
        assert one.age_s >= one.unused_s >= 0
    assert sum(one.rank == 1 for one in pressed) > len(pressed) / 2


def test_a_rank_is_the_place_by_last_use() -> None:
    order = UseOrder()
    for node, used in ((1, 5.0), (2, 3.0), (3, 5.0), (4, 9.0)):
        order.put(node, used)
    assert [order.rank(node) for node in (1, 2, 3, 4, 5)] == [2, 1, 2, 4, 0]
    order.put(2, 10.0)
    order.drop(9)
    assert [order.rank(node) for node in (1, 2, 3, 4)] == [1, 4, 1, 3]
    assert len(order) == 4


def test_a_request_without_an_end_holds_nothing_up() -> None:
    day = Day(2)
    broken = Tape()
    for at in range(len(day.tape)):
        entry = day.tape.entry(at)
        taped = next((one for one in day.tape.requests if one.index == at), None)
        if taped is None:
            broken.append([TraceEntry(entry)])
        elif taped.number % 5:
            broken.append([TraceEntry(entry, taped.traced)])
    ledger = Ledger(broken)
    assert ledger.follow()
    assert len(ledger.evictions) == len(day.losses)
    assert ledger.needs
    unknown = [number for number in range(len(day.losses)) if not ledger.knows(number)]
    assert unknown
    assert all(ledger.need(number) is None for number in unknown)
