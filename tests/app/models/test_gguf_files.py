"""GGUF files in the window: dropped, found among other programs' files, fetched from the hub."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.models.logic.recent_models import folder_problem
from tests.app.chat.test_files import data_of, drop
from tests.app.conftest import Desk
from tests.app.models.logic.test_places import model
from tests.app.models.test_controller import Page, page, server
from tests.engine.hub.hub_server import REPO, Hub

__all__ = ["page", "server"]


@pytest.mark.parametrize("where", ["chat", "models"])
def test_a_dropped_file_is_opened(desk: Desk, tmp_path: Path, where: str) -> None:
    file = model(tmp_path / "dropped.GGUF")
    desk.window.models.open()
    window = desk.window.models.window
    assert window is not None
    assert drop(desk.window.chat if where == "chat" else window, data_of(file))
    desk.until(lambda: desk.bridge.folder == file)
    if where == "chat":
        window.close()


def test_other_files_are_attached(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    before = desk.bridge.folder
    assert drop(desk.window.chat, data_of(tmp_path / "a.txt"))
    desk.window.attaching.wait()
    assert desk.bridge.folder == before


class TestOtherPrograms:
    def test_their_files_are_listed_once_that_is_wanted(
        self, desk: Desk, qtbot: QtBot, server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        model(tmp_path / "owner" / "name" / "mine.gguf")
        monkeypatch.setattr("app.models.findings.known_folders", lambda: {"One": (tmp_path,)})
        page = Page(desk, qtbot)
        assert "mine.gguf" not in page.names()
        button = page.window.elsewhere
        page.click(button)
        page.until(lambda: "mine.gguf" in page.names())
        page.settle()
        assert not button.isVisible()
        assert desk.window.book.now("other_files")
        page.pick_by_mouse("mine.gguf")
        # Only its embedding is there: what is missing is found in its header alone.
        assert "A GGUF file on this computer" in page.window.detail.about.text()
        assert set(page.window.detail.needs.formats.buttons) == {
            "float32",
            "bfloat16",
            "int8",
            "int4",
        }
        desk.window.book.reset("other_files")
        page.settle()
        assert "mine.gguf" not in page.names()
        assert button.isVisible()

    def test_one_that_has_gone(self, tmp_path: Path) -> None:
        file = model(tmp_path / "a.gguf")
        assert folder_problem(file) == ""
        file.unlink()
        assert folder_problem(file) == "This file is no longer there."


class TestHub:
    def test_the_files_of_a_repository_and_one_of_them(
        self, page: Page, server: Hub, tmp_path: Path
    ) -> None:
        raw = model(tmp_path / "x.gguf", more={"tokenizer.ggml.tokens": ["a"] * 320}).read_bytes()
        server.publish({"tiny-Q8_0.gguf": raw, "tiny-F16.gguf": raw + bytes(32), "LICENSE": b"x"})
        page.look_up()
        page.until(lambda: {"tiny-Q8_0", "tiny-F16"} <= set(page.names()))
        page.settle()
        detail = page.window.detail
        assert detail.name.text() == "tiny-Q8_0"
        assert detail.source.text() == REPO
        # Known from its first kilobytes: sizes, and whether it fits.
        assert list(detail.needs.formats.buttons) == ["GGUF"]
        assert "Fits" in detail.needs.fit.sentence.text()
        page.download()
        assert detail.name.text() == "tiny-Q8_0"
        page.click(detail.open)
        page.desk.until(lambda: page.desk.bridge.folder is not None)
        page.desk.until(lambda: page.desk.bridge.folder.name == "tiny-Q8_0.gguf")  # type: ignore[union-attr]
