"""Files as earlier versions of the program wrote them: their tables word for word, and some rows.

`FILES[version]` is never changed once that version was released; a new step adds one.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

EMPTY = ""
FIRST = """
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
    named INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0, deleted_at REAL,
    system TEXT NOT NULL DEFAULT '', thinking INTEGER NOT NULL DEFAULT 0,
    sampling TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '',
    leaf INTEGER
) STRICT;
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
    parent_id INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')), content TEXT NOT NULL,
    created REAL NOT NULL, thinking TEXT NOT NULL DEFAULT '',
    token_ids BLOB NOT NULL DEFAULT x'', model TEXT NOT NULL DEFAULT '',
    stop TEXT NOT NULL DEFAULT '', report TEXT NOT NULL DEFAULT '',
    complete INTEGER NOT NULL DEFAULT 1, thinking_tokens INTEGER NOT NULL DEFAULT 0,
    thinking_s REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX messages_by_conversation ON messages(conversation);
CREATE INDEX messages_by_parent ON messages(parent_id);
CREATE TABLE drafts (
    conversation INTEGER PRIMARY KEY
        REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
    text TEXT NOT NULL, updated REAL NOT NULL
) STRICT;
CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO conversations (id, title, created, updated, leaf) VALUES (1, 'Old wings', 10, 20, 3);
INSERT INTO messages (id, conversation, parent_id, role, content, created, token_ids)
    VALUES (2, 1, NULL, 'user', 'How old?', 11, x''), (3, 1, 2, 'assistant', 'Very.', 12,
    x'0500000006000000');
INSERT INTO drafts VALUES (1, 'And', 21);
INSERT INTO state VALUES ('selected', 1);
PRAGMA user_version = 1;
"""
SECOND = (
    FIRST
    + """
CREATE TABLE presets (
    name TEXT PRIMARY KEY, system TEXT NOT NULL DEFAULT '', sampling TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO presets VALUES ('Pilot', 'You fly.', '');
PRAGMA user_version = 2;
"""
)
THIRD = (
    SECOND
    + """
CREATE TABLE draft_files (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
    name TEXT NOT NULL, text TEXT NOT NULL, size INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_files_by_conversation ON draft_files(conversation);
CREATE TABLE queued (
    id INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations(id) DEFERRABLE INITIALLY DEFERRED,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX queued_by_conversation ON queued(conversation);
INSERT INTO draft_files VALUES (4, 1, 'spars.txt', 'spruce', 6);
INSERT INTO queued VALUES (5, 1, 'And then?');
PRAGMA user_version = 3;
"""
)
FOURTH = (
    THIRD
    + """
ALTER TABLE conversations ADD COLUMN system_draft TEXT;
UPDATE conversations SET system_draft = 'Be old.';
PRAGMA user_version = 4;
"""
)
FILES = (EMPTY, FIRST, SECOND, THIRD, FOURTH)


def write(path: Path, version: int) -> None:
    """Make the file of a version."""
    connection = sqlite3.connect(path)
    connection.executescript(FILES[version])
    connection.close()
