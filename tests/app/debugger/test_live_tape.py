"""The open engine's tape: there from the model's opening, and another one with each model."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from engine.cache.journal.changes import CacheOpened, NodeAdded, RequestAt
from engine.cache.journal.journal import Entry
from engine.commands import WatchJournal
from engine.journal.feed import JournalFed
from engine.journal.lines import TraceEntry
from tests.app.conftest import Desk
from tests.app.test_settings_real import Program
from tests.engine.journal.samples import HEADER
from tests.present import present


def lines(*whats: object) -> tuple[TraceEntry, ...]:
    return tuple(
        TraceEntry(Entry(n + 1, float(n), "device", what))  # type: ignore[arg-type]
        for n, what in enumerate(whats)
    )


OPENED = CacheOpened("coverage", 100, 4, 1, 10)


class TestOnTheRealEngine:
    def test_what_was_here_before_the_debugger_was_opened(
        self, qtbot: QtBot, tmp_path: Path
    ) -> None:
        program = Program(qtbot, tmp_path)
        program.ask("What is a prefix cache?")
        program.ask("And a checkpoint?")
        program.window.menus.debugger.trigger()
        state = present(program.window.debugger.desk).state
        tape = present(state.source).tape
        program.until(lambda: len(tape.requests) >= 2)
        session = program.session
        assert [one.traced.session_id for one in tape.requests] == [session.current.id] * 2
        assert "What is a prefix cache?" in tape.text(tape.requests[0].ran.prompt)
        state.seek(tape.requests[0].index + 1)
        assert not state.moment.follows
        before = len(present(state.moment.snapshot).nodes)
        state.seek(None)
        assert state.moment.follows
        program.until(lambda: state.moment.snapshot is session.cache.snapshot)
        assert 1 < before < len(present(state.moment.snapshot).nodes)
        program.close()


class TestAnotherModel:
    def test_it_has_another_tape_and_the_panels_are_told(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        state = present(desk.window.debugger.desk).state
        first = lines(OPENED, NodeAdded(1, 0, 0, 9))
        desk.loop.emit(JournalFed(header=HEADER, lines=first))
        qtbot.waitUntil(lambda: state.moment.index == 2)
        state.seek(1)
        with qtbot.waitSignal(state.source_changed):
            desk.loop.emit(JournalFed(header=HEADER, lines=lines(OPENED)))
        assert state.moment.follows
        assert len(present(state.source).tape) == 1

    def test_what_does_not_fit_is_said_and_loses_nothing(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.menus.debugger.trigger()
        state = present(desk.window.debugger.desk).state
        desk.loop.emit(JournalFed(header=HEADER, lines=lines(OPENED, NodeAdded(1, 0, 0, 9))))
        desk.loop.emit(JournalFed(lines=lines(RequestAt(9, 1, 5))))
        desk.loop.emit(JournalFed(lines=lines(NodeAdded(1, 0, 0, 9))))
        qtbot.waitUntil(
            lambda: any("cannot be followed" in one for one in desk.session.log.notices)
        )
        assert len(present(state.source).tape) == 2
        assert desk.session.cache.astray

    def test_after_what_does_not_fit_everything_is_told_anew(
        self, desk: Desk, qtbot: QtBot
    ) -> None:
        desk.loop.emit(JournalFed(header=HEADER, lines=lines(OPENED)))
        before = desk.loop.posted.count(WatchJournal(on=True))
        desk.loop.emit(JournalFed(lines=lines(RequestAt(9, 1, 5))))
        qtbot.waitUntil(lambda: desk.loop.posted.count(WatchJournal(on=True)) == before + 1)
        qtbot.waitUntil(lambda: not desk.session.cache.astray)
        desk.say("Hello")
        nodes = present(desk.session.cache.snapshot).nodes
        assert {node.id for node in nodes} == desk.loop.cache.nodes.keys()
