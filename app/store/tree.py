"""The tree of messages of a conversation."""

from __future__ import annotations

from collections.abc import Iterable

from app.store.records import StoredMessage


def branch(messages: Iterable[StoredMessage], leaf: int | None) -> list[StoredMessage]:
    """The messages from the first one to `leaf`; a circle, which only damage makes, is cut."""
    by_id = {one.id: one for one in messages}
    path: list[StoredMessage] = []
    while leaf is not None and (one := by_id.pop(leaf, None)) is not None:
        path.append(one)
        leaf = one.parent_id
    return path[::-1]
