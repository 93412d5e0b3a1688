"""Syntax highlighting of code blocks with Pygments. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Token  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

# Lexing is linear but slow; longer blocks stay plain.
MAX_CHARS = 60_000

_ROLES = (
    (Token.Comment, "comment"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Name.Function, "function"),
    (Token.Name.Class, "function"),
    (Token.Name.Decorator, "function"),
    (Token.Name.Builtin, "builtin"),
    (Token.Name.Tag, "keyword"),
    (Token.Name.Attribute, "builtin"),
)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, start + length) with a role, such as "keyword"."""

    start: int
    length: int
    role: str


@lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def warm_up() -> None:
    """Import in advance what the first block would have to wait for."""
    spans("x = 1", "python")


def spans(code: str, language: str) -> list[Span]:
    """The highlighted spans of a block; none for an unknown language."""
    lexer = _lexer(language.lower()) if language else None
    if lexer is None or len(code) > MAX_CHARS:
        return []
    found = []
    for start, token, text in lexer.get_tokens_unprocessed(code):
        role = next((name for kind, name in _ROLES if token in kind), None)
        if role and text.strip():
            found.append(Span(start, len(text), role))
    return found
