"""Converts another program's tree of messages to a conversation, even if it is inconsistent."""

from __future__ import annotations

import html
import itertools
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.core.store.imported import Imported
from app.core.store.records import MOST_TITLE, StoredConversation, StoredMessage, StoredRole

_TITLE_LENGTH = 48
# Some programs write milliseconds; valid seconds are below this.
_MOST_SECONDS = 1e11
_OPEN, _CLOSE = "<details", "</details>"
_THINK, _THOUGHT = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Said:
    """A message by a user or a model.

    Attributes:
        created: seconds since 1970; None if unknown.
    """

    role: StoredRole
    content: str
    thinking: str = ""
    thinking_s: float = 0.0
    created: float | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ForeignNode:
    """A node of the file's tree.

    Attributes:
        said: None for a skipped node, such as a tool's.
        children: their names in order, as far as the file lists them.
    """

    parent: str | None
    said: Said | None
    children: tuple[str, ...] = ()


@dataclass(slots=True)
class ForeignChat:
    """A conversation of another program.

    Attributes:
        nodes: by name, in the file's order.
        leaf: name of the last node on the file's current branch.
        created, updated: seconds since 1970; None if unknown.
        skipped: nodes that could not be read.
    """

    title: str = ""
    system: str = ""
    pinned: bool = False
    created: float | None = None
    updated: float | None = None
    leaf: str | None = None
    skipped: int = 0
    nodes: dict[str, ForeignNode] = field(default_factory=dict)


def seconds(value: object) -> float | None:
    """Parse a time, in seconds since 1970; None if invalid."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    while number >= _MOST_SECONDS and math.isfinite(number):
        number /= 1000
    return number if 0 <= number < _MOST_SECONDS else None


def conversation_of(chat: ForeignChat) -> Imported | None:
    """Convert a chat; None if it has no messages. Raises StoreError."""
    order, parents = _ordered(chat.nodes)
    said, above, mapped = _folded(chat.nodes, order, parents)
    if not said:
        return None
    known = [one.created for one in said.values() if one.created is not None]
    created = chat.created if chat.created is not None else min(known, default=time.time())
    ids = {name: number for number, name in enumerate(said, 1)}
    title = " ".join(chat.title.split())[:MOST_TITLE]
    record = StoredConversation(
        id=1,
        title=title or _title_of(said.values()),
        created=created,
        updated=chat.updated if chat.updated is not None else max(known, default=created),
        named=bool(title),
        pinned=chat.pinned,
        system=chat.system.strip(),
        leaf=ids[mapped.get(chat.leaf or "") or _newest(said)],
    )
    record.check()
    messages = tuple(
        _message(one, number, ids.get(above[name] or ""), created)
        for number, (name, one) in enumerate(said.items(), 1)
    )
    return Imported(record, messages, chat.skipped)


def _message(one: Said, number: int, parent: int | None, created: float) -> StoredMessage:
    made = StoredMessage(
        id=number,
        conversation=1,
        parent_id=parent,
        role=one.role,
        content=one.content,
        created=created if one.created is None else one.created,
        thinking=one.thinking,
        stop="end" if one.role == "assistant" and one.complete else "",
        complete=one.complete,
        thinking_s=one.thinking_s,
    )
    made.check()
    return made


def _ordered(nodes: Mapping[str, ForeignNode]) -> tuple[list[str], dict[str, str | None]]:
    """Parents before children, siblings in the file's order; cycles are cut."""
    parents = _parents(nodes)
    children: dict[str, list[str]] = {name: [] for name in nodes}
    roots: list[str] = []
    for name, parent in parents.items():
        (roots if parent is None else children[parent]).append(name)
    for name, found in children.items():
        place = {child: at for at, child in enumerate(nodes[name].children)}
        # Children that the parent does not list keep the file's order, after the others.
        found.sort(key=lambda child: place.get(child, len(place)))
    order: list[str] = []
    seen: set[str] = set()
    # Nodes without a root are in a cycle: it is cut at the node that comes first in the file.
    for root in (*roots, *nodes):
        if root in seen:
            continue
        parents[root] = None
        stack = [root]
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            order.append(name)
            stack += reversed(children[name])
    return order, parents


