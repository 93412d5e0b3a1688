"""What the engine says, in the language that is set. Without Qt.

The engine knows no language: it says English sentences, made of templates whose literals are
collected with the app's own. A sentence is recognised by its template, and what stands in its
fields is translated in turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter

from app.words.joining import in_turn
from app.words.tr import texts

# A field may hold a sentence, and that a word.
_MOST_DEPTH = 4
_LONGEST = 2000
_FIELDS = {"place": "(.+)", "because": "(.*?)", "digits": r"([\d,]+)"}
_END = re.compile(r"(?<=[.!?]) (?=[A-Z\"“])")

_templates: tuple[tuple[re.Pattern[str], tuple[str, ...], str, str], ...] = ()


_BEGINNING = "That is more than a small demo model "
_WAY_OUT = "open a real model"


def asks_for_a_real_model(answer: str) -> bool:
    """Whether an answer is the demo model's sentence about itself, and nothing else."""
    said = answer.strip()
    return said.startswith(_BEGINNING) and _WAY_OUT in said and len(said) < 200


def said(sentence: str) -> str:
    """A sentence or a word of the engine; as it is where it has no translation."""
    if not texts() or not sentence or len(sentence) > _LONGEST:
        return sentence
    return _said(sentence, 0)


def set_engine_texts(translations: Mapping[str, str]) -> None:
    """Set the templates of the engine's sentences, by their English."""
    global _templates
    made = [_template(source, said) for source, said in translations.items() if "{" in source]
    # The one that says most by itself first: a short one would fit parts of a longer one.
    _templates = tuple(sorted(made, key=lambda one: -len(one[3])))
    _said.cache_clear()


@lru_cache(maxsize=2048)
def _said(sentence: str, depth: int) -> str:
    known = texts().get(sentence)
    if known is not None:
        return known
    if depth > _MOST_DEPTH:
        return sentence
    # A whole sentence is first looked for among whole sentences: a part would take in the rest.
    whole = sentence.endswith(".")
    for pattern, names, translation, literals in sorted(
        _templates, key=lambda one: one[3].endswith(".") is not whole
    ):
        if whole and not literals.endswith(".") and not pattern.pattern.endswith("(.+?)"):
            continue
        found = pattern.fullmatch(sentence)
        if found is not None:
            values = {
                name: _said(value, depth + 1)
                for name, value in zip(names, found.groups(), strict=True)
            }
            return translation.format(**values)
    pieces = _END.split(sentence)
    if len(pieces) == 1:
        return sentence
    made = [_said(piece, depth + 1) for piece in pieces]
    return in_turn(*made) if made != pieces else sentence


def _template(source: str, translation: str) -> tuple[re.Pattern[str], tuple[str, ...], str, str]:
    """A pattern for the sentences of a template, its fields, and its literal text."""
    pattern, names, literals = "", [], ""
    for literal, name, _, _ in Formatter().parse(source):
        pattern += re.escape(literal)
        literals += literal
        if name is not None:
            names.append(name)
            # A place may name a message behind a comma; a server may give no reason.
            pattern += _FIELDS.get(name, "(.+?)")
    return re.compile(pattern, re.DOTALL), tuple(names), translation, literals
