"""Answers are told to screen readers by sentence."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.chat.answer_message import Announcer, told_to


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Not yet", ""),
        ("It costs 3.50 and", ""),
        ("One. Two", "One."),
        ("One. Two! Thr", "One. Two!"),
        ("一句。第二", "一句。"),
        ("A line\nand", "A line\n"),
    ],
)
def test_whole_sentences(text: str, whole: str) -> None:
    assert text[: told_to(text, 0)] == whole


class Told(Announcer):
    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.said: list[str] = []

    def _announce(self, said: str) -> None:
        self.said.append(said)


def test_each_sentence_once_and_the_rest_at_the_end(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    told = Told(widget)
    for text in ("On", "One. Tw", "One. Two", "One. Two. Th"):
        told.follow(text, finished=False)
    told.follow("One. Two. Three", finished=True)
    told.follow("One. Two. Three", finished=True)
    assert told.said == ["One.", "Two.", "Three"]


def test_an_answer_of_earlier_is_not_told(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    told = Told(widget)
    told.follow("An old answer.", finished=True)
    assert told.said == []
