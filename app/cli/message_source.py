"""The source of a terminal chat's messages: an edited line, or standard input."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.defaults import create_output

from app.core.options.shared import UsageError
from engine.private_files import make_folder, open_private

PROMPT, CONTINUED = "> ", "  "
LEAVE_HINT = "Press Ctrl+C again to leave"
# The newest bytes to keep; the file is truncated once it is twice as long.
KEPT_BYTES = 1 << 20
# A longer message was probably pasted, and is not stored.
LONGEST_BYTES = 64 << 10


class ChatHistory(History):
    """One message per line, as JSON, oldest first.

    An unusable file never ends a chat: messages are then kept in memory only.

    Attributes:
        problem: an error with the file, in one sentence; "" if there is none.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.problem = ""

    def load_history_strings(self) -> Iterable[str]:
        """The messages in the file, newest first; damaged lines are skipped."""
        try:
            raw = self._tail()
        except OSError as error:
            self._give_up(error)
            return []
        return [text for line in reversed(raw.splitlines()) if (text := _text_of(line))]

    def store_string(self, string: str) -> None:
        """Append a message to the file."""
        line = json.dumps(string).encode() + b"\n"
        if self.problem or len(line) > LONGEST_BYTES:
            return
        try:
            if not self._path.parent.exists():
                make_folder(self._path.parent)
            with open(self._path, "ab", opener=_private) as file:
                file.write(line)
        except OSError as error:
            self._give_up(error)

    def _tail(self) -> bytes:
        """The newest part of the file, from the start of a line; the file is truncated to it."""
        if not self._path.exists():
            return b""
        with open(self._path, "r+b", opener=_private) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - KEPT_BYTES, 0))
            raw = file.read()
            if size > KEPT_BYTES:
                raw = raw.partition(b"\n")[2]
            if size > 2 * KEPT_BYTES:
                file.seek(0)
                file.write(raw)
                file.truncate()
        return raw

    def _give_up(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        self.problem = f"Input history is off: {self._path} cannot be used ({reason})."


def _private(path: str, flags: int) -> int:
    return open_private(Path(path), flags)


def _text_of(line: bytes) -> str:
    """The message in a line; "" if it has none."""
    try:
        text = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""


class MessageSource(Protocol):
    """Yields one message after the other.

    Attributes:
        typed: whether the messages are typed at a terminal.
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
        self._reported = False
        self._leaving = False
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            multiline=True,
            reserve_space_for_menu=0,
            prompt_continuation=CONTINUED,
            history=self._history or InMemoryHistory(),
            key_bindings=self._keys(),
            rprompt=lambda: LEAVE_HINT if self._leaving else "",
            # The prompt stays on the terminal if answers are redirected.
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
        if self._history is not None and self._history.problem and not self._reported:
            self._reported = True
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
    """Typed messages on a terminal, else piped ones."""
    if sys.stdin is not None and sys.stdin.isatty():
        return TypedMessages(history)
    return PipedMessages()
