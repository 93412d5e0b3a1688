"""`--screenshot` drives the window."""

from __future__ import annotations

from pathlib import Path

from app.screenshot import ScreenshotRun
from app.script import parse_step
from tests.app.conftest import Desk


class TestRun:
    def test_every_verb_does_its_work(self, desk: Desk, tmp_path: Path) -> None:
        script = (
            "/system Be brief.",
            "One",
            "Two",
            "/edit 2 Deux",
            "/again",
            "/new",
            "/think on",
            "Three",
            "/select 2",
        )
        target = tmp_path / "a" / "window.png"
        steps = [parse_step(paragraph) for paragraph in script]
        run = ScreenshotRun(desk.window, desk.bridge, target, steps)
        with desk.qtbot.waitSignal(run.over, timeout=20_000):
            pass
        assert run.problem == ""
        assert target.is_file()
        assert [t.text for t in desk.turns] == [
            "One",
            "You said **One**.",
            "Deux",
            "You said **Deux**.",
        ]
        assert desk.session.current.system == "Be brief."
        assert desk.session.conversations[0].thinking
