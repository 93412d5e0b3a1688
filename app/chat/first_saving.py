"""Tells what the cache does, once: below the first answer where it has saved something."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.chat.view import ChatView
from app.core.session.records import Conversation
from app.core.words.remarks import saving_text


class FirstSaving(QObject):
    """Watches the answers of this start until one has something to tell.

    Attributes:
        told: whether it was told, in this start or an earlier one.

    Signals:
        was_told: it was told just now.
    """

    was_told = Signal()

    def __init__(self, view: ChatView) -> None:
        super().__init__(view)
        self.told = False
        self._view = view

    def look_at(self, conversation: Conversation) -> None:
        """Tell what the last answer of a conversation on screen has saved, if it is the first."""
        last = conversation.last
        if self.told or last is None or last.report is None:
            return
        # An answer without a request is of an earlier start.
        if last.request is None or last.state.active:
            return
        turns = conversation.tree.turns.values()
        reports = [turn.report for turn in turns if turn.report and turn.model == last.model]
        text = saving_text(last.report, reports)
        if text:
            self.told = True
            self._view.show_note(last.id, text)
            self.was_told.emit()
