"""Looks up nodes of a snapshot by text, token id, position, or the hash of a checkpoint.

Without Qt. A search is a generator, so that its caller can stop between two nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot, NodeView

HINT = tr("Text, #token id, @position or hash:1f3c")
# This many tokens before a node are decoded with it, since a word may begin there.
_BEFORE = 24

Kind = Literal["text", "token", "position", "hash"]
# The token ids of a node's span `[end - start]`, or None if unknown.
TokensOf = Callable[[NodeView], NDArray[np.integer] | None]
# The text of token ids.
TextOf = Callable[[NDArray[np.integer]], str]


@dataclass(frozen=True, slots=True)
class Query:
    """A query: `text`, case-folded, for a text or a hash; else `number`."""

    kind: Kind
    text: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Misread:
    """A query that cannot be parsed, and what to write instead."""

    sentence: str


def parse(written: str) -> Query | Misread | None:
    """Parse a line of the search field; None for an empty one."""
    line = written.strip()
    if not line:
        return None
    if line.startswith("hash:"):
        digits = line[5:].strip().lower().removeprefix("0x")
        if not re.fullmatch(r"[0-9a-f]{1,16}", digits):
            return Misread(tr("A hash begins with up to 16 digits from 0 to f, as in hash:1f3c."))
        return Query("hash", digits)
    if line[0] in "#@" and len(line) > 1:
        digits = re.sub(r"[ ,_]", "", line[1:])
        if not digits.isascii() or not digits.isdigit() or len(digits) > 15:
            if line[0] == "#":
                return Misread(tr("A token id is a number, as in #1234."))
            return Misread(tr("A position is a number, as in @4,096."))
        return Query("token" if line[0] == "#" else "position", number=int(digits))
    return Query("text", line.casefold())


def hash_words(cut_hash: int) -> str:
    """A checkpoint's hash as it is shown and searched for: 16 hexadecimal digits."""
    return f"{cut_hash & (1 << 64) - 1:016x}"


def search(
    query: Query, snapshot: CacheSnapshot, tokens_of: TokensOf, text_of: TextOf
) -> Iterator[int | None]:
    """Yields, for each node by position, its id if it is a hit, else None.

    A text is searched for in all of a node if its tokens are known, else in the beginning that the
    snapshot has.
    """
    nodes = sorted(snapshot.nodes, key=lambda node: (node.start, node.id))
    by_id = {node.id: node for node in nodes}
    for node in nodes:
        above = by_id.get(node.parent) if node.parent else None
        found = node.parent is not None and _matches(query, node, above, tokens_of, text_of)
        yield node.id if found else None


def _matches(
    query: Query, node: NodeView, above: NodeView | None, tokens_of: TokensOf, text_of: TextOf
) -> bool:
    match query.kind:
        case "position":
            return node.start <= query.number < node.end or _stored_at(node, query.number)
        case "hash":
            point = node.checkpoint
            known = None if point is None else point.state.cut_hash
            return known is not None and hash_words(known).startswith(query.text)
        case "token":
            tokens = tokens_of(node)
            return tokens is not None and bool((tokens == query.number).any())
    return _says(query.text, node, above, tokens_of, text_of)


def _stored_at(node: NodeView, position: int) -> bool:
    return node.checkpoint is not None and node.end == position


def _says(
    wanted: str, node: NodeView, above: NodeView | None, tokens_of: TokensOf, text_of: TextOf
) -> bool:
    if wanted in node.text.casefold():
        return True
    if any(wanted in said.text.casefold() for said in node.speech):
        return True
    tokens = tokens_of(node)
    if tokens is None:
        return False
    known = None if above is None else tokens_of(above)
    before = tokens[:0] if known is None else known[-_BEFORE:]
    early = len(text_of(before).casefold())
    whole = text_of(np.concatenate([before, tokens])).casefold()
    # The hit must reach into this node.
    return whole.rfind(wanted) + len(wanted) > early if wanted in whole else False
