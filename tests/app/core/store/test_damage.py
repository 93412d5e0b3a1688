"""Damaged files: the store opens, says one sentence, and what is readable is there."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.store.connection import NAME, as_text
from app.core.store.lock import StoreLock
from app.core.store.opening import open_store
from app.core.store.records import StoredMessage
from app.core.store.store import Store
from tests.app.core.store.made import conversation, fill, message
from tests.mostly_slow import mostly_slow

CONVERSATIONS, MESSAGES = 12, 20
TOTAL = CONVERSATIONS * MESSAGES


def text(id: int) -> str:
    return f"Words of message {id}. " * (1 + id % 60)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of some hundred pages."""
    folder = tmp_path_factory.mktemp("sound")
    store = open_store(folder).store
    fill(store, CONVERSATIONS, MESSAGES, text)
    store.save_draft(1, "A draft")
    store.close()
    return (folder / NAME).read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    return made


def everything(store: Store) -> dict[int, StoredMessage]:
    return {
        one.id: one
        for conversation in store.conversations()
        for one in store.messages(conversation.id)
    }


def readable(path: Path) -> dict[int, str]:
    """The oracle: texts that a plain connection can read by their numbers, undamaged."""
    found: dict[int, str] = {}
    raw = sqlite3.connect(path)
    raw.text_factory = as_text
    for id in range(1, CONVERSATIONS + TOTAL + 1):
        try:
            row = raw.execute(
                "SELECT content, conversation, parent_id, role, created, thinking, token_ids,"
                " model, stop, report, complete, thinking_tokens, thinking_s"
                " FROM messages WHERE rowid = ?",
                (id,),
            ).fetchone()
        except (sqlite3.Error, UnicodeDecodeError):
            continue
        if row is not None and row[0] == text(id) and 1 <= row[1] <= CONVERSATIONS:
            found[id] = row[0]
    raw.close()
    return found


def check(folder: Path, *, whole: bool = False) -> tuple[str, int]:
    """Open it; returns the sentence and how many messages are there.

    Whatever a plain connection reads must be there. Then the store must be usable, and sound at the
    next start.
    """
    copy = folder.with_name("copy.sqlite")
    shutil.copyfile(folder / NAME, copy)
    expected = readable(copy)
    opened = open_store(folder)
    store = opened.store
    assert store.path == folder / NAME
    found = everything(store)
    missing = {id for id, content in expected.items() if found[id].content != content}
    assert not missing
    assert len(opened.sentence.split(". ")) == 1
    for one in store.conversations():
        assert one.leaf is None or one.leaf in found
        store.search("words")
    number = next(store.numbers)
    with store.together():
        store.save_conversation(conversation(number, leaf=number))
        store.save_message(message(number, conversation=number, role="user"))
    assert store.flush()
    store.close()
    again = open_store(folder)
    assert again.sentence == ""
    assert number in everything(again.store)
    again.store.close()
    if opened.sentence:
        assert any(path.name.startswith("conversations-") for path in folder.iterdir())
    for path in folder.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    return opened.sentence, len(found)


def flipped(raw: bytes, seed: int) -> bytes:
    """Some bits anywhere are wrong."""
    rng = random.Random(seed)
    damaged = bytearray(raw)
    for _ in range(rng.choice((1, 3, 30))):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def overwritten(raw: bytes, seed: int) -> bytes:
    """A stretch holds something else: zeros, or noise."""
    rng = random.Random(seed)
    size = rng.choice((16, 512, 4096, 20_000))
    start = rng.randrange(100, len(raw) - size)
    other = bytes(size) if rng.random() < 0.5 else rng.randbytes(size)
    return raw[:start] + other + raw[start + size :]


def truncated(raw: bytes, seed: int) -> bytes:
    """The end is missing."""
    rng = random.Random(seed)
    return raw[: rng.randrange(len(raw))]


def with_pages_swapped(raw: bytes, seed: int) -> bytes:
    """Two pages changed places, as if the disk had written one elsewhere."""
    rng = random.Random(seed)
    pages = [raw[at : at + 4096] for at in range(0, len(raw), 4096)]
    a, b = rng.sample(range(1, len(pages)), 2)
    pages[a], pages[b] = pages[b], pages[a]
    return b"".join(pages)


def with_a_bad_header(raw: bytes, seed: int) -> bytes:
    """A field of the first hundred bytes, which say how to read all others."""
    rng = random.Random(seed)
    at = rng.randrange(100)
    return raw[:at] + rng.randbytes(rng.choice((1, 2, 4))) + raw[at + 4 :][: len(raw)]


