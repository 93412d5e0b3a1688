"""The answers that were given to clients, to recognise them when they come back as history.

A client sends back what it was shown: often without the thinking, and with calls that it wrote
anew. The model read its own tokens. With these in place of the client's words the next prompt does
not diverge at the answer.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from engine.message import Message

MOST_ANSWERS = 4096
# Characters of text and tokens together; beyond it the answers used longest ago are forgotten.
MOST_SIZE = 32 << 20
_Key = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the model wrote it.

    Attributes:
        text: with its calls as they were written; None if the template has to write it.
        ids: for Message.token_ids.
    """

    text: str | None
    thinking: str
    ids: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.text or "") + len(self.thinking) + len(self.ids)


class KeptAnswers:
    """The latest answers, by what a client was shown of them and what they answered.

    Any thread may use it: a long conversation is looked through beside the event loop.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self._by_answer: dict[bytes, _Key] = {}
        self._size = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, asked: Sequence[Message], shown: Message, kept: Kept) -> None:
        """`shown` was the answer to the conversation `asked`."""
        key = _digest(asked[-1]) if asked else b"", _digest(shown)
        with self._lock:
            self._drop(key)
            self._kept[key] = kept
            self._by_answer[key[1]] = key
            self._size += kept.size
            while len(self._kept) > MOST_ANSWERS or self._size > MOST_SIZE:
                self._drop(next(iter(self._kept)))

    def restore(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The conversation with every answer that is known as the model wrote it."""
        return tuple(
            self._restored(messages[at - 1] if at else None, message)
            if message.role == "assistant"
            else message
            for at, message in enumerate(messages)
        )

    def _restored(self, before: Message | None, message: Message) -> Message:
        answer = _digest(message)
        key = _digest(before) if before is not None else b"", answer
        with self._lock:
            # The same words to another question come next: only what is above them differs.
            kept = self._kept.get(key) or self._kept.get(self._by_answer.get(answer, key))
            if key in self._kept:
                self._kept.move_to_end(key)
        if kept is None:
            return message
        thinking = message.thinking or kept.thinking
        if kept.text is None:
            return replace(message, thinking=thinking)
        return Message("assistant", kept.text, thinking=thinking, token_ids=kept.ids)

    def _drop(self, key: _Key) -> None:
        gone = self._kept.pop(key, None)
        if gone is not None:
            self._size -= gone.size
            if self._by_answer.get(key[1]) == key:
                del self._by_answer[key[1]]


def _digest(message: Message) -> bytes:
    """What a client gives back of a message: neither its thinking nor the spelling of its JSON."""
    calls: list[Any] = [[call["name"], call["arguments"]] for call in message.tool_calls]
    told = json.dumps([message.role, message.content.strip(), calls], sort_keys=True)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).digest()
