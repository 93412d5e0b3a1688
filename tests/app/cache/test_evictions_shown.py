"""Evictions on the canvas: they are painted, fade, go, say why, and are explained meanwhile."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.cache.legend import ENTRIES, TreeLegend, entries_of
from app.cache.logic.fading import FADE_S, HOLD_S, Fate, why
from app.cache.logic.geometry import Geometry
from app.cache.pane import CachePane
from app.cache.tree_painter import RULER_PX
from app.core.session.model import Session
from app.core.words.explain import node_facts, node_tooltip
from app.ui import theme
from engine.snapshot import CacheSnapshot, Evicted, LiveView
from tests.app.samples import evicted, node, snapshot
from tests.present import present

TRUNK = (node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900, "prefill"))
LEAF = node(3, 1, 500, 620, "decode")
LOST_STATE = (node(1, 0, 0, 500), TRUNK[1])


@pytest.fixture
def look(mode: theme.Mode) -> theme.Theme:
    return theme.current()


@pytest.fixture
def canvas(qtbot: QtBot) -> TreeCanvas:
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    made.clock = lambda: 0.0
    made.show_snapshot(snapshot(*TRUNK, LEAF))
    return made


def distance(first: QColor, second: QColor) -> int:
    both = ((c.red(), c.green(), c.blue()) for c in (first, second))
    return sum(abs(a - b) for a, b in zip(*both, strict=True))


def at(canvas: TreeCanvas, position: float, lane: int) -> QPointF:
    """The middle of a bar, in the canvas' pixels."""
    frame = Geometry.of(canvas.viewport, present(canvas.model.layout))
    middle = frame.y(lane) + frame.bar_px / 2
    return QPointF(canvas.viewport.x(position), middle + RULER_PX)


def picture(canvas: TreeCanvas) -> QImage:
    return canvas.grab().toImage()


def colour_at(canvas: TreeCanvas, position: float, lane: int) -> QColor:
    return picture(canvas).pixelColor(at(canvas, position, lane).toPoint())


def nearest(canvas: TreeCanvas, colour: QColor, position: float, lane: int) -> int:
    """How near a colour comes to one that is painted within a few pixels of a place."""
    middle, image = at(canvas, position, lane).toPoint(), picture(canvas)
    spots = [(x, y) for x in range(-9, 10) for y in range(-12, 13)]
    return min(distance(image.pixelColor(middle.x() + x, middle.y() + y), colour) for x, y in spots)


