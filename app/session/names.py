"""What conversations are called where several are told apart. Without Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from app.session.records import Conversation
from app.words.tr import tr

NOBODY, DELETED = tr("No conversation"), tr("Deleted conversation")


def name_of(number: int, conversations: Iterable[Conversation]) -> str:
    """One by its number; those of the same title are numbered, the oldest first."""
    if not number:
        return NOBODY
    known = tuple(conversations)
    title = next((one.title for one in known if one.id == number), None)
    if title is None:
        return DELETED
    alike = sorted(one.id for one in known if one.title == title)
    return title if len(alike) == 1 else f"{title} ({alike.index(number) + 1})"


def names_of(conversations: Iterable[Conversation]) -> dict[int, str]:
    """All of them, as `name_of` calls each."""
    alike: dict[str, list[int]] = defaultdict(list)
    for one in conversations:
        alike[one.title].append(one.id)
    return {
        number: title if len(numbers) == 1 else f"{title} ({place})"
        for title, numbers in alike.items()
        for place, number in enumerate(sorted(numbers), 1)
    }
