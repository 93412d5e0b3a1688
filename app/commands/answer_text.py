"""An answer on the terminal as it streams: thinking told apart, with escape codes or without."""

from __future__ import annotations

import os
import sys

DIM, PLAIN = "\x1b[2m", "\x1b[0m"
THINKING, ANSWER = "Thinking:", "Answer:"
# A model's text may hold codes that a terminal would obey.
_SHOWN = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class AnswerText:
    """Writes the pieces of one answer to standard output.

    Thinking comes first, dim or under a heading, and a blank line parts the answer from it. White
    space at the edges of the two parts is left out.

    Attributes:
        thinking, answer: what has come so far, as it came.
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
        """White space at the end waits until something follows it."""
        whole = self._held + text
        shown = whole.rstrip()
        self._held = whole[len(shown) :]
        if not shown:
            return
        if self._clean:
            shown = shown.translate(_SHOWN)
        print(f"{DIM}{shown}{PLAIN}" if thinking and self._dim else shown, end="", flush=True)


def shows_dim() -> bool:
    """Whether standard output is a terminal that may be sent escape codes."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
