"""The box of a filter: it narrows as one types, says what it does not understand, completes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QCompleter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.filter import Field
from app.ui.filter_line import FilterLine
from tests.present import present

FIELDS: tuple[Field[str], ...] = (
    Field("name", "text", lambda one: one, "Its name"),
    Field("nodes", "count", lambda one: len(one), "How many"),
)
Key = Qt.Key


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def box(qtbot: QtBot, around: QWidget) -> FilterLine:
    made = FilterLine(FIELDS, "Filter things")
    column = QVBoxLayout(around)
    column.addWidget(made)
    column.addWidget(made.error)
    around.show()
    made.begin()
    qtbot.waitUntil(made.hasFocus)
    return made


def offered(box: FilterLine) -> QAbstractItemView:
    found = box.findChild(QCompleter)
    assert found is not None
    return present(found.popup())


def names(box: FilterLine) -> list[str]:
    if not offered(box).isVisible():
        return []
    model = offered(box).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_it_tells_each_filter_that_it_understands(box: FilterLine, qtbot: QtBot) -> None:
    told: list[str] = []
    box.narrowed.connect(lambda: told.append(box.query.text))
    qtbot.keyClicks(box, "a nodes:>5x")
    assert told[0] == "a"
    assert told[-3:] == ["a nodes:", "a nodes:>", "a nodes:>5"]
    assert box.query.text == "a nodes:>5"


def test_what_it_does_not_understand_is_a_sentence_below_it(box: FilterLine) -> None:
    box.setText("size:3")
    assert box.error.isVisible()
    sentence = "There is no field “size”: use name, nodes, or quotation marks."
    assert box.error.text() == box.accessibleDescription() == sentence
    box.setText("nodes:3")
    assert box.error.isHidden()
    assert not box.accessibleDescription()


def test_names_are_offered_and_completed(box: FilterLine, qtbot: QtBot) -> None:
    qtbot.keyClicks(box, "x n")
    assert names(box) == []
    qtbot.keyClicks(box, "o")
    assert names(box) == ["nodes:  How many"]
    qtbot.keyClick(offered(box), Key.Key_Down)
    qtbot.keyClick(offered(box), Key.Key_Return)
    assert box.text() == "x nodes:"
    assert names(box) == []


def test_all_names_are_there_for_the_asking(box: FilterLine, qtbot: QtBot) -> None:
    qtbot.keyClick(box, Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert names(box) == ["name:  Its name", "nodes:  How many"]
    qtbot.keyClick(offered(box), Key.Key_Escape)
    assert names(box) == []
    assert QApplication.activePopupWidget() is None


def test_enter_goes_to_the_lines_although_names_are_offered(box: FilterLine, qtbot: QtBot) -> None:
    qtbot.keyClicks(box, "no")
    with qtbot.waitSignal(box.left):
        qtbot.keyClick(offered(box), Key.Key_Return)
    assert box.text() == "no"
    assert names(box) == []


def test_escape_empties_it(box: FilterLine, qtbot: QtBot) -> None:
    box.setText("x")
    qtbot.keyClick(box, Key.Key_Escape)
    assert box.text() == ""
