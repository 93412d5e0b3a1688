"""File > Open recent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from app.models.logic import recent_models
from app.models.opening import OpeningDialog
from app.models.recent_menu import RecentCheck
from app.shell.window_memory import memory_file
from tests.app.conftest import Desk, MakeDesk


class Known:
    """A check that is over as soon as a test says so."""

    def __init__(self, problems: Mapping[Path, str] | None) -> None:
        self.problems = problems

    def done(self) -> Mapping[Path, str] | None:
        return self.problems


def names(desk: Desk) -> list[str]:
    return [folder.name for folder in desk.window.recent.folders]


class TestMenu:
    def test_models_are_listed_once_they_could_be_opened(self, desk: Desk) -> None:
        assert names(desk) == ["model"]
        desk.open("other")
        desk.until(lambda: names(desk) == ["other", "model"])
        desk.open("broken")
        desk.until(lambda: desk.session.refused is not None or desk.session.engine.model is None)
        assert names(desk) == ["other", "model"]

    def test_one_is_opened_from_the_menu(self, desk: Desk) -> None:
        desk.open("other")
        desk.until(lambda: names(desk) == ["other", "model"])
        recent = desk.window.recent
        # The open one is not offered again.
        assert [action.isEnabled() for action in recent.actions] == [False, True]
        assert recent.actions[0].toolTip().endswith("This model is open.")
        assert recent.actions[1].text().startswith("&2  model\t")
        recent.actions[1].trigger()
        desk.until(lambda: names(desk) == ["model", "other"])
        assert desk.bridge.folder == Path("/models/model")

    def test_missing_ones_are_grey_and_say_why(self, desk: Desk) -> None:
        desk.open("other")
        desk.until(lambda: len(names(desk)) == 2)
        recent, gone = desk.window.recent, "This folder is no longer there."
        check = Known(None)

        def look(folders: Sequence[Path]) -> Known:
            assert list(folders) == list(recent.folders)
            return check

        recent._look = look
        desk.window.menus.menu["file"].aboutToShow.emit()
        # Nobody waits for a slow disk.
        assert recent.actions[1].isEnabled()
        check.problems = {Path("/models/model"): gone}
        desk.qtbot.waitUntil(lambda: not recent.actions[1].isEnabled())
        assert recent.actions[1].toolTip() == f"/models/model\n{gone}"
        assert desk.window.menus.menu["recent"].toolTipsVisible()
        assert not recent._timer.isActive()

    def test_the_check_reads_the_disk_on_a_thread(self, desk: Desk, tmp_path: Path) -> None:
        (tmp_path / "config.json").write_text("{}")
        check = RecentCheck([tmp_path, tmp_path / "no"])
        desk.qtbot.waitUntil(lambda: check.done() is not None)
        assert check.done() == {tmp_path: "", tmp_path / "no": "This folder is no longer there."}

    def test_clear_empties_the_list_and_its_file(self, desk: Desk) -> None:
        file = recent_models.recent_file(memory_file())
        desk.window.recent.keep_in(file)
        desk.open("other")
        desk.until(lambda: "other" in names(desk))
        assert recent_models.load(file)
        desk.window.recent.clear.trigger()
        assert names(desk) == []
        assert recent_models.load(file) == ()
        assert not desk.window.menus.menu["recent"].menuAction().isEnabled()

    def test_an_ampersand_is_part_of_a_name(self, desk: Desk) -> None:
        desk.open("black & white")
        desk.until(lambda: len(names(desk)) == 2)
        assert desk.window.recent.actions[0].text().startswith("&1  black && white\t")

    def test_the_tenth_has_a_key_too(self, desk: Desk) -> None:
        folders = tuple(Path(f"/models/{number}") for number in range(1, 11))
        desk.window.recent.show_folders(folders)
        texts = [action.text() for action in desk.window.recent.actions]
        assert texts[8].startswith("&9  9")
        assert texts[9].startswith("1&0  10")


class TestFile:
    def test_the_list_outlives_the_window(self, make_desk: MakeDesk) -> None:
        file = recent_models.recent_file(memory_file())
        first, second = make_desk(), make_desk()
        first.window.recent.keep_in(file)
        second.window.recent.keep_in(file)
        first.open("first")
        # The second window was open before the first one wrote.
        second.open("second")
        assert names(second) == ["second", "first"]
        assert [folder.name for folder in recent_models.load(file)] == ["second", "first"]

    def test_a_window_without_a_file_writes_none(self, desk: Desk) -> None:
        assert names(desk) == ["model"]
        assert not recent_models.recent_file(memory_file()).exists()


class TestDialog:
    def test_the_opening_dialog_suggests_them(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        desk.open("other")
        desk.until(lambda: len(names(desk)) == 2)
        # The offscreen platform warns of every dialog that is shown.
        opened: list[OpeningDialog] = []
        monkeypatch.setattr(OpeningDialog, "open", lambda dialog: opened.append(dialog))
        desk.window.menus.opening.trigger()
        (dialog,) = opened
        assert dialog.model.count() == 2
        dialog.model.setCurrentIndex(1)
        dialog.weights.setCurrentIndex(1)
        dialog.reload.click()
        desk.until(lambda: names(desk) == ["model", "other"])
        assert desk.loop.config.weights == "int8"
        assert desk.loop.folder == Path("/models/model")
