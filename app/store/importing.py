"""Reads conversations from files of this program, of ChatGPT and of Open WebUI."""

from __future__ import annotations

import codecs
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from app.store.export import FORMAT, FORMAT_VERSION
from app.store.import_chatgpt import from_chatgpt, is_chatgpt
from app.store.import_open_webui import from_open_webui, is_open_webui
from app.store.import_own import from_own
from app.store.imported import Imported, ImportedFile
from app.store.json_items import JsonItems
from app.store.records import StoreError
from app.words.tr import tr

MOST_BYTES = 1 << 29
NAMES = (".json", ".zip")
_PIECE = 1 << 20
_UNKNOWN = tr("it is not an export of Biplane, ChatGPT or Open WebUI.")
_EMPTY = tr("it has no conversation with a message.")
# A large ChatGPT export comes in several numbered files.
_IN_ARCHIVE = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_LISTED = ("conversations", "chats")

_Reader = Callable[[dict[str, Any]], Imported | None]


def read_file(path: Path) -> ImportedFile:
    """All that is readable of a file. Raises StoreError naming the file and what is wrong."""
    try:
        texts = _archived(path) if zipfile.is_zipfile(path) else [_plain(path)]
        found = [from_json(text) for text in texts]
    except OSError as error:
        raise StoreError(
            tr("{name} cannot be read: {strerror}.").format(
                name=path.name, strerror=error.strerror or error
            )
        ) from error
    except UnicodeDecodeError as error:
        raise StoreError(tr("{name} is not a text file.").format(name=path.name)) from error
    except StoreError as error:
        raise StoreError(
            tr("{name} cannot be imported: {error}").format(name=path.name, error=error)
        ) from error
    return ImportedFile(
        tuple(one for file in found for one in file.conversations),
        sum(file.skipped for file in found),
        any(file.cut for file in found),
    )


def from_json(text: str) -> ImportedFile:
    """All readable conversations of a text.

    Raises StoreError saying what is wrong with the text, or with the first conversation if none of
    them can be read.
    """
    items = JsonItems(text, _LISTED)
    found: list[Imported] = []
    first: StoreError | None = None
    seen = 0
    for seen, item in enumerate(items, 1):
        try:
            made = _conversation(item, items.head, seen)
        except StoreError as error:
            first = first or error
            continue
        if made is not None:
            found.append(made)
    if not seen:
        return ImportedFile((_whole(items),))
    if not found:
        raise first or StoreError(_EMPTY)
    return ImportedFile(tuple(found), seen - len(found), items.cut)


def _conversation(item: object, head: object, number: int) -> Imported | None:
    """One item of a file; None if it is empty. Raises StoreError."""
    if isinstance(head, dict) and head.get("format") == FORMAT:
        _check_version(head)
        return from_own(item, f"conversation {number}")
    read = _reader(item)
    if read is None:
        raise StoreError(_UNKNOWN)
    assert isinstance(item, dict)
    return read(item)


def _whole(items: JsonItems) -> Imported:
    """The one conversation that a text is. Raises StoreError if it is none."""
    head = items.head
    if items.cut:
        raise StoreError(tr("it is not JSON."))
    if head is None:
        raise StoreError(_EMPTY)
    if isinstance(head, dict) and head.get("format") == FORMAT:
        _check_version(head)
        if not isinstance(head.get("conversations"), list):
            raise StoreError(tr("it has no list of conversations."))
    read = _reader(head)
    made = read(head) if read is not None else None
    if made is None:
        empty = read is not None or (isinstance(head, dict) and head.get("format") == FORMAT)
        raise StoreError(_EMPTY if empty else _UNKNOWN)
    return made


def _reader(item: object) -> _Reader | None:
    if is_chatgpt(item):
        return from_chatgpt
    return from_open_webui if is_open_webui(item) else None


def _check_version(head: dict[str, Any]) -> None:
    if head.get("version") != FORMAT_VERSION:
        raise StoreError(tr("it was exported by a newer version of Biplane."))


def _plain(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise StoreError(
            tr("it is larger than {most_bytes:,} MiB.").format(most_bytes=MOST_BYTES >> 20)
        )
    with path.open("rb") as file:
        return _text(file)


def _archived(path: Path) -> list[str]:
    """The texts of an archive's files of conversations. Raises StoreError, OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            wanted = [one for one in archive.infolist() if _IN_ARCHIVE.fullmatch(one.filename)]
            if not wanted:
                raise StoreError(tr("there is no conversations.json in it."))
            # What is unpacked is never more than this size says.
            if sum(one.file_size for one in wanted) > MOST_BYTES:
                raise StoreError(
                    tr("its conversations are larger than {most_bytes:,} MiB.").format(
                        most_bytes=MOST_BYTES >> 20
                    )
                )
            wanted.sort(key=lambda one: one.filename)
            return [_read(archive, one) for one in wanted]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        # A locked archive is a RuntimeError.
        raise StoreError(tr("the archive is damaged or locked.")) from error


def _read(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> str:
    with archive.open(one) as file:
        return _text(file)


def _text(file: IO[bytes]) -> str:
    """Piece by piece: decoding lets no other thread run. Raises UnicodeDecodeError."""
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    pieces = [decode(piece) for piece in iter(lambda: file.read(_PIECE), b"")]
    return "".join([*pieces, decode(b"", True)])