def with_bad_cells(raw: bytes, seed: int) -> bytes:
    """The beginning of a page, which says where its rows are."""
    rng = random.Random(seed)
    at = rng.randrange(len(raw) // 4096) * 4096
    # The first page begins with the file's header.
    at += 100 if at == 0 else 0
    return raw[:at] + rng.randbytes(24) + raw[at + 24 :]


def with_a_page_twice(raw: bytes, seed: int) -> bytes:
    """A page was written over another one."""
    rng = random.Random(seed)
    pages = [raw[at : at + 4096] for at in range(0, len(raw), 4096)]
    a, b = rng.sample(range(1, len(pages)), 2)
    pages[a] = pages[b]
    return b"".join(pages)


def longer(raw: bytes, seed: int) -> bytes:
    """Something else was written behind the end, and one page lost."""
    rng = random.Random(seed)
    at = rng.randrange(1, len(raw) // 4096) * 4096
    return raw[:at] + bytes(4096) + raw[at + 4096 :] + rng.randbytes(rng.randrange(1, 20_000))


Damage = Callable[[bytes, int], bytes]
# How often each.
KINDS: dict[Damage, int] = {
    flipped: 55,
    overwritten: 35,
    truncated: 25,
    with_pages_swapped: 20,
    with_a_bad_header: 20,
    with_bad_cells: 20,
    with_a_page_twice: 10,
    longer: 8,
}
CASES = [
    case
    for damage, times in KINDS.items()
    for case in mostly_slow(((damage, seed) for seed in range(times)), 3)
]
# Changes of rows and definitions that a sound file would not have, each with what is lost at most.
STATEMENTS = {
    "no conversations": "DELETE FROM conversations",
    "no messages": "DELETE FROM messages",
    "a circle": "UPDATE messages SET parent_id = CASE id WHEN 13 THEN 14 ELSE 13 END"
    " WHERE id IN (13, 14)",
    "its own parent": "UPDATE messages SET parent_id = id WHERE id % 7 = 0",
    "parents of others": "UPDATE messages SET parent_id = id + 20 WHERE id < 200",
    "leaves of others": "UPDATE conversations SET leaf = 13",
    "times out of range": "UPDATE conversations SET updated = 1e300, created = -1e300",
    "endless times": "UPDATE messages SET created = 9e999",
    "a model that is no report": "UPDATE messages SET report = '[', stop = 'never'",
    "sampling that is none": "UPDATE conversations SET sampling = '{]'",
    "odd token ids": "UPDATE messages SET token_ids = x'010203'",
    "no index of messages": "DROP TABLE message_index",
    "no triggers": "DROP TRIGGER message_index_insert",
    "no index by parent": "DROP INDEX messages_by_parent",
    "no drafts": "DROP TABLE drafts",
    "no state": "DROP TABLE state",
}


@pytest.mark.parametrize(("damage", "seed"), CASES, ids=lambda one: getattr(one, "__name__", one))
def test_a_damaged_file_is_set_aside_and_read(
    damage: Damage, seed: int, sound: bytes, folder: Path
) -> None:
    (folder / NAME).write_bytes(damage(sound, seed))
    check(folder)


@pytest.mark.parametrize("name", STATEMENTS)
def test_rows_and_tables_that_make_no_sense(name: str, sound: bytes, folder: Path) -> None:
    (folder / NAME).write_bytes(sound)
    raw = sqlite3.connect(folder / NAME, isolation_level=None)
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute(STATEMENTS[name])
    (left,) = raw.execute("SELECT count(*) FROM messages").fetchone()
    raw.close()
    _, found = check(folder)
    assert found == left
    said: list[str] = []
    session = Session()
    keeper = Keeper(session, open_store(folder).store, said.append)
    keeper.restore()
    for one in list(session.conversations):
        session.select(one.id)
        assert one.turns or one.empty
        session.current.messages("")
    keeper.close()
    assert said == []


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_log_beside_a_sound_file(seed: int, sound: bytes, folder: Path) -> None:
    """What was committed last is still in the log, of which a part is wrong."""
    (folder / NAME).write_bytes(sound)
    raw = sqlite3.connect(folder / NAME, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    for id in range(20):
        raw.execute("UPDATE conversations SET title = ?", (f"Title {id}",))
    log = (folder / f"{NAME}-wal").read_bytes()
    raw.close()
    rng = random.Random(seed)
    at = rng.randrange(len(log))
    (folder / NAME).write_bytes(sound)
    (folder / f"{NAME}-wal").write_bytes(log[:at] + rng.randbytes(8) + log[at + 8 :])
    _, found = check(folder)
    assert found == TOTAL


def test_there_are_two_hundred_ways() -> None:
    assert len(CASES) + len(STATEMENTS) + 8 + 5 >= 200


@pytest.mark.parametrize(
    "raw",
    [
        b"\n" * 5000,
        b"SQLite format 3\0",
        b"SQLite format 3\0" + b"\xff" * 9000,
        b"{}",
        b"\0" * 8192,
        b"",
    ],
    ids=["lines", "magic", "magic and noise", "JSON", "zeros", "empty"],
)
def test_what_is_no_database_is_set_aside(raw: bytes, folder: Path) -> None:
    (folder / NAME).write_bytes(raw)
    sentence, found = check(folder)
    assert sentence.startswith("Your conversations were damaged: no message could be read, and")
    assert found == 0
    (kept,) = (path for path in folder.iterdir() if path.name.startswith("conversations-"))
    assert kept.read_bytes() == raw
    assert kept.name in sentence


def test_a_folder_in_its_place_is_set_aside(folder: Path) -> None:
    (folder / NAME).mkdir()
    opened = open_store(folder)
    assert opened.sentence.startswith("Your conversations were damaged")
    opened.store.close()


def test_most_of_a_file_with_one_bad_page_is_there(sound: bytes, folder: Path) -> None:
    middle = len(sound) // 2 // 4096 * 4096
    (folder / NAME).write_bytes(sound[:middle] + bytes(4096) + sound[middle + 4096 :])
    sentence, found = check(folder)
    assert sentence.startswith(f"Your conversations were damaged: {found} messages could be read,")
    assert 0.8 * TOTAL < found <= TOTAL


class TestVersions:
    def test_a_newer_file_is_read_as_far_as_it_is_known(self, sound: bytes, folder: Path) -> None:
        (folder / NAME).write_bytes(sound)
        raw = sqlite3.connect(folder / NAME, isolation_level=None)
        raw.execute("ALTER TABLE messages ADD COLUMN mood TEXT NOT NULL DEFAULT ''")
        raw.execute("PRAGMA user_version = 99")
        raw.close()
        sentence, found = check(folder)
        assert sentence.startswith("Your conversations were saved by a newer version of Biplane: ")
        assert found == TOTAL

    def test_one_that_lacks_columns_is_read_with_defaults(self, sound: bytes, folder: Path) -> None:
        (folder / NAME).write_bytes(sound)
        raw = sqlite3.connect(folder / NAME, isolation_level=None)
        raw.execute("ALTER TABLE messages DROP COLUMN thinking_s")
        raw.execute("ALTER TABLE conversations DROP COLUMN sampling")
        raw.close()
        opened = open_store(folder)
        assert opened.sentence.startswith("Your conversations were damaged: ")
        assert len(everything(opened.store)) == TOTAL
        opened.store.close()


class TestLinks:
    def test_rows_without_the_ones_they_refer_to_get_a_place(
        self, sound: bytes, folder: Path
    ) -> None:
        (folder / NAME).write_bytes(sound)
        raw = sqlite3.connect(folder / NAME, isolation_level=None)
        raw.execute("DELETE FROM conversations WHERE id = 3")
        raw.execute("DELETE FROM messages WHERE id = 20")
        raw.execute("UPDATE conversations SET leaf = 9999 WHERE id = 5")
        raw.close()
        opened = open_store(folder)
        store = opened.store
        assert opened.sentence == ""
        (made,) = (one for one in store.conversations() if one.id == 3)
        assert made.title == "Recovered conversation"
        assert len(store.messages(3)) == MESSAGES
        (fifth,) = (one for one in store.conversations() if one.id == 5)
        assert fifth.leaf == max(one.id for one in store.messages(5))
        (orphan,) = (one for one in store.messages(1) if one.id == 21)
        assert orphan.parent_id is None
        store.close()


def test_an_index_that_cannot_be_opened_costs_no_message(sound: bytes, folder: Path) -> None:
    (folder / NAME).write_bytes(sound)
    raw = sqlite3.connect(folder / NAME, isolation_level=None)
    raw.execute("UPDATE message_index_data SET block = x'0123456789'")
    raw.close()
    _, found = check(folder)
    assert found == TOTAL


class TestUnwritable:
    @pytest.fixture
    def refusing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Root may write everywhere, so the system's refusal is played."""

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(StoreLock, "take", refuse)

    def test_what_is_there_is_shown_and_nothing_is_changed(
        self, sound: bytes, folder: Path, refusing: None
    ) -> None:
        (folder / NAME).write_bytes(sound)
        opened = open_store(folder)
        store = opened.store
        assert opened.sentence.startswith(f"Conversations cannot be saved in {folder} (Permission")
        assert len(everything(store)) == TOTAL
        store.save_conversation(conversation(1, title="Changed"))
        assert store.flush()
        store.close()
        assert (folder / NAME).read_bytes() == sound
        assert [path.name for path in folder.iterdir()] == [NAME]

    def test_a_place_that_is_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        opened = open_store(tmp_path / "file" / "data")
        assert opened.sentence.startswith("Conversations cannot be saved in ")
        assert opened.store.conversations() == []
        opened.store.close()
