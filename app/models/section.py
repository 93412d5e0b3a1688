"""A part of a page under a small heading."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.widgets import label


class Section(QWidget):
    """Its title, `beside` at the end of that line, and what it is about."""

    def __init__(self, title: str, body: QWidget, beside: QWidget | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(label(title, "section"))
        head.addStretch(1)
        if beside is not None:
            head.addWidget(beside)
        column.addLayout(head)
        column.addWidget(body)
