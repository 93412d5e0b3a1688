"""The line below an answer, in wide and narrow columns."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.chat.answer_message import ActionRow
from app.chat.fork_arrows import ForkArrows
from app.core.session.fork import Fork
from tests.app.samples import plan


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def make_row(holder: QWidget) -> tuple[ActionRow, QLabel, list[QPushButton]]:
    words = QLabel("reused 12,416 · replayed 0 · new 57", holder)
    words.setWordWrap(True)
    tools = [QPushButton(name, holder) for name in ("copy", "edit")]
    row = ActionRow(words, tools, holder)
    holder.show()
    return row, words, tools


def box_of(tools: Sequence[QWidget]) -> QWidget:
    """What holds all of them."""
    (box,) = {tool.parentWidget() for tool in tools}
    assert box is not None
    return box


def settle(row: ActionRow, width: int) -> None:
    row.fit(width)
    layout = row.layout()
    assert layout is not None
    row.resize(width, layout.totalHeightForWidth(width))
    QApplication.processEvents()


@pytest.mark.parametrize("width", [900, 300, 200])
def test_words_and_tools_never_overlap(holder: QWidget, width: int) -> None:
    row, words, tools = make_row(holder)
    settle(row, width)
    box = box_of(tools)
    assert not words.geometry().intersects(box.geometry())
    assert row.rect().contains(box.geometry())
    assert words.height() >= words.heightForWidth(words.width())


def test_tools_go_below_where_it_is_narrow_and_come_back(holder: QWidget) -> None:
    row, words, tools = make_row(holder)
    box = box_of(tools)
    settle(row, 900)
    assert box.y() < words.geometry().bottom()
    settle(row, 300)
    assert box.y() > words.geometry().bottom()
    assert box.geometry().right() == row.rect().right()
    settle(row, 900)
    assert box.y() < words.geometry().bottom()


def test_a_tool_that_appears_counts(holder: QWidget) -> None:
    row, words, tools = make_row(holder)
    box = box_of(tools)
    tools[1].hide()
    settle(row, 2000)
    room = words.fontMetrics().horizontalAdvance(words.text()) + box.sizeHint().width() + 8
    settle(row, room)
    assert box.y() < words.geometry().bottom()
    tools[1].show()
    settle(row, room)
    assert box.y() > words.geometry().bottom()


def test_without_room_the_arrows_leave_out_their_waits(holder: QWidget) -> None:
    arrows = ForkArrows(holder)
    waiting = plan(40, 2, 0, predicted_seconds=0.18)
    arrows.show_fork(Fork(2, 3, waiting, waiting))
    tools = [arrows, QPushButton("copy", holder)]
    row = ActionRow(QLabel("reused 42", holder), tools, holder)
    box = box_of(tools)
    waits = [part for part in arrows.findChildren(QLabel) if part.text() != "2/3"]
    holder.show()
    settle(row, 900)
    wide = box.sizeHint().width()
    assert [wait.isVisible() for wait in waits] == [True, True]
    settle(row, wide - 1)
    assert [wait.isVisible() for wait in waits] == [False, False]
    assert box.sizeHint().width() < wide
    assert row.rect().contains(box.geometry())
    settle(row, 900)
    assert [wait.isVisible() for wait in waits] == [True, True]
