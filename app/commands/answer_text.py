"""A streaming answer on the terminal: thinking set apart, with or without escape codes."""

from __future__ import annotations

import os
import sys

DIM, PLAIN = "\x1b[2m", "\x1b[0m"
THINKING, ANSWER = "Thinking:", "Answer:"
# A model's text may contain codes that a terminal would execute.
_SHOWN = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class AnswerText:
    """Writes one answer to standard output, piece by piece.

    Thinking comes first, dim or under a heading, and a blank line separates the answer from it.
    White space at the edges of the two parts is dropped.

    Attributes:
        thinking, answer: the unmodified text so far.
    """

    def __init__(self) -> None:
        self.thinking = ""
        self.answer = ""
        self._dim = shows_dim()
        self._clean = sys.stdout is not None and sys.stdout.isatty()
        self._held = ""

    def add(self, text: str, *, thinking: bool) -> None:
        """Show a piece."""
        so_far = self.thinking if thinking else self.answer
        begins = not so_far.strip()
        if thinking:
            self.thinking += text
        else:
            self.answer += text
        if begins:
            text = text.lstrip()
            if not text:
                return
            self._begin(thinking)
        self._write(text, thinking)

    def end(self) -> None:
        """Finish the line."""
        self._held = ""
        if (self.thinking + self.answer).strip():
            print(flush=True)

    def _begin(self, thinking: bool) -> None:
        self._held = ""
        if thinking:
            heading = "" if self._dim else f"{THINKING}\n"
        elif self.thinking.strip():
            heading = "\n\n" if self._dim else f"\n\n{ANSWER}\n"
        else:
            heading = ""
        print(heading, end="")

    def _write(self, text: str, thinking: bool) -> None:
        """Trailing white space is held back until something follows it."""
        whole = self._held + text
        shown = whole.rstrip()
        self._held = whole[len(shown) :]
        if not shown:
            return
        if self._clean:
            shown = shown.translate(_SHOWN)
        print(f"{DIM}{shown}{PLAIN}" if thinking and self._dim else shown, end="", flush=True)


def shows_dim() -> bool:
    """Whether standard output is a terminal that accepts escape codes."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
