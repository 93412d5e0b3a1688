"""The button of a message that shows where it is in the cache."""

from __future__ import annotations

from collections.abc import Callable

from app.widgets import IconButton
from app.words.tr import tr


def locate_button(act: Callable[[], None]) -> IconButton:
    return IconButton("lanes", tr("Show in cache"), act, size=14)
