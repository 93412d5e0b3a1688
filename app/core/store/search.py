"""Search in titles and messages: by SQLite's full-text index, or by scanning all texts.

A query word matches every word that begins with it; all words must match.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from dataclasses import dataclass

MOST_HITS = 100
MOST_QUERY = 1000
# Marks around a match in a snippet, and its ellipsis.
OPEN, CLOSE, GAP = "\x02", "\x03", "…"
_TOKENS = "tokenize = 'unicode61 remove_diacritics 2'"
_INDEXES = (
    ("message_index", "messages", "content"),
    ("title_index", "conversations", "title"),
)
# Scripts without spaces: the index treats a whole sentence as one word.
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")
_AROUND = 40


@dataclass(frozen=True, slots=True)
class Hit:
    """A conversation or a message that contains all words.

    Attributes:
        message: None for a match in the title.
        snippet: the text around the first match, with matches between `OPEN` and `CLOSE`.
        created: of the message, or the conversation's last change; seconds since 1970.
    """

    conversation: int
    message: int | None
    snippet: str
    created: float


def has_fts5(connection: sqlite3.Connection) -> bool:
    """Whether SQLite was compiled with FTS5."""
    found = connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    return found.fetchone() is not None


def prepare_index(connection: sqlite3.Connection) -> bool:
    """Build the index if it is missing; False if this SQLite has no FTS5.

    In that case the triggers are dropped, as they would reject every message; the next start with
    FTS5 rebuilds the index. Raises sqlite3.Error.
    """
    usable = has_fts5(connection)
    known = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")}
    for index, table, column in _INDEXES:
        wanted = _definitions(index, table, column)
        if not usable:
            _drop_triggers(connection, index)
        elif not known.issuperset(wanted):
            _build(connection, index, table, column)
        else:
            # A damaged index cannot be dropped either: reading it raises the error that says so.
            connection.execute(f"SELECT rowid FROM {index} LIMIT 0").fetchall()
    return usable


def rebuild_index(connection: sqlite3.Connection) -> None:
    """Rebuild the index from the texts. Raises sqlite3.Error."""
    for index, table, column in _INDEXES:
        _build(connection, index, table, column)


def rebuilding() -> tuple[str, ...]:
    """Statements that rebuild the index."""
    return tuple(f"INSERT INTO {index}({index}) VALUES ('rebuild')" for index, _, _ in _INDEXES)


def forget_deleted() -> tuple[str, ...]:
    """Statements that purge deleted texts from the index."""
    return tuple(f"INSERT INTO {index}({index}) VALUES ('optimize')" for index, _, _ in _INDEXES)


def search(
    connection: sqlite3.Connection, query: str, limit: int = MOST_HITS, *, indexed: bool = True
) -> list[Hit]:
    """Titles first, then messages, both newest first; deleted conversations are skipped.

    If there are too many of both, titles get a quarter of the limit.
    """
    words = query[:MOST_QUERY].split()
    if not words or limit < 1:
        return []
    if not indexed or _unspaced(query):
        found = _scan(connection, words, limit)
    else:
        phrase = _phrase(words)
        found = _match(connection, phrase, limit) if phrase else []
    titles = [hit for hit in found if hit.message is None]
    messages = found[len(titles) :]
    titles = titles[: max(1, limit // 4, limit - len(messages))]
    return [*titles, *messages][:limit]


def _definitions(index: str, table: str, column: str) -> tuple[str, ...]:
    """The index and its triggers, in SQLite's normalised form."""
    add = f"INSERT INTO {index}(rowid, {column}) VALUES (new.id, new.{column})"
    remove = (
        f"INSERT INTO {index}({index}, rowid, {column}) VALUES ('delete', old.id, old.{column})"
    )
    content = f"content = '{table}', content_rowid = 'id'"
    update = f"OF {column} ON {table} WHEN old.{column} IS NOT new.{column}"
    return (
        f"CREATE VIRTUAL TABLE {index} USING fts5({column}, {content}, {_TOKENS})",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add}; END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE {update} BEGIN {remove}; {add}; END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove}; END",
    )


def _build(connection: sqlite3.Connection, index: str, table: str, column: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        _drop_triggers(connection, index)
        connection.execute(f"DROP TABLE IF EXISTS {index}")
        for definition in _definitions(index, table, column):
            connection.execute(definition)
        connection.execute(f"INSERT INTO {index}({index}) VALUES ('rebuild')")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _drop_triggers(connection: sqlite3.Connection, index: str) -> None:
    for event in ("insert", "update", "delete"):
        connection.execute(f"DROP TRIGGER IF EXISTS {index}_{event}")


def _phrase(words: list[str]) -> str:
    """The query in FTS5 syntax, with all of the user's input quoted."""
    # A word without letters or digits has no token, and would match nothing.
    spelt = [word for word in words if any(char.isalnum() for char in word)]
    return " ".join('"' + word.replace('"', '""') + '"*' for word in spelt)


def _match(connection: sqlite3.Connection, phrase: str, limit: int) -> list[Hit]:
    titles = connection.execute(
        "SELECT c.id, NULL, snippet(title_index, 0, ?, ?, ?, 20), c.updated FROM title_index"
        " JOIN conversations c ON c.id = title_index.rowid"
        " WHERE title_index MATCH ? AND c.deleted_at IS NULL ORDER BY c.updated DESC LIMIT ?",
        (OPEN, CLOSE, GAP, phrase, limit),
    ).fetchall()
    # Row ids grow with time, so ordering by them lets the index stop at the limit.
    messages = connection.execute(
        "SELECT m.conversation, m.id, snippet(message_index, 0, ?, ?, ?, 20), m.created"
        " FROM message_index JOIN messages m ON m.id = message_index.rowid"
        " JOIN conversations c ON c.id = m.conversation"
        " WHERE message_index MATCH ? AND c.deleted_at IS NULL"
        " ORDER BY message_index.rowid DESC LIMIT ?",
        (OPEN, CLOSE, GAP, phrase, limit),
    ).fetchall()
    return [Hit(*row) for row in (*titles, *messages)]


def _scan(connection: sqlite3.Connection, words: list[str], limit: int) -> list[Hit]:
    """Scan all texts; also matches inside words."""
    patterns = tuple(f"%{_escaped(word)}%" for word in words)

    def has(column: str) -> str:
        return " AND ".join([f"{column} LIKE ? ESCAPE '\\'"] * len(words))

    titles = connection.execute(
        f"SELECT id, NULL, title, updated FROM conversations WHERE {has('title')}"
        " AND deleted_at IS NULL ORDER BY updated DESC LIMIT ?",
        (*patterns, limit),
    ).fetchall()
    messages = connection.execute(
        "SELECT m.conversation, m.id, m.content, m.created FROM messages m"
        f" JOIN conversations c ON c.id = m.conversation WHERE {has('m.content')}"
        " AND c.deleted_at IS NULL ORDER BY m.id DESC LIMIT ?",
        (*patterns, limit),
    ).fetchall()
    return [Hit(a, b, _cut(text, words[0]), time) for a, b, text, time in (*titles, *messages)]


def _cut(text: str, word: str) -> str:
    """A marked snippet of the text around a word."""
    at = max(0, text.lower().find(word.lower()))
    end = at + len(word)
    first, last = max(0, at - _AROUND), min(len(text), end + _AROUND)
    before = GAP * bool(first) + text[first:at]
    return f"{before}{OPEN}{text[at:end]}{CLOSE}{text[end:last]}{GAP * (last < len(text))}"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _unspaced(query: str) -> bool:
    return any(unicodedata.name(char, "").startswith(_UNSPACED) for char in query)
