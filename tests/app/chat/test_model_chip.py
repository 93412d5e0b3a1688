"""From the demo model's honest answer, one key or click leads to opening a real model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.chat.answer_message import AnswerMessage
from assets.demo import requests
from tests.app.conftest import Desk, MakeDesk


def answered(make_desk: MakeDesk, text: str) -> tuple[Desk, AnswerMessage]:
    desk = make_desk(answer=lambda _: ("", text))
    desk.open()
    desk.say("Who was Napoleon?")
    widget = desk.window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    return desk, widget


@pytest.fixture
def honest(make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> tuple[Desk, AnswerMessage]:
    # The offscreen platform warns of every dialog that it shows: here none is.
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: None)
    desk, widget = answered(make_desk, requests.ANSWERS[0])
    desk.until(widget.chip.isVisible)
    return desk, widget


def asked(desk: Desk) -> str:
    """The title of the dialog that was opened; "" for none."""
    found = desk.window.findChild(QFileDialog)
    return found.windowTitle() if isinstance(found, QFileDialog) else ""


def test_it_opens_what_the_menu_opens(honest: tuple[Desk, AnswerMessage]) -> None:
    desk, widget = honest
    assert asked(desk) == ""
    QTest.mouseClick(widget.chip, Qt.MouseButton.LeftButton)
    assert asked(desk) == "Choose a model folder"


def test_the_keyboard_reaches_it(honest: tuple[Desk, AnswerMessage]) -> None:
    desk, widget = honest
    assert widget.chip.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert widget.chip.accessibleName() == "Open a real model"
    widget.chip.setFocus()
    QTest.keyClick(widget.chip, Qt.Key.Key_Space)
    assert asked(desk) == "Choose a model folder"


def test_other_answers_have_none(make_desk: MakeDesk) -> None:
    _, widget = answered(make_desk, "Your name is Ada.")
    assert widget.chip.isHidden()
