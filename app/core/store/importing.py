"""Imports conversations from files of this program, ChatGPT and Open WebUI."""

from __future__ import annotations

import codecs
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import IO, Any

from app.core.store.export import FORMAT, FORMAT_VERSION
from app.core.store.import_tree import (
    ForeignChat,
    ForeignNode,
    Said,
    conversation_of,
    from_open_webui,
    is_open_webui,
    seconds,
)
from app.core.store.imported import Imported, ImportedFile
from app.core.store.records import StoredConversation, StoredMessage, StoreError
from app.core.words.tr import tr

MOST_BYTES = 1 << 29
NAMES = (".json", ".zip")
_PIECE = 1 << 20
_UNKNOWN = tr("it is not an export of Biplane, ChatGPT or Open WebUI.")
_EMPTY = tr("it has no conversation with a message.")
# A large ChatGPT export has several numbered files.
_IN_ARCHIVE = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_LISTED = ("conversations", "chats")

_Reader = Callable[[dict[str, Any]], Imported | None]
_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode
# ChatGPT encloses its internal references in these two private-use characters.
_REFERENCE = re.compile("\ue200[^\ue200\ue201]{0,2000}\ue201")
_MEDIA = (("image", "[image]"), ("audio", "[audio]"), ("video", "[video]"))


def is_chatgpt(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("mapping"), dict)


def from_chatgpt(item: dict[str, Any]) -> Imported | None:
    """Convert a ChatGPT conversation; None if it has no messages. Raises StoreError."""
    chat = ForeignChat(
        title=_chatgpt_text(item.get("title")),
        pinned=item.get("is_starred") is True or seconds(item.get("pinned_time")) is not None,
        created=seconds(item.get("create_time")),
        updated=seconds(item.get("update_time")),
        leaf=_chatgpt_text(item.get("current_node")),
    )
    systems: dict[str, None] = {}
    for name, raw in item["mapping"].items():
        if not isinstance(raw, dict):
            chat.skipped += 1
            continue
        message = raw.get("message")
        said = None
        if isinstance(message, dict):
            said = _said(message)
            systems |= dict.fromkeys(_system(message))
        elif message is not None:
            chat.skipped += 1
        children = raw.get("children")
        named = children if isinstance(children, list) else []
        chat.nodes[name] = ForeignNode(
            _chatgpt_text(raw.get("parent")) or None,
            said,
            tuple(child for child in named if isinstance(child, str)),
        )
    chat.system = "\n\n".join(systems)
    return conversation_of(chat)


def _said(message: dict[str, Any]) -> Said | None:
    """The part that ChatGPT shows to the user: no tool calls, nothing hidden."""
    role, content = _dict(message.get("author")).get("role"), _dict(message.get("content"))
    hidden = _is_hidden(message) or message.get("recipient") not in (None, "all")
    if hidden or role not in ("user", "assistant", "tool"):
        return None
    kind = content.get("content_type")
    if kind == "thoughts":
        text, thinking = "", _thoughts(content.get("thoughts"))
    elif kind in ("reasoning_recap", "user_editable_context", "model_editable_context"):
        return None
    elif kind == "code":
        text, thinking = _code(content), ""
    else:
        text, thinking = _parts(content, message), ""
    # Only the images of a tool's results are visible to the user.
    if role == "tool" and "[image]" not in text.splitlines():
        return None
    if not text and not thinking:
        return None
    return Said(
        "user" if role == "user" else "assistant",
        text if role != "tool" else "[image]",
        thinking,
        created=seconds(message.get("create_time")),
        complete=message.get("status") != "in_progress",
    )


def _is_hidden(message: dict[str, Any]) -> bool:
    hidden = _dict(message.get("metadata")).get("is_visually_hidden_from_conversation")
    return bool(hidden) or message.get("weight") in (0, 0.0)