def _parents(nodes: Mapping[str, ForeignNode]) -> dict[str, str | None]:
    """Parents by name; if a node names none, the node that lists it as a child."""
    named = {child: name for name, node in nodes.items() for child in node.children}
    parents: dict[str, str | None] = {}
    for name, node in nodes.items():
        parent = node.parent if node.parent in nodes else named.get(name)
        parents[name] = parent if parent != name else None
    return parents


def _folded(
    nodes: Mapping[str, ForeignNode], order: Sequence[str], parents: Mapping[str, str | None]
) -> tuple[dict[str, Said], dict[str, str | None], dict[str, str]]:
    """Messages by name; each one's parent message; and the message that each node maps to.

    A skipped node maps to its parent's message. An answer that is split over several nodes, such as
    its thinking and its text, is joined.
    """
    said: dict[str, Said] = {}
    above: dict[str, str | None] = {}
    mapped: dict[str, str] = {}
    followers = _followers(nodes, order, parents)
    for name in order:
        parent = mapped.get(parents[name] or "")
        one = nodes[name].said
        if one is None:
            if parent is not None:
                mapped[name] = parent
            continue
        before = said.get(parent or "")
        both = before is not None and before.role == one.role == "assistant"
        if both and before is not None and parent is not None and followers[parent] == 1:
            said[parent] = _joined(before, one)
            mapped[name] = parent
            followers[parent] = followers[name]
        else:
            said[name], above[name], mapped[name] = one, parent, name
    return said, above, mapped


def _followers(
    nodes: Mapping[str, ForeignNode], order: Sequence[str], parents: Mapping[str, str | None]
) -> dict[str, int]:
    """Count the message nodes that follow each message node."""
    found = dict.fromkeys(order, 0)
    nearest: dict[str, str | None] = {}
    for name in order:
        parent = parents[name]
        above = None
        if parent is not None:
            above = parent if nodes[parent].said is not None else nearest[parent]
        nearest[name] = above
        if nodes[name].said is not None and above is not None:
            found[above] += 1
    return found


def _joined(first: Said, then: Said) -> Said:
    return replace(
        first,
        content="\n\n".join(filter(None, (first.content, then.content))),
        thinking="\n\n".join(filter(None, (first.thinking, then.thinking))),
        thinking_s=first.thinking_s + then.thinking_s,
        complete=then.complete,
    )


def _newest(said: Mapping[str, Said]) -> str:
    """The latest message by time; without times, the last one."""
    newest = max(enumerate(said.items()), key=lambda one: (one[1][1].created or 0.0, one[0]))
    return newest[1][0]


def _title_of(said: Iterable[Said]) -> str:
    text = next((one.content for one in said if one.role == "user"), "")
    line = next((part.strip() for part in text.splitlines() if part.strip()), "Imported")
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH].rstrip()}…"


def is_open_webui(item: object) -> bool:
    chat = _chat(item)
    history = _dict(chat.get("history"))
    return isinstance(history.get("messages"), dict) or (
        isinstance(chat.get("messages"), list) and chat is not item
    )


def from_open_webui(item: dict[str, Any]) -> Imported | None:
    """Convert an Open WebUI chat; None if it has no messages. Raises StoreError."""
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
    """A flat list of messages as a tree without branches."""
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
    """Placeholders for images and files."""
    made: list[str] = []
    for one in files if isinstance(files, list) else []:
        given = _dict(one)
        name = " ".join((_text(given.get("name"))).split())
        is_image = given.get("type") == "image"
        made.append("[image]" if is_image else f"[file: {name}]" if name else "[file]")
    return made


def _without_thinking(text: str) -> tuple[str, str, float]:
    """The answer, the thinking that Open WebUI folds into it, and its duration in seconds.

    Other folded content, such as tool calls, is dropped.
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
    """The answer, and the thinking in tags before it."""
    begins = text.lstrip()
    end = begins.find(_THOUGHT)
    if not begins.startswith(_THINK) or end < 0:
        return text, ""
    return begins[end + len(_THOUGHT) :], begins[len(_THINK) : end].strip()


def _thought(folded: str) -> str:
    """Strip the line with the duration, and the quotation marks of Markdown."""
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
    """The chat itself; most files wrap it in the server's metadata."""
    given = _dict(item)
    inner = given.get("chat")
    return inner if isinstance(inner, dict) else given


def _first_time(*values: object) -> float | None:
    return next((time for time in map(seconds, values) if time is not None), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
