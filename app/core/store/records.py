"""The store's records: conversations, messages, presets, unsent messages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine.errors import BiplaneError
from engine.field_check import FieldCheck

StoredRole = Literal["user", "assistant"]
ROLES: tuple[StoredRole, ...] = ("user", "assistant")
# The window's signals carry 32-bit numbers; this many ids are never used.
MOST_ID = 1 << 30
MOST_TITLE = 1000
MOST_TOKEN_ID = (1 << 32) - 1


class StoreError(BiplaneError):
    """Conversations cannot be read, saved or imported: which ones, and why."""


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation without its messages. Times are seconds since 1970.

    Attributes:
        named: the user set the title; it does not follow the first message.
        deleted_at: when it was deleted; None if it was not.
        system: the system prompt, "" for none.
        thinking: whether thinking is enabled.
        sampling: its own sampling as a JSON object; "" means the defaults.
        model: folder of the last model that answered; "" before any.
        leaf: the last message of the branch on screen; None if there is none.
        system_draft: a system prompt that is not applied; None if there is none.
    """

    id: int
    title: str
    created: float
    updated: float
    named: bool = False
    pinned: bool = False
    deleted_at: float | None = None
    system: str = ""
    thinking: bool = False
    sampling: str = ""
    model: str = ""
    leaf: int | None = None
    system_draft: str | None = None

    def check(self) -> None:
        """Raises StoreError naming the field, its value and what it must be."""
        check = FieldCheck(self, StoreError)
        check.whole("id", least=1, most=MOST_ID)
        check.that("title", _is_title, f"a text of at most {MOST_TITLE:,} characters")
        check.number("created", "updated", least=0, most=1e12)
        check.flag("named", "pinned", "thinking")
        check.that("deleted_at", _is_time_or_none, "a time, or None")
        for name in ("system", "model"):
            check.that(name, _is_text, "a text")
        check.that("sampling", _is_object, "a JSON object, or an empty text")
        check.that("leaf", _is_id_or_none, "the id of a message, or None")
        check.that("system_draft", _is_text_or_none, "a text, or None")


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message of a conversation's tree; those with the same parent are its branches.

    Attributes:
        parent_id: the message before it; None for the first one.
        token_ids: generated for this answer, in the vocabulary of `model` (faithful tokens).
        model: folder of the model that wrote it, "" for a user's message.
        stop: why the answer ended; "" if it has not.
        report: its cost, as a JSON object; "" if unknown.
        created: seconds since 1970.
        complete: False after a crash in the middle of an answer.
        thinking_tokens, thinking_s: of the thinking only.
    """

    id: int
    conversation: int
    parent_id: int | None
    role: StoredRole
    content: str
    created: float
    thinking: str = ""
    token_ids: tuple[int, ...] = ()
    model: str = ""
    stop: str = ""
    report: str = ""
    complete: bool = True
    thinking_tokens: int = 0
    thinking_s: float = 0.0

    def check(self) -> None:
        """Raises StoreError naming the field, its value and what it must be."""
        check = FieldCheck(self, StoreError)
        check.whole("id", "conversation", least=1, most=MOST_ID)
        check.that("parent_id", _is_id_or_none, "the id of a message, or None")
        check.choice("role", ROLES)
        for name in ("content", "thinking", "model", "stop"):
            check.that(name, _is_text, "a text")
        check.that("token_ids", _are_token_ids, "a tuple of token ids")
        check.that("report", _is_object, "a JSON object, or an empty text")
        check.number("created", "thinking_s", least=0, most=1e12)
        check.whole("thinking_tokens")
        check.flag("complete")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named system prompt and sampling, for use in any conversation.

    Attributes:
        sampling: a JSON object, "" for the defaults.
    """

    name: str
    system: str = ""
    sampling: str = ""

    def check(self) -> None:
        """Raises StoreError naming the field, its value and what it must be."""
        check = FieldCheck(self, StoreError)
        wanted = f"a text of 1 to {MOST_TITLE:,} characters"
        check.that("name", lambda name: _is_title(name) and bool(str(name).strip()), wanted)
        check.that("system", _is_text, "a text")
        check.that("sampling", _is_object, "a JSON object, or an empty text")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file attached in a composer, not sent yet.

    Attributes:
        size: of its text, in bytes.
    """

    id: int
    conversation: int
    name: str
    text: str
    size: int


@dataclass(frozen=True, slots=True)
class StoredQueued:
    """A whole message that waits for an answer to end; lower ids are sent first."""

    id: int
    conversation: int
    text: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_title(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TITLE


def _is_object(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return not value or isinstance(json.loads(value), dict)
    except (ValueError, RecursionError):
        return False


def _is_time_or_none(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and 0 <= value <= 1e12)


def _is_id_or_none(value: object) -> bool:
    return value is None or (type(value) is int and 1 <= value <= MOST_ID)


def _are_token_ids(value: object) -> bool:
    if not isinstance(value, tuple):
        return False
    return all(type(one) is int and 0 <= one <= MOST_TOKEN_ID for one in value)


def branch(messages: Iterable[StoredMessage], leaf: int | None) -> list[StoredMessage]:
    """The messages from the first one to `leaf`; a cycle, possible only by damage, is cut."""
    by_id = {one.id: one for one in messages}
    path: list[StoredMessage] = []
    while leaf is not None and (one := by_id.pop(leaf, None)) is not None:
        path.append(one)
        leaf = one.parent_id
    return path[::-1]
