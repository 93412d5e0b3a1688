"""What the program says, in the language that is set."""

from __future__ import annotations

from collections.abc import Mapping

_NOTE = "\x04"
_texts: dict[str, str] = {}
_sources: dict[str, str] = {}


def tr(text: str, note: str = "") -> str:
    """Return the text in the language that is set, and as it is where it has no translation.

    The text is a literal, so that it can be collected: `tr("{count} tokens").format(count=5)`.

    Args:
        note: tells apart equal English texts that other languages say differently.
    """
    return _texts.get(text_key(text, note), text)


def trn(one: str, many: str, count: int) -> str:
    """Return the form of a text for so many: `trn("{n} file", "{n} files", n).format(n=n)`."""
    if not _texts:
        return one if count == 1 else many
    return _texts.get(many, one if count == 1 else many)


def text_key(text: str, note: str) -> str:
    """What a text is looked up by."""
    return f"{text}{_NOTE}{note}" if note else text


def english(said: str) -> str:
    """The English of a text that was translated, so that a search finds it by either; else ""."""
    return _sources.get(said, "")


def set_texts(texts: Mapping[str, str]) -> None:
    """Set the language, as translations by English text. Done once, before a window is imported."""
    _texts.clear()
    _texts.update(texts)
    _sources.clear()
    _sources.update((said, key.split(_NOTE)[0]) for key, said in texts.items())


def texts() -> Mapping[str, str]:
    """All translations that are set; empty for English."""
    return _texts
