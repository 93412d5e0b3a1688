"""Locates a conversation's messages in the cache, and the messages at a place in the cache.

A snapshot has the conversation's sequences, node by node, and the speaker of each stretch. The
requests that ran those sequences identify the branch of each: the n-th message along the nodes is
the n-th turn of that branch. Pure functions over records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.core.session.records import Conversation, MessageTree, Turn
from engine.events import NodeOwner
from engine.snapshot import Branch, CacheSnapshot, LiveView, NodeView, Speech

_ANSWERS = ("thinking", "assistant")


@dataclass(frozen=True, slots=True)
class Place:
    """Tokens [start, end) on the path from the root to a node; None: to the running request.

    If `start == end`, it is the checkpoint there.
    """

    node: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The tokens [start, end) of a turn on a path, its header included."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Path:
    """A branch of a conversation, as far as it is cached or running.

    Attributes:
        nodes: from the root down.
        end: number of its tokens.
        passages: of its turns, in order, as far as it reaches.
        live: its last tokens belong to the running request.
        depth: number of turns it shares with the branch on screen.
    """

    nodes: tuple[NodeView, ...]
    end: int
    passages: tuple[Passage, ...]
    live: bool
    depth: int

    @property
    def cached(self) -> int:
        """Number of its tokens that nodes hold."""
        return min(self.end, self.nodes[-1].end) if self.nodes else 0

    def place(self, start: int, end: int) -> Place:
        """A range of its tokens, named by the node in which it ends."""
        if self.live and end > self.cached:
            return Place(None, start, end)
        last = next(node for node in self.nodes if node.end >= min(end, self.cached))
        return Place(last.id, start, end)


@dataclass(frozen=True)
class Passages:
    """The messages on screen, located in one cache snapshot.

    Attributes:
        shown: the turns of the branch on screen.
        paths: of the conversation's branches, most shared with the shown one first.
    """

    shown: frozenset[int] = frozenset()
    paths: tuple[Path, ...] = ()
    nodes: Mapping[int, NodeView] = field(default_factory=dict)

    @cached_property
    def _starts(self) -> dict[int, list[tuple[Path, Passage]]]:
        found: dict[int, list[tuple[Path, Passage]]] = {}
        for path in self.paths:
            for passage in path.passages:
                if passage.turn in self.shown:
                    found.setdefault(passage.turn, []).append((path, passage))
        return found

    def places(self, turn: int) -> tuple[Place, ...]:
        """The places of a message; empty if it is not cached.

        The first one is on the path to the newest answer. There are others if the template has
        dropped its thinking since.
        """
        found = self._starts.get(turn, ())
        places = (path.place(passage.start, passage.end) for path, passage in found)
        return tuple(dict.fromkeys(places))

    def main_node(self, turn: int) -> int | None:
        """The node with most of a message's tokens; None if it is not cached, or still running."""
        for path, passage in self._starts.get(turn, ())[:1]:
            parts = [(_overlap(one, passage), one.id) for one in path.nodes]
            most, node = max(parts, key=lambda part: part[0], default=(0, 0))
            return node if most > 0 else None
        return None

    def turns_at(self, node: int) -> frozenset[int]:
        """The messages that have tokens in a node."""
        view = self.nodes.get(node)
        return frozenset() if view is None else self.turns_in(node, view.start, view.end)

    def turns_in(self, node: int, start: int, end: int) -> frozenset[int]:
        """The messages on screen that have tokens [start, end) of the path to a node.

        For a checkpoint, between two tokens: the message that ends or continues there.
        """
        if node not in self.nodes:
            return frozenset()
        start = min(start, end - 1)
        way = {one.id for one in way_to(node, self.nodes)}
        found: set[int] = set()
        for path in self.paths:
            shared = max((one.end for one in path.nodes if one.id in way), default=0)
            until = min(end, shared, path.end)
            found.update(p.turn for p in path.passages if max(p.start, start) < min(p.end, until))
        return frozenset(found & self.shown)

    def last_turn(self, node: int) -> int | None:
        """The message at the end of a node, or the last one before it."""
        turns = self.turns_at(node)
        ends = {p.turn: p.start for path in self.paths for p in path.passages if p.turn in turns}
        return max(ends, key=ends.__getitem__, default=None)

    def ran(self, turn: int, turns: Sequence[Turn]) -> tuple[int, ...]:
        """The requests that ran tokens of a message; the one that wrote or first read it is first.

        Args:
            turns: the branch on screen.
        """
        at = next((i for i, one in enumerate(turns) if one.id == turn), None)
        if at is None:
            return ()
        found = self._starts.get(turn)
        span = None if not found else (found[0][1].start, found[0][1].end)
        return tuple(
            one.request
            for place, one in enumerate(turns[at:])
            if one.is_answer and one.request is not None and _reads(one, span, place)
        )


