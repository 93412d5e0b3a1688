"""Where a terminal chat's messages come from: an edited line, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.defaults import create_output

from app.commands.chat_history import ChatHistory
from app.commands.options import UsageError

PROMPT, CONTINUED = "> ", "  "
LEAVE_HINT = "Press Ctrl+C again to leave"


class MessageSource(Protocol):
    """Yields one message after the other.

    Attributes:
        typed: the messages are typed at a terminal.
    """

    typed: bool

    def next(self) -> str | None:
        """The next message, stripped; "" if it is empty, None at the end."""


class TypedMessages:
    """Messages edited at a prompt.

    Enter sends, Alt+Enter inserts a new line, and pasted text stays one message however many lines
    it has. Ctrl+C clears the input; Ctrl+C again, or Ctrl+D on an empty line, ends the chat.
    """

    typed = True

    def __init__(self, history: Path | None) -> None:
        """history: the file of earlier input; None keeps no history."""
        self._history = ChatHistory(history) if history is not None else None
        self._told = False
        self._leaving = False
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            multiline=True,
            reserve_space_for_menu=0,
            prompt_continuation=CONTINUED,
            history=self._history or InMemoryHistory(),
            key_bindings=self._keys(),
            rprompt=lambda: LEAVE_HINT if self._leaving else "",
            # When answers go to a file the prompt stays on the terminal.
            output=create_output(always_prefer_tty=True),
        )
        self._session.default_buffer.on_text_changed += self._stay

    def next(self) -> str | None:
        """See MessageSource."""
        self._leaving = False
        try:
            said = self._session.prompt()
        except (EOFError, KeyboardInterrupt):
            return None
        finally:
            self._tell_problem()
        return said.strip()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def send(event: KeyPressEvent) -> None:
            event.current_buffer.validate_and_handle()

        @keys.add("escape", "enter")
        def new_line(event: KeyPressEvent) -> None:
            event.current_buffer.newline()

        @keys.add("c-c")
        def clear_or_leave(event: KeyPressEvent) -> None:
            if self._leaving:
                event.app.exit(exception=EOFError)
                return
            event.current_buffer.reset()
            self._leaving = True

        return keys

    def _stay(self, _: Buffer) -> None:
        self._leaving = False

    def _tell_problem(self) -> None:
        if self._history is not None and self._history.problem and not self._told:
            self._told = True
            print(self._history.problem, file=sys.stderr)


class PipedMessages:
    """One message per line of standard input, with nothing printed in between."""

    typed = False

    def next(self) -> str | None:
        """See MessageSource. Raises UsageError if the input is not text."""
        if sys.stdin is None:
            return None
        try:
            line = sys.stdin.readline()
            line.encode()
        except UnicodeError:
            raise UsageError("Standard input is not UTF-8 text.") from None
        return line.strip() if line else None


def message_source(history: Path | None) -> MessageSource:
    """Typed messages on a terminal, else those of the pipe."""
    if sys.stdin is not None and sys.stdin.isatty():
        return TypedMessages(history)
    return PipedMessages()
