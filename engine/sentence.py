"""User-facing sentences: a template, by which they can be translated, and its fields.

    say("The prompt has {tokens:,} tokens.", tokens=1204)

is the English text and keeps its template and fields, so that the app can word it in another
language. Logs, files and programs that talk to the server get the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

# Sentences may be nested in fields up to this depth.
_MOST_DEPTH = 6


class Sentence(str):
    """An English text that keeps its template and its fields.

    Attributes:
        template: a literal of the source, in the syntax of `str.format`.
        fields: the values for the template: numbers, and texts that may be sentences themselves.
    """

    __slots__ = ("fields", "template")
    template: str
    fields: Mapping[str, object]

    @classmethod
    def of(cls, template: str, fields: Mapping[str, object]) -> Sentence:
        """Format a template with these fields."""
        made = cls(template.format(**fields))
        made.template = template
        # A sentence keeps no other objects alive, and is immutable.
        made.fields = {
            name: value if isinstance(value, str | Real) else str(value)
            for name, value in fields.items()
        }
        return made

    # Returns the sentence, so that `str(error)` of an exception keeps its template.
    def __str__(self) -> str:
        return self

    def retold(self, **changed: str) -> Sentence:
        """The sentence with other values in these fields, also in nested sentences."""
        fields = {
            name: value.retold(**changed) if isinstance(value, Sentence) else value
            for name, value in self.fields.items()
        }
        return Sentence.of(self.template, fields | {n: changed[n] for n in changed if n in fields})


def say(template: str, /, **fields: object) -> Sentence:
    """A sentence or a part of one. The template is a literal, so that it can be collected."""
    return Sentence.of(template, fields)


def in_turn(first: str, then: str) -> str:
    """One sentence after another, either of which may be ""."""
    return say("{first} {then}", first=first, then=then) if first and then else first or then


def as_data(said: str) -> Any:
    """A sentence's complete data for JSON, which by itself would only store the text."""
    if not isinstance(said, Sentence):
        return said
    fields = {name: as_data(v) if isinstance(v, str) else v for name, v in said.fields.items()}
    return {"text": said, "template": said.template, "fields": fields}


def from_data(data: Any, depth: int = _MOST_DEPTH) -> str:
    """The inverse of `as_data`, trusting the text. Raises ValueError for anything else."""
    match data:
        case str():
            return data
        case {"text": str(text), "template": str(template), "fields": dict(fields)} if depth:
            made = Sentence(text)
            made.template = template
            made.fields = {
                name: value if isinstance(value, int | float) else from_data(value, depth - 1)
                for name, value in fields.items()
            }
            return made
    raise ValueError("it is no sentence")
