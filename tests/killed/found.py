"""What is left of a killed program, and whether it is what it had shown."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.core.store.connection import NAME
from app.core.store.opening import open_store
from app.core.store.records import StoredMessage, branch
from tests.killed.expected import COMMIT_S, SAVED_S, STALL_S, Expected, Shown


@dataclass(frozen=True, slots=True)
class Found:
    """What the next start begins with.

    Attributes:
        leaves: by conversation, the end of the branch on screen.
        selected: the conversation on screen; 0 for an empty one.
    """

    messages: dict[int, StoredMessage]
    leaves: dict[int, int | None]
    drafts: dict[int, str]
    queues: dict[int, list[str]]
    selected: int

    @property
    def last(self) -> StoredMessage | None:
        """The last message on screen."""
        path = branch(self.messages.values(), self.leaves.get(self.selected))
        return path[-1] if path else None


def look(folder: Path, scratch: Path) -> Found:
    """Open a copy: the next start must find what this one left, its log included."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch)
    opened = open_store(scratch)
    assert opened.sentence == ""
    store = opened.store
    leaves = {one.id: one.leaf for one in store.conversations()}
    messages = {m.id: m for one in leaves for m in store.messages(one)}
    drafts = {one: text for one, text in store.drafts().items() if one in leaves}
    queues = {one: [w.text for w in store.queued() if w.conversation == one] for one in leaves}
    found = Found(messages, leaves, drafts, queues, store.selected() or 0)
    store.close()
    _check_tables(scratch / NAME)
    _check_trees(found)
    return found


def _check_tables(path: Path) -> None:
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    raw.close()


def _check_trees(found: Found) -> None:
    """Every message hangs on one of the other side in its conversation, up to a first question."""
    for message in found.messages.values():
        if message.parent_id is None:
            assert message.role == "user"
            continue
        parent = found.messages[message.parent_id]
        assert parent.conversation == message.conversation
        assert {parent.role, message.role} == {"user", "assistant"}
    for conversation, leaf in found.leaves.items():
        assert leaf is None or found.messages[leaf].conversation == conversation


def check(found: Found, expected: Expected, killed: float) -> None:
    """Raises AssertionError for anything that is not there. killed: not before this moment."""
    act, where = expected.acting
    if act == "Delete":
        expected.left.setdefault(where, killed)
    for conversation, at in expected.left.items():
        if act == "Restore deleted conversation":
            continue
        assert conversation not in found.leaves or killed - at < COMMIT_S, "not deleted"
    for one, shown in list(expected.whole.items()):
        if shown.conversation not in expected.left:
            _check_whole(expected, one, shown, found, killed)
    for one, pieces in expected.partial.items():
        if pieces[0].conversation not in expected.left:
            _check_partial(one, pieces, found.messages, killed)
    for conversation, typed in expected.drafts.items():
        if conversation not in expected.left:
            draft = found.drafts.get(conversation, "")
            _check_draft(typed, draft, killed, act if conversation == where else "")
    for conversation, queued in expected.queues.items():
        if conversation not in expected.left:
            _check_queue(queued, found.queues.get(conversation, []), killed)
    expected.settle(found.messages, found.drafts, found.queues)


def _check_whole(expected: Expected, one: int, shown: Shown, found: Found, killed: float) -> None:
    message = found.messages.get(one)
    goes_on = one in expected.partial
    whole = (
        message is not None
        and message.parent_id == shown.parent
        and message.role == shown.role
        and (message.content.startswith(shown.text) if goes_on else message.content == shown.text)
        and (message.complete or goes_on)
    )
    if not whole:
        back = expected.back.get(shown.conversation, 0.0)
        age = killed - max(shown.at, back)
        assert not shown.kept or back, f"{one} was in the database: {shown}, {message}"
        assert age < STALL_S, f"{one} was complete for {age:.3f} s: {shown}, {message}"
        expected.lost.append((one, age))


def _check_partial(
    one: int, pieces: list[Shown], messages: Mapping[int, StoredMessage], killed: float
) -> None:
    """An answer that was being written is there up to half a second before the end."""
    old = [piece for piece in pieces if piece.at < killed - SAVED_S]
    message = messages.get(one)
    if old:
        assert message is not None, f"nothing of {one}: {old[-1]}"
        assert message.content.startswith(old[-1].text), f"{one}: {message}, {old[-1]}"


def _check_draft(typed: list[tuple[float, str]], draft: str, killed: float, act: str) -> None:
    """The draft is one of the last half second, or what stood there before that."""
    old = [text for at, text in typed if at < killed - SAVED_S]
    new = [text for at, text in typed if at >= killed - SAVED_S]
    if act == "send":
        new.append("")
    elif act == "type" and draft:
        # One more key was pressed, and the report did not come to it.
        new += [draft for _, text in typed[-1:] if draft[:-1] == text]
    assert draft in (*old[-1:], *new), f"{draft!r} is none of {old[-1:]} and {new}"


def _check_queue(queued: list[tuple[float, list[str]]], found: list[str], killed: float) -> None:
    """The messages that waited are those of the last moment, or of the one that came next."""
    old = [texts for at, texts in queued if at < killed - COMMIT_S]
    new = [texts for at, texts in queued if at >= killed - COMMIT_S]
    last = queued[-1][1]
    # One more was sent, or one less waits, and the report did not come to it.
    newer = found == last[1:] or found[:-1] == last
    assert newer or found in (*old[-1:], *new), f"{found} is none of {old[-1:]} and {new}"
