"""Keeps a draft with each conversation, and swaps it when the conversation changes."""

from __future__ import annotations

from collections.abc import Callable

from app.chat.composer import Composer
from app.chat.queue_view import QueueView
from app.core.bridge import Bridge
from app.core.session import unsent
from app.core.session.changes import Outcome
from app.core.session.recent import Recent
from app.core.words.tr import tr
from engine.events import NodeOwner


class DraftController:
    """Switches the conversation on screen, keeping each one's draft."""

    def __init__(self, bridge: Bridge, composer: Composer, queue: QueueView) -> None:
        self._bridge = bridge
        session = self._session = bridge.session
        self._composer = composer
        queue.edited.connect(self.edit_queued)
        queue.removed.connect(lambda one: bridge.perform(session.unqueue(one)))
        queue.released.connect(lambda: bridge.perform(session.release()))

    def send(self, text: str) -> None:
        """Send a message with its files, or queue it during a running answer.

        One that cannot be sent stays in the composer.
        """
        session = self._session
        message = unsent.message_of(session.current, text)
        busy = session.current.running is not None
        outcome = session.enqueue(message) if busy else session.send(message)
        if not outcome.changes:
            self._composer.set_text(text)
        self._bridge.perform(outcome)

    def go(self, action: Callable[[], Outcome]) -> None:
        """Run an action that opens another conversation; the draft stays with the old one."""
        self._keep()
        before = self._session.current
        self._bridge.perform(action())
        if self._session.current is not before:
            self._show()

    def new_conversation(self) -> None:
        self._keep()
        self._bridge.perform(self._session.new_conversation())
        self._show()

    def select(self, conversation: int) -> None:
        self.go(lambda: self._session.select(conversation))

    def open_owner(self, owner: NodeOwner) -> None:
        """Go to the message at the end of a cached prefix."""
        self._keep()
        self._bridge.perform(self._session.open_owner(owner))
        self._show()

    def go_on(self) -> None:
        """Continue in a new conversation with the composer's content."""
        self._move_on(self._session.new_conversation)

    def go_on_with(self, recent: Recent) -> None:
        """Continue in a new conversation with the last messages and the composer's content."""
        self._move_on(lambda: self._session.continue_recent(recent))

    def _move_on(self, action: Callable[[], Outcome]) -> None:
        """Run an action that opens another conversation; the draft moves along."""
        text, source = self._composer.text, self._session.current
        self._composer.set_text("")
        self.go(action)
        self._bridge.perform(self._session.move_files(source))
        self._put_before(text)

    def delete(self, conversation: int) -> None:
        was_current = conversation == self._session.current.id
        self._bridge.perform(self._session.delete(conversation))
        if was_current:
            self._show()

    def restore(self) -> None:
        """Restore the deleted conversation, and say so in place of its deletion."""
        if self._session.deleted is not None:
            self.go(self._session.restore)
            self._bridge.notify(tr("Conversation restored."))

    def take_returned(self) -> None:
        """Return a failed message to the composer, before any text typed since."""
        self._put_before(self._session.returned.pop(self._session.current.id, ""))

    def _put_before(self, text: str) -> None:
        typed = self._composer.text
        self._composer.set_text(f"{text}\n{typed}" if typed.strip() else text)

    def _keep(self) -> None:
        self._bridge.perform(self._session.keep_draft(self._composer.text))

    def edit_queued(self, number: int) -> None:
        """Return a queued message to the composer."""
        self._bridge.perform(self._session.take_back(number))
        self._composer.focus()

    def _show(self) -> None:
        self._composer.show_problem("")
        self._session.returned.pop(self._session.current.id, None)
        self._composer.set_text(self._session.current.draft)
        self._composer.focus()
