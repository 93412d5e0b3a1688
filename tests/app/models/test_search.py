"""Searching for models in the Models window, with a hub on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from pytestqt.qtbot import QtBot

from app.models.logic.shelf import FAMILY
from tests.app.chat.test_files import drop
from tests.app.conftest import Desk
from tests.app.models.test_controller import Page, page, server
from tests.engine.hub.hub_server import Hub, Listed

__all__ = ["page", "server"]

SMALL, MIXTURE = FAMILY[0].config, FAMILY[-1].config
FOUND = (
    Listed("ada/Notes-0.8B", SMALL, parameters=900_000_000, downloads=7),
    Listed("bob/Notes-80B", MIXTURE, downloads=9),
    Listed("eve/Notes-0.8B-GPTQ", SMALL, ("safetensors", "gptq"), downloads=99),
    Listed("eve/Notes-llama", {"model_type": "llama"}, downloads=999),
    Listed("eve/Notes-odd", SMALL | {"head_dim": -1}, downloads=1),
)
HEADINGS = {"ON THIS COMPUTER", "ON HUGGING FACE"}


def names(page: Page) -> list[str]:
    """Of the models listed."""
    return [name for name in page.names() if name not in HEADINGS]


def beside_heading(page: Page) -> str:
    """How the search on the hub is getting on."""
    return page.line("ON HUGGING FACE")


def search(page: Page, words: str, qtbot: QtBot) -> None:
    page.window.search.clear()
    page.tab_to(page.window.search)
    qtbot.keyClicks(page.window.search, words)
    page.until(lambda: beside_heading(page) != "searching…")
    page.settle()


@pytest.fixture
def listed(server: Hub) -> Hub:
    server.listed = list(FOUND)
    return server


def test_what_is_known_is_searched_at_once_and_without_the_hub(page: Page, server: Hub) -> None:
    page.window.search.setText("3.5 4b")
    assert names(page) == ["Qwen3.5-4B"]
    page.window.search.setText("CODES well")
    assert names(page) == ["Qwen3.5-9B"]
    page.window.search.setText("bundled")
    assert names(page) == ["Biplane demo"]
    page.window.search.setText("")
    assert len(names(page)) == len(FAMILY) + 2
    page.window.close()
    assert server.searches == []


def test_what_fits_and_what_is_small(page: Page) -> None:
    page.window.search.setText("small")
    assert names(page) == ["Biplane demo", "Qwen3.5-0.8B", "Qwen3.5-2B", "Qwen3.5-4B"]
    page.window.search.setText("large")
    assert names(page) == [known.name for known in FAMILY[4:]]
    page.window.search.setText("fits")
    marks = {row.mark for row in page.window.model.rows if row.entry is not None}
    assert marks <= {"good", "replayed"}
    assert "Qwen3.5-0.8B" in names(page)


def test_the_hub_answers_with_what_can_be_opened(page: Page, listed: Hub, qtbot: QtBot) -> None:
    search(page, "notes", qtbot)
    assert names(page) == ["Notes-80B", "Notes-0.8B", "Notes-odd"]
    # Of one architecture after the other.
    assert set(listed.searches) == {"notes"}
    assert page.line("Notes-0.8B") == "752 M · ~1.40 GiB · ada"
    marks = {row.title: row.mark for row in page.window.model.rows}
    assert marks["Notes-0.8B"] == "good"
    # What its config.json says is seen before it is downloaded.
    assert marks["Notes-odd"] == "danger"
    page.pick_by_mouse("Notes-odd")
    assert "head_dim" in page.window.detail.trouble.sentence.text()
    page.pick_by_mouse("Notes-0.8B")
    assert page.window.detail.source.text() == "ada/Notes-0.8B"
    assert page.window.detail.needs.fit.sentence.text().startswith("Fits: ")
    assert page.window.detail.download.isVisible()
    search(page, "notes small fits", qtbot)
    assert names(page) == ["Notes-0.8B"]


def test_down_leads_to_the_first_match_and_clearing_keeps_the_chosen(
    page: Page, listed: Hub, qtbot: QtBot
) -> None:
    search(page, "notes", qtbot)
    qtbot.keyClick(page.window.search, Qt.Key.Key_Down)
    assert page.window.focusWidget() is page.window.list
    assert page.window.detail.name.text() == "Notes-80B"
    page.window.search.setFocus()
    qtbot.keyClick(page.window.search, Qt.Key.Key_Escape)
    assert "Notes-80B" in names(page)
    assert "Notes-0.8B" not in names(page)
    assert page.window.detail.name.text() == "Notes-80B"


def test_while_something_is_typed_the_hub_is_asked_once(
    page: Page, listed: Hub, qtbot: QtBot
) -> None:
    search(page, "notes 80b", qtbot)
    assert set(listed.searches) == {"notes 80b"}
    assert names(page) == ["Notes-80B"]


def test_nothing_found(page: Page, listed: Hub, qtbot: QtBot) -> None:
    search(page, "nobody-called-it-that", qtbot)
    assert page.names() == ["ON HUGGING FACE"]
    assert beside_heading(page) == "nothing found"
    assert not page.window.note.isVisible()


def test_without_a_network_one_sentence_says_so_and_return_asks_again(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, listed: Hub
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    page = Page(desk, qtbot)
    search(page, "notes", qtbot)
    assert page.window.note.text() == (
        "127.0.0.1:9 cannot be reached: check the connection, and try again."
    )
    assert beside_heading(page) == "not searched"
    page.window.search.setText("3.5")
    # What is known needs no network, and typing takes the sentence away.
    assert "Qwen3.5-4B" in names(page)
    assert not page.window.note.isVisible()
    monkeypatch.setenv("HF_ENDPOINT", listed.endpoint)
    page.window.search.setText("notes")
    qtbot.keyClick(page.window.search, Qt.Key.Key_Return)
    page.settle()
    assert "Notes-0.8B" in names(page)


def test_an_answer_that_is_no_longer_wanted_changes_nothing(
    page: Page, listed: Hub, qtbot: QtBot
) -> None:
    listed.search_status = 418
    search(page, "notes", qtbot)
    assert "does not answer searches (status 418)" in page.window.note.text()
    page.window.search.setText("notes 80b")
    qtbot.keyClick(page.window.search, Qt.Key.Key_Return)
    page.window.search.setText("")
    page.settle()
    assert not page.window.note.isVisible()
    assert len(names(page)) == len(FAMILY) + 2


def test_a_folder_dropped_on_the_window_is_opened(page: Page, tmp_path: Path) -> None:
    data = QMimeData()
    data.setText("no folder")
    assert not drop(page.window, data)
    data.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    assert drop(page.window, data)
    page.desk.until(lambda: page.desk.bridge.folder == tmp_path)
    assert page.models.window is None
