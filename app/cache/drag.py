"""Distinguishes a drag of the pointer from a click."""

from __future__ import annotations

from PySide6.QtCore import QPointF

_CLICK_PX = 4


class Drag:
    """From the press of a button to its release."""

    def __init__(self) -> None:
        self._at: QPointF | None = None
        self._way = 0.0

    @property
    def held(self) -> bool:
        """Whether the button is down."""
        return self._at is not None

    def begin(self, at: QPointF) -> None:
        self._at, self._way = at, 0.0

    def move(self, to: QPointF) -> QPointF | None:
        """The distance since the last call; None while it may still become a click."""
        moved = to - (self._at or to)
        self._at = to
        self._way += abs(moved.x()) + abs(moved.y())
        return moved if self._way > _CLICK_PX else None

    def end(self) -> bool:
        """Whether it was a click."""
        clicked = self._at is not None and self._way <= _CLICK_PX
        self._at = None
        return clicked
