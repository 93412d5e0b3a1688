"""The timeline and the transport bar, used with mouse and keys on a recorded trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.debugger.logic.chosen import Chosen
from app.debugger.logic.source import FileSource
from app.debugger.timeline.logic.tracks import GUTTER_PX, ROW_PX, RULER_PX, Track
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.timeline.view import KEY_LINES as TIMELINE_LINES
from app.debugger.timeline.view import TimelineView
from app.debugger.transport_bar import KEY_LINES, KEYS, TransportBar
from app.debugger.tree_panel import TreePanel
from app.shell.dialogs import key_sections
from engine.analysis.ledger import Ledger
from engine.cache.journal.changes import CheckpointDropped, NodeRemoved
from engine.journal.tape import Tape
from tests.app.conftest import Desk
from tests.app.debugger.conftest import Debugger
from tests.assets.make_traces import TRACES
from tests.present import present

_Key = Qt.Key
LISTED = [(line.keys, line.what) for part in key_sections({}) for line in part.lines]


class Stage:
    """A desk on the small trace."""

    def __init__(self, qtbot: QtBot, debugger: Debugger) -> None:
        self.qtbot, self.debugger = qtbot, debugger
        self.state = debugger.state
        self.panel = debugger.show(TimelinePanel, FileSource(TRACES / "small.jsonl.gz"))
        self.bar = present(debugger.desk.findChild(TransportBar))
        qtbot.waitUntil(lambda: present(self.panel.series).entries == len(self.tape))
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
def stage(qtbot: QtBot, debugger: Debugger) -> Iterator[Stage]:
    made = Stage(qtbot, debugger)
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
        for _ in range(4):
            stage.key(_Key.Key_Down)
        stage.key(_Key.Key_Right)
        chosen = present(stage.state.chosen.entry)
        assert chosen > stage.tape.requests[1].index
        assert stage.state.chosen.request is None
        stage.key(_Key.Key_Return)
        # What was evicted is shown as it was just before.
        gone = stage.tape.entry(chosen).what
        assert isinstance(gone, NodeRemoved | CheckpointDropped)
        assert stage.state.moment.index == chosen
        here = present(stage.state.moment.snapshot).nodes
        assert stage.state.chosen.node == gone.node
        assert gone.node in {one.id for one in here}

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
        seen = self.play(stage, frame_s=1 / 30)
        stack = stage.view.scene.stacks[0]
        low, high = stack.extent
        frames = (high - low) * 30 / 4
        assert seen == sorted(seen)
        assert seen[-1] == len(stage.tape)
        # Every frame shows its moment; what is left of the last one stands at the end.
        assert frames <= len(seen) <= frames + 2
        assert len(set(seen)) > 4

    def test_a_frame_that_took_long_is_made_up_for(self, stage: Stage) -> None:
        low, high = stage.view.scene.stacks[0].extent
        seen = self.play(stage, frame_s=(high - low) / 8)
        assert seen == sorted(seen)
        assert seen[-1] == len(stage.tape)
        assert len(seen) <= 3

    def play(self, stage: Stage, frame_s: float) -> list[int]:
        """The moments shown at 4 times the speed, if each frame takes so long."""
        seconds = count(0.0, frame_s)
        stage.bar.clock = lambda: next(seconds)
        stage.bar.speeds.setCurrentText("4×")
        seen: list[int] = []

        def note() -> None:
            # The end may be shown once more before it begins.
            if not stage.state.moment.follows:
                seen.append(stage.state.moment.index)

        stage.state.moved.connect(note)
        stage.key(_Key.Key_Space)
        assert stage.bar.playing
        stage.qtbot.waitUntil(lambda: not stage.bar.playing)
        return seen


def test_tracks_fold_by_mouse_and_key(stage: Stage) -> None:
    scene = stage.view.scene
    before = scene.height
    device = present(scene.stacks[0].track("device"))
    spot = QPoint(30, RULER_PX + device.top + 5)
    stage.qtbot.mouseClick(stage.view, Qt.MouseButton.LeftButton, pos=spot)
    assert scene.height < before
    assert scene.folded == {"chats", "device"}
    stage.key(_Key.Key_X)
    assert scene.folded == {"chats", "device", "requests"}


class TestConversations:
    """A track with a row for each, folded at first."""

    @pytest.fixture
    def track(self, stage: Stage) -> Track:
        folded = present(stage.view.scene.stacks[0].track("chats"))
        assert folded.folded
        middle = QPoint(30, RULER_PX + folded.top + 5)
        stage.qtbot.mouseClick(stage.view, Qt.MouseButton.LeftButton, pos=middle)
        return present(stage.view.scene.stacks[0].track("chats"))

    def spot(self, stage: Stage, track: Track, request: int, row: int) -> QPoint:
        taped = stage.tape.requests[request]
        there = stage.spot((taped.began + taped.ended) / 2, "chats")
        return QPoint(there.x(), RULER_PX + track.top + row * ROW_PX + 5)

    def test_each_has_a_row_in_the_order_in_which_they_began(
        self, stage: Stage, track: Track
    ) -> None:
        sessions = list(dict.fromkeys(one.session for one in stage.tape.requests))
        assert list(track.rows) == sessions
        assert len(sessions) == 4
        card = present(
            stage.view.scene.card(stage.view.scene.hit(30, RULER_PX + track.top + 20, 0))
        )
        assert card.heading == f"Conversation {sessions[1] + 1}"

    def test_a_request_is_chosen_in_the_row_of_its_conversation_alone(
        self, stage: Stage, track: Track
    ) -> None:
        request = 6
        row = track.rows.index(stage.tape.requests[request].session)
        left = Qt.MouseButton.LeftButton
        other = self.spot(stage, track, request, (row + 1) % len(track.rows))
        stage.qtbot.mouseClick(stage.view, left, pos=other)
        assert stage.state.chosen.request is None
        stage.qtbot.mouseClick(stage.view, left, pos=self.spot(stage, track, request, row))
        assert stage.state.chosen.request == request


class TestMissed:
    """What leads from an eviction to the request that missed it, and back."""

    @pytest.fixture
    def ledger(self, stage: Stage) -> Ledger:
        ledger = Ledger(stage.tape)
        ledger.follow()
        return ledger

    def test_choosing_an_eviction_marks_who_missed_what_it_took(
        self, stage: Stage, ledger: Ledger
    ) -> None:
        number, need = next(iter(ledger.needs.items()))
        index = ledger.evictions[number].index
        stage.state.choose(Chosen(entry=index))
        stage.qtbot.waitUntil(lambda: bool(stage.view.of_chosen.links))
        ((event, request),) = stage.view.of_chosen.links
        assert request == need.request
        assert present(stage.panel.series).events.index[event] == index
        assert request in stage.view.of_chosen.requests
        said = stage.view.accessibleDescription()
        assert said.endswith(f"Request {request + 1} missed what it took.")

    def test_choosing_a_request_marks_the_evictions_that_it_missed(
        self, stage: Stage, ledger: Ledger
    ) -> None:
        missed: dict[int, list[int]] = {}
        for number, need in ledger.needs.items():
            missed.setdefault(need.request, []).append(ledger.evictions[number].index)
        request, indices = max(missed.items(), key=lambda one: len(one[1]))
        stage.state.choose(Chosen(request=request))
        stage.qtbot.waitUntil(lambda: len(stage.view.of_chosen.links) == len(indices))
        events = present(stage.panel.series).events
        found = [int(events.index[event]) for event, _ in stage.view.of_chosen.links]
        assert sorted(found) == sorted(indices)
        assert {request} == {to for _, to in stage.view.of_chosen.links}
        assert f"missed what {len(indices)} evictions took" in stage.view.accessibleDescription()

    def test_what_nobody_missed_has_no_arrow(self, stage: Stage, ledger: Ledger) -> None:
        stage.state.choose(Chosen(request=0))
        stage.qtbot.waitUntil(lambda: 0 in stage.view.of_chosen.requests)
        assert stage.view.of_chosen.links == ()


class TestKeysAnywhere:
    """F5 and F7 to F9 work whatever has the focus in the debugger, and nowhere else."""

    def press(self, stage: Stage, widget: QWidget, keys: str) -> None:
        stage.debugger.desk.activateWindow()
        widget.setFocus()
        stage.qtbot.waitUntil(lambda: QApplication.focusWidget() is widget)
        stage.qtbot.keySequence(widget, keys)
        # Steps that follow one another quickly are taken once a frame.
        stage.qtbot.wait(40)

    def test_they_step_while_a_field_is_typed_into(self, stage: Stage) -> None:
        stage.debugger.panel(TreePanel).look_up()
        field = present(QApplication.focusWidget())
        assert isinstance(field, QLineEdit)
        stage.qtbot.keyClicks(field, "l n")
        stage.state.seek(6)
        for keys, at in (("F8", 7), ("F7", 6), ("Ctrl+F7", 0)):
            self.press(stage, field, keys)
            assert stage.state.moment.index == at
        self.press(stage, field, "Ctrl+F8")
        assert stage.state.moment.follows
        assert field.text() == "l n"

    def test_requests_and_evictions(self, stage: Stage) -> None:
        tree = stage.debugger.panel(TreePanel)
        ends = [one.index + 1 for one in stage.tape.requests]
        stage.state.seek(0)
        self.press(stage, tree, "Shift+F8")
        assert stage.state.moment.index == ends[0]
        self.press(stage, tree, "F9")
        evicted = stage.state.moment.index
        assert evicted - 1 in {one.index for one in stage.tape.evictions}
        self.press(stage, tree, "F9")
        self.press(stage, tree, "Shift+F9")
        assert stage.state.moment.index == evicted
        self.press(stage, tree, "Shift+F7")
        assert stage.state.moment.index == max(end for end in ends if end < evicted)

    def test_f5_plays_and_pauses(self, stage: Stage) -> None:
        tree = stage.debugger.panel(TreePanel)
        self.press(stage, tree, "F5")
        assert stage.bar.playing
        self.press(stage, tree, "F5")
        assert not stage.bar.playing

    def test_a_floating_panel_has_them_too(self, stage: Stage) -> None:
        dock = stage.debugger.desk.docks["requests"]
        dock.setFloating(True)
        dock.show()
        stage.state.seek(6)
        dock.activateWindow()
        stage.qtbot.waitUntil(lambda: QApplication.activeWindow() is dock)
        stage.qtbot.keySequence(present(dock.widget()), "F8")
        assert stage.state.moment.index == 7

    def test_neither_the_chat_nor_another_command_of_the_window_has_them(self, desk: Desk) -> None:
        menus = desk.window.menus
        menus.debugger.trigger()
        debugger = present(desk.window.debugger.desk)
        debugger.state.show_source(FileSource(TRACES / "small.jsonl.gz"))
        debugger.state.seek(6)
        menus.debugger.trigger()
        desk.window.chat.composer.focus()
        desk.qtbot.keySequence(present(QApplication.focusWidget()), "F8")
        desk.qtbot.keySequence(present(QApplication.focusWidget()), "F5")
        assert debugger.state.moment.index == 6
        assert not present(debugger.findChild(TransportBar)).playing
        taken = {key.toString() for one in menus.findChildren(QAction) for key in one.shortcuts()}
        assert not {keys.anywhere for keys in KEYS.values()} & taken


class TestKeysListed:
    def test_the_list_of_shortcuts_names_every_key_of_the_transport(self) -> None:
        listed = " ".join(f"{shown} {what}" for shown, what in KEY_LINES)
        for keys in KEYS.values():
            assert keys.anywhere in listed
            assert keys.near in listed
        assert set(KEY_LINES) <= set(LISTED)

    def test_and_every_key_of_the_timeline(self) -> None:
        names = {_Key.Key_Escape: "Esc", _Key.Key_Return: "Enter"}
        # Beside W and S, as in the tree.
        unsaid = {_Key.Key_Plus, _Key.Key_Minus, _Key.Key_Enter}
        for line in TIMELINE_LINES:
            assert (line.shown, line.what) in LISTED
            for key, shifted, _ in line.keys:
                name = names.get(key, key.name.removeprefix("Key_"))
                whole = f"Shift+{name}" if shifted else name
                assert key in unsaid or whole in line.shown.split(", ")
