"""What was read of a file of conversations, before it has a place in the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.core.store.records import StoredConversation, StoredMessage


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation of a file, with the ids that it has there; parents stand before children.

    Attributes:
        skipped: messages that could not be read.
    """

    conversation: StoredConversation
    messages: tuple[StoredMessage, ...]
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """All that is readable of a file.

    Attributes:
        skipped: conversations that could not be read, or have no message.
        cut: the file ends in the middle, or is damaged from some place on.
    """

    conversations: tuple[Imported, ...]
    skipped: int = 0
    cut: bool = False

    @property
    def skipped_messages(self) -> int:
        return sum(one.skipped for one in self.conversations)


def renumbered(one: Imported, numbers: Iterator[int]) -> Imported:
    """The same conversation with unused ids, so that it can stand beside any other."""
    ids = {message.id: next(numbers) for message in one.messages}
    number = next(numbers)
    messages = tuple(
        replace(
            message,
            id=ids[message.id],
            conversation=number,
            parent_id=None if message.parent_id is None else ids[message.parent_id],
        )
        for message in one.messages
    )
    leaf = one.conversation.leaf
    kept = replace(
        one.conversation, id=number, leaf=None if leaf is None else ids[leaf], deleted_at=None
    )
    return Imported(kept, messages, one.skipped)
