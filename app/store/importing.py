"""Reads conversations from the JSON that `export.to_json` writes; its writer is not trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, replace
from pathlib import Path
from typing import Any

from app.store.export import FORMAT, FORMAT_VERSION
from app.store.records import StoredConversation, StoredMessage, StoreError

MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation of a file, with the ids that it has there."""

    conversation: StoredConversation
    messages: tuple[StoredMessage, ...]


def read_file(path: Path) -> list[Imported]:
    """The conversations of a file. Raises StoreError naming the file and what is wrong."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise StoreError(f"{path.name} is larger than {MOST_BYTES >> 20:,} MiB.")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path.name} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{path.name} is no text file.") from error
    try:
        return from_json(text)
    except StoreError as error:
        raise StoreError(f"{path.name} cannot be imported: {error}") from error


def from_json(text: str) -> list[Imported]:
    """All conversations, or none. Raises StoreError saying which is bad, and why."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError("it is no JSON.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise StoreError("it was not exported by Biplane.")
    if document.get("version") != FORMAT_VERSION:
        raise StoreError("it was exported by a newer version of Biplane.")
    listed = document.get("conversations")
    if not isinstance(listed, list):
        raise StoreError("it has no list of conversations.")
    return [_imported(raw, f"conversation {at}") for at, raw in enumerate(listed, 1)]


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
    return Imported(kept, messages)


def _imported(raw: object, where: str) -> Imported:
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
