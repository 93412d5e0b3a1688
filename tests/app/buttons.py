"""Buttons, and entries of their menus, by the names that a user reads or hears."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget


def button(root: QWidget, name: str) -> QAbstractButton:
    """The one button in a widget with this text or accessible name."""
    buttons = root.findChildren(QAbstractButton)
    named = [b for b in buttons if name in (b.accessibleName(), b.text())]
    assert len(named) == 1, [b.accessibleName() or b.text() for b in buttons]
    return named[0]


def choose(root: QWidget, name: str, *, menu: str = "More actions") -> None:
    """Open the menu of a button in a widget, and choose an entry."""
    opens = button(root, menu)
    opens.click()
    opened = opens.findChild(QMenu)
    assert opened is not None
    (entry,) = (one for one in opened.actions() if one.text() == name and one.isVisible())
    opened.close()
    entry.trigger()
