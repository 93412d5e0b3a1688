"""Reads a conversation of a ChatGPT export: a tree of messages under the name `mapping`.

The format is not documented; it is known from files. Nothing of it is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from app.store.import_tree import ForeignChat, ForeignNode, Said, conversation_of, seconds
from app.store.imported import Imported

# References that only ChatGPT can resolve stand between these two private characters.
_REFERENCE = re.compile("\ue200[^\ue200\ue201]{0,2000}\ue201")
_MEDIA = (("image", "[image]"), ("audio", "[audio]"), ("video", "[video]"))


def is_chatgpt(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("mapping"), dict)


def from_chatgpt(item: dict[str, Any]) -> Imported | None:
    """The conversation; None if nobody says anything in it. Raises StoreError."""
    chat = ForeignChat(
        title=_text(item.get("title")),
        pinned=item.get("is_starred") is True or seconds(item.get("pinned_time")) is not None,
        created=seconds(item.get("create_time")),
        updated=seconds(item.get("update_time")),
        leaf=_text(item.get("current_node")),
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
            _text(raw.get("parent")) or None,
            said,
            tuple(child for child in named if isinstance(child, str)),
        )
    chat.system = "\n\n".join(systems)
    return conversation_of(chat)


def _said(message: dict[str, Any]) -> Said | None:
    """What a user reads in ChatGPT: no calls of tools, nothing hidden."""
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
    # Of a tool's results a user sees the pictures.
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
    """System texts: messages of that role, and what a user wants ChatGPT to know."""
    metadata = _dict(message.get("metadata"))
    role = _dict(message.get("author")).get("role")
    if role == "system" and (metadata.get("is_user_system_message") or not _is_hidden(message)):
        yield from filter(None, (_parts(_dict(message.get("content")), {}),))
    given = _dict(metadata.get("user_context_message_data"))
    for name in ("about_user_message", "about_model_message"):
        yield from filter(None, (_text(given.get(name)).strip(),))


def _parts(content: dict[str, Any], message: dict[str, Any]) -> str:
    """The text, and a note in place of whatever is none."""
    parts = content.get("parts")
    listed = parts if isinstance(parts, list) else [content.get("text")]
    lines = [_part(part) for part in listed]
    with_image = "[image]" in lines
    attached = _dict(message.get("metadata")).get("attachments")
    for one in attached if isinstance(attached, list) else []:
        is_image = _text(_dict(one).get("mime_type")).startswith("image/")
        if not (is_image and with_image):
            name = " ".join(_text(_dict(one).get("name")).split())
            lines.append("[image]" if is_image else f"[file: {name}]" if name else "[file]")
    return _REFERENCE.sub("", "\n\n".join(filter(None, lines))).strip()


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = _text(part.get("text"))
    if text:
        return text
    kind = _text(part.get("content_type"))
    # What was said aloud comes with its transcript, which is another part.
    return next((note for word, note in _MEDIA if word in kind), "[file]" if kind else "")


def _thoughts(thoughts: object) -> str:
    made: list[str] = []
    for one in thoughts if isinstance(thoughts, list) else []:
        found = (_text(_dict(one).get(name)).strip() for name in ("summary", "content"))
        made += filter(None, found)
    return "\n\n".join(made)


def _code(content: dict[str, Any]) -> str:
    text = _text(content.get("text"))
    language = _text(content.get("language"))
    # A fence longer than any in the code.
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    known = language if language.isalnum() and language != "unknown" else ""
    return f"{fence}{known}\n{text}\n{fence}" if text.strip() else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
