"""Tab goes through messages as they stand, not as their widgets happened to be made."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def order_stops(before: QWidget, widgets: Iterable[QWidget]) -> None:
    """Let Tab lead from a widget through all that others hold, in reading order."""
    for widget in widgets:
        for stop in _stops(widget):
            QWidget.setTabOrder(before, stop)
            before = stop


def _stops(widget: QWidget) -> list[QWidget]:
    """What Tab stops at, from top to bottom and from left to right."""
    tab = Qt.FocusPolicy.TabFocus
    inside = [child for child in widget.findChildren(QWidget) if child.focusPolicy() & tab]
    spots = {child: child.mapTo(widget, child.rect().topLeft()) for child in inside}
    return sorted(inside, key=lambda child: (spots[child].y(), spots[child].x()))
