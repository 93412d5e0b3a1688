"""Tooltips name the key that a command has now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.key_hints import KeyTip, hints
from app.ui.widgets import IconButton
from tests.app.conftest import Desk, MakeDesk


@pytest.fixture(autouse=True)
def _as_before(qapp: object) -> Iterator[None]:
    yield
    hints().show_bound({})


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    return make_desk()


def test_the_tooltip_follows_the_key(qtbot: QtBot) -> None:
    hints().show_bound({"new": ("Ctrl+N", "F3")})
    widget = QLabel()
    qtbot.addWidget(widget)
    tip = KeyTip(widget, "New", "new")
    assert widget.toolTip() == "New (Ctrl+N)"
    hints().show_bound({"new": ("Ctrl+Y",)})
    assert widget.toolTip() == "New (Ctrl+Y)"
    tip.say("Another")
    assert widget.toolTip() == "Another (Ctrl+Y)"
    hints().show_bound({})
    assert widget.toolTip() == "Another"


def test_a_button_that_is_gone_is_not_told(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    button = IconButton("plus", "New", command="new", parent=parent)
    button.deleteLater()
    qtbot.wait(0)
    hints().show_bound({"new": ("Ctrl+Y",)})


def test_no_tooltip_of_the_window_names_a_key_that_was_given_away(desk: Desk) -> None:
    desk.open()
    desk.say("Hello")
    window = desk.window
    before = {w.toolTip() for w in window.findChildren(QWidget)}
    for keys in ("(Ctrl+N)", "(Ctrl+R)", "(Ctrl+Alt+,)", "(Ctrl+Shift+F)"):
        assert any(tip.endswith(keys) for tip in before), keys
    others = {id: (f"Ctrl+Alt+F{at + 1}",) for at, id in enumerate(window.menus.bound())}
    own = {keys for bound in window.menus.bound().values() for keys in bound}
    # Esc leaves what it is pressed in, and Ctrl+Z is the field's: both stay what they are.
    own -= {"Esc", "Ctrl+Z"}
    window.menus.bind(others)
    for widget in window.findChildren(QWidget):
        assert not any(f"({keys})" in widget.toolTip() for keys in own), widget.toolTip()
    (again,) = (w for w in window.findChildren(IconButton) if w.accessibleName() == "Regenerate")
    assert again.toolTip() == f"Regenerate ({others['regenerate'][0]})"


def test_the_notice_names_it_too(desk: Desk) -> None:
    desk.open()
    desk.say("Hello")
    desk.window.menus.bind({"restore": ("Ctrl+Y",)})
    desk.window.menus.delete.trigger()
    assert desk.window.status.offers["restore"].toolTip() == "Undo (Ctrl+Y)"
    desk.window.menus.restore.trigger()
    assert desk.window.status.currentMessage() == "Conversation restored."
