"""Cache > Record trace… says what is so: whether a trace is written, and whether one was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.app.conftest import Desk, MakeDesk
from tests.present import present

Choose = Callable[..., None]


@pytest.fixture
def record(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Choose:
    """Chooses the menu's entry, and a file in a folder that is there unless told otherwise."""

    def choose(name: str = "t.gz") -> None:
        chosen = (str(tmp_path / name), "")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: chosen)
        desk.window.menus.record.trigger()
        desk.until(lambda: not desk.loop._inbox)
        desk.bridge.take()

    return choose


class TestRecording:
    def test_a_trace_is_begun_and_written(self, desk: Desk, record: Choose) -> None:
        record()
        assert desk.window.menus.record.isChecked()
        assert desk.window.status.currentMessage().startswith("Recording.")
        record()
        assert not desk.window.menus.record.isChecked()
        assert desk.window.status.currentMessage() == "The trace was saved."

    def test_one_that_cannot_be_begun_is_not_said_to_run(self, desk: Desk, record: Choose) -> None:
        record("nowhere/t.gz")
        assert not desk.window.menus.record.isChecked()
        assert desk.window.status.currentMessage() == "The trace t.gz cannot be written: no folder."

    def test_it_ends_with_its_model(self, desk: Desk, record: Choose) -> None:
        record()
        desk.bridge.open_model(Path("/models/other"))
        desk.until(lambda: present(desk.bridge.folder).name == "other")
        assert not desk.window.menus.record.isChecked()

    def test_without_a_model_nothing_of_the_cache_can_be_asked(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        menus = desk.window.menus
        asked = (menus.record, menus.check, menus.drop)
        assert not any(action.isEnabled() for action in asked)
        desk.open()
        assert all(action.isEnabled() for action in asked)
