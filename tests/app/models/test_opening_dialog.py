"""File > Weights and experts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.store.load_times import speed_file
from app.core.words.model_words import opening_text
from app.models.opening import FORMAT_NAMES, OpeningDialog
from engine.config import WEIGHT_FORMATS, EngineConfig
from engine.machine_speed import MachineSpeed, keep
from tests.app.conftest import Desk
from tests.engine.test_machine_speed import SPEED

HERE = Path("/models/here")


def dialog_on(
    qtbot: QtBot,
    config: EngineConfig,
    *,
    current: Path | None = HERE,
    recent: tuple[Path, ...] = (),
    speed: MachineSpeed | None = None,
) -> tuple[OpeningDialog, list[tuple[object, ...]], QWidget]:
    """The dialog, what it emits, and its parent, which must outlive it."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = OpeningDialog(parent, config, current, recent, speed)
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
            assert heard == [("int4", 5_000 << 20, HERE if again else None)]

    def test_nothing_is_opened_anew_where_nothing_is_open(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), current=None)
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


class TestMeasured:
    def test_it_says_which_format_suits_the_machine_or_how_to_find_out(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig())
        assert "biplane bench quick" in dialog.measured.text()
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), speed=SPEED)
        assert dialog.measured.text() == opening_text(SPEED)

    def test_what_was_kept_reaches_it(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        keep(SPEED, speed_file())
        opened: list[OpeningDialog] = []
        monkeypatch.setattr(OpeningDialog, "open", lambda dialog: opened.append(dialog))
        desk.window.menus.opening.trigger()
        assert opened[0].measured.text() == opening_text(SPEED)
        opened[0].close()


class TestSuggestions:
    OTHERS = (Path("/models/other"), HERE, Path("/elsewhere/gone"))

    def test_the_open_model_comes_first_and_once(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), recent=self.OTHERS)
        names = [dialog.model.itemText(row) for row in range(dialog.model.count())]
        assert names == ["here", "other", "gone"]
        assert dialog.reload.text() == "Reload model"

    def test_two_of_the_same_name_are_told_apart(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), recent=(Path("/srv/here"),))
        assert [dialog.model.itemText(row) for row in range(2)] == [
            "here in /models",
            "here in /srv",
        ]

    def test_another_one_is_opened_with_the_choice(self, qtbot: QtBot) -> None:
        dialog, heard, _parent = dialog_on(qtbot, EngineConfig(), recent=self.OTHERS)
        dialog.model.setCurrentIndex(1)
        dialog.weights.setCurrentIndex(1)
        assert dialog.reload.text() == "Open model"
        dialog.reload.click()
        assert heard == [("int8", 0, Path("/models/other"))]

    def test_what_is_gone_is_grey_and_says_why(self, qtbot: QtBot) -> None:
        dialog, _, _parent = dialog_on(qtbot, EngineConfig(), recent=self.OTHERS)
        gone = "This folder is no longer there."
        dialog.show_problems({HERE: gone, self.OTHERS[0]: "", self.OTHERS[2]: gone})
        items = dialog.model.model()
        assert isinstance(items, QStandardItemModel)
        assert [items.item(row).isEnabled() for row in range(3)] == [True, True, False]
        assert items.item(2).toolTip().endswith(gone)

    def test_without_a_model_one_of_the_others_can_be_chosen(self, qtbot: QtBot) -> None:
        dialog, heard, _parent = dialog_on(
            qtbot, EngineConfig(), current=None, recent=self.OTHERS[:1]
        )
        assert not dialog.reload.isEnabled()
        dialog.model.setCurrentIndex(0)
        assert dialog.reload.isEnabled()
        dialog.reload.click()
        assert heard == [("stored", 0, self.OTHERS[0])]
