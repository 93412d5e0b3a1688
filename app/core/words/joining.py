"""Words, figures and sentences one after another, with the marks of the language. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.words.tr import tr


def listed(parts: Iterable[str]) -> str:
    """ "7 nodes, 3 checkpoints"; what is empty is left out."""
    return tr(", ").join(part for part in parts if part)


def more(part: str) -> str:
    """What follows something after a comma: ", 3 files"; "" for nothing."""
    return f"{tr(', ')}{part}" if part else ""


def titled(name: str, told: str) -> str:
    """ "Host bytes: 12 MiB"."""
    return tr("{name}: {told}").format(name=name, told=told)


def sentence(words: str) -> str:
    """Words with the full stop that ends them."""
    return tr("{sentence}.").format(sentence=words)


def in_turn(*sentences: str) -> str:
    """Sentences after one another, with a space where one is needed: Chinese has none."""
    told = ""
    for one in filter(None, sentences):
        told += f" {one}" if told[-1:].isascii() and told else one
    return told
