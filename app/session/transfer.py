"""Moves conversations between the store and files; all of it for threads beside the window's."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app.store.export import as_json
from app.store.imported import ImportedFile
from app.store.importing import read_file
from app.store.records import StoredConversation, StoreError
from app.store.store import Store
from app.words import format as fmt
from app.words.joining import sentence as full_stop
from app.words.tr import tr
from engine.private_files import open_private


@dataclass(frozen=True, slots=True)
class Received:
    """Conversations of a file that are in the store now, and what to tell the user."""

    conversations: tuple[StoredConversation, ...]
    sentence: str


class Transfer:
    """Reads files into a store, and writes all of a store to a file."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def receive(self, path: Path) -> Received:
        """Add the conversations of a file beside those that are there.

        Raises StoreError with a sentence; then nothing was added.
        """
        read = read_file(path)
        made = self._store.add_imported(read.conversations)
        return Received(tuple(made), received_sentence(read))

    def write_all(self, path: Path) -> int:
        """Write all conversations to a file, as JSON; returns how many.

        Raises StoreError with a sentence; then a file that was there is as it was.
        """
        self._store.flush()
        work = path.with_name(f".{path.name}.part")
        try:
            try:
                with os.fdopen(open_private(work), "w", encoding="utf-8") as file:
                    count = self._write_all(file)
                work.replace(path)
            finally:
                work.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(
                tr("{path} cannot be written: {reason}.").format(path=path, reason=reason)
            ) from error
        return count

    def _write_all(self, file: TextIO) -> int:
        reader = self._store.reader()
        try:
            kept = reader.conversations()
            for piece in as_json((one, reader.messages(one.id)) for one in kept):
                file.write(piece)
        finally:
            reader.disconnect()
        return len(kept)


def received_sentence(read: ImportedFile) -> str:
    """ "3 conversations imported; 1 conversation and 2 messages could not be read."."""
    lost = _counted(
        (read.skipped, "conversation"),
        (read.skipped_messages, "message"),
    )
    made = tr("{conversations} imported").format(
        conversations=fmt.plural(len(read.conversations), "conversation")
    )
    sentence = (
        tr("{made}; {lost} could not be read.").format(made=made, lost=lost)
        if lost
        else full_stop(made)
    )
    return (
        tr("{sentence} The rest of the file is damaged.").format(sentence=sentence)
        if read.cut
        else sentence
    )


def _counted(*counts: tuple[int, str]) -> str:
    return tr(" and ").join(fmt.plural(count, noun) for count, noun in counts if count)
