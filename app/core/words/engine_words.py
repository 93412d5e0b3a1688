"""Translates the engine's sentences. Without Qt.

The engine is language-neutral: it emits English sentences with their templates and fields, and
single words. Both are collected for translation with the app's own texts.
"""

from __future__ import annotations

from app.core.words.tr import texts
from engine.sentence import Sentence


def said(sentence: str) -> str:
    """Translate a sentence or a word of the engine; unchanged without a translation."""
    if not isinstance(sentence, Sentence):
        return texts().get(sentence, sentence)
    template = texts().get(sentence.template)
    if template is None:
        return sentence
    fields = {n: said(v) if isinstance(v, str) else v for n, v in sentence.fields.items()}
    try:
        return template.format(**fields)
    except (KeyError, ValueError):
        # From another version's file or server, with other fields.
        return sentence