def passages(one: Conversation, snapshot: CacheSnapshot, branches: Iterable[Branch]) -> Passages:
    """Locate the messages of a conversation.

    Args:
        branches: its sequences; those of others are ignored.
    """
    nodes = {node.id: node for node in snapshot.nodes}
    shown = [turn for turn in one.turns if turn.role != "error"]
    live = snapshot.live if snapshot.live is not None and snapshot.live.owner == one.id else None
    found = []
    for number, branch in enumerate(branches):
        leaf = _leaf(one.tree, branch.request) if branch.owner == one.id else None
        if leaf is None or branch.node not in nodes:
            continue
        mine = live if live is not None and live.request == branch.request else None
        path = _path(one.tree.path(leaf), branch, nodes, mine, shown)
        found.append((path.live, path.depth, leaf, -number, path))
    found.sort(key=lambda entry: entry[:4], reverse=True)
    return Passages(frozenset(t.id for t in shown), tuple(entry[-1] for entry in found), nodes)


def owner_of(node: int, snapshot: CacheSnapshot, branches: Iterable[Branch]) -> NodeOwner | None:
    """The most recently active conversation among a node's owners, and how far it reaches there.

    branches: of all conversations.
    """
    nodes = {one.id: one for one in snapshot.nodes}
    for branch in branches:
        way = {one.id: one for one in way_to(branch.node, nodes)}
        if node in way:
            return NodeOwner(branch.owner, min(way[node].end, branch.end), branch.request)
    return None


def way_to(node: int, nodes: Mapping[int, NodeView]) -> list[NodeView]:
    """The nodes on the path to a node, without the root."""
    found = []
    at = nodes.get(node)
    while at is not None and at.parent is not None:
        found.append(at)
        at = nodes.get(at.parent)
    return found[::-1]


def _overlap(node: NodeView, passage: Passage) -> int:
    return min(node.end, passage.end) - max(node.start, passage.start)


def _reads(answer: Turn, span: tuple[int, int] | None, place: int) -> bool:
    """Whether the request of an answer ran tokens of a message `place` turns before it."""
    if place <= 1:
        # Its own request, or the one that the message asked for.
        return True
    if span is None or answer.report is None:
        return False
    plan = answer.report.plan
    return plan.reused < span[1] and span[0] < plan.total


def _leaf(tree: MessageTree, request: int) -> int | None:
    """The turn at the end of a request's sequence, or of one named by a claim's mark."""
    if not request:
        return None
    return next((t.id for t in tree.turns.values() if request in (t.request, t.id)), None)


def _path(
    turns: Sequence[Turn],
    branch: Branch,
    nodes: Mapping[int, NodeView],
    live: LiveView | None,
    shown: Sequence[Turn],
) -> Path:
    way = tuple(way_to(branch.node, nodes))
    said = list(_speeches(way, branch.end))
    end = branch.end
    if live is not None and live.speech:
        end = max(live.position, live.total if live.position < live.total else 0)
        said = _cut(live.speech, end)
    found = tuple(_matched(_messages(said), turns))
    same = zip(turns, shown, strict=False)
    depth = next((i for i, (a, b) in enumerate(same) if a.id != b.id), min(len(turns), len(shown)))
    return Path(way, end, found, live is not None and bool(live.speech), depth)


def _cut(speech: Sequence[Speech], end: int) -> list[tuple[Speech, int]]:
    """Stretches with their ends, cut at `end`."""
    ends = [*(one.start for one in speech[1:]), end]
    return [(one, min(to, end)) for one, to in zip(speech, ends, strict=True) if one.start < end]


def _speeches(way: Iterable[NodeView], end: int) -> Iterator[tuple[Speech, int]]:
    """The stretches of consecutive nodes, up to the first with an unknown speaker."""
    for node in way:
        if not node.speech:
            return
        yield from _cut(node.speech, min(node.end, end))


def _messages(said: Iterable[tuple[Speech, int]]) -> list[tuple[str, int, int]]:
    """Speakers with their start and end; an answer's header and thinking are part of it."""
    found: list[tuple[str, int, int]] = []
    before = ""
    for one, end in said:
        # A node may end between the parts of an answer; two answers are never adjacent.
        goes_on = one.role in _ANSWERS and before in _ANSWERS
        if one.opens and one.role and not goes_on:
            role = "assistant" if one.role in _ANSWERS else one.role
            found.append((role, one.start, end))
        elif found:
            role, start, _ = found[-1]
            found[-1] = (role, start, end)
        before = one.role or before
    return found


def _matched(messages: Iterable[tuple[str, int, int]], turns: Sequence[Turn]) -> Iterator[Passage]:
    """Pair a path's messages with the turns of its branch, as long as the speakers agree."""
    wanted = iter([turn for turn in turns if not _left_out(turn)])
    for role, start, end in messages:
        if role in ("system", "tool"):
            continue
        turn = next(wanted, None)
        if turn is None or turn.role != role:
            return
        yield Passage(turn.id, start, end)


def _left_out(turn: Turn) -> bool:
    """Whether a prompt does not contain it; see Conversation.messages."""
    if turn.role == "error":
        return True
    return turn.is_answer and not (turn.text or turn.thinking or turn.state.active)
