"""Edit > Search messages: from the words in the field to the matching message."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.conversations.results_model import ResultRow
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.keeper import Keeper
from app.core.session.search import grouped, summary
from app.core.store.searcher import Answer
from app.shell.window import MainWindow

# Keystrokes in quicker succession trigger one search.
_PAUSE_MS = 5
# Delay between a change and refreshing the results.
_AGAIN_MS = 250


class SearchController(QObject):
    """Queries the store in the background as the user types, and shows the results.

    Signals:
        answered: the results, from the search thread.
    """

    answered = Signal(object)

    def __init__(self, window: MainWindow, bridge: Bridge, keeper: Keeper) -> None:
        super().__init__(window)
        self._window, self._bridge = window, bridge
        self._panel, self._finding = window.chats, window.chat.finding
        self._searcher = keeper.searcher(self.answered.emit)
        self._before: QWidget | None = None
        self._marking = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._ask)
        self.answered.connect(self._show, Qt.ConnectionType.QueuedConnection)
        field = self._panel.search
        field.textChanged.connect(self._typed)
        field.left.connect(self.leave)
        self._panel.results.chosen.connect(self._open)
        self._panel.results.left.connect(self.leave)
        window.menus.search.triggered.connect(self.begin)
        bridge.changed.connect(self._news)

    def begin(self) -> None:
        """Focus the search field, unfolding it first."""
        focused = QApplication.focusWidget()
        if focused is not self._panel.search:
            self._before = focused
        if not self._panel.isVisible():
            self._window.show_chats(True)
        self._panel.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._panel.search.selectAll()

    def begin_with(self, text: str) -> None:
        """Search for the given text."""
        self.begin()
        self._panel.search.setText(text)

    def leave(self) -> None:
        """Return to the list, and restore the focus."""
        self._panel.search.clear()
        self._unmark()
        before = self._before
        usable = before is not None and shiboken6.isValid(before) and before.isVisible()
        if before is not None and usable and self._window.isAncestorOf(before):
            before.setFocus()
        else:
            self._window.chat.composer.focus()

    def close(self) -> None:
        """Stop the thread."""
        self._pause.stop()
        self._searcher.close()

    def _typed(self, text: str) -> None:
        if text.strip():
            self._pause.start(_PAUSE_MS)
            return
        self._pause.stop()
        self._panel.show_results(False)
        self._panel.results.show_found((), "")

    def _ask(self) -> None:
        query = self._panel.search.text()
        if query.strip():
            self._searcher.ask(query)

    def _show(self, answer: Answer) -> None:
        if answer.query != self._panel.search.text():
            return
        found = grouped(answer, self._bridge.session.conversations)
        self._panel.results.show_found(found, summary(answer, found))
        self._panel.show_results(True)

    def _news(self, changes: frozenset[Change]) -> None:
        """Refresh after a message was added or edited, or a conversation renamed or deleted."""
        kinds = {change.kind for change in changes}
        shown = bool(self._panel.search.text().strip()) and not self._pause.isActive()
        if shown and kinds & {Changed.CONVERSATIONS, Changed.TURNS}:
            self._pause.start(_AGAIN_MS)

    def _open(self, row: ResultRow) -> None:
        """Go to the message, on its branch, and mark the words in it."""
        session, number = self._bridge.session, row.conversation.id
        if session.known(number) is None:
            return
        focused = QApplication.focusWidget()
        message = row.message
        if message is None:
            self._unmark()
            self._window.drafts.select(number)
        else:
            turn = message.id
            self._window.drafts.go(lambda: session.show_message(number, turn))
            self._finding.show_words(turn, self._panel.search.text(), message.snippet.words)
            self._marking = True
        # The next result is one key away; Esc moves to the chat.
        self._before = None
        if focused is not None and self._panel.isAncestorOf(focused):
            focused.setFocus()

    def _unmark(self) -> None:
        """Close the find bar, unless the user opened it."""
        if self._marking:
            self._marking = False
            self._finding.close()
