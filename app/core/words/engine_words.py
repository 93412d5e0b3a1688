"""What the engine says, in the language that is set. Without Qt.

The engine knows no language: it says English sentences that keep their templates and fields, and
words. Both are collected with the app's own texts.
"""

from __future__ import annotations

from app.core.words.tr import texts
from engine.sentence import Sentence


def said(sentence: str) -> str:
    """A sentence or a word of the engine; as it is where it has no translation."""
    if not isinstance(sentence, Sentence):
        return texts().get(sentence, sentence)
    template = texts().get(sentence.template)
    if template is None:
        return sentence
    fields = {n: said(v) if isinstance(v, str) else v for n, v in sentence.fields.items()}
    try:
        return template.format(**fields)
    except (KeyError, ValueError):
        # Of another version, from a file or a server, with other fields.
        return sentence
