"""Reads a conversation of the JSON that `export` writes; its writer is not trusted."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from app.store.imported import Imported
from app.store.records import StoredConversation, StoredMessage, StoreError
from app.words.tr import tr


def from_own(raw: object, where: str) -> Imported:
    """The conversation, whole. Raises StoreError saying what is bad, and why.

    where: its name in that sentence.
    """
    conversation = _record(StoredConversation, raw, where)
    assert isinstance(raw, dict)
    listed = raw.get("messages")
    if not isinstance(listed, list):
        raise StoreError(tr("{where} has no list of messages.").format(where=where))
    messages: list[StoredMessage] = []
    known: set[int] = set()
    for at, given in enumerate(listed, 1):
        message = _record(
            StoredMessage, given, tr("message {at} of {where}").format(at=at, where=where)
        )
        # A parent stands before its children, so there is no circle.
        if message.parent_id is not None and message.parent_id not in known:
            raise StoreError(
                tr("message {at} of {where} follows one that is not before it.").format(
                    at=at, where=where
                )
            )
        if message.id in known:
            raise StoreError(
                tr("message {at} of {where} has the id of another.").format(at=at, where=where)
            )
        known.add(message.id)
        messages.append(message)
    if conversation.leaf is not None and conversation.leaf not in known:
        raise StoreError(
            tr("{where} ends with a message that it does not have.").format(where=where)
        )
    return Imported(conversation, tuple(messages))


def _record(kind: type[Any], raw: object, where: str) -> Any:
    """A record from a JSON object; unknown fields are ignored, and no value is converted."""
    if not isinstance(raw, dict):
        raise StoreError(tr("{where} is not a JSON object.").format(where=where))
    missing = [f.name for f in fields(kind) if _is_needed(f) and f.name not in raw]
    if missing:
        raise StoreError(tr("{where} has no {missing}.").format(where=where, missing=missing[0]))
    values = {f.name: raw[f.name] for f in fields(kind) if f.name in raw}
    if isinstance(values.get("token_ids"), list):
        values["token_ids"] = tuple(values["token_ids"])
    made = kind(**values)
    try:
        made.check()
    except StoreError as error:
        raise StoreError(tr("{where} is bad: {error}").format(where=where, error=error)) from error
    return made


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING
