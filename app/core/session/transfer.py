"""Moves conversations between the store and files."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.core.store.export import as_json
from app.core.store.imported import ImportedFile
from app.core.store.importing import read_file
from app.core.store.reader import Reader
from app.core.store.records import StoredConversation, StoredMessage, StoreError
from app.core.store.store import Store
from app.core.words import format as fmt
from app.core.words.joining import sentence as full_stop
from app.core.words.tr import tr
from engine.private_files import open_private


@dataclass(frozen=True, slots=True)
class Received:
    """Imported conversations, already stored, and what to tell the user."""

    conversations: tuple[StoredConversation, ...]
    sentence: str


# A conversation and its messages; None if the store has them all.
Listed = tuple[StoredConversation, Sequence[StoredMessage] | None]


class Transfer:
    """Import files into a store, and export all conversations to a file."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def receive(self, path: Path) -> Received:
        """Add the conversations of a file to the store; not on the window's thread.

        Raises StoreError with a sentence; then nothing was added.
        """
        read = read_file(path)
        made = self._store.add_imported(read.conversations)
        return Received(tuple(made), received_sentence(read))

    def write_all(self, path: Path, listed: Sequence[Listed]) -> None:
        """Write conversations to a file, as JSON, from any thread. Raises StoreError."""
        try:
            reader = self._store.reader()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                tr("{name} cannot be read: {strerror}.").format(
                    name=self._store.path, strerror=getattr(error, "strerror", None) or error
                )
            ) from error
        try:
            write_listed(path, listed, reader)
        finally:
            reader.disconnect()


def write_listed(path: Path, listed: Sequence[Listed], reader: Reader) -> None:
    """Write conversations to a file, as JSON.

    reader: for the messages that are not listed.

    Raises StoreError.
    """
    write_file(
        path,
        as_json(
            (one, reader.messages(one.id) if messages is None else messages)
            for one, messages in listed
        ),
    )


def write_file(path: Path, pieces: Iterable[str]) -> None:
    """Write a text to a file.

    Raises StoreError with a sentence; then an existing file is unchanged.
    """
    work = path.with_name(f".{path.name}.part")
    try:
        try:
            # A lone surrogate is written as the store writes it.
            with os.fdopen(open_private(work), "w", encoding="utf-8", errors="replace") as file:
                file.writelines(pieces)
            work.replace(path)
        finally:
            work.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            tr("{path} cannot be written: {reason}.").format(
                path=path, reason=error.strerror or error
            )
        ) from error


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
