"""What a tape that holds only so many entries has forgotten, in words. Without Qt."""

from __future__ import annotations

from app.words import format as fmt
from app.words.tr import tr
from engine.trace.tape import Tape


def forgotten_title(entries: int) -> str:
    """Of the timeline's left end."""
    return tr("{entries} forgotten").format(entries=fmt.thousands(entries))


def forgotten_sentence(entries: int) -> str:
    """Why nothing stands before that."""
    first = (
        tr("The first entry was")
        if entries == 1
        else tr("The first {entries:,} entries were").format(entries=entries)
    )
    return tr("{first} forgotten to bound the memory that the record takes.").format(first=first)


def too_early(tape: Tape) -> str:
    """For who wants to see an earlier moment."""
    return tr(
        "That moment is forgotten: the record goes back to entry {first:,} of "
        "{tape:,}, which is shown instead."
    ).format(first=tape.first + 1, tape=len(tape))
