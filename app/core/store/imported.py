"""The content of an imported file, before it is added to the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.core.store.records import StoredConversation, StoredMessage


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation with the file's own ids; parents come before children.

    Attributes:
        skipped: messages that could not be read.
    """

    conversation: StoredConversation
    messages: tuple[StoredMessage, ...]
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The readable content of a file.

    Attributes:
        skipped: conversations that could not be read, or have no messages.
        cut: the file is truncated, or damaged from some position on.
    """

    conversations: tuple[Imported, ...]
    skipped: int = 0
    cut: bool = False

    @property
    def skipped_messages(self) -> int:
        return sum(one.skipped for one in self.conversations)


def renumbered(one: Imported, numbers: Iterator[int]) -> Imported:
    """The conversation with unused ids, so that it can be added to any store."""
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
