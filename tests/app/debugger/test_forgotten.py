"""A tape that holds only so many entries: everybody begins where it does, and it is said."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.debugger.audit_panel import AuditTally
from app.debugger.invariants_panel import write_dump
from app.debugger.logic import source
from app.debugger.logic.source import FileSource, forgotten_sentence, forgotten_title
from app.debugger.state import DebugState
from app.debugger.timeline.logic.columns import Columns
from app.debugger.timeline.logic.scene import next_entry, next_eviction, next_request
from app.debugger.timeline.logic.tracks import RULER_PX
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.transport_bar import TransportBar
from app.debugger.what_if.logic.study import Study
from engine.analysis.ledger import Ledger
from engine.analysis.why.lives import Lives
from engine.cache.journal.changes import CacheFound
from engine.journal import reel
from engine.journal.lines import TraceEntry
from engine.journal.tape import Tape, read_tape
from tests.app.debugger.conftest import Debugger
from tests.assets.make_traces import TRACES
from tests.engine.journal.taped import TapedCaches
from tests.present import present

TRACE = TRACES / "tiers.jsonl.gz"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Tape:
    """The end of a recorded day."""
    monkeypatch.setattr(reel, "SPACING", 100)
    made = read_tape(TRACE, most=600)
    assert made.first > 1000
    return made


class TestFollowers:
    def test_the_opening_is_the_cache_as_it_was(self, short: Tape) -> None:
        whole = read_tape(TRACE)
        for entry in short.opening():
            assert isinstance(entry.what, CacheFound)
            assert entry.time == whole.time(short.first) == short.time(short.first)
        device = {n.id for n in whole.snapshot(short.first).nodes if n.tier == "device"}
        found = present(next(e.what for e in short.opening() if e.tier == "device"))
        assert isinstance(found, CacheFound)
        assert device >= {node.id for node in found.nodes} > {0}

    def test_the_ledger_knows_the_evictions_that_are_left(self, short: Tape) -> None:
        ledger, whole = Ledger(short), Ledger(read_tape(TRACE))
        assert ledger.follow()
        assert whole.follow()
        assert not ledger.broken
        late = [known for known in whole.evictions if known.index >= short.first]
        assert [known.index for known in ledger.evictions] == [known.index for known in late]
        assert [known.evicted for known in ledger.evictions] == [one.evicted for one in late]

    def test_lives_of_what_is_left(self, short: Tape) -> None:
        lives, whole = Lives(short), Lives(read_tape(TRACE))
        assert lives.follow()
        assert whole.follow()
        gone = {life.gone.index: life.gone for life in whole.lives if life.gone is not None}
        mine = {life.gone.index: life.gone for life in lives.lives if life.gone is not None}
        assert mine == {index: one for index, one in gone.items() if index >= short.first}
        assert len(mine) > 5
        assert [line.request is not None for line in lives.lines(10**9)]

    def test_tokens_of_nodes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reel, "SPACING", 100)
        caches, short = TapedCaches(3, host_kv=0), Tape(most=300)
        for _ in range(40):
            caches.ask()
        lines = caches.tape.requests
        traced = {taped.index: taped.traced for taped in lines}
        short.append(TraceEntry(e, traced.get(n)) for n, e in enumerate(caches.entries))
        assert short.first > 300
        for entry in short.opening():
            assert isinstance(entry.what, CacheFound)
            for node, known in zip(entry.what.nodes, entry.what.tokens, strict=True):
                assert len(known) == 4 * (node.end - node.start)
        tokens, whole = (tape.tokens(len(tape)) for tape in (short, caches.tape))
        nodes = [node for node in short.snapshot(len(short)).nodes if node.parent is not None]
        assert len(nodes) > 5
        for node in nodes:
            assert present(tokens(node)).tolist() == present(whole(node)).tolist()

    def test_the_rest(self, short: Tape, tmp_path: Path) -> None:
        assert AuditTally(short).follow(5.0)
        write_dump(tmp_path / "dump.json", (), None, short, len(short))
        study = Study()
        study.show(short)
        assert study.follow(5.0)
        study.close()


class TestSteps:
    def test_none_goes_before_the_beginning(self, short: Tape) -> None:
        columns = Columns(short)
        assert columns.follow(5.0)
        series = columns.series()
        assert next_entry(series, short.first, -1) == short.first
        assert next_request(series, short.first, -1) == short.first
        assert next_eviction(series, short.first, -1) is None
        at, seen = short.first, [short.first]
        while at < len(short):
            at = next_request(series, at, 1)
            seen.append(at)
        assert all(a < b for a, b in pairwise(seen))


class TestTheWindow:
    @pytest.fixture
    def state(
        self, debugger: Debugger, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[DebugState]:
        monkeypatch.setattr(reel, "SPACING", 100)
        monkeypatch.setattr(source, "read_tape", partial(read_tape, most=600))
        self.panel = debugger.show(TimelinePanel, FileSource(TRACE))
        self.bar = present(debugger.desk.findChild(TransportBar))
        size = len(present(debugger.state.source).tape)
        qtbot.waitUntil(lambda: present(self.panel.series).entries == size)
        yield debugger.state
        self.bar.pause()

    def test_an_earlier_moment_is_refused_in_one_sentence(
        self, state: DebugState, qtbot: QtBot
    ) -> None:
        first = present(state.source).tape.first
        said: list[str] = []
        state.notice.connect(said.append)
        state.seek(first)
        assert said == []
        state.seek(3)
        assert state.moment.index == first
        assert len(said) == 1
        assert f"{first + 1:,}" in said[0]
        self.bar.entry(-1)
        self.bar.request(-1)
        assert state.moment.index == first
        assert len(said) == 1
        assert "earliest moment kept" in self.bar.banner.text()
        assert self.bar.banner.toolTip() == forgotten_sentence(first)

    def test_the_left_end_says_what_is_missing(self, state: DebugState) -> None:
        first = present(state.source).tape.first
        scene = self.panel.view.scene
        card = present(scene.card(scene.hit(20, RULER_PX // 2, 0)))
        assert card.heading == forgotten_title(first)
        assert self.panel.view.accessibleDescription() == forgotten_sentence(first)
        assert scene.card(scene.hit(900, RULER_PX // 2, 0)) is None

    def test_a_scrub_past_the_left_end_means_the_left_end(
        self, state: DebugState, qtbot: QtBot
    ) -> None:
        said: list[str] = []
        state.notice.connect(said.append)
        self.panel.view.scrubbed.emit(-5.0)
        qtbot.waitUntil(lambda: state.moment.index == present(state.source).tape.first)
        assert said == []
