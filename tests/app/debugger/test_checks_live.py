"""Invariants and audits in the window, on the real engine with the bundled model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.loops import run_loop
from app.core.options.shared import demo_model_dir
from app.core.session.applied import Applied
from app.core.session.model import Session
from app.debugger.audit_panel import SHEET, AuditPanel
from app.debugger.invariants_panel import InvariantsPanel
from app.debugger.panel import DebugPanel
from app.debugger.what_if.panel import WhatIfPanel
from engine.config import EngineConfig
from engine.loop import RunLoop
from engine.run.core import Core
from tests.app.real_window import PATIENCE_S, RealWindow
from tests.present import present

CONFIG = EngineConfig(cache_bytes=12 << 20, interval=64, decode_interval=16, threads=1)


class Program(RealWindow):
    """The window on the bundled model, with the debugger in front."""

    def __init__(self, qtbot: QtBot, applied: Applied | None = None) -> None:
        given: dict[str, object] = {"max_tokens": 12, "temperature": 0.0}
        self.loops: list[RunLoop] = []
        session = Session(given=given, applied=applied or Applied())
        super().__init__(qtbot, session, CONFIG, loop=self._loop)
        self.open()
        self.say("Hello, I am Anna.")
        self.say("What is my name?")
        self.window.menus.debugger.trigger()

    def _loop(self, folder: Path, config: EngineConfig) -> RunLoop:
        made = run_loop(folder, config)
        assert isinstance(made, RunLoop)
        self.loops.append(made)
        return made

    def panel(self, name: str) -> DebugPanel:
        desk = present(self.window.debugger.desk)
        assert desk.show_panel(name)
        return desk.panels[name]

    def core(self, function: Callable[[Core], object]) -> None:
        self.loops[-1].call(function, anytime=True).result(PATIENCE_S)


@pytest.fixture
def program(qtbot: QtBot) -> Iterator[Program]:
    made = Program(qtbot)
    yield made
    made.close()


class TestInvariants:
    def test_they_are_checked_while_it_is_on_screen(self, program: Program) -> None:
        panel = program.panel("invariants")
        assert isinstance(panel, InvariantsPanel)
        program.until(lambda: len(panel.invariants.rows) == 6)
        assert panel.said.text().startswith("All 6 invariants hold")
        assert all(row.holds for row in panel.moment_sums.rows)
        assert len(panel.moment_sums.rows) >= 9
        assert not panel.dump.isVisible()
        notices = len(program.session.log.notices)
        first = program.session.cache.checked
        program.until(lambda: program.session.cache.checked is not first)
        assert len(program.session.log.notices) == notices, "checking is no news"
        program.panel("timeline")
        program.until(lambda: not panel.on_screen)
        assert not panel._timer.isActive()

    def test_a_planted_violation_is_named_and_can_be_saved(
        self, program: Program, tmp_path: Path
    ) -> None:
        panel = program.panel("invariants")
        assert isinstance(panel, InvariantsPanel)
        program.until(lambda: bool(panel.invariants.rows))
        leaves = []

        def plant(core: Core) -> None:
            nodes = core.cache._parts.tree.preorder()
            leaf = next(node for node in nodes if node.is_leaf)
            leaves.append(leaf)
            leaf.kv_lock += 1

        program.core(plant)
        program.until(lambda: not all(row.holds for row in panel.invariants.rows))
        wrong = [row for row in panel.invariants.rows if not row.holds]
        assert [row.name for row in wrong] == ["locks · device"]
        assert "lock imbalance" in panel.said.text()
        assert panel.dump.isVisible()
        path = tmp_path / "dump.json"
        panel.save_dump(path)
        program.until(path.exists)
        panel._behind.wait()
        dump = json.loads(path.read_text())
        assert dump["violated"] == [{"name": wrong[0].name, "problem": wrong[0].problem}]
        assert dump["snapshot"]["nodes"]
        assert dump["entries"]
        assert "Anna" not in path.read_text()
        program.core(lambda core: setattr(leaves[0], "kv_lock", leaves[0].kv_lock - 1))
        program.until(lambda: all(row.holds for row in panel.invariants.rows))


class TestAudits:
    def test_verify_all_that_were_resumed_from(self, program: Program) -> None:
        panel = program.panel("audits")
        assert isinstance(panel, AuditPanel)
        program.until(panel.verify_all.isEnabled)
        wanted = list(panel._wanted)
        assert wanted
        panel.verify_all.click()
        program.until(lambda: not panel._wanted and not program.session.cache.verifying)
        program.until(lambda: "verifying" not in panel.said.text())
        kinds = panel.view.rows.kinds
        audited = sum(kinds[kind].count for kind in ("verified", "unclear") if kind in kinds)
        assert audited == len(wanted)
        table = panel.view.rows
        row = present(table.numbered(wanted[0]))
        cells = dict(zip(SHEET.titles, row.cells, strict=True))
        assert cells["Audit"] == "asked"
        assert cells["Difference"]
        assert cells["Audited"] != "never"

    def test_a_wrong_state_is_quarantined(self, program: Program) -> None:
        panel = program.panel("audits")
        assert isinstance(panel, AuditPanel)
        program.until(lambda: len(panel.view.rows) > 0)
        program.core(lambda core: core.store.spoil_states())
        panel.view.setFocus()
        panel.view.selectRow(0)
        program.until(panel.verify.isEnabled)
        panel.verify.click()
        program.until(lambda: "quarantined" in panel.said.text())
        sums = panel.view.rows.kinds
        assert sums["quarantined"].count >= 1


class TestApply:
    def test_live_settings_then_undo(self, program: Program) -> None:
        panel = program.panel("what-if")
        assert isinstance(panel, WhatIfPanel)
        study = panel.study
        program.until(lambda: study.predicted is not None and not study.working)
        loop, base = program.loops[-1], study.base
        panel.knobs.moved.emit("interval", 128)
        panel.knobs.moved.emit("device_bytes", 24 << 20)
        panel.apply.click()
        program.until(lambda: study.base.interval == 128)
        snapshot = present(program.session.cache.snapshot)
        planes = snapshot.memory.kv_plane + snapshot.memory.state_plane
        program.until(
            lambda: (
                present(program.session.cache.snapshot).memory.kv_plane > planes // 2
                and study.base.device_bytes > 23 << 20
            )
        )
        assert program.bridge.settings.next.cache_bytes == 24 << 20
        assert not panel.apply.isEnabled()
        program.say("And what is seven plus two?")
        panel.undo.click()
        program.until(lambda: study.base == base)
        assert program.loops[-1] is loop
        assert program.bridge.settings.next.interval == CONFIG.interval
        program.until(lambda: study.today is not None and not study.working)
        assert present(study.today).differing == ()

    @pytest.mark.slow
    def test_a_policy_opens_the_model_again_and_keeps_the_conversation(
        self, program: Program
    ) -> None:
        panel = program.panel("what-if")
        assert isinstance(panel, WhatIfPanel)
        program.until(lambda: panel.study.predicted is not None)
        panel.knobs.moved.emit("policy", "lru")
        panel.apply.click()
        program.until(lambda: len(program.loops) == 2)
        program.ready()
        program.until(lambda: panel.study.base.policy == "lru")
        assert len(program.session.current.turns) == 4
        program.say("Do you still know my name?")
        panel.undo.click()
        program.until(lambda: len(program.loops) == 3)
        program.ready()
        assert program.bridge.settings.next.policy == "coverage"


@pytest.mark.slow
class TestRemembered:
    """What was applied is used by the next start of the same model."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return tmp_path / "cache.json"

    @pytest.fixture
    def start(self, qtbot: QtBot, file: Path) -> Iterator[Callable[..., Program]]:
        running: list[Program] = []

        def make(fixed: frozenset[str] = frozenset()) -> Program:
            while running:
                running.pop().close()
            running.append(Program(qtbot, Applied(file, fixed)))
            return running[-1]

        yield make
        while running:
            running.pop().close()

    def panel(self, program: Program) -> WhatIfPanel:
        panel = program.panel("what-if")
        assert isinstance(panel, WhatIfPanel)
        program.until(lambda: panel.study.predicted is not None)
        return panel

    def test_live_settings_until_they_are_undone(
        self, start: Callable[..., Program], file: Path
    ) -> None:
        program = start()
        panel = self.panel(program)
        assert panel.remembered.isHidden()
        panel.knobs.moved.emit("decode_interval", 8)
        panel.apply.click()
        program.until(lambda: "decode interval 8 tokens" in panel.remembered.text())
        assert panel.remembered.isVisible()
        program = start()
        assert program.bridge.settings.next.decode_interval == 8
        assert self.panel(program).study.base.decode_interval == 8
        panel = self.panel(program)
        panel.knobs.moved.emit("interval", 128)
        panel.apply.click()
        program.until(lambda: "interval 128 tokens" in panel.remembered.text())
        program.until(lambda: panel.study.base.interval == 128)
        panel.undo.click()
        program.until(lambda: "128" not in panel.remembered.text())
        assert program.bridge.settings.next.interval == CONFIG.interval
        assert "decode interval 8 tokens" in panel.remembered.text()
        assert "128" not in file.read_text(encoding="utf-8")

    def test_what_opens_the_model_again_and_the_command_line(
        self, start: Callable[..., Program]
    ) -> None:
        program = start()
        panel = self.panel(program)
        panel.knobs.moved.emit("policy", "lru")
        panel.apply.click()
        program.until(lambda: len(program.loops) == 2)
        program.ready()
        program.until(lambda: "policy lru" in panel.remembered.text())
        program = start(frozenset({"policy"}))
        assert program.bridge.settings.next.policy == CONFIG.policy
        assert "command line sets another policy" in self.panel(program).remembered.text()
        assert start().bridge.settings.next.policy == "lru"

    def test_a_model_that_it_keeps_from_opening_opens_without(
        self, start: Callable[..., Program], file: Path
    ) -> None:
        # Too little for one state and one run of tokens.
        models = {str(demo_model_dir()): {"cache_bytes": 1}}
        file.write_text(json.dumps({"models": models}), encoding="utf-8")
        program = start()
        assert program.bridge.settings.next.cache_bytes == CONFIG.cache_bytes
        assert any("opened with those of the start" in said for said in program.session.log.notices)
