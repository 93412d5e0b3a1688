"""Exports conversations: Markdown for reading, JSON for importing again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from app.core.store.records import StoredConversation, StoredMessage, branch
from app.core.words.tr import tr

FORMAT = "biplane conversations"
FORMAT_VERSION = 1
_SPEAKERS = {"user": tr("You"), "assistant": tr("Answer")}
_NOT_COMPLETE = tr("*(not complete)*")

Exported = tuple[StoredConversation, Sequence[StoredMessage]]


def to_markdown(conversation: StoredConversation, messages: Iterable[StoredMessage]) -> str:
    """The branch on screen as a document, with thinking folded in viewers that support it."""
    parts = [f"# {' '.join(conversation.title.split())}"]
    if conversation.system.strip():
        parts.append(_quoted(f"**System prompt**\n\n{conversation.system.strip()}"))
    for message in branch(messages, conversation.leaf):
        parts.append(f"## {_SPEAKERS[message.role]}")
        if message.thinking.strip():
            thought = message.thinking.strip()
            parts.append(f"<details>\n<summary>Thinking</summary>\n\n{thought}\n\n</details>")
        if message.content.strip():
            parts.append(message.content.strip())
        if not message.complete:
            parts.append(_NOT_COMPLETE)
    return "\n\n".join(parts) + "\n"


def to_json(exported: Iterable[Exported]) -> str:
    """The complete conversations, every branch and token id included."""
    return "".join(as_json(exported))


def as_json(exported: Iterable[Exported]) -> Iterator[str]:
    """The same as one piece per conversation: all together may not fit into memory."""
    head = f'"format": {json.dumps(FORMAT)},\n "version": {FORMAT_VERSION}'
    yield f'{{\n {head},\n "conversations": ['
    between = "\n"
    for conversation, messages in exported:
        made = asdict(conversation) | {"messages": [asdict(message) for message in messages]}
        yield between + json.dumps(made, ensure_ascii=False, indent=1)
        between = ",\n"
    yield "\n ]\n}\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
