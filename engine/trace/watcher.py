"""Who is told what becomes of the tree of a tier."""

from __future__ import annotations

from typing import Protocol

from engine.trace.spans import Span


class Watcher(Protocol):
    """Draws the tree, say."""

    def cleared(self) -> None: ...

    def added(self, span: Span) -> None: ...

    def restored(self, spans: list[Span]) -> None:
        """All of these, parents first, are the tree; there was nothing before."""

    def split(self, upper: Span, lower: Span) -> None:
        """`upper` has taken the tokens before `lower.start`, and stands above it."""

    def joined(self, upper: Span, lower: Span) -> None:
        """The opposite: `lower` has all tokens again, and `upper` is gone."""

    def removed(self, span: Span) -> None: ...

    def changed(self, span: Span) -> None:
        """A field that is shown has another value."""


class Nobody:
    """A watcher that does not care."""

    def cleared(self) -> None: ...

    def added(self, span: Span) -> None: ...

    def restored(self, spans: list[Span]) -> None: ...

    def split(self, upper: Span, lower: Span) -> None: ...

    def joined(self, upper: Span, lower: Span) -> None: ...

    def removed(self, span: Span) -> None: ...

    def changed(self, span: Span) -> None: ...
