"""From the cache's journal to what the pane draws: one to one, on whatever tiers there are."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from app.cache.logic.fading import FadingBook
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import Layout, lay_out
from app.core.session.cache_watch import CacheWatch
from app.core.session.coalesce import coalesce
from app.core.session.model import Session
from engine import events
from engine.cache.eviction.cause import Cause
from engine.journal.feed import JournalFed
from engine.journal.lines import TraceEntry
from engine.journal.settings import CacheSettings, TraceHeader
from tests.engine.cache.causes import BELOW, SCENES, Account, Gone
from tests.engine.cache.tiers.three_tiers import Looked, ThreeTiers

HEADER = TraceHeader("", "", CacheSettings(), 0.0, complete=True, hashed=False, text=False)


class Engine:
    """What a window hears of tiers without a model."""

    def __init__(self, tiers: ThreeTiers) -> None:
        self._looked = Looked(tiers)
        self._header: TraceHeader | None = HEADER

    def look(self) -> events.Event:
        if self._header is not None:
            lines = tuple(TraceEntry(self._looked.tape.entry(i)) for i in range(self._begun))
            self._header = None
            return JournalFed(lines=lines, header=HEADER)
        return JournalFed(lines=self._looked.take())

    @property
    def _begun(self) -> int:
        return len(self._looked.tape)


class Pane:
    """The session and the canvas' book of evictions, without Qt."""

    def __init__(self) -> None:
        self.session = Session(cache=CacheWatch(watched=True, clock=lambda: 0.0))
        self.lanes, self.fades = LaneAssigner(), FadingBook()
        self.layout: Layout | None = None
        self._told = 0

    def frame(self, heard: list[events.Event]) -> None:
        for event in coalesce(heard):
            self.session.apply(event)
        told = self.session.log.after(self._told)
        self._told = self.session.log.total
        snapshot = self.session.cache.snapshot
        assert snapshot is not None
        self.fades.add(told, self.layout, 0.0)
        for gone in told:
            if gone.node_before is not None and gone.node_now is not None:
                self.lanes.follow(gone.node_before, gone.node_now)
        self.layout = lay_out(snapshot, self.lanes, self.fades.held())
        self.fades.settle(self.layout)

    def drawn(self) -> Counter[Gone]:
        marks = self.fades.marks(0.0)
        assert all(mark.strength == 1.0 for mark in marks)
        return Counter(
            Gone(gone.tier, gone.start, gone.end, gone.plane, gone.cause, gone.time)
            for gone in (mark.evicted for mark in marks)
        )

    def check_places(self) -> None:
        """A span that no node stands for lies over none; where one does, it lies on that."""
        assert self.layout is not None
        table = self.layout.table
        for mark in self.fades.marks(0.0):
            gone = mark.evicted
            planes = {(True, True): "both", (True, False): "kv", (False, True): "state"}
            assert planes[mark.span is not None, mark.state is not None] == gone.plane
            assert mark.right == gone.end
            assert mark.left == (gone.start if gone.node_now is not None else gone.cached_to)
            row = (
                None if mark.evicted.node_now is None else self.layout.row_of(mark.evicted.node_now)
            )
            if row is not None:
                assert mark.lane == self.layout.lane[row]
            elif mark.span and gone.node_now is None:
                over = (table.start < mark.right) & (table.end > mark.left)
                assert not (over & (self.layout.lane == mark.lane)).any()


def listening(below: str, **sizes: Any) -> tuple[ThreeTiers, Account]:
    account = Account()
    on = ThreeTiers(**BELOW[below], **sizes)
    for entry in on.journal.entries():
        account.on_entry(entry)
    on.journal.listen(account.on_entry)
    return on, account


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("cause", SCENES)
def test_each_cause_is_drawn_as_the_journal_tells_it(cause: Cause, below: str) -> None:
    on, account = listening(below)
    engine, pane = Engine(on), Pane()
    pane.frame([engine.look()])
    SCENES[cause](on)
    pane.frame([engine.look()])
    assert pane.drawn() == account.gone
    assert any(gone.cause == cause for gone in account.gone)
    pane.check_places()


@pytest.mark.parametrize("below", BELOW)
@pytest.mark.parametrize("seed", range(3))
def test_no_eviction_is_lost_or_drawn_twice_between_frames(seed: int, below: str) -> None:
    """Snapshots come as they like, several to a frame or none; nodes split, merge and come back."""
    print(f"seed {seed}")
    dice = random.Random(seed)
    on, account = listening(below, device=(120, 5))
    engine, pane = Engine(on), Pane()
    pane.frame([engine.look()])
    heard: list[events.Event] = []
    chats = [tuple(dice.randrange(9) for _ in range(60)) for _ in range(4)]
    for _ in range(60):
        chat = dice.choice(chats)
        prompt = chat[: dice.randrange(1, 60)]
        on.run(prompt, anchors=(len(prompt) // 2,), decode=tuple(dice.choices(range(9), k=4)))
        if dice.random() < 0.05:
            on.tiers.clear()
        if dice.random() < 0.6:
            heard.append(engine.look())
        if heard and dice.random() < 0.4:
            pane.frame(heard)
            pane.check_places()
            heard = []
    pane.frame([*heard, engine.look()])
    pane.check_places()
    assert len(account.gone) > 40
    assert pane.drawn() == account.gone
