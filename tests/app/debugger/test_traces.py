"""Trace files in the window: opened behind it, shown without a model, and left again."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.debugger import traces as reading
from app.debugger.logic.source import FileSource
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.traces import TraceController, demo_trace
from app.shell.options import parse
from engine.journal.tape import read_tape
from tests.app.conftest import Desk, MakeDesk
from tests.mostly_slow import mostly_slow
from tests.present import present


@pytest.fixture
def traces(desk: Desk) -> TraceController:
    return desk.window.traces


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Reading stops half way until it is set."""
    gate, went = Event(), reading._Job._went

    def wait(job: reading._Job, done: float) -> None:
        went(job, done)
        if done > 0.5:
            gate.wait(60)
            went(job, done)

    monkeypatch.setattr(reading._Job, "_went", wait)
    yield gate
    gate.set()


def reached_the_gate(traces: TraceController) -> bool:
    """The bar says that half of the file was read, so the reading thread stands still."""
    return 500 <= traces.bar.progress.value() < 1000


def opened(desk: Desk, qtbot: QtBot, path: Path) -> FileSource:
    desk.window.traces.open(path)
    state = present(desk.window.debugger.desk).state
    qtbot.waitUntil(
        lambda: isinstance(state.source, FileSource) and state.source.name == path.name,
    )
    assert isinstance(state.source, FileSource)
    return state.source


def said(desk: Desk) -> list[str]:
    return desk.session.log.notices


class TestOpening:
    def test_without_a_model_nothing_lies_over_the_chat(self, make_desk: MakeDesk) -> None:
        """The bar's place is above the desk, which nobody has opened yet."""
        desk = make_desk()
        assert not desk.window.traces.bar.isVisible()
        desk.window.menus.debugger.trigger()
        assert desk.window.traces.bar.isVisible()
        assert desk.window.traces.bar.demo.isVisible()

    def test_the_demo_from_the_menu(
        self, desk: Desk, qtbot: QtBot, traces: TraceController
    ) -> None:
        desk.window.menus.demo_trace.trigger()
        state = present(desk.window.debugger.desk).state
        qtbot.waitUntil(lambda: isinstance(state.source, FileSource))
        assert desk.window.debugger.on_screen
        assert not state.live
        assert present(state.moment.snapshot).nodes
        assert desk.window.windowTitle() == "demo.trace.jsonl.gz – Biplane"
        assert "15 requests" in traces.bar.line.text()
        assert traces.bar.isVisible()

    def test_a_chosen_file_and_back(
        self, desk: Desk, qtbot: QtBot, traces: TraceController, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        desk.say("Hello.")
        path = str(demo_trace())
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
        desk.window.menus.open_trace.trigger()
        state = present(desk.window.debugger.desk).state
        qtbot.waitUntil(lambda: isinstance(state.source, FileSource))
        state.seek(100)
        # The chat behind it goes on, and does not take the file away.
        desk.say("And again.")
        assert isinstance(state.source, FileSource)
        assert state.moment.index == 100
        qtbot.mouseClick(traces.bar.close_trace, Qt.MouseButton.LeftButton)
        assert present(state.source).live
        assert state.moment.snapshot is desk.session.cache.snapshot
        assert not traces.bar.isVisible()
        assert not desk.window.menus.close_trace.isEnabled()

    def test_a_dropped_file(self, desk: Desk, qtbot: QtBot) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(demo_trace()))])
        keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
        enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, button, keys)
        QApplication.sendEvent(desk.window, enter)
        assert enter.isAccepted()
        drop = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys)
        QApplication.sendEvent(desk.window, drop)
        qtbot.waitUntil(lambda: bool(desk.window.traces.name))
        state = present(desk.window.debugger.desk).state
        assert isinstance(state.source, FileSource)

    def test_recording_is_said_on_the_desk(
        self, desk: Desk, qtbot: QtBot, traces: TraceController
    ) -> None:
        desk.window.menus.debugger.trigger()
        assert not traces.bar.isVisible()
        desk.session.recording = True
        traces._show()
        assert traces.bar.recording.isVisible()