def _system(message: dict[str, Any]) -> Iterator[str]:
    """System texts: system messages, and the user's custom instructions."""
    metadata = _dict(message.get("metadata"))
    role = _dict(message.get("author")).get("role")
    if role == "system" and (metadata.get("is_user_system_message") or not _is_hidden(message)):
        yield from filter(None, (_parts(_dict(message.get("content")), {}),))
    given = _dict(metadata.get("user_context_message_data"))
    for name in ("about_user_message", "about_model_message"):
        yield from filter(None, (_chatgpt_text(given.get(name)).strip(),))


def _parts(content: dict[str, Any], message: dict[str, Any]) -> str:
    """The text, with placeholders for other content."""
    parts = content.get("parts")
    listed = parts if isinstance(parts, list) else [content.get("text")]
    lines = [_part(part) for part in listed]
    with_image = "[image]" in lines
    attached = _dict(message.get("metadata")).get("attachments")
    for one in attached if isinstance(attached, list) else []:
        is_image = _chatgpt_text(_dict(one).get("mime_type")).startswith("image/")
        if not (is_image and with_image):
            name = " ".join(_chatgpt_text(_dict(one).get("name")).split())
            lines.append("[image]" if is_image else f"[file: {name}]" if name else "[file]")
    return _REFERENCE.sub("", "\n\n".join(filter(None, lines))).strip()


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = _chatgpt_text(part.get("text"))
    if text:
        return text
    kind = _chatgpt_text(part.get("content_type"))
    # Audio has a transcript as a separate part.
    return next((note for word, note in _MEDIA if word in kind), "[file]" if kind else "")


def _thoughts(thoughts: object) -> str:
    made: list[str] = []
    for one in thoughts if isinstance(thoughts, list) else []:
        found = (_chatgpt_text(_dict(one).get(name)).strip() for name in ("summary", "content"))
        made += filter(None, found)
    return "\n\n".join(made)


def _code(content: dict[str, Any]) -> str:
    text = _chatgpt_text(content.get("text"))
    language = _chatgpt_text(content.get("language"))
    # The fence must be longer than any in the code.
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    known = language if language.isalnum() and language != "unknown" else ""
    return f"{fence}{known}\n{text}\n{fence}" if text.strip() else ""


def _chatgpt_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class JsonItems:
    """Iterates over a JSON list, or over lists in fields of a JSON object, item by item.

    Attributes:
        head: the other fields of the object, complete after the iteration; the whole text if it is
            neither list nor object.
        cut: the text is truncated, or invalid JSON from some position on.
    """

    def __init__(self, text: str, listed: tuple[str, ...]) -> None:
        """listed: names of the fields whose lists to iterate over."""
        self._text, self._listed = text, listed
        self.head: Any = None
        self.cut = False

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._items()
        except (ValueError, RecursionError):
            self.cut = True

    def _items(self) -> Iterator[Any]:
        at = self._skip(0)
        if self._text.startswith("[", at):
            at = yield from self._list(at)
        elif self._text.startswith("{", at):
            at = yield from self._object(at)
        else:
            self.head, at = _decode(self._text, at)
        if self._skip(at) != len(self._text):
            raise ValueError("more follows")

    def _list(self, at: int) -> Generator[Any, None, int]:
        """Yield the items of the list at a position; returns the position of its end."""
        at = self._skip(at + 1)
        if self._text.startswith("]", at):
            return at + 1
        while True:
            item, at = _decode(self._text, at)
            yield item
            at, more = self._after(at, "]")
            if not more:
                return at

    def _object(self, at: int) -> Generator[Any, None, int]:
        """Yield the items of the listed fields; returns the position of the object's end."""
        self.head = {}
        at = self._skip(at + 1)
        if self._text.startswith("}", at):
            return at + 1
        while True:
            name, at = _decode(self._text, at)
            at = self._skip(at)
            if not isinstance(name, str) or not self._text.startswith(":", at):
                raise ValueError("no field")
            at = self._skip(at + 1)
            if name in self._listed and self._text.startswith("[", at):
                at = yield from self._list(at)
                self.head[name] = []
            else:
                self.head[name], at = _decode(self._text, at)
            at, more = self._after(at, "}")
            if not more:
                return at

    def _after(self, at: int, end: str) -> tuple[int, bool]:
        """The position of the next item, or after the end."""
        at = self._skip(at)
        if self._text.startswith(",", at):
            return self._skip(at + 1), True
        if self._text.startswith(end, at):
            return at + 1, False
        raise ValueError("neither a comma nor an end")

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        assert found is not None
        return found.end()


