"""The height that a widget needs now, without waiting for its layouts to notice."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def settled_height(width: int, *widgets: QWidget) -> int:
    """The height that the last widget needs at a width, once those inside it are laid out."""
    for widget in widgets:
        # A change inside is known to the layout around it only once this one is active again.
        layout = widget.layout()
        assert layout is not None
        layout.activate()
    layout = widgets[-1].layout()
    assert layout is not None
    if layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return layout.totalSizeHint().height()
