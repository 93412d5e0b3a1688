"""Dialogs for files begin where the user last chose one for the same purpose."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.models.opening import ask_for_model
from app.ui.export.picture import ask_file, ask_picture
from app.ui.file_dialog import Purpose, ask_where, ask_which, file_dialog, last_folders
from tests.present import present


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    last_folders().by_purpose = {}
    yield made
    last_folders().by_purpose = {}


class Asked:
    """Stands where Qt's own dialogs would: keeps what they propose, and chooses `answer`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.proposed: list[str] = []
        self.answer = ""
        for name in ("getOpenFileName", "getSaveFileName"):
            monkeypatch.setattr(QFileDialog, name, self._answer)

    def _answer(self, _parent: QWidget, _title: str, proposed: str, _filters: str = "") -> object:
        self.proposed.append(proposed)
        return self.answer, ""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


class TestDialogsThatWait:
    def test_each_purpose_has_a_folder_of_its_own(
        self, window: QWidget, asked: Asked, tmp_path: Path
    ) -> None:
        asked.answer = str(tmp_path / "seen.jsonl")
        assert ask_which(window, "traces", "Open", "*.jsonl") == tmp_path / "seen.jsonl"
        ask_where(window, "traces", "Save", "new.jsonl")
        ask_which(window, "traces", "Open", "*.jsonl")
        ask_picture(window, "Timeline", "timeline")
        assert asked.proposed == [
            "",
            str(tmp_path / "new.jsonl"),
            str(tmp_path),
            "timeline.png",
        ]

    def test_who_cancels_leaves_the_folder(
        self, window: QWidget, asked: Asked, tmp_path: Path
    ) -> None:
        last_folders().by_purpose = {"exports": str(tmp_path)}
        assert ask_file(window, "table.csv") is None
        assert last_folders().of("exports") == str(tmp_path)

    def test_a_folder_that_is_gone_is_not_proposed(
        self, window: QWidget, asked: Asked, tmp_path: Path
    ) -> None:
        last_folders().by_purpose = {"exports": str(tmp_path / "gone")}
        ask_file(window, "table.csv")
        assert asked.proposed == ["table.csv"]


class TestDialogsThatBlockNothing:
    def test_each_purpose_begins_where_a_file_was_chosen(
        self, qtbot: QtBot, window: QWidget, tmp_path: Path
    ) -> None:
        purposes: tuple[Purpose, ...] = ("attachments", "conversations")
        for purpose in purposes:
            (tmp_path / purpose).mkdir()
            (tmp_path / purpose / "note.txt").write_text("A note.")
            dialog = file_dialog(window, purpose, "Choose")
            dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
            dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
            dialog.open()
            dialog.selectFile(str(tmp_path / purpose / "note.txt"))
            dialog.accept()
        for purpose in purposes:
            again = file_dialog(window, purpose, "Choose")
            assert again.directory().path() == str(tmp_path / purpose)

    def test_for_models_the_last_choice_comes_before_the_open_one(
        self, window: QWidget, tmp_path: Path
    ) -> None:
        def begins(open_now: Path | None) -> str:
            ask_for_model(window, open_now, lambda _: None)
            dialog = present(window.findChild(QFileDialog))
            begun = dialog.directory().path()
            dialog.setParent(None)
            dialog.deleteLater()
            return begun

        models, others = tmp_path / "models", tmp_path / "others"
        for folder in (models, others):
            folder.mkdir()
        assert begins(models / "one") == str(models)
        last_folders().note("models", str(others / "two"))
        assert begins(models / "one") == str(others)
