"""What is deleted once the window has closed: by then nothing writes it again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.log import log_folder, logging_to_file
from app.core.places import PLACE_IDS, PlaceId, Size, measure, places
from app.core.preferences.file import settings_file
from app.core.store.connection import NAME
from app.core.store.opening import data_folder
from app.shell.storage import leave_nothing
from tests.app.test_restart import Program


@pytest.fixture(autouse=True)
def on_a_screen(qtbot: QtBot) -> None:
    """These run the program itself."""


def at_exit(program: Program, *ids: PlaceId) -> Callable[[], object]:
    return lambda: program.window.settings_page.storage.at_exit.update(ids)


def sizes() -> dict[str, Size]:
    return {one.id: measure(one) for one in places()}


def test_everything_is_gone_after_the_last_word_was_saved() -> None:
    program = Program()
    program.use(program.say("One"), at_exit(program, *PLACE_IDS), program.say("Two"))
    assert {id: size for id, size in sizes().items() if size.files} == {}
    again = Program()
    seen: list[list[str]] = []
    again.use(lambda: seen.append(again.titles))
    assert seen == [["New conversation"]]


def test_only_the_settings_go() -> None:
    program = Program()
    change = lambda: program.window.preferences.set("text_px", 16)  # noqa: E731
    program.use(program.say("One"), change, at_exit(program, "settings"), change)
    assert not settings_file().exists()
    assert (data_folder() / NAME).exists()


def test_without_a_wish_nothing_goes() -> None:
    program = Program()
    program.use(program.say("One"))
    assert leave_nothing((), None) == []
    assert sizes()["conversations"].files


def test_what_cannot_be_deleted_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program()
    program.use(program.say("One"))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "unlink", refuse)
    (problem,) = leave_nothing(["conversations"], None)
    assert "Operation not permitted" in problem


def test_the_log_is_not_written_again() -> None:
    with logging_to_file("info") as log:
        assert log.path.exists()
        assert leave_nothing(["log"], None) == []
        assert not log.path.exists()
    assert not log_folder().exists() or os.listdir(log_folder()) == []
