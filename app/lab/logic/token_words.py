"""Formats tokens for display in one line. Without Qt."""

from __future__ import annotations

_SHOWN = {"\n": "⏎", "\t": "⇥", "\r": "⏎"}


def shown(text: str) -> str:
    """A token with its line breaks visible; "∅" for one without text."""
    return "".join(_SHOWN.get(letter, letter) for letter in text) or "∅"


def quoted(text: str) -> str:
    """A token within a sentence: " Ada" with its space."""
    return f'"{shown(text)}"'


def cut(text: str, letters: int) -> str:
    """The beginning of a long token."""
    line = shown(text)
    return line if len(line) <= letters else f"{line[: letters - 1]}…"
