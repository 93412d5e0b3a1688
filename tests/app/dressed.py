"""Windows that are made sooner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication

from app.ui import theme


@contextmanager
def dressed_once() -> Iterator[None]:
    """What is made in here gets the style sheet in the end, and not anew with every parent."""
    theme.keeper()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    sheet = app.styleSheet()
    app.setStyleSheet("")
    yield
    app.setStyleSheet(sheet)
