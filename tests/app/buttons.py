"""Buttons by the names that a user reads or hears."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QWidget


def button(root: QWidget, name: str) -> QAbstractButton:
    """The one button in a widget with this text or accessible name."""
    buttons = root.findChildren(QAbstractButton)
    named = [b for b in buttons if name in (b.accessibleName(), b.text())]
    assert len(named) == 1, [b.accessibleName() or b.text() for b in buttons]
    return named[0]
