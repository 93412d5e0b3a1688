"""Links to a place in a cache, which stay valid across restarts and node ids. Without Qt.

A link identifies a prefix by its length and key, and includes the beginning of the node's text,
for traces without real token ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np
import numpy.typing as npt

from app.core.words.tr import tr
from engine.prefix_key import PrefixKey
from engine.snapshot import CacheSnapshot, NodeView

TokensOf = Callable[[NodeView], npt.NDArray[np.int32] | None]
SCHEME = "biplane"
_PLACE = "cache"
_TEXT_CHARS = 48
NOT_A_LINK = tr("This is not a link to a cached node: copy one from a node's details or its menu.")


@dataclass(frozen=True, slots=True)
class NodeLink:
    """A linked range: tokens [start, end) of a path.

    Attributes:
        key: of the tokens up to `end`; "" if unknown.
        text: the beginning of the node's text.
    """

    start: int
    end: int
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The target of a link: a node of a snapshot or None, and a sentence about it."""

    node: int | None
    sentence: str


def link_to(node: NodeView) -> str:
    """Create the link to a node."""
    fields = {"start": node.start, "end": node.end, "key": node.key, "text": _begins(node.text)}
    query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in fields.items())
    return f"{SCHEME}://{_PLACE}?{query}"


def read_link(text: str) -> NodeLink | None:
    """Parse the link in `text`; None if there is none."""
    try:
        parts = urlsplit(text.strip())
        if parts.scheme != SCHEME or parts.netloc != _PLACE:
            return None
        fields = parse_qs(parts.query, max_num_fields=16)
        start, end = (int(fields[name][0]) for name in ("start", "end"))
    except (ValueError, KeyError):
        return None
    if not 0 <= start < end:
        return None
    return NodeLink(start, end, fields.get("key", [""])[0], fields.get("text", [""])[0])


def follow(
    text: str, snapshot: CacheSnapshot | None, tokens_of: TokensOf | None = None
) -> LinkTarget:
    """Find a link's node in a snapshot.

    Args:
        tokens_of: returns the tokens of a node without a key; None if unknown.
    """
    link = read_link(text)
    if link is None:
        return LinkTarget(None, NOT_A_LINK)
    nodes = () if snapshot is None else snapshot.nodes
    by_id = {node.id: node for node in nodes}
    ends = [node for node in nodes if node.end == link.end and link.key]
    exact = next((one for one in ends if _key(one, by_id, tokens_of) == link.key), None)
    if exact is not None:
        return LinkTarget(
            exact.id,
            tr("Went to tokens {start:,} to {end:,}.").format(start=exact.start, end=exact.end),
        )
    alike = [node for node in nodes if node.start == link.start and _begins(node.text) == link.text]
    if len(alike) == 1 and link.text:
        return LinkTarget(
            alike[0].id,
            tr(
                "Went to the node at token {start:,}, which begins alike; the link's "
                "ended at token {end:,}."
            ).format(start=link.start, end=link.end),
        )
    return LinkTarget(
        None,
        tr(
            "Tokens {start:,} to {end:,} of that chat are not in the cache at this "
            "moment: they were evicted, or have not been read."
        ).format(start=link.start, end=link.end),
    )


def heir(number: int, before: CacheSnapshot, now: CacheSnapshot) -> int | None:
    """The node with the same end as an earlier one; None if there is none any more.

    Promotion from a lower tier creates another node for the same prefix.
    """
    if any(one.id == number for one in now.nodes):
        return number
    key = next((one.key for one in before.nodes if one.id == number), "")
    return next((one.id for one in now.nodes if key and one.key == key), None)


def above(number: int, before: CacheSnapshot, now: CacheSnapshot) -> int | None:
    """The nearest remaining ancestor of a removed node; None if that is the root."""
    parents, there = {one.id: one.parent for one in before.nodes}, {one.id for one in now.nodes}
    at = parents.get(number)
    while at is not None and at not in there:
        at = parents.get(at)
    return at or None


def _key(node: NodeView, by_id: Mapping[int, NodeView], tokens_of: TokensOf | None) -> str:
    """A node's key, computed from its path's tokens if the snapshot has none; "" if unknown."""
    if node.key or tokens_of is None:
        return node.key
    path = []
    at: NodeView | None = node
    while at is not None and at.parent is not None:
        tokens = tokens_of(at)
        if tokens is None:
            return ""
        path.append(tokens)
        at = by_id.get(at.parent)
    key = PrefixKey()
    for tokens in reversed(path):
        key = key.then(tokens)
    return key.text


def _begins(text: str) -> str:
    return " ".join(text.split())[:_TEXT_CHARS]
