"""File > Weights and experts."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.shell.opening_dialog import FORMAT_NAMES, OpeningDialog
from engine.config import WEIGHT_FORMATS, EngineConfig
from tests.app.conftest import Desk


def dialog_on(
    qtbot: QtBot, config: EngineConfig, *, reopens: bool = True
) -> tuple[OpeningDialog, list[tuple[object, ...]], QWidget]:
    """The dialog, what it emits, and its parent, which must outlive it."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = OpeningDialog(parent, config, reopens=reopens)
    heard: list[tuple[object, ...]] = []
    dialog.chosen.connect(lambda *said: heard.append(said))
    return dialog, heard, parent


class TestOpeningDialog:
    def test_it_shows_what_is_set(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(weights="int8", expert_bytes=6 << 30))
        assert dialog.weights.currentText() == FORMAT_NAMES["int8"]
        assert dialog.experts.text() == "6,144 MiB"

    def test_every_format_can_be_chosen(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig())
        formats = [dialog.weights.itemData(i) for i in range(dialog.weights.count())]
        assert tuple(formats) == WEIGHT_FORMATS
        assert dialog.experts.text() == "All"

    def test_anew_and_for_the_next_one(self, qtbot: QtBot) -> None:
        for again in (True, False):
            dialog, heard, _parent = dialog_on(qtbot, EngineConfig())
            dialog.weights.setCurrentIndex(2)
            # More than a C int holds.
            dialog.experts.setValue(5_000)
            (dialog.reload if again else dialog.later).click()
            assert heard == [("int4", 5_000 << 20, again)]

    def test_nothing_is_opened_anew_where_nothing_is_open(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), reopens=False)
        assert not dialog.reload.isEnabled()

    def test_the_menu_leads_to_it_and_it_to_the_next_opening(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The offscreen platform warns of every dialog that is shown.
        opened: list[OpeningDialog] = []
        monkeypatch.setattr(OpeningDialog, "open", lambda dialog: opened.append(dialog))
        desk.window.menus.opening.trigger()
        (dialog,) = opened
        dialog.weights.setCurrentIndex(1)
        dialog.reload.click()
        desk.until(lambda: len(desk.loops) == 2 and desk.session.engine.model is not None)
        assert desk.loop.config.weights == "int8"
