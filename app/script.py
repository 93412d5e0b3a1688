"""Scripts for `--screenshot`: what to say and do, one paragraph after the other. Without Qt.

Paragraphs are separated by blank lines. Most are messages; some words at the start of one do
something else: `/again`, `/edit N TEXT` (the Nth message of the user), `/new`, `/system TEXT`,
`/think on`, `/think off`, `/select N` (the Nth conversation of the list).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_VERBS = ("again", "edit", "new", "system", "think", "select")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: `verb` is "say" or one of the verbs, `number` counts from 1."""

    verb: str
    text: str = ""
    number: int = 0


class ScriptError(ValueError):
    """A paragraph of a script makes no sense; the message says which."""


def parse_step(paragraph: str) -> Step:
    """Read one paragraph of a script."""
    if not paragraph.startswith("/"):
        return Step("say", paragraph)
    verb, _, rest = paragraph[1:].partition(" ")
    if verb not in _VERBS:
        raise ScriptError(f'"/{verb}" is not a script command; try /{", /".join(_VERBS)}.')
    if verb not in ("edit", "select"):
        return Step(verb, rest.strip())
    number, _, text = rest.strip().partition(" ")
    if not number.isdecimal() or int(number) < 1:
        raise ScriptError(f'"{paragraph}" needs a number after /{verb}.')
    return Step(verb, text.strip(), int(number))


def read_script(path: Path) -> list[str]:
    """The paragraphs of a script file."""
    parts = path.read_text(encoding="utf-8").replace("\r\n", "\n").split("\n\n")
    return [part.strip() for part in parts if part.strip()]
