"""Reads a conversation of an Open WebUI export: a tree of messages, or in old files a list."""

from __future__ import annotations

import html
import itertools
from typing import Any

from app.store.import_tree import ForeignChat, ForeignNode, Said, conversation_of, seconds
from app.store.imported import Imported

_OPEN, _CLOSE = "<details", "</details>"
_THINK, _THOUGHT = "<think>", "</think>"


def is_open_webui(item: object) -> bool:
    chat = _chat(item)
    history = _dict(chat.get("history"))
    return isinstance(history.get("messages"), dict) or (
        isinstance(chat.get("messages"), list) and chat is not item
    )


def from_open_webui(item: dict[str, Any]) -> Imported | None:
    """The conversation; None if nobody says anything in it. Raises StoreError."""
    inner = _chat(item)
    chat = ForeignChat(
        title=_text(item.get("title")) or _text(inner.get("title")),
        pinned=item.get("pinned") is True,
        created=_first_time(item.get("created_at"), item.get("timestamp"), inner.get("timestamp")),
        updated=_first_time(item.get("updated_at"), item.get("timestamp")),
    )
    systems = [_text(inner.get("system")), _text(_dict(inner.get("params")).get("system"))]
    history = _dict(inner.get("history"))
    tree = history.get("messages")
    if isinstance(tree, dict) and tree:
        chat.leaf = _text(history.get("currentId"))
        named = list(tree.items())
    else:
        named, chat.leaf = _chained(inner.get("messages")), None
    for name, raw in named:
        if not isinstance(raw, dict):
            chat.skipped += 1
            continue
        if raw.get("role") == "system":
            systems.append(_content(raw))
        children = raw.get("childrenIds")
        chat.nodes[name] = ForeignNode(
            _text(raw.get("parentId")) or None,
            _said(raw),
            tuple(one for one in children if isinstance(one, str))
            if isinstance(children, list)
            else (),
        )
    chat.system = "\n\n".join(dict.fromkeys(text.strip() for text in systems if text.strip()))
    return conversation_of(chat)


def _chained(messages: object) -> list[tuple[str, Any]]:
    """A list of messages as a tree without branches."""
    listed = messages if isinstance(messages, list) else []
    made: list[tuple[str, Any]] = []
    last: str | None = None
    for number, raw in zip(itertools.count(), listed, strict=False):
        if isinstance(raw, dict):
            raw = raw | {"parentId": last, "childrenIds": []}
            last = str(number)
        made.append((str(number), raw))
    return made


def _said(raw: dict[str, Any]) -> Said | None:
    role = raw.get("role")
    if role not in ("user", "assistant"):
        return None
    content, thinking, spent = _content(raw), "", 0.0
    if role == "assistant":
        content, thinking, spent = _without_thinking(content)
        thinking = thinking or _text(raw.get("reasoning_content")).strip()
    content = "\n\n".join(filter(None, (content.strip(), *_attached(raw.get("files")))))
    if not content and not thinking:
        return None
    return Said(
        role,
        content,
        thinking,
        spent,
        created=seconds(raw.get("timestamp")),
        complete=raw.get("done") is not False,
    )


def _content(raw: dict[str, Any]) -> str:
    content = raw.get("content")
    if not isinstance(content, list):
        return _text(content)
    texts: list[str] = []
    for part in content:
        kind = _text(_dict(part).get("type"))
        note = "[image]" if "image" in kind else "[file]"
        texts.append(_text(_dict(part).get("text")) if kind == "text" else note)
    return "\n\n".join(filter(None, texts))


def _attached(files: object) -> list[str]:
    """Notes in place of images and files."""
    made: list[str] = []
    for one in files if isinstance(files, list) else []:
        given = _dict(one)
        name = " ".join((_text(given.get("name"))).split())
        is_image = given.get("type") == "image"
        made.append("[image]" if is_image else f"[file: {name}]" if name else "[file]")
    return made


def _without_thinking(text: str) -> tuple[str, str, float]:
    """The answer, the thinking that Open WebUI keeps folded in it, and its seconds.

    What else it folds away, such as calls of tools, is left out.
    """
    answer: list[str] = []
    thoughts: list[str] = []
    spent, at = 0.0, 0
    while (start := text.find(_OPEN, at)) >= 0:
        head_end, end = text.find(">", start), text.find(_CLOSE, start)
        if head_end < 0 or end < head_end:
            break
        head = text[start:head_end]
        kept = "type=" not in head
        answer.append(text[at : end + len(_CLOSE) if kept else start])
        at = end + len(_CLOSE)
        if 'type="reasoning"' in head:
            thoughts.append(_thought(text[head_end + 1 : end]))
            spent += _duration(head)
    answer.append(text[at:])
    rest, thought = _without_tags("".join(answer))
    return rest, "\n\n".join(filter(None, (*thoughts, thought))), spent


def _without_tags(text: str) -> tuple[str, str]:
    """The answer, and the thinking that a model wrote in tags before it."""
    begins = text.lstrip()
    end = begins.find(_THOUGHT)
    if not begins.startswith(_THINK) or end < 0:
        return text, ""
    return begins[end + len(_THOUGHT) :], begins[len(_THINK) : end].strip()


def _thought(folded: str) -> str:
    """Without the line that says how long it took, and without the marks of a quotation."""
    body = folded.partition("</summary>")[2] or folded
    lines = (line.removeprefix(">").removeprefix(" ") for line in html.unescape(body).split("\n"))
    return "\n".join(lines).strip()


def _duration(head: str) -> float:
    number = head.partition('duration="')[2].partition('"')[0]
    try:
        return float(min(max(float(number), 0.0), 1e9))
    except ValueError:
        return 0.0


def _chat(item: object) -> dict[str, Any]:
    """The conversation itself, which most files wrap into what the server knows about it."""
    given = _dict(item)
    inner = given.get("chat")
    return inner if isinstance(inner, dict) else given


def _first_time(*values: object) -> float | None:
    return next((time for time in map(seconds, values) if time is not None), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
