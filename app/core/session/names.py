"""The names of conversations where they must be distinct. Without Qt."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from app.core.session.records import Conversation
from app.core.words.tr import tr

NOBODY, DELETED = tr("No conversation"), tr("Deleted conversation")
# The first copy of a conversation, and further ones. A prefix, as lists elide the end.
_COPIES = {
    "fork": (tr("Fork: {title}"), tr("Fork {number}: {title}")),
    "continued": (tr("Continued: {title}"), tr("Continued {number}: {title}")),
}


def name_of(number: int, conversations: Iterable[Conversation]) -> str:
    """A conversation's name by id; equal titles are numbered, oldest first."""
    if not number:
        return NOBODY
    known = tuple(conversations)
    title = next((one.title for one in known if one.id == number), None)
    if title is None:
        return DELETED
    alike = sorted(one.id for one in known if one.title == title)
    return title if len(alike) == 1 else f"{title} ({alike.index(number) + 1})"


def copy_title(what: Literal["fork", "continued"], title: str, taken: Iterable[str]) -> str:
    """A unique title for a copy of a conversation.

    A copy of a copy is named after the origin.
    """
    first, further = _COPIES[what]
    heads = (re.escape(form.partition("{title}")[0]) for form in (first, further))
    marks = "|".join(heads).replace(re.escape("{number}"), r"\d+")
    origin, others = re.sub(f"^(?:{marks})", "", title), frozenset(taken)
    forms = ((first if number == 1 else further, number) for number in itertools.count(1))
    names = (form.format(number=number, title=origin) for form, number in forms)
    return next(name for name in names if name not in others)


def names_of(conversations: Iterable[Conversation]) -> dict[int, str]:
    """The names of all, as `name_of` gives them."""
    alike: dict[str, list[int]] = defaultdict(list)
    for one in conversations:
        alike[one.title].append(one.id)
    return {
        number: title if len(numbers) == 1 else f"{title} ({place})"
        for title, numbers in alike.items()
        for place, number in enumerate(sorted(numbers), 1)
    }
