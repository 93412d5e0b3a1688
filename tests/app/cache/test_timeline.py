"""The small plots over time: their figures are whole, and idle time is told as it was."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.cache.timeline import Timeline
from app.ui import theme
from tests.app.conftest import Desk
from tests.app.samples import node, snapshot
from tests.present import present


@pytest.mark.parametrize("speed", [12.0, 59.0, 91.0, 180.0, 187.0, 460.0])
def test_no_figure_is_cut_at_an_edge(qtbot: QtBot, speed: float) -> None:
    made = Timeline()
    qtbot.addWidget(made)
    made.resize(400, 100)
    made.show_snapshot(snapshot(node(1, 0, 0, 20, "prefill")), speed)
    made.show()
    made.draw()
    picture = made.rate.grab().toImage()
    ground = theme.current().colour("window")
    width = made.rate.margins.left() - 4
    for row in (0, picture.height() - 1):
        assert {picture.pixelColor(x, row).name() for x in range(width)} == {ground.name()}
    # There are figures at all.
    assert any(
        picture.pixelColor(x, y) != ground for x in range(width) for y in range(picture.height())
    )


class TestIdleTime:
    def test_it_is_level_marked_and_dated(self, desk: Desk) -> None:
        desk.say("word " * 200)
        desk.until(lambda: desk.window.cache.timeline is not None)
        timeline = present(desk.window.cache.timeline)
        desk.say("And more. " * 200)
        now = timeline.clock()
        timeline.clock = lambda: now + 40
        timeline.show()
        timeline.draw()
        times, kv = timeline.lines["kv"].getData()
        assert times[-1] == 0
        # Level over the whole of the idle time, at the value of the last snapshot.
        assert kv[-1] == kv[-2] > 0
        assert times[-2] <= -39
        _, rate = timeline.lines["rate"].getData()
        assert rate[-1] == 0
        shades = timeline.rate.shades.opts
        assert shades["x1"][-1] == 0
        assert shades["x0"][-1] <= -39
        labels = [text for _, text in timeline.rate.bottom._tickLevels[0]]
        assert labels[-1] == "now"
        assert all(text.startswith("−") for text in labels[:-1])
        assert len(labels) > 1

    def test_another_theme_colours_it_at_once(self, desk: Desk) -> None:
        keeper = theme.keeper()
        before = keeper.mode
        keeper.set_mode("light")
        desk.say("Hello")
        desk.until(lambda: desk.window.cache.timeline is not None)
        timeline = present(desk.window.cache.timeline)
        now = timeline.clock()
        timeline.clock = lambda: now + 40
        timeline.show()
        timeline.draw()
        keeper.set_mode("dark")
        dark = timeline.rate.shades.opts["brush"]
        wanted = theme.current().colour("track", 0.55)
        keeper.set_mode(before)
        assert dark == wanted

    def test_time_moves_on_by_itself_until_nothing_is_left_to_move(self, desk: Desk) -> None:
        desk.say("word " * 20)
        made = Timeline(desk.window)
        made.clock = lambda: 0.0
        made.show_snapshot(present(desk.session.cache.snapshot), 5.0)
        made.show()
        made.draw()
        assert made._timer.isActive()
        made._timer.stop()
        made.clock = lambda: 1_000.0
        made.draw()
        assert not made._timer.isActive()

    def test_what_the_hidden_pane_missed_is_a_gap(self, desk: Desk) -> None:
        desk.say("word " * 100)
        desk.until(lambda: desk.window.cache.timeline is not None)
        timeline = present(desk.window.cache.timeline)
        desk.say("word " * 100)
        desk.window.menus.cache.trigger()
        assert not timeline.history.readings(timeline.now).watched
        desk.say("Unseen")
        desk.window.menus.cache.trigger()
        desk.say("Seen")
        shown = timeline.history.readings(timeline.now)
        assert shown.watched
        assert shown.unseen.sum() == 1
