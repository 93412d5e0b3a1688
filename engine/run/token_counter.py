"""Counts the tokens of texts in small parts, between the steps of other work."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.commands import CountTokens
from engine.events import TokensCounted

# A few milliseconds: a running answer must not visibly stall.
PART_CHARS = 8192
PART_TEXTS = 64
# More tokens than any context holds.
MOST_CHARS = 8_000_000
KNOWN_TEXTS = 1024
# Where byte-level vocabularies always start a new token: at a word, including the space before it.
_SEAM = re.compile(r"(?<=\S)(?= [^\W\d_])|(?<=\n)(?=[^\W\d_])")


@dataclass(slots=True)
class _Order:
    """A command, and its progress in the current text: next character, tokens so far."""

    texts: tuple[str, ...]
    counts: list[int] = field(default_factory=list)
    start: int = 0
    tokens: int = 0

    @property
    def done(self) -> bool:
        return len(self.counts) == len(self.texts)


class TokenCounter:
    """Counts in the order requested, a part at a time; caches the counts of recent texts.

    A command replaces a pending one with the same number.
    """

    def __init__(self, emit: Callable[[TokensCounted], None]) -> None:
        self._emit = emit
        self._orders: dict[int, _Order] = {}
        # By a text's length and hash: it may be megabytes long.
        self._known: OrderedDict[tuple[int, int], int] = OrderedDict()

    def ask(self, command: CountTokens) -> None:
        """Queue a command."""
        self._orders.pop(command.number, None)
        self._orders[command.number] = _Order(command.texts)

    def step(self, count: Callable[[str], int]) -> bool:
        """Count the next part; False if nothing is left to count.

        An exception of `count` propagates, and its command is dropped.
        """
        if not self._orders:
            return False
        number, order = next(iter(self._orders.items()))
        try:
            self._go_on(order, count)
        except BaseException:
            del self._orders[number]
            raise
        if order.done:
            del self._orders[number]
            self._emit(TokensCounted(number=number, counts=tuple(order.counts)))
        return True

    def _go_on(self, order: _Order, count: Callable[[str], int]) -> None:
        read = texts = 0
        while not order.done and read < PART_CHARS and texts < PART_TEXTS:
            text = order.texts[len(order.counts)]
            key = (len(text), hash(text))
            known = self._known.get(key)
            if known is None:
                end = part_end(text, order.start)
                order.tokens += count(text[order.start : end])
                read += end - order.start
                order.start = end
                if end < min(len(text), MOST_CHARS):
                    continue
                known = self._known[key] = order.tokens
                if len(self._known) > KNOWN_TEXTS:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            order.counts.append(known)
            order.start = order.tokens = 0
            texts += 1


def part_end(text: str, start: int) -> int:
    """The end of the part of `text` that begins at `start`, at a seam if possible."""
    end = min(start + PART_CHARS, MOST_CHARS)
    if end >= len(text):
        return len(text)
    seams = [match.start() for match in _SEAM.finditer(text, start + PART_CHARS // 2, end)]
    return seams[-1] if seams else end
