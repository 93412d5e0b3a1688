"""Moving to the desktop's trash."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QFile

from app.ui.trash import to_trash


def test_it_is_gone_and_can_be_brought_back(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    if not to_trash(folder):
        pytest.skip("there is no trash on this file system")
    assert not folder.exists()


def test_what_cannot_be_moved_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not to_trash(tmp_path / "nothing")
    monkeypatch.setattr(QFile, "moveToTrash", lambda _: (False, ""))
    folder = tmp_path / "model"
    folder.mkdir()
    assert not to_trash(folder)
    assert folder.exists()
