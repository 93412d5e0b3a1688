"""Objects of which the application has one: made on first use, and gone when it goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

Kept = TypeVar("Kept", bound=QObject)


class PerApplication(Generic[Kept]):
    """Call it for the object; tests end one application and begin another."""

    def __init__(self, make: Callable[[QApplication], Kept]) -> None:
        """make: a child of the application."""
        self._make = make
        self._made: Kept | None = None

    def __call__(self) -> Kept:
        if self._made is None:
            app = QApplication.instance()
            assert isinstance(app, QApplication), "there is no QApplication yet"
            self._made = self._make(app)
            self._made.destroyed.connect(self._forget)
        return self._made

    def _forget(self) -> None:
        self._made = None
