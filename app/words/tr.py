"""What the program says, in the language that is set."""

from __future__ import annotations

from collections.abc import Mapping

_texts: dict[str, str] = {}


def tr(text: str) -> str:
    """Return the text in the language that is set, and as it is where it has no translation.

    The text is a literal, so that it can be collected: `tr("{count} tokens").format(count=5)`.
    """
    return _texts.get(text, text)


def set_texts(texts: Mapping[str, str]) -> None:
    """Set the language, as translations by English text. Done once, before a window is imported."""
    _texts.clear()
    _texts.update(texts)
