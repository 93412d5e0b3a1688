"""Where a text occurs in a conversation, as it is shown and not as it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QTextCursor, QTextDocument

from app.session.records import Turn

# A text, or several of which each one counts.
Wanted = str | tuple[str, ...]
Documents = Callable[[Turn], Sequence[QTextDocument]]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """The `number`th occurrence (from 0) in part `part` of a turn; ordered as they are read.

    Attributes:
        place: of the turn in its conversation.
        turn: its id.
    """

    place: int
    turn: int
    part: int
    number: int


def find_hits(turns: Iterable[Turn], wanted: Wanted, documents: Documents) -> Iterator[list[Hit]]:
    """The occurrences in each turn, in reading order, whatever their case.

    Turn by turn, as a long conversation takes longer than a frame. `documents` are a turn's texts.
    """
    # Making the documents of a long conversation takes a while; most turns need none.
    words = [[word.casefold() for word in _WORD.findall(one)] for one in _each(wanted) if one]
    for place, turn in enumerate(turns):
        source, found = turn.text.casefold(), []
        if any(all(word in source for word in of) for of in words):
            for part, document in enumerate(documents(turn)):
                count = len(occurrences(document, wanted))
                found += [Hit(place, turn.id, part, number) for number in range(count)]
        yield found


def occurrences(document: QTextDocument, wanted: Wanted) -> list[QTextCursor]:
    """Where any of some texts occurs in a document, first to last.

    None overlap, none span two blocks.
    """
    found: list[QTextCursor] = []
    for one in filter(None, _each(wanted)):
        cursor = document.find(one, 0)
        while not cursor.isNull():
            found.append(cursor)
            cursor = document.find(one, cursor)
    found.sort(key=lambda cursor: (cursor.selectionStart(), -cursor.selectionEnd()))
    apart: list[QTextCursor] = []
    for cursor in found:
        if not apart or cursor.selectionStart() >= apart[-1].selectionEnd():
            apart.append(cursor)
    return apart


def _each(wanted: Wanted) -> tuple[str, ...]:
    return (wanted,) if isinstance(wanted, str) else wanted


def count_text(at: int, total: int, wanted: str) -> str:
    """Beside the field: "3 of 12"."""
    if not wanted:
        return ""
    return f"{at + 1:,} of {total:,}" if total else "No matches"
