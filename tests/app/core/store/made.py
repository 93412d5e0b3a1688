"""Conversations made by hand, and stores to keep them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.core.store.records import StoredConversation, StoredMessage
from app.core.store.store import Store

TITLE = "Why do wings lift?"


def conversation(id: int = 1, **more: Any) -> StoredConversation:
    made: dict[str, Any] = {"title": TITLE, "created": 100.0, "updated": 100.0 + id}
    return StoredConversation(id=id, **(made | more))


def message(id: int, parent: int | None = None, **more: Any) -> StoredMessage:
    """Messages of conversation 1; even ids are answers."""
    made: dict[str, Any] = {
        "conversation": 1,
        "role": "user" if id % 2 else "assistant",
        "content": f"Message {id}",
        "created": 100.0 + id,
    }
    return StoredMessage(id=id, parent_id=parent, **(made | more))


def fill(store: Store, conversations: int, messages: int, text: Callable[[int], str] = str) -> None:
    """Conversations from 1 on, each a chain of messages whose ids follow one another."""
    for number in range(1, conversations + 1):
        first = conversations + (number - 1) * messages + 1
        with store.together():
            for id in range(first, first + messages):
                parent = id - 1 if id > first else None
                store.save_message(
                    message(id, parent, conversation=number, content=text(id), token_ids=(id,))
                )
            store.save_conversation(conversation(number, leaf=first + messages - 1))
    assert store.flush(60)
