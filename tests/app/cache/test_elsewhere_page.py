"""The cache pane beside a chat with an engine elsewhere: what it tells, and what is hatched."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.cache.pane import SECTIONS
from engine.events import EngineReady, RequestFinished
from engine.net.counters.reading import CountersRead, Reading
from tests.app.cache.remote_desk import REMOTE, finished, remote_plan
from tests.app.conftest import Desk, MakeDesk
from tests.app.settle import settle


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    made = make_desk()
    made.window.resize(1400, 900)
    made.window.show_cache(True)
    made.window.cache.show_figures(SECTIONS)
    made.bridge.apply([EngineReady(model=REMOTE)])
    return made


def go_home(desk: Desk) -> None:
    """To a model of our own engine."""
    desk.bridge.open_model(Path("/models/model"))
    desk.until(lambda: desk.session.coming is None and desk.bridge.folder is not None)
    desk.until(lambda: desk.session.engine.here is not None)


def answer(desk: Desk, finish: RequestFinished) -> None:
    """As if the engine had answered the message."""
    desk.bridge.apply([finish])


def ask(desk: Desk, text: str = "hello") -> int:
    desk.say(text, wait=False)
    running = desk.session.current.running
    assert running is not None
    assert running.request is not None
    return running.request


class TestPage:
    def test_it_stands_where_the_tree_would(self, desk: Desk) -> None:
        pane = desk.window.cache
        assert pane.elsewhere.isVisible()
        assert not pane.canvas.isVisible()
        assert not pane.planes.isVisible()
        assert [line.told for line in pane.elsewhere.lines] == [False] * 4
        assert pane.elsewhere.title.text() == "WHAT VLLM TELLS"

    def test_it_leaves_with_the_engine(self, desk: Desk) -> None:
        go_home(desk)
        pane = desk.window.cache
        desk.say("hello")
        desk.until(lambda: not pane.elsewhere.isVisible())
        desk.until(lambda: pane.canvas.isVisible())
        assert pane.planes.isVisible()

    def test_reuse_that_is_reported(self, desk: Desk) -> None:
        answer(desk, finished(ask(desk), remote_plan(100, 60)))
        pane = desk.window.cache
        assert pane.elsewhere.lines[0].told
        assert "60 of 100" in pane.elsewhere.lines[0].sentence
        assert pane.match.counts["reused"].text() == "60"
        assert pane.match.counts["replayed"].text() == "–"
        assert pane.match.counts["computed"].text() == "40"
        assert not pane.match.why.isVisible()
        assert pane.match.head.text() == "Your last message: 60 of 100 tokens were remembered"

    def test_reuse_that_is_not(self, desk: Desk) -> None:
        answer(desk, finished(ask(desk), remote_plan(100, None)))
        match = desk.window.cache.match
        assert match.head.text() == (
            "Your last message: the engine does not say what it remembered"
        )
        assert match.counts["reused"].text() == "–"
        assert match.counts["unknown"].text() == "100"
        assert match.counts["unknown"].isVisible()
        assert "does not report" in match.reason.text()
        assert not desk.window.cache.elsewhere.lines[0].told

    def test_some_of_both(self, desk: Desk) -> None:
        answer(desk, finished(ask(desk), remote_plan(100, 60)))
        answer(desk, finished(ask(desk, "more"), remote_plan(100, None)))
        assert "Of 1 request it said nothing." in desk.window.cache.elsewhere.lines[0].sentence


class TestCounters:
    def test_they_are_drawn(self, desk: Desk) -> None:
        tracks = desk.window.cache.elsewhere.tracks
        now = 50.0
        tracks.clock = lambda: now
        for at in (44.0, 46.0, 48.0, 50.0):
            read = CountersRead(
                time=at, readings=(Reading("kv in use", 0.5), Reading("mamba in use", 0.9))
            )
            desk.bridge.apply([read])
        assert tracks.accessibleDescription() == "KV cache in use: 50%\nState slots in use: 90%"
        assert tracks.sizeHint().height() > 50
        settle()
        assert _colours(tracks.grab().toImage()) > 4

    def test_why_there_are_none(self, desk: Desk) -> None:
        desk.bridge.apply([CountersRead(sentence="There are no counters there.")])
        line = desk.window.cache.elsewhere.lines[-1]
        assert (line.told, line.sentence) == (False, "There are no counters there.")

    def test_another_engine_has_others(self, desk: Desk) -> None:
        desk.bridge.apply([CountersRead(time=1.0, readings=(Reading("running", 1.0),))])
        assert desk.session.counters.tracks
        go_home(desk)
        assert not desk.session.counters.tracks


class TestMenu:
    def test_what_only_our_own_engine_can_do(self, desk: Desk) -> None:
        menus = desk.window.menus
        assert not any(a.isEnabled() for a in (menus.check, menus.drop, menus.record))
        go_home(desk)
        assert all(a.isEnabled() for a in (menus.check, menus.drop, menus.record))


def _colours(image: QImage) -> int:
    return len(
        {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(image.height())}
    )
