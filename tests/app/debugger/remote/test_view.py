"""Engines that run elsewhere, watched in the window: real sockets, and the panes of the desk."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zmq
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.debugger.remote.logic.source import RemoteSource
from app.debugger.remote.panel import EnginesPanel
from app.debugger.traces import demo_trace
from app.debugger.tree_panel import TreePanel
from app.shell.options import parse
from engine.net.kv_events.address import Publisher
from tests.app.conftest import Desk
from tests.engine.net.kv_events.sender import BLOCK, Sender
from tests.engine.net.kv_events.test_dump import dumped, told
from tests.present import present


class Engines:
    """Publishers whose batches nobody loses."""

    def __init__(self, folder: Path, count: int) -> None:
        self._context: zmq.Context[Any] = zmq.Context()
        self.publishers = [
            Publisher(f"ipc://{folder}/{n}", label=f"engine {n}") for n in range(count)
        ]
        self.senders = [Sender(random.Random(n), again=0.0) for n in range(count)]
        self._sockets = [self._context.socket(zmq.PUB) for _ in range(count)]
        for socket, publisher in zip(self._sockets, self.publishers, strict=True):
            socket.bind(publisher.events)

    def publish(self) -> None:
        for socket, sender in zip(self._sockets, self.senders, strict=True):
            seq, payload = sender.publish()
            socket.send_multipart((b"", seq.to_bytes(8, "big"), payload))

    def close(self) -> None:
        for socket in self._sockets:
            socket.close(linger=0)
        self._context.term()


@pytest.fixture
def engines(tmp_path: Path, desk: Desk) -> Iterator[Engines]:
    found = Engines(tmp_path, 2)
    yield found
    desk.window.remote.close()
    found.close()


def watched(desk: Desk, qtbot: QtBot, engines: Engines) -> RemoteSource:
    """Both engines, each with one sequence of eight blocks that is on screen."""
    assert desk.window.remote.open(engines.publishers)
    source = present(desk.window.remote.source)
    # A subscriber misses what is sent before it is connected.
    while any(worker.blocks != 8 for worker in source.fleet.workers):
        for number, sender in enumerate(engines.senders):
            sender.blocks.clear()
            sender.store([number + 1] * (8 * BLOCK))
        engines.publish()
        qtbot.wait(50)
    state = present(desk.window.debugger.desk).state
    qtbot.waitUntil(lambda: len(present(state.moment.snapshot).nodes) == 5)
    return source


class TestRemoteView:
    def test_two_engines_are_drawn_with_their_names(
        self, desk: Desk, qtbot: QtBot, engines: Engines
    ) -> None:
        source = watched(desk, qtbot, engines)
        state = present(desk.window.debugger.desk).state
        assert desk.window.debugger.on_screen
        assert not state.live
        snapshot = present(state.moment.snapshot)
        assert {node.lane for node in snapshot.nodes if node.lane} == {"engine 0", "engine 1"}
        assert not any(node.tombstone for node in snapshot.nodes if node.end)
        named = {source.owner_title(node.owners[0]) for node in snapshot.nodes if node.end}
        assert named == {"engine 0", "engine 1"}
        assert "16 blocks" in source.sentence
        desk.window.traces.say()
        assert "16 blocks" in desk.window.traces.bar.line.text()

    def test_the_engines_and_who_has_the_chosen_prefix(
        self, desk: Desk, qtbot: QtBot, engines: Engines
    ) -> None:
        watched(desk, qtbot, engines)
        debugger = desk.window.debugger
        assert debugger.show_panel("engines")
        panel = present(debugger.desk).panels["engines"]
        assert isinstance(panel, EnginesPanel)
        state = present(debugger.desk).state
        nodes = present(state.moment.snapshot).nodes
        chosen = next(one for one in nodes if one.end and one.owners == (2,))
        qtbot.waitUntil(lambda: panel.on_screen)
        state.choose_node(chosen.id)
        rows = [row.cells[:2] for row in panel.table.rows.shown]
        assert rows == [("engine 0", "0 tokens"), ("engine 1", f"{8 * BLOCK} tokens")]
        assert "is whole on engine 1." in panel.said.text()
        assert "does not tell which recurrent states" in panel.said.text()

    def test_each_engine_has_a_group_of_lanes_and_a_node_says_where_else_it_is(
        self, desk: Desk, qtbot: QtBot, engines: Engines
    ) -> None:
        source = watched(desk, qtbot, engines)
        state = present(desk.window.debugger.desk).state
        tree = present(desk.window.debugger.desk).panels["tree"]
        assert isinstance(tree, TreePanel)
        groups = present(tree.canvas.model.layout).groups
        assert [group.title for group in groups] == ["engine 0", "engine 1"]
        nodes = present(state.moment.snapshot).nodes
        mine = next(one for one in nodes if one.end and one.owners == (1,))
        assert source.also_on(mine.id) == "no other engine"
        assert source.also_on(groups[0].node) is None
        # The other engine stores the first half of it, too.
        half = [1] * (4 * BLOCK)
        engines.senders[1].store(half)
        engines.publish()
        said = f"engine 1 to token {4 * BLOCK}"
        qtbot.waitUntil(lambda: source.also_on(mine.id) == said, timeout=20_000)
        state.choose_node(mine.id)
        panel = present(desk.window.debugger.desk).panels["node"]
        told = [one.text() for one in panel.findChildren(QLabel)]
        assert said in told
        tree.canvas.pin_card()
        assert f"also on {said}" in tree.canvas.cards.pinned[mine.id].text.text()

    def test_without_engines_the_panel_says_how_to_watch_one(self, desk: Desk) -> None:
        assert desk.window.debugger.show_panel("engines")
        panel = present(desk.window.debugger.desk).panels["engines"]
        assert isinstance(panel, EnginesPanel)
        assert "biplane view --events" in panel.said.text()
        assert panel.table.isHidden()

    def test_going_back_lets_go_of_them(self, desk: Desk, qtbot: QtBot, engines: Engines) -> None:
        watched(desk, qtbot, engines)
        desk.window.traces.close()
        assert desk.window.remote.source is None
        assert present(present(desk.window.debugger.desk).state.source).live

    def test_a_trace_takes_their_place(self, desk: Desk, qtbot: QtBot, engines: Engines) -> None:
        watched(desk, qtbot, engines)
        desk.window.traces.open(demo_trace())
        qtbot.waitUntil(lambda: desk.window.remote.source is None)

    def test_what_an_indexer_heard_before_is_drawn_and_said(
        self, desk: Desk, qtbot: QtBot, engines: Engines, tmp_path: Path
    ) -> None:
        kept = tmp_path / "dump.json"
        kept.write_bytes(dumped(told([1, 2], worker=1), told([3], worker=2)))
        named = [replace(one, label=str(n + 1)) for n, one in enumerate(engines.publishers)]
        assert desk.window.remote.open(named, dump=kept)
        source = present(desk.window.remote.source)
        qtbot.waitUntil(lambda: [one.blank for one in source.facts()] == [2, 1])
        assert desk.window.debugger.show_panel("engines")
        panel = present(desk.window.debugger.desk).panels["engines"]
        assert isinstance(panel, EnginesPanel)
        qtbot.waitUntil(lambda: "2 of the blocks of 1 are from the indexer" in panel.said.text())

    def test_a_dump_of_other_engines_is_one_sentence(
        self, desk: Desk, qtbot: QtBot, engines: Engines, tmp_path: Path
    ) -> None:
        kept = tmp_path / "dump.json"
        kept.write_bytes(dumped(told([1]), told([2], worker=8)))
        assert desk.window.remote.open(engines.publishers, dump=kept)
        qtbot.waitUntil(lambda: any("knows 7, 8" in said for said in desk.session.log.notices))

    def test_a_wrong_address_is_one_sentence(self, desk: Desk) -> None:
        assert not desk.window.remote.open([Publisher("nowhere")])
        assert "tcp://127.0.0.1:5557" in desk.session.log.notices[-1]
        assert desk.window.remote.source is None


class TestOptions:
    def test_a_dump_is_a_file_or_an_address(self, tmp_path: Path) -> None:
        (tmp_path / "dump").write_bytes(b"{}")
        watching = ["--events", "tcp://127.0.0.1:10", "--dump"]
        assert parse([*watching, str(tmp_path / "dump")]).dump == tmp_path / "dump"
        assert str(parse([*watching, "127.0.0.1:8090"]).dump) == "http://127.0.0.1:8090/dump"

    def test_one_engine_several_ranks_and_named_workers(self) -> None:
        one = parse(["--events", "tcp://127.0.0.1:5557", "--replay", "tcp://127.0.0.1:5558"])
        assert one.watch == (
            Publisher("tcp://127.0.0.1:5557", "tcp://127.0.0.1:5558", "tcp://127.0.0.1:5557"),
        )
        assert one.model is None
        ranks = parse(["--events", "tcp://127.0.0.1:10", "--ranks", "2"]).watch
        assert [(r.events, r.label) for r in ranks] == [
            ("tcp://127.0.0.1:10", "rank 0"),
            ("tcp://127.0.0.1:11", "rank 1"),
        ]
        named = parse(["--worker", "a=tcp://h:1,tcp://h:2", "--worker", "b=tcp://h:3"]).watch
        assert named == (Publisher("tcp://h:1", "tcp://h:2", "a"), Publisher("tcp://h:3", "", "b"))

    @pytest.mark.parametrize(
        "bad", [["--worker", "x"], ["--events", "x"], ["--events", "tcp://h:1", "--ranks", "0"]]
    )
    def test_what_cannot_be(self, bad: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            parse(bad)
        assert "must be" in capsys.readouterr().err
