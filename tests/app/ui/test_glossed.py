"""A sentence whose terms explain themselves, by mouse and by keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.core.words.glossary import explanation
from app.ui.glossed import GlossedLabel, fragments


def shown(qtbot: QtBot, text: str) -> GlossedLabel:
    made = GlossedLabel("dim")
    qtbot.addWidget(made)
    made.setText(text)
    made.resize(400, 40)
    with qtbot.waitActive(made):
        made.show()
    return made


def tooltip(label: GlossedLabel, at: QPoint) -> str:
    QTest.mouseMove(label, at)
    QApplication.sendEvent(label, QHelpEvent(QHelpEvent.Type.ToolTip, at, label.mapToGlobal(at)))
    return QToolTip.text()


def test_hovering_over_a_term_explains_it(qtbot: QtBot) -> None:
    label = shown(qtbot, "tombstone here")
    assert tooltip(label, QPoint(12, label.height() // 2)) == explanation("tombstone")
    QToolTip.hideText()


def test_tab_goes_to_a_term_and_enter_explains_it(qtbot: QtBot) -> None:
    label = shown(qtbot, "A node and a tombstone.")
    label.clearFocus()
    label.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(label, Qt.Key.Key_Return)
    assert QToolTip.text() == explanation("node")
    QTest.keyClick(label, Qt.Key.Key_Tab)
    QTest.keyClick(label, Qt.Key.Key_Return)
    assert QToolTip.text() == explanation("tombstone")
    QToolTip.hideText()


def test_a_text_without_terms_is_no_stop_for_tab(qtbot: QtBot) -> None:
    label = shown(qtbot, "A tombstone.")
    assert label.focusPolicy() == Qt.FocusPolicy.StrongFocus
    label.setText("Nothing of that.")
    assert label.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert label.text() == label.accessibleName() == "Nothing of that."


def test_a_term_is_underlined_by_dots_in_the_colour_of_the_text(qtbot: QtBot) -> None:
    label = shown(qtbot, "tombstone here")
    document = label.findChild(QTextDocument)
    assert isinstance(document, QTextDocument)
    styles = {one.text(): one.charFormat().underlineStyle() for one in fragments(document)}
    styled = QTextCharFormat.UnderlineStyle
    assert styles == {"tombstone": styled.DotLine, " here": styled.NoUnderline}