def from_own(raw: object, where: str) -> Imported:
    """Parse a complete conversation of our own. Raises StoreError with the error and its cause.

    where: names it in that sentence.
    """
    conversation = _record(StoredConversation, raw, where)
    assert isinstance(raw, dict)
    listed = raw.get("messages")
    if not isinstance(listed, list):
        raise StoreError(tr("{where} has no list of messages.").format(where=where))
    messages: list[StoredMessage] = []
    known: set[int] = set()
    for at, given in enumerate(listed, 1):
        message = _record(
            StoredMessage, given, tr("message {at} of {where}").format(at=at, where=where)
        )
        # Parents must come before children, which rules out cycles.
        if message.parent_id is not None and message.parent_id not in known:
            raise StoreError(
                tr("message {at} of {where} follows one that is not before it.").format(
                    at=at, where=where
                )
            )
        if message.id in known:
            raise StoreError(
                tr("message {at} of {where} has the id of another.").format(at=at, where=where)
            )
        known.add(message.id)
        messages.append(message)
    if conversation.leaf is not None and conversation.leaf not in known:
        raise StoreError(
            tr("{where} ends with a message that it does not have.").format(where=where)
        )
    return Imported(conversation, tuple(messages))


def _record(kind: type[Any], raw: object, where: str) -> Any:
    """A record from a JSON object; unknown fields are ignored, values are never converted."""
    if not isinstance(raw, dict):
        raise StoreError(tr("{where} is not a JSON object.").format(where=where))
    missing = [f.name for f in fields(kind) if _is_needed(f) and f.name not in raw]
    if missing:
        raise StoreError(tr("{where} has no {missing}.").format(where=where, missing=missing[0]))
    values = {f.name: raw[f.name] for f in fields(kind) if f.name in raw}
    if isinstance(values.get("token_ids"), list):
        values["token_ids"] = tuple(values["token_ids"])
    made = kind(**values)
    try:
        made.check()
    except StoreError as error:
        raise StoreError(tr("{where} is bad: {error}").format(where=where, error=error)) from error
    return made


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def read_file(path: Path) -> ImportedFile:
    """The readable content of a file. Raises StoreError with the file's name and the problem."""
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

    Raises StoreError with the problem of the text, or of the first conversation if none can be
    read.
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
    """Parse one item of a file; None if it is empty. Raises StoreError."""
    if isinstance(head, dict) and head.get("format") == FORMAT:
        _check_version(head)
        return from_own(item, f"conversation {number}")
    read = _reader(item)
    if read is None:
        raise StoreError(_UNKNOWN)
    assert isinstance(item, dict)
    return read(item)


def _whole(items: JsonItems) -> Imported:
    """Parse a text that is a single conversation. Raises StoreError."""
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
    """The texts of an archive's conversation files. Raises StoreError, OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            wanted = [one for one in archive.infolist() if _IN_ARCHIVE.fullmatch(one.filename)]
            if not wanted:
                raise StoreError(tr("there is no conversations.json in it."))
            # The declared sizes are an upper limit for unpacking.
            if sum(one.file_size for one in wanted) > MOST_BYTES:
                raise StoreError(
                    tr("its conversations are larger than {most_bytes:,} MiB.").format(
                        most_bytes=MOST_BYTES >> 20
                    )
                )
            wanted.sort(key=lambda one: one.filename)
            return [_read(archive, one) for one in wanted]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        # An encrypted archive raises RuntimeError.
        raise StoreError(tr("the archive is damaged or locked.")) from error


def _read(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> str:
    with archive.open(one) as file:
        return _text(file)


def _text(file: IO[bytes]) -> str:
    """Decode in chunks, as decoding holds the interpreter lock. Raises UnicodeDecodeError."""
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    pieces = [decode(piece) for piece in iter(lambda: file.read(_PIECE), b"")]
    return "".join([*pieces, decode(b"", True)])
