"""The table of clients and that of engines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.debug.panel import PlainTable

ROWS = (("Editor", "2", "12:00"), ("Mail", "10", "12:01"))


def test_figures_and_their_headings_are_at_the_right(qtbot: QtBot) -> None:
    table = PlainTable("Clients", ("Client", "Requests", "Last seen"), (1,))
    qtbot.addWidget(table)
    table.fill(ROWS)
    for item in (table.headerItem(), table.row(0), table.row(1)):
        right = [bool(item.textAlignment(at) & Qt.AlignmentFlag.AlignRight) for at in range(3)]
        assert right == [False, True, False]


def test_rows_come_and_go_and_the_chosen_one_stays(qtbot: QtBot) -> None:
    table = PlainTable("Clients", ("Client", "Requests", "Last seen"), (1,))
    qtbot.addWidget(table)
    table.fill(ROWS)
    table.setCurrentItem(table.row(0))
    table.fill((("Editor", "3", "12:02"),))
    assert table.topLevelItemCount() == 1
    assert table.currentItem() is table.row(0)
    assert table.row(0).text(1) == "3"
