"""The size of messages: chosen once, it counts for all of them at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bench.stream import mixed
from app.chat import typesetting
from app.chat.body import CodeBlock
from app.chat.prose import ProseView
from app.chat.view import ChatView
from app.ui import theme
from tests.app.chat.test_long_talk import on_screen, talk_of


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatView]:
    monkeypatch.setattr(typesetting, "WAIT_MS", 60_000)
    keeper = theme.keeper()
    made = ChatView()
    keeper.changed.connect(made.restyle)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    QApplication.processEvents()
    yield made
    keeper.set_text_px(theme.TEXT_PX)
    keeper.changed.disconnect(made.restyle)
    made.close()


def heights(view: ChatView) -> list[int]:
    return [widget.height() for widget in view.widgets.values()]


def test_words_code_headings_and_formulas_follow_and_come_back(view: ChatView) -> None:
    view.show_conversation(talk_of("What?", mixed(600), "And?"))
    before, pictures = heights(view), view.grab().toImage()
    theme.keeper().set_text_px(20)
    assert all(now > then for now, then in zip(heights(view), before, strict=True))
    for widget in view.widgets.values():
        for body in widget.bodies:
            for part in body.parts:
                if isinstance(part, CodeBlock):
                    assert part.text_view.font().pixelSize() == theme.message_px(13) == 19
                else:
                    assert isinstance(part, ProseView)
                    assert part.document().defaultFont().pixelSize() == 20
                assert part.height() >= part.text_view.document().size().height()
    theme.keeper().set_text_px(theme.TEXT_PX)
    assert heights(view) == before
    assert view.grab().toImage() == pictures


def test_the_place_that_is_read_stays(view: ChatView) -> None:
    texts = [text for n in range(30) for text in (f"Question {n}", mixed(1500))]
    view.show_conversation(talk_of(*texts))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    (turn, part), top = min(on_screen(view).items(), key=lambda item: abs(item[1]))
    for px in (20, 12, 14):
        theme.keeper().set_text_px(px)
        assert abs(on_screen(view)[turn, part] - top) < 60
    bar.setValue(bar.maximum())
    theme.keeper().set_text_px(20)
    assert bar.value() == bar.maximum()
