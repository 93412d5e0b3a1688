"""From the demo model's honest answer, one key or click leads to the models there are."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chat.answer_message import AnswerMessage
from app.models.controller import ModelsController
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
def opened(monkeypatch: pytest.MonkeyPatch) -> list[ModelsController]:
    """Grows whenever the models' page is opened."""
    found: list[ModelsController] = []
    monkeypatch.setattr(ModelsController, "open", lambda models: found.append(models))
    return found


@pytest.fixture
def honest(make_desk: MakeDesk, opened: list[ModelsController]) -> AnswerMessage:
    desk, widget = answered(make_desk, requests.ANSWERS[0])
    desk.until(widget.chip.isVisible)
    assert not opened
    return widget


def test_a_click_opens_the_models(honest: AnswerMessage, opened: list[ModelsController]) -> None:
    QTest.mouseClick(honest.chip, Qt.MouseButton.LeftButton)
    assert len(opened) == 1


def test_the_keyboard_reaches_it(honest: AnswerMessage, opened: list[ModelsController]) -> None:
    assert honest.chip.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert honest.chip.accessibleName() == "Open a real model"
    honest.chip.setFocus()
    QTest.keyClick(honest.chip, Qt.Key.Key_Space)
    assert len(opened) == 1


def test_other_answers_have_none(make_desk: MakeDesk) -> None:
    _, widget = answered(make_desk, "Your name is Ada.")
    assert widget.chip.isHidden()
