"""Conversations as files for others: Markdown to read, JSON to import again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from app.store.records import StoredConversation, StoredMessage
from app.store.tree import branch

FORMAT = "biplane conversations"
FORMAT_VERSION = 1
_SPEAKERS = {"user": "You", "assistant": "Answer"}
_NOT_COMPLETE = "*(not complete)*"

Exported = tuple[StoredConversation, Sequence[StoredMessage]]


def to_markdown(conversation: StoredConversation, messages: Iterable[StoredMessage]) -> str:
    """The branch on screen, as a document. Thinking is folded where a viewer knows how."""
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
    """Everything there is about the conversations, every branch and token id included."""
    made = [
        asdict(conversation) | {"messages": [asdict(message) for message in messages]}
        for conversation, messages in exported
    ]
    document = {"format": FORMAT, "version": FORMAT_VERSION, "conversations": made}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
