"""Translation of the program's texts."""

from __future__ import annotations

from collections.abc import Mapping

_NOTE = "\x04"
_texts: dict[str, str] = {}
_sources: dict[str, str] = {}


def tr(text: str, note: str = "") -> str:
    """Translate a text to the current language; unchanged without a translation.

    The text must be a literal, for extraction: `tr("{count} tokens").format(count=5)`.

    Args:
        note: distinguishes equal English texts with different translations.
    """
    return _texts.get(text_key(text, note), text)


def trn(one: str, many: str, count: int) -> str:
    """Translate the form for a count: `trn("{n} file", "{n} files", n).format(n=n)`."""
    if not _texts:
        return one if count == 1 else many
    return _texts.get(many, one if count == 1 else many)


def text_key(text: str, note: str) -> str:
    """The lookup key of a text."""
    return f"{text}{_NOTE}{note}" if note else text


def english(said: str) -> str:
    """The English of a translated text, so that a search finds it by either; else ""."""
    return _sources.get(said, "")


def set_texts(texts: Mapping[str, str]) -> None:
    """Set the translations, by English text. Called once, before a window is imported."""
    _texts.clear()
    _texts.update(texts)
    _sources.clear()
    _sources.update((said, key.split(_NOTE)[0]) for key, said in texts.items())


def texts() -> Mapping[str, str]:
    """All current translations; empty for English."""
    return _texts
