"""What a tape that holds only so many entries has forgotten, in words. Without Qt."""

from __future__ import annotations

from app.words import format as fmt
from engine.trace.tape import Tape


def forgotten_title(entries: int) -> str:
    """Of the timeline's left end."""
    return f"{fmt.thousands(entries)} forgotten"


def forgotten_sentence(entries: int) -> str:
    """Why nothing stands before that."""
    first = "The first entry was" if entries == 1 else f"The first {entries:,} entries were"
    return f"{first} forgotten to bound the memory that the record takes."


def too_early(tape: Tape) -> str:
    """For who wants to see an earlier moment."""
    return (
        f"That moment is forgotten: the record goes back to entry {tape.first + 1:,} of "
        f"{len(tape):,}, which is shown instead."
    )
