"""Scripts for `--screenshot`: one step per paragraph. Without Qt.

Paragraphs are separated by blank lines. Most are messages; some are commands: `/again`,
`/edit N TEXT` (the user's Nth message), `/new`, `/system TEXT`, `/think on`, `/think off`,
`/select N` (the Nth conversation in the list), `/debugger PANEL` (the debugger with that panel in
front), `/view NAME` (of the tree: messages, tokens, memory, topology), `/lab TAB` (the memory lab
with that tab in front, and the picture is of the lab), `/needle WORD` (after `/lab recall`: what is
left of that word), `/query WORD` (then: asked from where the model was about to say that word for
the last time). PANEL and TAB need not be named.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_VERBS = (
    *("again", "edit", "new", "system", "think", "select"),
    *("debugger", "view", "lab", "needle", "query"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `verb` is "say" or one of the commands, `number` counts from 1."""

    verb: str
    text: str = ""
    number: int = 0


class ScriptError(ValueError):
    """A paragraph of a script is invalid; the message says which."""


def parse_step(paragraph: str) -> Step:
    """Parse one paragraph of a script."""
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
