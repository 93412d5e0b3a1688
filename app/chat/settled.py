"""The height that a widget needs now, without waiting for pending layout updates."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def settled_height(width: int, *widgets: QWidget) -> int:
    """The height that the last widget needs at a width, after activating the layouts inside it."""
    for widget in widgets:
        # A layout sees changes in an inner layout only once that is active again.
        layout = widget.layout()
        assert layout is not None
        layout.activate()
    layout = widgets[-1].layout()
    assert layout is not None
    if layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return layout.totalSizeHint().height()
