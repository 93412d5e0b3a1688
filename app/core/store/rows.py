"""Converts records to table rows, and back."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Any

from app.core.store.records import (
    Preset,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
    StoredRole,
)
from app.core.store.schema import COLUMNS
from app.core.store.writer import Value

Row = Sequence[Any]


def upsert(table: str) -> str:
    """SQL to insert a row, or to update the one with the same first column."""
    names = COLUMNS[table]
    updates = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
    return f"{insert(table)} ON CONFLICT({names[0]}) DO UPDATE SET {updates}"


def insert(table: str) -> str:
    names = COLUMNS[table]
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"


def select(table: str) -> str:
    return f"SELECT {', '.join(COLUMNS[table])} FROM {table}"


def conversation_row(one: StoredConversation) -> tuple[Value, ...]:
    return (
        one.id,
        writable(one.title),
        float(one.created),
        float(one.updated),
        int(one.named),
        int(one.pinned),
        one.deleted_at,
        writable(one.system),
        int(one.thinking),
        one.sampling,
        writable(one.model),
        one.leaf,
        None if one.system_draft is None else writable(one.system_draft),
    )


def conversation(row: Row) -> StoredConversation:
    return StoredConversation(
        id=row[0],
        title=row[1],
        created=row[2],
        updated=row[3],
        named=bool(row[4]),
        pinned=bool(row[5]),
        deleted_at=row[6],
        system=row[7],
        thinking=bool(row[8]),
        sampling=row[9],
        model=row[10],
        leaf=row[11],
        system_draft=row[12],
    )


def message_row(one: StoredMessage) -> tuple[Value, ...]:
    return (
        one.id,
        one.conversation,
        one.parent_id,
        one.role,
        writable(one.content),
        float(one.created),
        writable(one.thinking),
        packed(one.token_ids),
        writable(one.model),
        one.stop,
        writable(one.report),
        int(one.complete),
        one.thinking_tokens,
        float(one.thinking_s),
    )


def message(row: Row) -> StoredMessage:
    role: StoredRole = "user" if row[3] == "user" else "assistant"
    return StoredMessage(
        id=row[0],
        conversation=row[1],
        parent_id=row[2],
        role=role,
        content=row[4],
        created=row[5],
        thinking=row[6],
        token_ids=unpacked(row[7]),
        model=row[8],
        stop=row[9],
        report=row[10],
        complete=bool(row[11]),
        thinking_tokens=row[12],
        thinking_s=row[13],
    )


def preset_row(one: Preset) -> tuple[Value, ...]:
    return (writable(one.name), writable(one.system), one.sampling)


def file_row(one: StoredFile) -> tuple[Value, ...]:
    return (one.id, one.conversation, writable(one.name), writable(one.text), one.size)


def queued_row(one: StoredQueued) -> tuple[Value, ...]:
    return (one.id, one.conversation, writable(one.text))


def packed(ids: Sequence[int]) -> bytes:
    """Encode token ids as little-endian 32-bit numbers."""
    numbers = array("I", ids)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpacked(raw: bytes) -> tuple[int, ...]:
    """Decode token ids; none if the length is wrong, as they would not match the answer."""
    numbers = array("I")
    if len(raw) % numbers.itemsize:
        return ()
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return tuple(numbers)


def writable(text: str) -> str:
    """The text, with a lone surrogate replaced, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
