"""The headings between which the list of conversations is divided: pinned ones, then days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from app.session.records import Conversation
from app.words.dates import long_day
from app.words.tr import tr

PINNED = tr("Pinned")
_DAY = timedelta(days=1)


def heading(conversation: Conversation, today: date) -> str:
    """The heading above a conversation, by the local day on which something was said in it."""
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
    """For each conversation of a sorted list, the heading above it; "" under that of another."""
    made: list[str] = []
    last = ""
    begins, ends, pinned = 0.0, 0.0, False
    for one in conversations:
        # There may be thousands; most are of the same day as the one before.
        if begins <= one.updated < ends and one.pinned == pinned:
            made.append("")
            continue
        now = heading(one, today)
        begins, ends, pinned = *_day_of(one.updated), one.pinned
        made.append("" if now == last else now)
        last = now
    return made


def _day_of(when: float) -> tuple[float, float]:
    """The local day of a time, in seconds since 1970; nothing where there is none."""
    try:
        day = datetime.fromtimestamp(when).replace(hour=0, minute=0, second=0, microsecond=0)
        return day.timestamp(), (day + _DAY).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0, 0.0
