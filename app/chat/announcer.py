"""Tells a screen reader an answer sentence by sentence, while it is written."""

from __future__ import annotations

import re

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

# A sentence ends before a space or a line's end; in Chinese and Japanese wherever its stop is.
_END = re.compile(r"[.!?:…][\"”’)*]*(?=\s)|[。！？]|\n")


def told_to(text: str, start: int) -> int:
    """Where the last whole sentence from `start` on ends; `start` if there is none."""
    end = start
    for found in _END.finditer(text, start):
        end = found.end()
    return end


class Announcer:
    """Follows one answer; what was there before it was watched is not told."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._told: int | None = None

    def follow(self, text: str, *, finished: bool) -> None:
        """Tell what is new in an answer; all of the rest once it is finished."""
        if self._told is None:
            if finished:
                return
            self._told = 0
        end = len(text) if finished else told_to(text, self._told)
        said = text[self._told : end].strip()
        self._told = None if finished else end
        if said:
            self._announce(said)

    def _announce(self, said: str) -> None:
        if QAccessible.isActive():
            event = QAccessibleAnnouncementEvent(self._widget, said)
            QAccessible.updateAccessibility(event)
