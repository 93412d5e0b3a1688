"""What drafts have to do with a node: which of its tokens they brought, and who read it. No Qt."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from app.core.session.passages import Place
from engine.cache.node import Tokens
from engine.drafted import Source
from engine.journal.tape import Tape, TapedRequest
from engine.snapshot import CacheSnapshot, NodeView

# Of more requests, only the latest ones are looked through.
_MOST_REQUESTS = 400


@dataclass(frozen=True, slots=True)
class Passage:
    """Tokens [start, end) of a node, counted from its first one, that a draft brought."""

    start: int
    end: int
    source: Source


@dataclass(frozen=True, slots=True)
class Rejected:
    """A draft that went wrong: at a position of the path, its text, and what came instead."""

    position: int
    drafted: str
    instead: str


@dataclass(frozen=True, slots=True)
class NodeDrafts:
    """Attributes:
    request: number of the request that wrote the node; None if it is not known, or wrote it
        without drafts.
    passages, rejected: of its tokens, in order.
    readers: numbers of the requests whose drafts were read from it.
    read, kept: tokens of those drafts.
    """

    request: int | None = None
    passages: tuple[Passage, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    readers: tuple[int, ...] = ()
    read: int = 0
    kept: int = 0


def read_places(tape: Tape, request: int, index: int) -> tuple[Place, ...]:
    """Where in the tree the drafts of a request were found, as it is after `index` entries."""
    shown: dict[tuple[Source, int], int | None] = {}
    places = []
    for draft in tape.requests[request].bare.drafts.drafts:
        if not draft.node:
            continue
        key = draft.source, draft.node
        if key not in shown:
            shown[key] = tape.shown_id(index, *key)
        node = shown[key]
        if node is not None:
            places.append(Place(node, draft.position, draft.position + draft.size))
    return tuple(places)


def node_drafts(tape: Tape, index: int, node: NodeView, snapshot: CacheSnapshot) -> NodeDrafts:
    """What is known of a node of the snapshot after `index` entries."""
    seen = tape.requests[: tape.requests_before(index)][-_MOST_REQUESTS:]
    drafting = [taped for taped in seen if taped.bare.drafts.drafts]
    if not drafting:
        return NodeDrafts()
    nodes = {one.id: one for one in snapshot.nodes}
    writer = _writer(tape, index, node, nodes, drafting)
    readers, read, kept = _readers(tape, index, node, nodes, drafting)
    if writer is None:
        return NodeDrafts(readers=readers, read=read, kept=kept)
    passages, rejected = [], []
    for draft in writer.bare.drafts.drafts:
        first = writer.total + draft.at
        start, end = max(first, node.start), min(first + draft.kept, node.end)
        if start < end:
            passages.append(Passage(start - node.start, end - node.start, draft.source))
        wrong = first + draft.kept
        if draft.rejected and node.start <= wrong < node.end:
            instead = tape.text(writer.tokens[wrong : wrong + 1].tolist())
            rejected.append(Rejected(wrong, tape.text(draft.rejected), instead))
    return NodeDrafts(writer.number, tuple(passages), tuple(rejected), readers, read, kept)


def letters(tape: Tape, tokens: Tokens, shown: str) -> list[int] | None:
    """`[n + 1]` where each token begins in the shown part of their text, and where the last ends.

    Letters are counted as Qt counts them. None if what is shown is no part of it.
    """
    decoder = getincrementaldecoder("utf-8")("replace")
    told = [decoder.decode(tape.pieces.get(token, b"")) for token in tokens.tolist()]
    first = "".join(told).find(shown)
    if first < 0 or not shown:
        return None
    before, most = _units("".join(told)[:first]), _units(shown)
    ends = accumulate((_units(text) for text in told), initial=0)
    return [min(max(end - before, 0), most) for end in ends]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "replace")) // 2


def _writer(
    tape: Tape,
    index: int,
    node: NodeView,
    nodes: Mapping[int, NodeView],
    drafting: list[TapedRequest],
) -> TapedRequest | None:
    """The last request whose answer has the end of a node."""
    tokens, parts = tape.tokens(index), []
    at: NodeView | None = node
    while at is not None and at.parent is not None:
        part = tokens(at)
        if part is None:
            return None
        parts.append(part)
        at = nodes.get(at.parent)
    path = np.concatenate(parts[::-1]) if parts else np.zeros(0, np.int32)
    for taped in reversed(drafting):
        if taped.total < node.end <= taped.bare.position:
            whole = taped.tokens[: node.end]
            if len(path) == node.end and np.array_equal(whole, path):
                return taped
    return None


def _readers(
    tape: Tape,
    index: int,
    node: NodeView,
    nodes: Mapping[int, NodeView],
    drafting: list[TapedRequest],
) -> tuple[tuple[int, ...], int, int]:
    """The requests whose drafts were read from a node, and the tokens drafted and kept."""
    known = set(_numbers(tape, index, node, nodes))
    readers: dict[int, None] = {}
    read = kept = 0
    for taped in drafting:
        for draft in taped.bare.drafts.drafts:
            here = node.start <= draft.position < node.end
            if here and (draft.source, draft.node) in known:
                readers[taped.number] = None
                read, kept = read + draft.size, kept + draft.kept
    return tuple(readers), read, kept


def _numbers(
    tape: Tape, index: int, node: NodeView, nodes: Mapping[int, NodeView]
) -> Iterator[tuple[str, int]]:
    """The tiers and numbers of a node and of all below it: its lower part after a split."""
    below: dict[int, list[int]] = {}
    for one in nodes.values():
        if one.parent is not None:
            below.setdefault(one.parent, []).append(one.id)
    waiting = [node.id]
    while waiting:
        number = waiting.pop()
        yield from tape.numbers(index, number).items()
        waiting += below.get(number, ())
