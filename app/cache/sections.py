"""Sections of the cache pane: their heads, and the height that each needs."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.ui.widgets import label

GAP_PX = 8


def head(title: str, beside: QLabel | None = None) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GAP_PX)
    row.addWidget(label(title, "section"))
    if beside is not None:
        row.addWidget(beside)
    row.addStretch(1)
    return made


def section(*parts: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP_PX)
    for part in parts:
        column.addWidget(part)
    return made


def needs(part: QWidget, width: int) -> int:
    """The minimum height of a part at a width, visible or not."""
    layout = part.layout()
    if layout is not None:
        layout.invalidate()
        if layout.hasHeightForWidth():
            # A layout gives wrapping widgets no less than this.
            return layout.heightForWidth(width)
        return layout.minimumSize().height()
    return (
        part.heightForWidth(width) if part.hasHeightForWidth() else part.minimumSizeHint().height()
    )
