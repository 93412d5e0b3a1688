"""The counters of an engine elsewhere on the timeline."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.core.session.counters import GAP_S, Counters
from app.debugger.logic.source import FileSource
from app.debugger.state import DebugState
from app.debugger.timeline.logic.columns import Columns
from app.debugger.timeline.logic.counter_tracks import PREFIX, counted, with_counters
from app.debugger.timeline.logic.tracks import FOLDED_PX, GUTTER_PX, RULER_PX, tracks_of
from app.debugger.timeline.logic.viewport import compressed
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.why.inquiry import Inquiry
from engine.journal.tape import Tape
from engine.net.counters.reading import CountersRead, Reading
from tests.assets.make_traces import TRACES


def look(time: float, **values: float | None) -> CountersRead:
    names = {"kv": "kv in use", "state": "mamba used", "hits": "prefix hits"}
    readings = tuple(Reading(names[key], value) for key, value in values.items())
    return CountersRead(time=time, readings=readings)


def looked(*looks: CountersRead) -> Counters:
    made = Counters()
    for one in looks:
        made.take(one)
    return made


SEEN = looked(
    look(10.0, kv=0.25, state=3.0, hits=None),
    look(12.0, kv=0.5, state=7.0, hits=None),
    look(12.0 + 2 * GAP_S, kv=0.75, state=4.0, hits=0.5),
)


class TestCounted:
    def test_each_has_its_unit_plane_and_upper_edge(self) -> None:
        found = {one.key: one for one in counted(SEEN)}
        assert set(found) == {PREFIX + key for key in ("kv in use", "mamba used", "prefix hits")}
        kv, state = found[PREFIX + "kv in use"], found[PREFIX + "mamba used"]
        assert (kv.unit, kv.plane, kv.top) == ("parts", "kv", 1.0)
        assert (state.unit, state.plane, state.top) == ("slots", "state", 10.0)
        assert state.title == "State slots used"

    def test_what_is_known_when(self) -> None:
        found = {one.key: one for one in counted(SEEN)}
        kv, hits = found[PREFIX + "kv in use"], found[PREFIX + "prefix hits"]
        times = np.array([9.0, 10.0, 11.9, 12.1, 12.0 + GAP_S + 1, 12.0 + 2 * GAP_S])
        assert kv.at(times).tolist() == [np.inf, 0.25, 0.25, 0.5, np.inf, 0.75]
        # Nothing to say is not the same as not known.
        assert np.isnan(hits.at(np.array([11.0]))).all()

    def test_nothing_was_told(self) -> None:
        assert counted(Counters()) == ()
        assert counted(looked(look(1.0, hits=None))) == ()

    def test_a_copy_does_not_grow(self) -> None:
        mine = looked(look(1.0, kv=0.5))
        kept = mine.copy()
        mine.take(look(2.0, kv=0.6))
        assert [len(one.points["kv in use"]) for one in (mine, kept)] == [2, 1]


class TestTracks:
    def test_they_stand_below_all_others_and_fold(self) -> None:
        source = FileSource(TRACES / "small.jsonl.gz")
        columns = Columns(source.tape)
        columns.follow(60.0)
        tracks = counted(SEEN)
        series = with_counters(columns.series(), tracks)
        made = tracks_of(series, {PREFIX + "mamba used"}, 0, tracks)
        assert [one.key for one in made[-3:]] == [one.key for one in tracks]
        folded = next(one for one in made if one.key == PREFIX + "mamba used")
        assert (folded.height, folded.folded) == (FOLDED_PX, True)
        assert series.end >= 12.0 + 2 * GAP_S
        assert series.start <= 10.0

    def test_without_a_tape_they_are_alone(self) -> None:
        tracks = counted(SEEN)
        series = with_counters(Columns(Tape()).series(), tracks)
        assert (series.start, series.end) == (10.0, 12.0 + 2 * GAP_S)
        assert [one.key for one in tracks_of(series, (), 0, tracks)] == [one.key for one in tracks]
        assert not len(compressed(series).pauses)


class Counting(FileSource):
    """A trace of an engine whose counters were looked at; see Source."""

    @property
    def counters(self) -> Counters:
        return SEEN


class TestPanel:
    @pytest.fixture
    def panel(self, qtbot: QtBot) -> TimelinePanel:
        state = DebugState()
        made = TimelinePanel(state, Inquiry(state))
        state.setParent(made)
        qtbot.addWidget(made)
        made.resize(1000, 700)
        made.show()
        state.show_source(Counting(TRACES / "small.jsonl.gz"))
        qtbot.waitUntil(lambda: made.reading.isHidden() and made.series is not None)
        return made

    def test_they_are_drawn_and_a_card_says_the_value(
        self, panel: TimelinePanel, qtbot: QtBot
    ) -> None:
        view = panel.view
        qtbot.waitUntil(lambda: bool(view.scene.stacks and view.scene.stacks[0].counters))
        stack = view.scene.stacks[0]
        track = stack.track(PREFIX + "kv in use")
        assert track is not None
        assert not view.grab().isNull()
        x = view.scene.view.x(float(stack.clock.place(11.0)))
        hit = view.scene.hit(GUTTER_PX + x, RULER_PX + track.top + 5, 0)
        assert hit.spot == "counter"
        card = view.scene.card(hit)
        assert card is not None
        assert card.heading == "KV cache in use: 25%"
        gap = view.scene.view.x(float(stack.clock.place(12.0 + GAP_S + 1)))
        unknown = view.scene.card(view.scene.hit(GUTTER_PX + gap, RULER_PX + track.top + 5, 0))
        assert unknown is not None
        assert "not known" in unknown.heading
