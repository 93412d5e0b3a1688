"""What a program to be killed tells: lines that are in the system's hands once written."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from app.core.bridge import Bridge
from app.core.session.keeper import is_complete
from app.core.session.records import Conversation, Turn

_LOOK_S = 0.001


class Report:
    """Writes `[seconds, what, ...]` lines to a file; the seconds are those of all processes.

    `complete` and its like are written when the window shows it, `kept` when another reader of the
    database sees it.
    """

    def __init__(self, path: Path, bridge: Bridge, database: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._session = bridge.session
        self._told: dict[int, tuple[bool, str]] = {}
        self._drafts: dict[int, str] = {}
        self._queues: dict[int, list[str]] = {}
        self._listed: list[int] = []
        self._whole: SimpleQueue[int] = SimpleQueue()
        self._database = database
        # After the keeper and the window: by now both know.
        bridge.changed.connect(lambda _changes: self.look())
        threading.Thread(target=self._watch, daemon=True).start()

    def tell(self, what: str, *more: object) -> None:
        os.write(self._file, (json.dumps([time.monotonic(), what, *more]) + "\n").encode())

    def look(self) -> None:
        """Tell what became of the conversations, their messages and drafts."""
        listed = [one.id for one in self._session.conversations]
        if sorted(listed) != self._listed:
            self._listed = sorted(listed)
            self.tell("list", self._listed)
        there: set[int] = set()
        for conversation in self._session.conversations:
            there |= conversation.tree.turns.keys()
            for turn in conversation.tree.turns.values():
                self._look_at(conversation, turn)
            if conversation.draft != self._drafts.get(conversation.id, ""):
                self._drafts[conversation.id] = conversation.draft
                self.tell("typed", conversation.id, conversation.draft)
            waiting = [one.text for one in conversation.queue]
            if waiting != self._queues.get(conversation.id, []):
                self._queues[conversation.id] = waiting
                self.tell("queue", conversation.id, waiting)
        deleted = self._session.deleted
        there |= deleted[1].tree.turns.keys() if deleted is not None else set()
        for gone in self._told.keys() - there:
            del self._told[gone]
            self.tell("gone", gone)

    def _look_at(self, conversation: Conversation, turn: Turn) -> None:
        now = is_complete(turn), turn.text
        if self._told.get(turn.id) == now:
            return
        self._told[turn.id] = now
        what = "complete" if now[0] else "partial"
        self.tell(what, turn.id, conversation.id, turn.parent, turn.role, turn.text)
        if now[0]:
            self._whole.put(turn.id)

    def _watch(self) -> None:
        """Looks for what is complete until it is in the database."""
        raw = sqlite3.connect(f"file:{self._database}?mode=ro", uri=True, isolation_level=None)
        while True:
            one = self._whole.get()
            ends = time.monotonic() + 5
            while time.monotonic() < ends:
                row: tuple[Any, ...] | None = raw.execute(
                    "SELECT content FROM messages WHERE id = ? AND complete", (one,)
                ).fetchone()
                if row is not None:
                    self.tell("kept", one, row[0])
                    break
                time.sleep(_LOOK_S)
