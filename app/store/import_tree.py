"""Makes a conversation of a foreign file's tree of messages, however badly it hangs together."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.store.imported import Imported
from app.store.records import MOST_TITLE, StoredConversation, StoredMessage, StoredRole

_TITLE_LENGTH = 48
# Some programs write milliseconds, and the latest time that a record may hold is below those.
_MOST_SECONDS = 1e11


@dataclass(frozen=True, slots=True)
class Said:
    """What a user or a model said.

    Attributes:
        created: seconds since 1970, None if the file does not say.
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
        said: None for a node that is passed over, such as a tool's.
        children: their names, in order, as far as the file knows.
    """

    parent: str | None
    said: Said | None
    children: tuple[str, ...] = ()


@dataclass(slots=True)
class ForeignChat:
    """A conversation of another program.

    Attributes:
        nodes: by the names they have in the file, in its order.
        leaf: name of the last node on screen.
        created, updated: seconds since 1970, None if the file does not say.
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
    """A time of a file, in seconds since 1970; None if it is none."""
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
    """The conversation; None if nobody says anything in it. Raises StoreError."""
    order, parents = _ordered(chat.nodes)
    said, above, stands = _folded(chat.nodes, order, parents)
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
        leaf=ids[stands.get(chat.leaf or "") or _newest(said)],
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
    """Parents before children, siblings as the file orders them; circles are cut."""
    parents = _parents(nodes)
    children: dict[str, list[str]] = {name: [] for name in nodes}
    roots: list[str] = []
    for name, parent in parents.items():
        (roots if parent is None else children[parent]).append(name)
    for name, found in children.items():
        place = {child: at for at, child in enumerate(nodes[name].children)}
        # Those that the parent does not know stay in the file's order, behind the others.
        found.sort(key=lambda child: place.get(child, len(place)))
    order: list[str] = []
    seen: set[str] = set()
    # What hangs on no root hangs on a circle: it is cut where the file names it first.
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
    """By name; where a node does not know its parent, the one that names it as a child."""
    named = {child: name for name, node in nodes.items() for child in node.children}
    parents: dict[str, str | None] = {}
    for name, node in nodes.items():
        parent = node.parent if node.parent in nodes else named.get(name)
        parents[name] = parent if parent != name else None
    return parents


def _folded(
    nodes: Mapping[str, ForeignNode], order: Sequence[str], parents: Mapping[str, str | None]
) -> tuple[dict[str, Said], dict[str, str | None], dict[str, str]]:
    """What was said, by name; the name that each follows; and where each node of the file stands.

    A node that is passed over stands where its parent does. One answer that the file has in
    several nodes, such as its thinking and then its text, is put together.
    """
    said: dict[str, Said] = {}
    above: dict[str, str | None] = {}
    stands: dict[str, str] = {}
    followers = _followers(nodes, order, parents)
    for name in order:
        parent = stands.get(parents[name] or "")
        one = nodes[name].said
        if one is None:
            if parent is not None:
                stands[name] = parent
            continue
        before = said.get(parent or "")
        both = before is not None and before.role == one.role == "assistant"
        if both and before is not None and parent is not None and followers[parent] == 1:
            said[parent] = _joined(before, one)
            stands[name] = parent
            followers[parent] = followers[name]
        else:
            said[name], above[name], stands[name] = one, parent, name
    return said, above, stands


def _followers(
    nodes: Mapping[str, ForeignNode], order: Sequence[str], parents: Mapping[str, str | None]
) -> dict[str, int]:
    """How many nodes that say something follow each one that does."""
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
    """The last one said; without times, the last one."""
    newest = max(enumerate(said.items()), key=lambda one: (one[1][1].created or 0.0, one[0]))
    return newest[1][0]


def _title_of(said: Iterable[Said]) -> str:
    text = next((one.content for one in said if one.role == "user"), "")
    line = next((part.strip() for part in text.splitlines() if part.strip()), "Imported")
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH].rstrip()}…"
