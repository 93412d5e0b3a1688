"""`--screenshot` drives the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.debugger.logic.source import FileSource
from app.debugger.traces import demo_trace
from app.debugger.tree_panel import TreePanel
from app.shell.run import ScreenshotRun
from app.shell.script import parse_step
from app.shell.script_actor import ScriptActor
from tests.app.conftest import Desk, MakeDesk
from tests.present import present


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
        with desk.qtbot.waitSignal(run.over):
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


class TestTraces:
    def test_it_waits_until_the_trace_is_on_screen_and_needs_no_model(
        self, make_desk: MakeDesk, tmp_path: Path
    ) -> None:
        desk = make_desk()
        desk.window.traces.open(demo_trace())
        run = ScreenshotRun(desk.window, desk.bridge, tmp_path / "trace.png", [])
        with desk.qtbot.waitSignal(run.over):
            pass
        assert run.problem == ""
        source = present(desk.window.debugger.desk).state.source
        assert isinstance(source, FileSource)
        assert source.whole

    def test_a_trace_that_cannot_be_read_is_a_problem(self, desk: Desk, tmp_path: Path) -> None:
        desk.window.traces.open(tmp_path / "gone.jsonl")
        run = ScreenshotRun(desk.window, desk.bridge, tmp_path / "trace.png", [])
        with desk.qtbot.waitSignal(run.over):
            pass
        assert run.problem.startswith("gone.jsonl cannot be read")


class TestActor:
    def test_the_tree_is_drawn_another_way(self, desk: Desk) -> None:
        actor = ScriptActor(desk.window, desk.bridge)
        assert actor.do(parse_step("/view tokens")) == ""
        assert desk.window.cache.canvas.view.name == "tokens"
        actor.do(parse_step("/debugger"))
        tree = present(desk.window.debugger.desk).panels["tree"]
        assert isinstance(tree, TreePanel)
        assert actor.do(parse_step("/view Topology")) == ""
        assert tree.canvas.view.name == "topology"
        assert desk.window.cache.canvas.view.name == "tokens"

    @pytest.mark.parametrize("step", ["/view x", "/debugger x", "/lab x", "/needle x", "/query x"])
    def test_what_cannot_be_done_is_said(self, desk: Desk, step: str) -> None:
        assert '"x"' in ScriptActor(desk.window, desk.bridge).do(parse_step(step))
        if desk.window.lab.window is not None:
            desk.window.lab.window.close()