class TestWhatCannotBeOpened:
    @pytest.mark.parametrize(
        ("name", "content", "named"),
        mostly_slow(
            [
                ("foreign.jsonl", b"hello\nworld\n", "line 1"),
                ("empty.jsonl", b"", "is empty"),
                ("picture.jsonl.gz", b"\x89PNG....", "cannot be unpacked"),
                (
                    "later.jsonl",
                    b'{"event":"header","format":"biplane trace","version":9}\n',
                    "newer",
                ),
            ]
        ),
    )
    def test_one_sentence_and_nothing_is_lost(
        self, desk: Desk, qtbot: QtBot, tmp_path: Path, name: str, content: bytes, named: str
    ) -> None:
        before = opened(desk, qtbot, demo_trace())
        state = present(desk.window.debugger.desk).state
        state.seek(77)
        path = tmp_path / name
        path.write_bytes(content)
        desk.window.traces.open(path)
        qtbot.waitUntil(lambda: any(named in sentence for sentence in said(desk)))
        assert state.source is before
        assert state.moment.index == 77
        bar = desk.window.traces.bar
        # It stays until the user goes on.
        assert named in bar.line.text()
        assert bar.close_trace.text() == "Dismiss"
        bar.close_trace.click()
        assert before.name in bar.line.text()
        assert state.source is before

    def test_without_a_model_it_says_why_there_is_nothing_to_see(
        self, make_desk: MakeDesk, qtbot: QtBot, tmp_path: Path
    ) -> None:
        traces = make_desk().window.traces
        traces.open(tmp_path / "gone.jsonl")
        qtbot.waitUntil(lambda: "gone.jsonl cannot be read" in traces.bar.line.text())
        assert traces.bar.open.isVisibleTo(traces.bar)
        traces.open(demo_trace())
        qtbot.waitUntil(lambda: traces.name == demo_trace().name)
        assert "gone.jsonl" not in traces.bar.line.text()

    def test_a_contradiction_says_where(self, desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
        lines = gzip.decompress(demo_trace().read_bytes()).splitlines(keepends=True)
        split = next(n for n, line in enumerate(lines) if b'"NodeSplit"' in line)
        path = tmp_path / "twice.jsonl"
        path.write_bytes(b"".join([*lines[: split + 1], lines[split], *lines[split + 1 :]]))
        desk.window.traces.open(path)
        named = f"twice.jsonl, line {split + 2:,}"
        qtbot.waitUntil(lambda: any(named in sentence for sentence in said(desk)))

    def test_an_incomplete_file_is_shown_and_it_is_said(
        self, desk: Desk, qtbot: QtBot, tmp_path: Path
    ) -> None:
        path = tmp_path / "cut.jsonl.gz"
        path.write_bytes(demo_trace().read_bytes()[:-400])
        source = opened(desk, qtbot, path)
        assert 0 < len(source.tape) < len(read_tape(demo_trace()))
        assert any("incomplete" in sentence for sentence in said(desk))
        assert "incomplete" in desk.window.traces.bar.line.text()

    def test_cancelled(
        self,
        desk: Desk,
        qtbot: QtBot,
        traces: TraceController,
        gate: Event,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        # However slow the machine is, nothing of the file is shown before it is cancelled.
        monkeypatch.setattr(reading, "_PATIENCE_S", float("inf"))
        path = tmp_path / "long.jsonl"
        whole = gzip.decompress(demo_trace().read_bytes())
        request = next(line for line in whole.splitlines() if b'"request"' in line)
        head = whole.splitlines()[0]
        path.write_bytes(head + b"\n" + (request + b"\n") * 20_000)
        traces.open(path)
        qtbot.waitUntil(lambda: reached_the_gate(traces))
        assert traces.bar.cancel.isVisible()
        qtbot.mouseClick(traces.bar.cancel, Qt.MouseButton.LeftButton)
        gate.set()
        traces.wait()
        assert not traces.bar.isVisible()
        assert present(present(desk.window.debugger.desk).state.source).live
        assert said(desk) == []


class TestALongFile:
    """What takes a while to read is shown as far as it was read."""

    @pytest.fixture(autouse=True)
    def eager(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was read is shown at once."""
        monkeypatch.setattr(reading, "_PATIENCE_S", 0.0)
        monkeypatch.setattr(reading, "_GROW_S", 0.0)

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        made = tmp_path / "long.jsonl"
        whole = gzip.decompress(demo_trace().read_bytes())
        request = next(line for line in whole.splitlines() if b'"request"' in line)
        made.write_bytes(whole + (request + b"\n") * 12_000)
        return made

    @pytest.fixture
    def part(
        self, desk: Desk, qtbot: QtBot, traces: TraceController, gate: Event, path: Path
    ) -> FileSource:
        source = opened(desk, qtbot, path)
        qtbot.waitUntil(lambda: reached_the_gate(traces))
        # Longer than the beginning that is shown first: it grew.
        assert len(source.tape) > 5000
        assert not source.whole
        return source

    def test_it_is_usable_while_it_is_read(
        self, desk: Desk, qtbot: QtBot, traces: TraceController, gate: Event, part: FileSource
    ) -> None:
        state = present(desk.window.debugger.desk).state
        assert traces.bar.cancel.isVisible()
        state.seek(300)
        assert present(state.moment.snapshot).nodes
        before = len(part.tape)
        gate.set()
        qtbot.waitUntil(lambda: not traces.bar.cancel.isVisible())
        assert part.whole
        assert len(part.tape) > before
        assert state.source is part
        # Whoever looks at something is left there.
        assert state.moment.index == 300
        panel = present(desk.window.debugger.desk).panels["timeline"]
        assert isinstance(panel, TimelinePanel)
        qtbot.waitUntil(lambda: present(panel.series).entries == len(part.tape))
        assert repr(state.moment.snapshot) == repr(read_tape(demo_trace()).snapshot(300))

    def test_its_end_is_shown_when_it_is_there(
        self, desk: Desk, qtbot: QtBot, gate: Event, part: FileSource
    ) -> None:
        state = present(desk.window.debugger.desk).state
        assert not state.moment.follows
        gate.set()
        qtbot.waitUntil(lambda: state.moment.follows)
        assert part.whole
        assert state.moment.index == len(part.tape)

    def test_what_was_read_stays_when_it_is_stopped(
        self, desk: Desk, qtbot: QtBot, traces: TraceController, gate: Event, part: FileSource
    ) -> None:
        state = present(desk.window.debugger.desk).state
        qtbot.mouseClick(traces.bar.cancel, Qt.MouseButton.LeftButton)
        gate.set()
        traces.wait()
        assert state.source is part
        assert not part.whole
        assert f"its first {len(part.tape):,} entries are shown" in said(desk)[-1]
        assert traces.bar.close_trace.isVisible()
        assert not traces.bar.cancel.isVisible()


class TestFromTheCommandLine:
    def test_a_trace_opens_no_model(self) -> None:
        options = parse(["--trace", str(demo_trace())])
        assert options.trace == demo_trace()
        assert options.model is None

    def test_a_file_that_is_not_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            parse(["--trace", "/nowhere/t.jsonl"])
        assert "There is no file /nowhere/t.jsonl" in capsys.readouterr().err
