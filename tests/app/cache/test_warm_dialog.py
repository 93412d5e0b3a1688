"""Cache > Warm a prompt: what the dialog says belongs to the text that is in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.app.conftest import Desk
from tests.present import present


def test_what_is_wrong_with_a_text_is_said_until_it_is_another(desk: Desk) -> None:
    desk.open()
    desk.window.warming.open()
    dialog = present(desk.window.warming.dialog)
    dialog.text.setPlainText("system:\nBe brief.")
    QTest.mouseClick(dialog.warm, Qt.MouseButton.LeftButton)
    assert dialog.said.text() == (
        "A system message alone is not a prompt: add a user message, of one word if need be."
    )
    QTest.keyClicks(dialog.text, "x")
    assert not dialog.said.isVisible()
    dialog.close()
