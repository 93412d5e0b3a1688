"""The palette's entries, and the rows that match a query. Without Qt."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.core.words.tr import english, tr

Kind = Literal["command", "setting", "model", "conversation", "text"]

# Prefix of a search among commands only.
COMMANDS_ONLY = ">"
_TITLES: dict[Kind, str] = {
    "command": tr("Commands"),
    "setting": tr("Settings"),
    "model": tr("Models"),
    "conversation": tr("Conversations"),
    "text": tr("Messages"),
}
# Rows per kind for an empty query; it lists all commands, for discovery.
_UNASKED: dict[Kind, int] = {"conversation": 5, "model": 3, "command": 1000}
_MOST = 40
_BEGINS, _WORD, _INSIDE, _LETTERS, _ELSEWHERE = 60.0, 40.0, 20.0, 6.0, 3.0
# A fuzzy match is only tried in a text that is not much longer.
_LOOSEST = 8


@dataclass(frozen=True, slots=True)
class Match:
    """How a text matches a query.

    Attributes:
        score: higher is better.
        spans: the matching parts of the text, (start, end) each, in order.
    """

    score: float
    spans: tuple[tuple[int, int], ...] = ()


def match(query: str, text: str, also: str = "") -> Match | None:
    """Match every word of a query against a text; None if one does not match.

    Args:
        also: further search terms, which score lower.
    """
    plain, others = _plain(text), _plain(also)
    score, spans = 0.0, set[int]()
    for word in _plain(query).split():
        found = _one(word, plain)
        if found is not None:
            score += found.score
            spans |= {at for start, end in found.spans for at in range(start, end)}
        elif any(other.startswith(word) for other in others.split()):
            score += _ELSEWHERE
        else:
            return None
    # Among equal scores the shorter text wins.
    return Match(score - len(text) / 1000, _joined(spans))


def _one(word: str, text: str) -> Match | None:
    at = text.find(word)
    if at < 0:
        return _in_order(word, text)
    begins = at
    while begins >= 0 and not _starts(text, begins):
        begins = text.find(word, begins + 1)
    if begins == 0:
        return Match(_BEGINS, ((0, len(word)),))
    if begins > 0:
        return Match(_WORD, ((begins, begins + len(word)),))
    return Match(_INSIDE, ((at, at + len(word)),))


def _in_order(word: str, text: str) -> Match | None:
    """A subsequence match, preferring the beginnings of words."""
    if len(word) < 2:
        return None
    taken: list[int] = []
    at = 0
    for letter in word:
        nexts = [i for i in range(at, len(text)) if text[i] == letter]
        if not nexts:
            return None
        follows = nexts[0] == at and bool(taken)
        at = nexts[0] if follows else next((i for i in nexts if _starts(text, i)), nexts[0])
        taken.append(at)
        at += 1
    spread = taken[-1] - taken[0] + 1
    starts = sum(_starts(text, i) for i in taken)
    if not starts or spread > _LOOSEST * len(word):
        return None
    return Match(_LETTERS * starts / len(word) + len(word) / spread, _joined(set(taken)))


def _starts(text: str, at: int) -> bool:
    """Whether a word starts at `at`."""
    return at == 0 or not text[at - 1].isalnum()


def _joined(places: set[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for at in sorted(places):
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return tuple(spans)


def _plain(text: str) -> str:
    """The text without case and accents, with the same length."""
    return "".join(_letter(char) for char in text)


def _letter(char: str) -> str:
    return unicodedata.normalize("NFKD", char)[:1].lower()[:1] or char


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """An entry that can be chosen.

    Attributes:
        run: the action.
        detail: its location or value, next to the title.
        keys: its shortcut.
        refusal: why it cannot be chosen now; "" if it can.
        also: further search terms.
        always: it matches any query.
    """

    kind: Kind
    title: str
    run: Callable[[], object]
    detail: str = ""
    keys: str = ""
    refusal: str = ""
    also: str = ""
    always: bool = False


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """A row of the palette: an entry, or the heading of those below it.

    Attributes:
        spans: the matching parts of the entry's title.
    """

    heading: str = ""
    entry: PaletteEntry | None = None
    spans: tuple[tuple[int, int], ...] = ()


def rows_for(query: str, entries: Iterable[PaletteEntry]) -> tuple[PaletteRow, ...]:
    """The rows for a query: kinds by their best match, entries of a kind by their score."""
    only = query.lstrip().startswith(COMMANDS_ONLY)
    words = query.lstrip().removeprefix(COMMANDS_ONLY).strip() if only else query.strip()
    offered = [one for one in entries if not only or one.kind == "command"]
    if not words:
        return _unasked(offered, only)
    found: dict[Kind, list[tuple[float, PaletteRow]]] = {}
    for entry in offered:
        also = f"{entry.also} {entry.detail} {english(entry.title)}"
        fits = match(words, entry.title, also)
        if fits is not None:
            # Disabled entries are still shown, after the others.
            score = fits.score - (1 if entry.refusal else 0)
            found.setdefault(entry.kind, []).append(
                (score, PaletteRow(entry=entry, spans=fits.spans))
            )
        elif entry.always:
            found.setdefault(entry.kind, []).append((-1e9, PaletteRow(entry=entry)))
    for of in found.values():
        of.sort(key=lambda one: -one[0])
    kinds = sorted(found, key=lambda kind: -found[kind][0][0])
    return _with_headings([(kind, [row for _, row in found[kind][:_MOST]]) for kind in kinds])


def _unasked(offered: Sequence[PaletteEntry], only: bool) -> tuple[PaletteRow, ...]:
    return _with_headings(
        [
            (kind, [PaletteRow(entry=one) for one in offered if one.kind == kind][:most])
            for kind, most in _UNASKED.items()
            if kind == "command" or not only
        ]
    )


def _with_headings(found: Sequence[tuple[Kind, list[PaletteRow]]]) -> tuple[PaletteRow, ...]:
    rows: list[PaletteRow] = []
    for kind, of in found:
        if of:
            rows += [PaletteRow(heading=_TITLES[kind]), *of]
    return tuple(rows)