class TestPainting:
    def test_a_leaf_that_went_is_a_bar_that_fades_and_goes(
        self, canvas: TreeCanvas, look: theme.Theme
    ) -> None:
        panel, danger = look.colour("panel"), look.colour("lost")
        canvas.show_snapshot(snapshot(*TRUNK, version=2), [evicted()])
        fresh = colour_at(canvas, 560, 1)
        assert distance(fresh, danger) < distance(fresh, panel)
        canvas.clock = lambda: HOLD_S + FADE_S * 0.8
        faint = colour_at(canvas, 560, 1)
        assert 0 < distance(faint, panel) < distance(fresh, panel)
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert colour_at(canvas, 560, 1) == panel
        assert canvas.marks == ()

    def test_a_lost_state_is_drawn_at_its_diamond(
        self, canvas: TreeCanvas, look: theme.Theme
    ) -> None:
        gone = evicted(
            plane="state", start=0, end=500, node_before=1, node_now=1, cause="state pressure"
        )
        canvas.show_snapshot(snapshot(*LOST_STATE, LEAF, version=2))
        assert nearest(canvas, look.colour("lost"), 500, 0) > 40
        canvas.show_snapshot(snapshot(*LOST_STATE, LEAF, version=3), [gone])
        assert nearest(canvas, look.colour("lost"), 500, 0) < 20

    def test_what_moved_down_does_not_look_lost(
        self, canvas: TreeCanvas, look: theme.Theme
    ) -> None:
        lower = replace(node(1 << 40, 1, 500, 620, "decode"), tier="disk")
        moved = evicted(node_now=lower.id, copy="disk")
        canvas.show_snapshot(snapshot(*TRUNK, lower, version=2), [moved])
        middle = 560 + 5 / canvas.viewport.px_per_unit
        assert nearest(canvas, look.colour("lost"), middle, 1) > 60
        assert nearest(canvas, look.colour("moved"), middle, 1) < 20

    def test_lanes_that_it_has_emptied_close_once_it_has_faded(self, canvas: TreeCanvas) -> None:
        lower = node(4, 1, 500, 560, "decode")
        canvas.show_snapshot(snapshot(*TRUNK, LEAF, lower, version=2))
        assert present(canvas.model.layout).lanes == 3
        canvas.show_snapshot(snapshot(*TRUNK, lower, version=3), [evicted()])
        assert present(canvas.model.layout).lanes == 3
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert present(canvas.model.layout).lanes == 2

    def test_they_close_too_where_the_next_snapshot_comes_first(self, canvas: TreeCanvas) -> None:
        lower, live = node(4, 1, 500, 560, "decode"), LiveView(5, 1, 510, 500, 0, 520)
        canvas.show_snapshot(snapshot(*TRUNK, LEAF, lower, version=2))
        canvas.show_snapshot(snapshot(*TRUNK, lower, version=3, live=live), [evicted()])
        lanes = present(canvas.model.layout).lanes
        canvas.clock = lambda: HOLD_S + FADE_S
        moved = replace(live, position=515)
        canvas.show_snapshot(snapshot(*TRUNK, lower, version=3, live=moved))
        assert present(canvas.model.layout).lanes == lanes - 1

    def test_the_timer_rests_once_nothing_fades(self, canvas: TreeCanvas) -> None:
        heard: list[str] = []
        canvas.faded.connect(lambda: heard.append("faded"))
        canvas.show_snapshot(snapshot(*TRUNK, version=2), [evicted()])
        assert canvas._fade.isActive()
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert not canvas._fade.isActive()
        assert heard == ["faded"]

    def test_another_model_forgets_what_went(self, canvas: TreeCanvas) -> None:
        canvas.show_snapshot(snapshot(*TRUNK, version=2), [evicted()])
        canvas.show_snapshot(None)
        assert canvas.marks == ()
        assert not canvas._fade.isActive()

    def test_what_went_stays_in_sight_while_it_fades(self, canvas: TreeCanvas) -> None:
        short = (node(1, 0, 0, 40, "prefill"),)
        canvas.show_snapshot(
            snapshot(*short, version=2), [evicted(above=1, start=500, cached_to=500)]
        )
        assert canvas.viewport.right >= 620
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert canvas.viewport.right < 200


class TestTooltip:
    def test_it_names_the_cause_in_words(self, canvas: TreeCanvas) -> None:
        canvas.show_snapshot(snapshot(*TRUNK, version=2, time=3.0), [evicted()])
        lines = canvas.tooltip_at(at(canvas, 560, 1)).split("\n")
        assert lines[0].endswith("left the device 3 s ago")
        assert lines[1] == "to make room for keys and values"
        assert canvas.tooltip_at(at(canvas, 700, 1)) == ""

    def test_it_goes_before_that_of_the_node_which_stands_there(self, canvas: TreeCanvas) -> None:
        gone = evicted(
            plane="state", start=0, end=500, node_before=1, node_now=1, cause="state pressure"
        )
        canvas.show_snapshot(snapshot(*LOST_STATE, LEAF, version=2), [gone])
        text = canvas.tooltip_at(at(canvas, 499, 0))
        assert text.startswith("the state at token 500 left the device")
        assert "to make room for another state" in text
        assert "tokens 0 to 500" in text

    @pytest.mark.parametrize("copy", ["", "disk"])
    def test_all_that_is_drawn_of_a_state_can_be_pointed_at(
        self, canvas: TreeCanvas, copy: str
    ) -> None:
        gone = evicted(plane="state", start=0, end=500, node_before=1, node_now=1, copy=copy)
        canvas.show_snapshot(snapshot(*LOST_STATE, LEAF, version=2))
        before = picture(canvas)
        canvas.show_snapshot(snapshot(*LOST_STATE, LEAF, version=3), [gone])
        after = picture(canvas)
        y = at(canvas, 500, 0).toPoint().y()
        drawn = [
            x
            for x in range(after.width())
            if distance(before.pixelColor(x, y), after.pixelColor(x, y)) > 60
        ]
        assert len(drawn) >= 6
        mute = [x for x in drawn if "left the device" not in canvas.tooltip_at(QPointF(x, y))]
        assert mute == []

    def test_once_it_has_faded_only_the_tree_speaks(self, canvas: TreeCanvas) -> None:
        canvas.show_snapshot(snapshot(*TRUNK, version=2), [evicted()])
        canvas.clock = lambda: HOLD_S + FADE_S
        canvas.fade_on()
        assert canvas.tooltip_at(at(canvas, 560, 1)) == ""


