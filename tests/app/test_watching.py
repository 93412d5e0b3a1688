"""The cache is looked at while any view of it is on screen: the bridge keeps the one count."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.core.bridge import Bridge
from app.core.session.cache_watch import CacheWatch
from app.core.session.changes import Changed
from app.core.session.model import Session
from engine.config import EngineConfig
from tests.app.fake_loop import FakeLoop


def test_the_cache_is_looked_at_from_the_first_view_to_the_last(qtbot: QtBot) -> None:
    loop = FakeLoop(Path("model"), EngineConfig())
    session = Session(cache=CacheWatch(clock=lambda: 0.0))
    bridge = Bridge(session, EngineConfig(), lambda _folder, _config: loop)
    bridge.open_model(Path("model"))
    qtbot.waitUntil(lambda: len(session.cache.tape) > 0)
    assert session.cache.snapshot is None
    with qtbot.waitSignal(bridge.changed) as told:
        bridge.watch("pane", True)
    assert Changed.SNAPSHOT in told.args[0]
    assert session.cache.snapshot is not None
    bridge.watch("debugger", True)
    bridge.watch("pane", False)
    assert session.cache.watched
    bridge.watch("debugger", False)
    assert not session.cache.watched
    bridge.close(0)
