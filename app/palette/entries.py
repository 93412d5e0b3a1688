"""What the palette can find, and the rows that it shows for what was typed. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.palette.matching import match
from app.words.tr import english, tr

Kind = Literal["command", "setting", "model", "conversation", "text"]

# What begins a search among commands alone.
COMMANDS_ONLY = ">"
_TITLES: dict[Kind, str] = {
    "command": tr("Commands"),
    "setting": tr("Settings"),
    "model": tr("Models"),
    "conversation": tr("Conversations"),
    "text": tr("Messages"),
}
# So many of each kind while nothing is typed; commands are what there is to discover.
_UNASKED: dict[Kind, int] = {"conversation": 5, "model": 3, "command": 1000}
_MOST = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to choose.

    Attributes:
        run: does it.
        detail: where it is or what it says, beside the title.
        keys: its shortcut.
        refusal: why it cannot be chosen now; "" if it can.
        also: other words that find it.
        always: it answers whatever is typed.
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
class Row:
    """A line of the palette: an entry, or the heading of those below it.

    Attributes:
        spans: what of the entry's title matches.
    """

    heading: str = ""
    entry: Entry | None = None
    spans: tuple[tuple[int, int], ...] = ()


def rows_for(query: str, entries: Iterable[Entry]) -> tuple[Row, ...]:
    """What to show: kinds in the order of their best match, entries of a kind by theirs."""
    only = query.lstrip().startswith(COMMANDS_ONLY)
    words = query.lstrip().removeprefix(COMMANDS_ONLY).strip() if only else query.strip()
    offered = [one for one in entries if not only or one.kind == "command"]
    if not words:
        return _unasked(offered, only)
    found: dict[Kind, list[tuple[float, Row]]] = {}
    for entry in offered:
        also = f"{entry.also} {entry.detail} {english(entry.title)}"
        fits = match(words, entry.title, also)
        if fits is not None:
            # What cannot be done now is still shown, after what can.
            score = fits.score - (1 if entry.refusal else 0)
            found.setdefault(entry.kind, []).append((score, Row(entry=entry, spans=fits.spans)))
        elif entry.always:
            found.setdefault(entry.kind, []).append((-1e9, Row(entry=entry)))
    for of in found.values():
        of.sort(key=lambda one: -one[0])
    kinds = sorted(found, key=lambda kind: -found[kind][0][0])
    return _with_headings([(kind, [row for _, row in found[kind][:_MOST]]) for kind in kinds])


def _unasked(offered: Sequence[Entry], only: bool) -> tuple[Row, ...]:
    return _with_headings(
        [
            (kind, [Row(entry=one) for one in offered if one.kind == kind][:most])
            for kind, most in _UNASKED.items()
            if kind == "command" or not only
        ]
    )


def _with_headings(found: Sequence[tuple[Kind, list[Row]]]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for kind, of in found:
        if of:
            rows += [Row(heading=_TITLES[kind]), *of]
    return tuple(rows)
