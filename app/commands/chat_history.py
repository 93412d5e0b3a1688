"""The terminal chat's input history, in a file that only its owner can read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

from engine.private_files import make_folder, open_private

# The newest bytes that are kept; the file is truncated once it is twice as long.
KEPT_BYTES = 1 << 20
# A longer message was pasted and can be found at its source.
LONGEST_BYTES = 64 << 10


class ChatHistory(History):
    """One message per line, as JSON, oldest first.

    An unusable file never ends a chat: messages are then remembered in memory only.

    Attributes:
        problem: what is wrong with the file, in one sentence; "" if nothing.
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
