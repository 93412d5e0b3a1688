"""The composer's draft belongs to a conversation: it goes and comes with it."""

from __future__ import annotations

from collections.abc import Callable

from app.bridge import Bridge
from app.chat.composer import Composer
from app.session.changes import Outcome


class Drafts:
    """Changes the conversation on screen and keeps each one's draft with it."""

    def __init__(self, bridge: Bridge, composer: Composer) -> None:
        self._bridge = bridge
        self._session = bridge.session
        self._composer = composer

    def send(self, text: str) -> None:
        """Send a message; one that cannot be sent stays in the composer."""
        outcome = self._session.send(text)
        if not outcome.changes:
            self._composer.set_text(text)
        self._bridge.perform(outcome)

    def go(self, action: Callable[[], Outcome]) -> None:
        """Do what opens another conversation; the draft stays with the one that is left."""
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

    def go_on(self) -> None:
        """Continue in a new conversation with what is in the composer."""
        text = self._composer.text
        self._composer.set_text("")
        self.new_conversation()
        self._put_before(text)

    def delete(self, conversation: int) -> None:
        was_current = conversation == self._session.current.id
        self._bridge.perform(self._session.delete(conversation))
        if was_current:
            self._show()

    def restore(self) -> None:
        """Bring the deleted conversation back."""
        self.go(self._session.restore)

    def take_returned(self) -> None:
        """Return a failed message to the composer, before any text typed since."""
        self._put_before(self._session.returned.pop(self._session.current.id, ""))

    def _put_before(self, text: str) -> None:
        typed = self._composer.text
        self._composer.set_text(f"{text}\n{typed}" if typed.strip() else text)

    def _keep(self) -> None:
        self._bridge.perform(self._session.keep_draft(self._composer.text))

    def _show(self) -> None:
        self._session.returned.pop(self._session.current.id, None)
        self._composer.set_text(self._session.current.draft)
        self._composer.focus()
