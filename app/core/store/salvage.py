"""Copies the readable rows of a damaged file to a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.core.store import rows
from app.core.store.connection import as_text, connect
from app.core.store.records import MOST_ID, ROLES
from app.core.store.schema import COLUMNS, migrate
from app.core.store.soundness import UNREADABLE, mend_links

# Tables with an integer key, probed one by one where scanning fails.
_NUMBERED = ("conversations", "messages", "drafts", "draft_files", "queued")
_OF_OUR_NUMBERS = ("conversations", "messages", "draft_files", "queued")
# Stop probing after this many missing keys in a row.
_MOST_MISSES = 50_000
_HOPELESS = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)

Row = tuple[Any, ...]


def salvage(damaged: Path, target: Path) -> int:
    """Copy all readable rows of `damaged` to a new file `target`; returns the message count.

    Opening `damaged` may change it. Raises OSError and sqlite3.Error if `target` cannot be written.
    """
    new = connect(target)
    try:
        migrate(new)
        saved: dict[str, int] = {}
        old = _open(damaged)
        if old is not None:
            saved = {table: _copy(old, new, table) for table in COLUMNS}
            old.close()
        mend_links(new)
        return saved.get("messages", 0)
    finally:
        new.close()


def _open(path: Path) -> sqlite3.Connection | None:
    try:
        old = sqlite3.connect(path, isolation_level=None)
        old.text_factory = as_text
        # Tables with intact definitions stay readable if another's is damaged.
        old.execute("PRAGMA writable_schema = ON")
        old.execute("PRAGMA foreign_keys = OFF")
    except UNREADABLE:
        return None
    return old


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> int:
    saved = 0
    kinds = [
        (str(kind), bool(needed))
        for _, _, kind, needed, *_ in new.execute(f"PRAGMA table_info({table})")
    ]
    new.execute("PRAGMA foreign_keys = OFF")
    new.execute("BEGIN IMMEDIATE")
    for row in _readable(old, table):
        if table in _OF_OUR_NUMBERS and not _is_id(row[0]):
            continue
        try:
            new.execute(rows.insert(table), _fitted(table, row, kinds))
            saved += 1
        except (sqlite3.Error, OverflowError):
            continue
    new.execute("COMMIT")
    return saved


def _fitted(table: str, row: Row, kinds: list[tuple[str, bool]]) -> Row:
    """The row with values converted to the column types: one bad field must not lose a message."""
    fitted = [_fit(value, *kind) for value, kind in zip(row, kinds, strict=True)]
    at = COLUMNS["messages"].index("role")
    if table == "messages" and fitted[at] not in ROLES:
        generated = fitted[COLUMNS["messages"].index("token_ids")]
        fitted[at] = "assistant" if generated else "user"
    return tuple(fitted)


def _fit(value: object, kind: str, needed: bool) -> object:
    if value is None and not needed:
        return None
    match kind, value:
        case ("TEXT", str()) | ("BLOB", bytes()) | ("INTEGER", int()):
            return value
        case "TEXT", bytes():
            return as_text(value)
        case "REAL", int() | float():
            return float(value)
    return {"TEXT": "", "BLOB": b"", "REAL": 0.0}.get(kind, 0)


def _is_id(value: object) -> bool:
    return type(value) is int and 1 <= value <= MOST_ID


def _readable(old: sqlite3.Connection, table: str) -> Iterator[Row]:
    """Rows from both ends up to the damage, then by probing keys within it."""
    select = f"SELECT {', '.join(_columns(old, table))} FROM {table}"
    seen: set[object] = set()
    for order in ("ASC", "DESC"):
        sound = True
        try:
            for row in old.execute(f"{select} ORDER BY rowid {order}"):
                if not _is_ours(table, row):
                    sound = False
                elif row[0] not in seen:
                    seen.add(row[0])
                    yield row
        except UNREADABLE:
            sound = False
        if sound:
            return
    if table in _NUMBERED:
        yield from _probe(old, table, f"{select} WHERE rowid = ?", seen)


def _probe(old: sqlite3.Connection, table: str, query: str, seen: set[object]) -> Iterator[Row]:
    """Rows that scanning did not reach, by key, until too many in a row are missing."""
    misses = number = 0
    while misses < _MOST_MISSES:
        number += 1
        misses += 1
        if number in seen:
            misses = 0
            continue
        try:
            row = old.execute(query, (number,)).fetchone()
        except UNREADABLE as error:
            # Probing is pointless if it is no database, or has no such table.
            if getattr(error, "sqlite_errorcode", 0) in _HOPELESS:
                return
            continue
        if row is not None and row[0] not in seen and _is_ours(table, row):
            misses = 0
            seen.add(row[0])
            yield row


def _is_ours(table: str, row: Row) -> bool:
    """Whether a row is plausible for the table; a misplaced page yields garbage rows."""
    texts = {"messages": "content", "conversations": "title"}
    texts |= dict.fromkeys(("drafts", "draft_files", "queued"), "text")
    name = texts.get(table)
    return name is None or isinstance(row[COLUMNS[table].index(name)], str | bytes)


def _columns(old: sqlite3.Connection, table: str) -> list[str]:
    """The current columns; those that the file lacks are replaced by their defaults."""
    try:
        there = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
    except UNREADABLE:
        there = set()
    defaults = {"token_ids": "x''", "complete": "1", "parent_id": "NULL", "leaf": "NULL"}
    defaults |= {
        "deleted_at": "NULL",
        "system_draft": "NULL",
        "content": "''",
        "title": "''",
        "system": "''",
    }
    texts = dict.fromkeys(("thinking", "model", "stop", "report", "sampling", "text", "name"), "''")
    if table == "conversations":
        texts["thinking"] = "0"
    known = texts | defaults
    return [
        name if not there or name in there else f"{known.get(name, '0')} AS {name}"
        for name in COLUMNS[table]
    ]
