"""The mark on thinking that the next prompt does not contain."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton

from app.chat.answer_message import AnswerMessage, ThinkingFold
from engine.events import EngineReady
from tests.app.buttons import button
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import MODEL


def thought(make_desk: MakeDesk, drops: bool) -> tuple[Desk, AnswerMessage]:
    desk = make_desk(answer=lambda _: ("Let me think.", "Yes."))
    desk.open()
    model = replace(MODEL, drops_thinking=drops)
    desk.bridge.perform(desk.session.apply(EngineReady(model=model)))
    desk.session.set_thinking(True)
    desk.say("Is it so?")
    widget = desk.window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    return desk, widget


def header(fold: ThinkingFold) -> QAbstractButton:
    return button(fold, "Show or hide the reasoning")


@pytest.mark.parametrize("drops", [True, False])
def test_it_is_there_exactly_where_the_template_drops_it(make_desk: MakeDesk, drops: bool) -> None:
    _, widget = thought(make_desk, drops)
    assert ("not sent again" in widget.thinking.title) is drops
    assert ("leaves this reasoning out" in header(widget.thinking).toolTip()) is drops
    assert bool(header(widget.thinking).accessibleDescription()) is drops


def test_it_goes_when_another_model_keeps_it(make_desk: MakeDesk) -> None:
    desk, widget = thought(make_desk, True)
    kept = replace(MODEL, drops_thinking=False)
    desk.bridge.perform(desk.session.apply(EngineReady(model=kept)))
    assert "not sent again" not in widget.thinking.title
    assert header(widget.thinking).toolTip() == ""


def test_a_narrow_column_has_a_shorter_title(make_desk: MakeDesk) -> None:
    desk, widget = thought(make_desk, True)
    fold = widget.thinking
    desk.until(fold.isVisible)
    wide = fold.title
    assert "token" in wide
    fold.resize(header(fold).sizeHint().width() - 1, fold.height())
    assert "token" not in fold.title
    assert fold.title.endswith("not sent again")
    fold.resize(900, fold.height())
    assert fold.title == wide
