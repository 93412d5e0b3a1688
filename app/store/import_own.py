"""Reads a conversation of the JSON that `export` writes; its writer is not trusted."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from app.store.imported import Imported
from app.store.records import StoredConversation, StoredMessage, StoreError


def from_own(raw: object, where: str) -> Imported:
    """The conversation, whole. Raises StoreError saying what is bad, and why.

    where: its name in that sentence.
    """
    conversation = _record(StoredConversation, raw, where)
    assert isinstance(raw, dict)
    listed = raw.get("messages")
    if not isinstance(listed, list):
        raise StoreError(f"{where} has no list of messages.")
    messages: list[StoredMessage] = []
    known: set[int] = set()
    for at, given in enumerate(listed, 1):
        message = _record(StoredMessage, given, f"message {at} of {where}")
        # A parent stands before its children, so there is no circle.
        if message.parent_id is not None and message.parent_id not in known:
            raise StoreError(f"message {at} of {where} follows one that is not before it.")
        if message.id in known:
            raise StoreError(f"message {at} of {where} has the id of another.")
        known.add(message.id)
        messages.append(message)
    if conversation.leaf is not None and conversation.leaf not in known:
        raise StoreError(f"{where} ends with a message that it does not have.")
    return Imported(conversation, tuple(messages))


def _record(kind: type[Any], raw: object, where: str) -> Any:
    """A record from a JSON object; unknown fields are ignored, and no value is converted."""
    if not isinstance(raw, dict):
        raise StoreError(f"{where} is no JSON object.")
    missing = [f.name for f in fields(kind) if _is_needed(f) and f.name not in raw]
    if missing:
        raise StoreError(f"{where} has no {missing[0]}.")
    values = {f.name: raw[f.name] for f in fields(kind) if f.name in raw}
    if isinstance(values.get("token_ids"), list):
        values["token_ids"] = tuple(values["token_ids"])
    made = kind(**values)
    try:
        made.check()
    except StoreError as error:
        raise StoreError(f"{where} is bad: {error}") from error
    return made


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