class TestLegend:
    @pytest.mark.parametrize("view", ["cells", "tokens", "memory", "topology"])
    def test_it_says_of_each_view_what_is_dashed_and_hatched_in_it(
        self, qtbot: QtBot, view: str
    ) -> None:
        pane = CachePane()
        qtbot.addWidget(pane)
        pane.canvas.show_view(view)
        told = present(pane.findChild(TreeLegend)).toolTip()
        assert "folded: Several nodes as one: a dashed box" in told
        assert ("states: States of a node" in told) == (view == "memory")
        # There, what is hatched is no tombstone.
        assert ("tombstone" in told) == (view != "memory")

    def test_everything_in_it_is_drawn(self, qtbot: QtBot, look: theme.Theme) -> None:
        for entry in {*entries_of("memory"), *entries_of("topology")}:
            legend = TreeLegend(entries=(entry,))
            qtbot.addWidget(legend)
            legend.resize(16, 18)
            image = legend.grab().toImage()
            ground = image.pixelColor(0, 0)
            drawn = [image.pixelColor(x, y) != ground for x in range(16) for y in range(18)]
            assert sum(drawn) > 8, entry

    def test_it_shows_the_marks_of_evictions_and_says_what_they_mean(
        self,
        qtbot: QtBot,
        look: theme.Theme,
    ) -> None:
        legend = TreeLegend()
        qtbot.addWidget(legend)
        legend.resize(900, 18)
        image = legend.grab().toImage()
        painted = [
            image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())
        ]
        assert min(distance(colour, look.colour("lost")) for colour in painted) < 20
        assert "lost: Just evicted, with no copy on any tier" in legend.toolTip()
        assert "moved down: Just evicted, but still in host memory" in legend.toolTip()
        assert "kept: Just left a tier, but a copy remains on" in legend.toolTip()

    def test_its_words_are_those_of_the_hover_and_the_details(self) -> None:
        words = {kind: word for kind, word, _ in ENTRIES}
        bare = node(3, 1, 500, 620)
        assert words["tombstone"] == "tombstone"
        assert f"{words['tombstone']}: no checkpoint on any tier" in node_tooltip(bare, 0.0)
        assert words["tombstone"] in node_facts(bare, 0.0)[3].value
        assert words["tombstone"] in why(evicted(cause="tombstone chain"))
        assert words["lower"] == "host or disk"
        assert "on disk" in node_tooltip(replace(bare, tier="disk"), 0.0)

    @pytest.mark.parametrize("fate", get_args(Fate))
    def test_every_fate_that_is_drawn_has_an_entry(self, fate: str) -> None:
        assert fate in {kind for kind, _, _ in ENTRIES}


class TestPane:
    def pane(self, qtbot: QtBot) -> tuple[CachePane, Session]:
        pane, session = CachePane(), Session()
        qtbot.addWidget(pane)
        pane.resize(500, 800)
        pane.canvas.clock = lambda: 0.0
        self.tell(pane, session, snapshot(*TRUNK, LEAF))
        return pane, session

    def tell(self, pane: CachePane, session: Session, shown: CacheSnapshot, *told: Evicted) -> None:
        session.cache.see(replace(shown, evictions=told))
        pane.show_snapshot(session)

    def test_a_snapshot_that_is_shown_twice_tells_once(self, qtbot: QtBot) -> None:
        pane, session = self.pane(qtbot)
        self.tell(pane, session, snapshot(*TRUNK, version=2), evicted())
        pane.show_snapshot(session)
        assert [mark.evicted.seq for mark in pane.canvas.marks] == [1]

    def test_what_came_while_it_was_hidden_is_drawn_when_it_is_shown(self, qtbot: QtBot) -> None:
        pane, session = self.pane(qtbot)
        session.cache.see(replace(snapshot(*TRUNK, version=2), evictions=(evicted(1),)))
        self.tell(pane, session, snapshot(*TRUNK, version=3), evicted(2))
        assert [mark.evicted.seq for mark in pane.canvas.marks] == [1, 2]

    def test_the_tree_stays_in_sight_until_the_last_of_it_has_faded(self, qtbot: QtBot) -> None:
        pane, session = self.pane(qtbot)
        gone = [
            evicted(1, cause="dropped by user"),
            evicted(
                2, start=0, cached_to=0, end=500, above=0, node_before=1, cause="dropped by user"
            ),
        ]
        self.tell(pane, session, snapshot(version=2), *gone)
        assert pane.canvas.isVisibleTo(pane)
        pane.canvas.clock = lambda: HOLD_S + FADE_S
        pane.canvas.fade_on()
        assert not pane.canvas.isVisibleTo(pane)
