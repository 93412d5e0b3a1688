"""Computes the few steps that turn one order of rows into another. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.core.session.records import Conversation
from app.core.words.format import long_day
from app.core.words.tr import tr

# More steps than this are slower than rebuilding all rows.
_MOST_STEPS = 12
PINNED = tr("Pinned")
_DAY = timedelta(days=1)


def heading(conversation: Conversation, today: date) -> str:
    """The heading above a conversation, by the local day of its last message."""
    if conversation.pinned:
        return PINNED
    try:
        day = datetime.fromtimestamp(conversation.updated).date()
    except (ValueError, OverflowError, OSError):
        return tr("Some day")
    if day >= today:
        return tr("Today")
    if day == today - _DAY:
        return tr("Yesterday")
    return long_day(day, today)


def headings(conversations: Iterable[Conversation], today: date) -> list[str]:
    """The heading above each conversation of a sorted list; "" within a group."""
    made: list[str] = []
    last = ""
    begins, ends, pinned = 0.0, 0.0, False
    for one in conversations:
        # There may be thousands; most are on the same day as the previous one.
        if begins <= one.updated < ends and one.pinned == pinned:
            made.append("")
            continue
        now = heading(one, today)
        begins, ends, pinned = *_day_of(one.updated), one.pinned
        made.append("" if now == last else now)
        last = now
    return made


def _day_of(when: float) -> tuple[float, float]:
    """The local day of a time, in seconds since 1970; an empty range if there is none."""
    try:
        day = datetime.fromtimestamp(when).replace(hour=0, minute=0, second=0, microsecond=0)
        return day.timestamp(), (day + _DAY).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert rows at `at`."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove rows from `at` on."""

    at: int
    count: int


@dataclass(frozen=True, slots=True)
class Move:
    """Move the row `source` to `target`."""

    source: int
    target: int


def steps(old: Sequence[int], new: Sequence[int]) -> list[Insert | Remove | Move] | None:
    """The steps from `old` to `new`, lists of unique ids; None if there are too many."""
    if old == new:
        return []
    now, found = list(old), list[Insert | Remove | Move]()
    wanted = set(new)
    at = 0
    while at < len(now):
        count = _strange(now, at, wanted)
        if count:
            del now[at : at + count]
            found.append(Remove(at, count))
        else:
            at += 1
    at = 0
    while at < len(new) and len(found) <= _MOST_STEPS:
        if at < len(now) and now[at] == new[at]:
            at += 1
            continue
        count = _strange(new, at, set(now[at:]))
        if count:
            now[at:at] = new[at : at + count]
            found.append(Insert(at, count))
            continue
        # Moving this row down is one step; the other rows would need many.
        down = at + 1 < len(now) and now[at + 1] == new[at]
        source, target = (at, _place(now, new, at)) if down else (now.index(new[at], at), at)
        now.insert(target, now.pop(source))
        found.append(Move(source, target))
    return found if len(found) <= _MOST_STEPS else None


def _strange(ids: Sequence[int], at: int, known: Set[int]) -> int:
    """The number of consecutive ids from a position on that are not in `known`."""
    end = at
    while end < len(ids) and ids[end] not in known:
        end += 1
    return end - at


def _place(now: Sequence[int], new: Sequence[int], at: int) -> int:
    """The target of the row at `at`, moved out of the way of the others."""
    follows = new.index(now[at]) - 1
    return now.index(new[follows]) if new[follows] in now else len(now) - 1
