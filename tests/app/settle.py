"""Lets a layout come to rest."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

# A widget passes a new size on to its parent one turn later: more than any nesting here.
_TURNS = 12


def settle() -> None:
    for _ in range(_TURNS):
        QApplication.processEvents()
