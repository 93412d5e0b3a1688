"""What Qt for Python must not do to us, and what we must not do to it."""

from __future__ import annotations

import ast
import gc
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.shell.gc_policy import GuiCollector

APP = Path(__file__).parents[2] / "app"


class TestReferences:
    @pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from 3.12 on")
    def test_void_calls_do_not_lose_none(self, qtbot: QtBot) -> None:
        label = QLabel()
        qtbot.addWidget(label)
        before = sys.getrefcount(None)
        for number in range(3000):
            label.setText(str(number))
        assert abs(sys.getrefcount(None) - before) < 100


class TestGarbage:
    def test_the_collector_runs_on_the_gui_thread_only(self, qtbot: QtBot) -> None:
        seen: set[int] = set()

        def note(phase: str, _info: dict[str, int]) -> None:
            seen.add(threading.get_ident())

        collector = GuiCollector()
        collector.start()
        gc.callbacks.append(note)
        try:
            assert not gc.isenabled()
            worker = threading.Thread(target=lambda: [[] for _ in range(200_000)])
            worker.start()
            worker.join()
            assert seen == set()
            waste: list[list[object]] = [[] for _ in range(2000)]
            for item in waste:
                item.append(item)
            del waste
            collector.check()
            assert seen == {threading.get_ident()}
        finally:
            gc.callbacks.remove(note)
            collector.stop()
            collector.deleteLater()
        assert gc.isenabled()

    def test_it_collects_when_the_event_loop_wakes_and_needs_no_timer(self, qtbot: QtBot) -> None:
        collector = GuiCollector()
        collector.start()
        try:
            assert not collector.findChildren(QTimer)
            waste: list[list[object]] = [[] for _ in range(2000)]
            for item in waste:
                item.append(item)
            del waste
            qtbot.waitUntil(lambda: sum(collector.collections) > 0)
        finally:
            collector.stop()
            collector.deleteLater()


class TestImports:
    def test_the_window_never_imports_torch(self) -> None:
        code = (
            "import app.shell.run, app.cache.timeline, sys; "
            "assert 'torch' not in sys.modules, 'torch'; "
            "assert 'transformers' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True, cwd=APP.parent, timeout=60)

    def test_a_start_imports_no_room_that_is_not_seen_yet(self) -> None:
        code = (
            "import app.shell.run, sys; "
            "rooms = ('app.debugger.timeline', 'app.debugger.why', 'app.debugger.desk', "
            "'app.debugger.remote.logic', 'app.lab.window', 'engine.analysis', 'engine.bench'); "
            "print(*(name for name in sys.modules if name.startswith(rooms)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=APP.parent,
            timeout=60,
            capture_output=True,
            text=True,
        )
        assert done.stdout.split() == []

    def test_only_one_file_knows_the_loop(self) -> None:
        for path in APP.rglob("*.py"):
            if "commands" in path.relative_to(APP).parts or path.name == "cli.py":
                continue
            names = {
                node.module
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.ImportFrom)
            }
            assert "engine.loop" not in names or path.name == "loops.py", path
