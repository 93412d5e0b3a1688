"""The status line on the real engine: which kernels run the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.core.words.model_words import kernels_sentence
from kernels.native.library import in_use
from tests.app.test_settings_real import CONFIG, Program


def test_it_names_the_kernels_and_its_tooltip_explains_them(qtbot: QtBot, tmp_path: Path) -> None:
    program = Program(qtbot, tmp_path / "data", replace(CONFIG, device="cpu"))
    try:
        label = program.window.status.model
        assert label.text().endswith(f" on cpu, {in_use()}")
        assert kernels_sentence(in_use()) in label.toolTip().splitlines()
    finally:
        program.close()
