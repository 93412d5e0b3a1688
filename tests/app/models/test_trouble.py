"""The card of a download's problem says it in the user's language, and offers what helps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.core.words import language
from app.models.detail import Trouble
from engine.hub.failures import HubError
from engine.hub.listing import from_status


@pytest.fixture
def _chinese() -> Iterator[None]:
    language.speak("zh_CN")
    yield
    language.speak(language.ENGLISH)


@pytest.fixture
def card(qtbot: QtBot) -> Trouble:
    made = Trouble()
    qtbot.addWidget(made)
    return made


@pytest.mark.usefixtures("_chinese")
def test_the_engines_sentence_is_translated(card: Trouble) -> None:
    problem = from_status(401, "Org/Name", "hub.example", token=True)
    card.show_problem(problem, can_keep=False)
    assert card.sentence.text() == "hub.example 不接受此令牌：请输入另一个。"


@pytest.mark.parametrize(
    ("kind", "again", "asks"),
    [("offline", True, False), ("token", True, True), ("refused", False, False)],
)
def test_it_offers_what_helps(card: Trouble, kind: str, again: bool, asks: bool) -> None:
    card.show_problem(HubError(kind, "So it is."), can_keep=True)  # type: ignore[arg-type]
    card.show()
    assert card.sentence.text() == "So it is."
    assert (card.again.isVisible(), card.token.isVisible()) == (again, asks)
    card.show_problem(None, can_keep=True)
    assert not card.isVisible()
