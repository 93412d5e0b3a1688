"""Joins words, figures and sentences with the language's punctuation. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.words.tr import tr


def listed(parts: Iterable[str]) -> str:
    """ "7 nodes, 3 checkpoints"; empty parts are skipped."""
    return tr(", ").join(part for part in parts if part)


def more(part: str) -> str:
    """A part appended with a comma: ", 3 files"; "" for nothing."""
    return f"{tr(', ')}{part}" if part else ""


def titled(name: str, told: str) -> str:
    """ "Host bytes: 12 MiB"."""
    return tr("{name}: {told}").format(name=name, told=told)


def sentence(words: str) -> str:
    """Words with a full stop."""
    return tr("{sentence}.").format(sentence=words)


def in_turn(*sentences: str) -> str:
    """Consecutive sentences, with spaces only where the language has them: Chinese has none."""
    text = ""
    for one in filter(None, sentences):
        text += f" {one}" if text[-1:].isascii() and text else one
    return text
