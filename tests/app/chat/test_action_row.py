"""The line below a message, in wide and narrow columns, at rest and revealed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.chat.action_row import ActionRow
from app.chat.fork_arrows import ForkArrows
from app.core.session.fork import Fork
from tests.app.samples import plan
from tests.present import present

WAITING = plan(40, 2, 0, predicted_seconds=0.18)
TWO_OF_THREE = Fork(2, 3, WAITING, WAITING)
REST, WHOLE = "0.2 s · 63 tok/s", "0.2 s · 63 tok/s · reused 12,416 · replayed 0 · new 57"


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def make_row(holder: QWidget) -> tuple[ActionRow, QLabel, list[QPushButton]]:
    words = QLabel(holder)
    tools = [QPushButton(name, holder) for name in ("copy", "edit")]
    row = ActionRow(tools, holder, words)
    row.say(REST, WHOLE)
    holder.show()
    return row, words, tools


def box_of(row: ActionRow, tools: Sequence[QWidget]) -> QWidget:
    """What holds all of them, next to the words."""
    (box,) = {tool.parentWidget() for tool in tools}
    while box is not None and box.parentWidget() is not row:
        box = box.parentWidget()
    assert box is not None
    return box


def settle(row: ActionRow, width: int) -> None:
    row.fit(width)
    layout = row.layout()
    assert layout is not None
    height = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else 0
    row.resize(width, height or layout.totalSizeHint().height())
    QApplication.processEvents()


def blank(image: QImage) -> bool:
    """Whether nothing is painted in it."""
    colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    return len(colours) == 1


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("width", [900, 300, 200])
def test_words_and_tools_never_overlap(holder: QWidget, width: int, always: bool) -> None:
    row, words, tools = make_row(holder)
    row.show_figures(always)
    row.reveal(near=True, last=False)
    settle(row, width)
    box = box_of(row, tools)
    assert not words.geometry().intersects(box.geometry())
    assert row.rect().contains(box.geometry())
    needed = words.heightForWidth(words.width()) if always else words.sizeHint().height()
    assert words.height() >= needed
    assert always or words.fontMetrics().horizontalAdvance(words.text()) <= words.width()


def test_tools_go_below_where_it_is_narrow_and_come_back(holder: QWidget) -> None:
    row, words, tools = make_row(holder)
    box = box_of(row, tools)
    settle(row, 900)
    assert box.y() < words.geometry().bottom()
    settle(row, 200)
    assert box.y() > words.geometry().bottom()
    assert box.geometry().right() == row.rect().right()
    settle(row, 900)
    assert box.y() < words.geometry().bottom()


def test_a_tool_that_appears_counts(holder: QWidget) -> None:
    row, words, tools = make_row(holder)
    box = box_of(row, tools)
    tools[1].hide()
    settle(row, 2000)
    room = words.fontMetrics().horizontalAdvance(REST) + box.sizeHint().width() + 8
    settle(row, room)
    assert box.y() < words.geometry().bottom()
    tools[1].show()
    settle(row, room)
    assert box.y() > words.geometry().bottom()


def test_without_room_the_arrows_leave_out_their_waits(holder: QWidget) -> None:
    tools = [QPushButton("copy", holder)]
    row = ActionRow(tools, holder)
    row.show_fork(TWO_OF_THREE)
    arrows = present(row.findChild(ForkArrows))
    box = box_of(row, tools)
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


class TestReveal:
    def test_at_rest_only_the_two_figures_are_painted(self, holder: QWidget) -> None:
        row, words, tools = make_row(holder)
        settle(row, 900)
        assert words.text() == REST
        assert blank(row.grab(box_of(row, tools).geometry()).toImage())
        assert not blank(row.grab(words.geometry()).toImage())

    def test_all_shows_while_the_message_is_pointed_at_or_focused(self, holder: QWidget) -> None:
        row, words, tools = make_row(holder)
        settle(row, 900)
        row.reveal(near=True, last=False)
        assert words.text() == WHOLE
        assert not blank(row.grab(box_of(row, tools).geometry()).toImage())
        row.reveal(near=False, last=False)
        assert words.text() == REST
        assert blank(row.grab(box_of(row, tools).geometry()).toImage())

    def test_without_room_for_all_the_main_ones_show(self, holder: QWidget) -> None:
        row, words, _ = make_row(holder)
        row.say(REST, f"{WHOLE} · 2.4 tokens a step · 71 % of drafts kept", WHOLE)
        for width, shown in ((1200, "71 %"), (640, "reused"), (200, REST)):
            settle(row, width)
            row.reveal(near=True, last=False)
            assert shown in words.text(), width
        settle(row, 640)
        assert words.text() == WHOLE

    def test_the_last_message_has_its_tools_and_no_more(self, holder: QWidget) -> None:
        row, words, tools = make_row(holder)
        settle(row, 900)
        row.reveal(near=False, last=True)
        assert words.text() == REST
        assert not blank(row.grab(box_of(row, tools).geometry()).toImage())

    @pytest.mark.parametrize("width", [900, 340, 300, 200])
    def test_nothing_changes_its_place(self, holder: QWidget, width: int) -> None:
        row, words, tools = make_row(holder)
        settle(row, width)
        places = [part.geometry() for part in (row, words, box_of(row, tools))]
        height = row.sizeHint().height()
        row.reveal(near=True, last=False)
        QApplication.processEvents()
        assert [part.geometry() for part in (row, words, box_of(row, tools))] == places
        assert row.sizeHint().height() == height

    def test_hidden_tools_keep_the_focus_and_the_names_they_had(self, holder: QWidget) -> None:
        row, _, tools = make_row(holder)
        settle(row, 900)
        assert all(tool.isVisible() and tool.isEnabled() for tool in tools)

    def test_a_version_is_seen_at_rest_and_its_waits_are_not(self, holder: QWidget) -> None:
        row = ActionRow([QPushButton("copy", holder)], holder)
        row.show_fork(TWO_OF_THREE)
        arrows = present(row.findChild(ForkArrows))
        holder.show()
        settle(row, 600)
        labels = arrows.findChildren(QLabel)
        places = [label.geometry() for label in labels]

        def painted() -> dict[str, bool]:
            pictures = {one.text(): arrows.grab(one.geometry()).toImage() for one in labels}
            return {text: not blank(picture) for text, picture in pictures.items()}

        assert painted() == {"0.18 s": False, "2/3": True}
        row.reveal(near=True, last=False)
        assert painted() == {"0.18 s": True, "2/3": True}
        assert [label.geometry() for label in labels] == places

    def test_figures_that_always_show_wrap_where_it_is_narrow(self, holder: QWidget) -> None:
        row, words, _ = make_row(holder)
        row.show_figures(True)
        settle(row, 900)
        assert words.text() == WHOLE
        tall = words.height()
        settle(row, 200)
        assert words.text() == WHOLE
        assert words.height() > tall
