"""Snapshots come while any view of the cache is on screen: the bridge keeps the one count."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.bridge import Bridge
from app.session.model import Session
from engine.commands import WatchCache
from engine.config import EngineConfig
from tests.app.fake_loop import FakeLoop


def watched(loop: FakeLoop) -> list[bool]:
    return [command.on for command in loop.posted if isinstance(command, WatchCache)]


def test_the_engine_is_told_when_the_first_view_comes_and_the_last_one_goes(qtbot: QtBot) -> None:
    loop = FakeLoop(Path("model"), EngineConfig())
    bridge = Bridge(Session(), EngineConfig(), lambda _folder, _config: loop)
    bridge.open_model(Path("model"))
    assert watched(loop) == [False]
    assert not bridge.watch("pane", True)
    # None comes of its own for a view that is not the first.
    assert bridge.watch("debugger", True)
    assert bridge.watch("pane", False)
    assert bridge.watch("events", False)
    assert watched(loop) == [False, True]
    bridge.watch("debugger", False)
    assert watched(loop) == [False, True, False]
    bridge.close(0)
