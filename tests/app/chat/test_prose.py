"""A text that is as tall as its content."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.chat.prose import ProseView
from app.ui import theme


def test_asking_for_its_ideal_width_does_not_unwrap_it(qtbot: QtBot) -> None:
    theme.keeper()
    prose = ProseView(14)
    qtbot.addWidget(prose)
    prose.show_plain("word " * 100)
    prose.resize(300, prose.height_for(300))
    laid_out = prose.document().textWidth()
    assert laid_out > 0
    assert prose.ideal_width() > 0
    assert prose.document().textWidth() == laid_out
