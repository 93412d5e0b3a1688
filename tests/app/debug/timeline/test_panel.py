"""The timeline and the transport bar, used with mouse and keys on a recorded trace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.debug.chosen import Chosen
from app.debug.source import FileSource
from app.debug.timeline.panel import TimelinePanel
from app.debug.timeline.tracks import GUTTER_PX, RULER_PX
from app.debug.timeline.view import TimelineView
from app.debug.transport_bar import TransportBar
from engine.trace.tape import Tape
from tests.app.conftest import Desk
from tests.assets.make_traces import TRACES
from tests.present import present

_Key = Qt.Key


class Stage:
    """A desk on the small trace."""

    def __init__(self, qtbot: QtBot, desk: Desk) -> None:
        self.qtbot = qtbot
        desk.window.resize(1366, 768)
        desk.window.menus.debugger.trigger()
        debugger = present(desk.window.debugger.desk)
        self.state = debugger.state
        self.state.show_source(FileSource(TRACES / "small.jsonl.gz"))
        debugger.show_panel("timeline")
        panel = debugger.panels["timeline"]
        assert isinstance(panel, TimelinePanel)
        self.panel = panel
        self.bar = present(debugger.findChild(TransportBar))
        qtbot.waitUntil(lambda: present(panel.series).entries == len(self.tape))
        QApplication.processEvents()

    @property
    def view(self) -> TimelineView:
        return self.panel.view

    @property
    def tape(self) -> Tape:
        return present(self.state.source).tape

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.view.setFocus()
        self.qtbot.keyClick(self.view, key, held)

    def spot(self, time: float, track: str) -> QPoint:
        """The middle of a track at a time."""
        stack = self.view.scene.stacks[0]
        found = present(stack.track(track))
        x = GUTTER_PX + self.view.scene.view.x(float(stack.clock.place(time)))
        y = RULER_PX + found.top + found.height // 2 - self.view.bar.value()
        return QPoint(round(x), y)

    def drag(self, start: QPoint, end: QPoint) -> None:
        body = self.view
        self.qtbot.mousePress(body, Qt.MouseButton.LeftButton, pos=start)
        self.qtbot.mouseMove(body, (start + end) / 2)
        self.qtbot.mouseMove(body, end)
        self.qtbot.mouseRelease(body, Qt.MouseButton.LeftButton, pos=end)


@pytest.fixture
def stage(qtbot: QtBot, desk: Desk) -> Iterator[Stage]:
    made = Stage(qtbot, desk)
    yield made
    made.bar.pause()


class TestChoosing:
    def test_a_click_on_a_request_chooses_it_everywhere(self, stage: Stage) -> None:
        taped = stage.tape.requests[6]
        middle = (taped.began + taped.ended) / 2
        spot = stage.spot(middle, "requests")
        stage.qtbot.mouseClick(stage.view, Qt.MouseButton.LeftButton, pos=spot)
        assert stage.state.chosen == Chosen(request=6, entry=taped.index)

    def test_keys_walk_the_requests_and_the_events(self, stage: Stage) -> None:
        stage.key(_Key.Key_Right)
        stage.key(_Key.Key_Right)
        assert stage.state.chosen.request == 1
        assert stage.view.accessibleDescription().startswith("Request 2 · ")
        for _ in range(3):
            stage.key(_Key.Key_Down)
        stage.key(_Key.Key_Right)
        chosen = present(stage.state.chosen.entry)
        assert chosen > stage.tape.requests[1].index
        assert stage.state.chosen.request is None
        stage.key(_Key.Key_Return)
        assert stage.state.moment.index == stage.tape.index_at(stage.tape.time(chosen + 1))

    def test_what_is_chosen_elsewhere_is_brought_on_screen(self, stage: Stage) -> None:
        for _ in range(12):
            stage.view.acts.zoom(2)
        stage.state.choose(Chosen(request=0))
        scene = stage.view.scene
        place = float(scene.stacks[0].clock.place(stage.tape.requests[0].began))
        assert scene.view.left <= place <= scene.view.right


class TestMarks:
    def test_dragging_selects_and_the_figures_agree(self, stage: Stage) -> None:
        first, last = stage.tape.requests[3], stage.tape.requests[5]
        stage.drag(stage.spot(first.began - 0.002, "reuse"), stage.spot(last.ended + 0.02, "reuse"))
        assert stage.panel.figures.isVisible()
        text = stage.panel.figures.text()
        computed = sum(taped.ran.computed for taped in stage.tape.requests[3:6])
        assert "Requests ended\t3" in text
        assert f"Tokens new\t{computed:,}" in text
        stage.key(_Key.Key_Escape)
        assert not stage.panel.figures.isVisible()

    def test_the_interval_and_markers_by_key(self, stage: Stage) -> None:
        stage.state.seek(100)
        stage.key(_Key.Key_I)
        stage.key(_Key.Key_M)
        stage.state.seek(400)
        stage.key(_Key.Key_O)
        stage.key(_Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
        clock = stage.view.scene.stacks[0].clock
        times = clock.time(present(stage.view.scene.interval)).tolist()
        assert times == pytest.approx([stage.tape.time(100), stage.tape.time(400)])
        assert "B − A\t+" in stage.panel.figures.text()

    def test_they_keep_their_times_when_pauses_are_drawn_as_they_were(self, stage: Stage) -> None:
        stage.state.seek(500)
        stage.key(_Key.Key_M)
        stage.panel.pauses.setChecked(False)
        scene = stage.view.scene
        place = present(scene.markers[0])
        time = float(scene.stacks[0].clock.time(place))
        assert time == pytest.approx(stage.tape.time(500))


class TestTransport:
    def test_scrubbing_moves_the_desk_at_most_once_a_frame(self, stage: Stage) -> None:
        seeks: list[int] = []
        stage.state.moved.connect(lambda: seeks.append(stage.state.moment.index))
        body, tape = stage.view, stage.tape
        y = RULER_PX // 2
        stage.qtbot.mousePress(body, Qt.MouseButton.LeftButton, pos=QPoint(GUTTER_PX + 50, y))
        for x in range(50, 450, 2):
            stage.qtbot.mouseMove(body, QPoint(GUTTER_PX + x, y))
        end = QPoint(GUTTER_PX + 450, y)
        stage.qtbot.mouseMove(body, end)
        stage.qtbot.mouseRelease(body, Qt.MouseButton.LeftButton, pos=end)
        clock = stage.view.scene.stacks[0].clock
        time = float(clock.time(stage.view.scene.view.place(450)))
        wanted = tape.index_at(time)
        stage.qtbot.waitUntil(lambda: stage.state.moment.index == wanted)
        assert len(seeks) < 120
        assert not stage.state.moment.follows
        assert "before the end" in stage.bar.banner.text()
        stage.bar.live.click()
        assert stage.state.moment.follows

    def test_steps(self, stage: Stage) -> None:
        stage.state.seek(0)
        stage.bar.request(1)
        assert stage.state.moment.index == stage.tape.requests[0].index + 1
        stage.qtbot.wait(30)
        stage.bar.entry(1)
        assert stage.state.moment.index == stage.tape.requests[0].index + 2
        stage.qtbot.wait(30)
        stage.bar.eviction(1)
        gone = stage.tape.evictions[0].index
        later = [
            one.index
            for one in stage.tape.evictions
            if one.index + 1 > stage.tape.requests[0].index + 2
        ]
        assert stage.state.moment.index == later[0] + 1 >= gone
        assert stage.state.chosen.entry == later[0]

    def test_it_plays_to_the_end_and_stops(self, stage: Stage) -> None:
        stage.bar.speeds.setCurrentText("4×")
        seen: list[int] = []
        stage.state.moved.connect(lambda: seen.append(stage.state.moment.index))
        stage.key(_Key.Key_Space)
        assert stage.bar.playing
        stage.qtbot.waitUntil(lambda: not stage.bar.playing, timeout=20_000)
        assert seen == sorted(seen)
        assert seen[-1] == len(stage.tape)
        assert len(set(seen)) > 4


def test_tracks_fold_by_mouse_and_key(stage: Stage) -> None:
    scene = stage.view.scene
    before = scene.height
    device = present(scene.stacks[0].track("device"))
    spot = QPoint(30, RULER_PX + device.top + 5)
    stage.qtbot.mouseClick(stage.view, Qt.MouseButton.LeftButton, pos=spot)
    assert scene.height < before
    assert scene.folded == {"device"}
    stage.key(_Key.Key_X)
    assert scene.folded == {"device", "requests"}
