"""The table of the event log."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.cache.logic.event_rows import LOG, row_of
from app.core.session.event_log import EventLog
from app.core.words.tr import tr
from app.ui.table import Table


class LogView(Table):
    """The lines of the event log."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LOG, tr("Events"), tr("Show in tree"), parent)
        self._last = 0

    def follow(self, log: EventLog) -> bool:
        """Show what was logged since the last call; False if that was nothing."""
        fresh = log.since(self._last)
        if not fresh:
            return False
        self._last = fresh[-1].number
        self.add([row_of(entry) for entry in fresh], log.oldest)
        return True

    def forget(self) -> None:
        """Clear the table for another log."""
        self._last = 0
        self.show_rows(())
