"""A row that breaks."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.ui.widgets import FlowRow


def filled(qtbot: QtBot) -> tuple[FlowRow, list[QLabel]]:
    row = FlowRow(10)
    parts = [QLabel(f"part {number}") for number in range(4)]
    for part in parts:
        row.add(part)
    qtbot.addWidget(row)
    return row, parts


def test_it_breaks_where_the_width_ends(qtbot: QtBot) -> None:
    row, parts = filled(qtbot)
    width = parts[0].sizeHint().width()
    assert row.heightForWidth(4 * width + 30) == parts[0].sizeHint().height()
    assert row.heightForWidth(4 * width + 29) == 2 * parts[0].sizeHint().height() + 4
    row.resize(2 * width + 10, 100)
    row.show()
    assert [part.x() for part in parts] == [0, width + 10, 0, width + 10]
    assert parts[2].y() > parts[0].y()


def test_a_text_that_grows_pushes_the_others_on(qtbot: QtBot) -> None:
    row, parts = filled(qtbot)
    row.resize(4 * parts[0].sizeHint().width() + 30, 100)
    row.show()
    parts[0].setText("a much longer part")
    row.arrange()
    assert parts[0].width() >= parts[0].sizeHint().width()
    assert parts[3].y() > parts[0].y()


def test_cleared_it_takes_no_room(qtbot: QtBot) -> None:
    row, _ = filled(qtbot)
    row.clear()
    assert row.heightForWidth(200) == 0


def test_one_can_lead(qtbot: QtBot) -> None:
    row, parts = filled(qtbot)
    row.resize(4 * parts[0].sizeHint().width() + 30, 100)
    row.show()
    row.lead(parts[2])
    assert sorted(range(4), key=lambda at: parts[at].x()) == [2, 0, 1, 3]
    row.lead(parts[0])
    assert sorted(range(4), key=lambda at: parts[at].x()) == [0, 1, 2, 3]
