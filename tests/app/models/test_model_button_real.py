"""The button of the model on the real engine: which kernels run it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.core.words.model_words import kernels_sentence
from kernels.native.library import in_use
from tests.app.test_settings_real import CONFIG, Program


def test_its_menu_names_the_kernels_and_its_tooltip_explains_them(
    qtbot: QtBot, tmp_path: Path
) -> None:
    program = Program(qtbot, tmp_path / "data", replace(CONFIG, device="cpu"))
    try:
        button = program.window.model_button
        button.models.aboutToShow.emit()
        assert button.models.actions()[-1].text().endswith(f" on cpu, {in_use()}")
        assert kernels_sentence(in_use()) in button.toolTip().splitlines()
    finally:
        program.close()
