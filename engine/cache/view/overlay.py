"""One tree for display: the device's nodes, and below them what only host or disk still hold.

Each tier has its own tree, split at different places. Merged, they form one radix tree again: a
node or checkpoint belongs to the nearest tier that has it, and a tombstone is a node whose state is
on no tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from zlib import crc32

from engine.cache.node import Tokens
from engine.cache.reader import CacheReader
from engine.cache.tree import common_prefix
from engine.cache.view.departures import Departure, Stretch
from engine.snapshot import CheckpointView, Evicted, NodeView
from engine.stored_state import TierName

# Ids of nodes that are not on the device, far above any that its tree assigns. They are hashes, so
# that a node keeps its id in the next snapshot.
LAYER_IDS = 1 << 40
CUT_IDS = 1 << 48


def layer_id(tier: str, key: str, start: int) -> int:
    """Of the part from `start` on of a lower tier's node, which no nearer tier has."""
    return LAYER_IDS + crc32(f"{tier} {key} {start}".encode())


def cut_id(origin: int, end: int) -> int:
    """Of the part of a node up to `end`, where another tier's ends or leaves it."""
    return CUT_IDS + crc32(f"{origin} {end}".encode())


@dataclass(frozen=True, slots=True)
class LayerNode:
    """A span of a lower tier: a node or segment; parents come before children.

    Attributes:
        key, parent: names within the tier; parent "" is the root.
    """

    key: str
    parent: str
    tokens: Tokens
    kv_bytes: int
    checkpoint: CheckpointView | None


@dataclass(slots=True, eq=False)
class _Shown:
    """A node of the overlay under construction; `origin` is the id of the one it was cut from."""

    view: NodeView
    tokens: Tokens
    origin: int
    children: dict[int, _Shown] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Where a sequence ends in an overlay.

    Attributes:
        whole: the overlay contains all of it; otherwise it diverges here.
    """

    node: _Shown
    inside: int
    whole: bool

    @property
    def view(self) -> NodeView:
        """The node with the sequence's last token that is in the overlay."""
        return self.node.view

    @property
    def at_end(self) -> bool:
        """Whether it ends where the node ends."""
        return self.inside == len(self.node.tokens)

    @property
    def above(self) -> int:
        """The deepest node that lies entirely on the path."""
        view = self.node.view
        return view.id if self.at_end or view.parent is None else view.parent


class Overlay:
    """Merges the tiers, nearest first."""

    def __init__(self, nodes: Iterable[tuple[NodeView, Tokens]]) -> None:
        """Start with the device's nodes, parents before children."""
        self._by_id: dict[int, _Shown] = {}
        for view, tokens in nodes:
            shown = _Shown(view, tokens, view.id)
            self._by_id[view.id] = shown
            if view.parent is not None:
                self._by_id[view.parent].children[int(tokens[0])] = shown

    def add(self, tier: TierName, layer: Iterable[LayerNode]) -> None:
        """Merge a lower tier into the overlay; spans whose parent is missing are skipped."""
        ends = {"": self._by_id[0]}
        for node in layer:
            above = ends.get(node.parent)
            if above is None:
                continue
            ends[node.key] = self._merge(above, node, tier)

    def nodes(self) -> tuple[tuple[NodeView, Tokens], ...]:
        """Every node with its tokens, parents before children."""
        order: list[tuple[NodeView, Tokens]] = []
        stack = [self._by_id[0]]
        while stack:
            shown = stack.pop()
            order.append((shown.view, shown.tokens))
            stack.extend(shown.children.values())
        return tuple(order)

    def top(self) -> Spot:
        """The root, where every sequence begins."""
        return Spot(self._by_id[0], 0, whole=True)

    def follow(self, spot: Spot, tokens: Tokens) -> Spot:
        """Continue from `spot` along `tokens`, as far as the overlay goes. Changes nothing."""
        if not spot.whole:
            return spot
        at, inside, rest = spot.node, spot.inside, tokens
        while len(rest):
            if inside == len(at.tokens):
                child = at.children.get(int(rest[0]))
                if child is None:
                    return Spot(at, inside, whole=False)
                at, inside = child, 0
            shared = common_prefix(at.tokens[inside:], rest)
            inside += shared
            rest = rest[shared:]
            if len(rest) and inside < len(at.tokens):
                return Spot(at, inside, whole=False)
        return Spot(at, inside, whole=True)

    def _merge(self, at: _Shown, node: LayerNode, tier: TierName) -> _Shown:
        """Follow the span from the end of `at`, adding what is missing; returns its last node."""
        rest = node.tokens
        while len(rest):
            child = at.children.get(int(rest[0]))
            if child is None:
                at = self._attach(at, rest, node, tier)
                break
            shared = common_prefix(child.tokens, rest)
            at = child if shared == len(child.tokens) else self._cut(at, child, shared)
            rest = rest[shared:]
        if node.checkpoint is not None and at.view.checkpoint is None:
            at.view = replace(at.view, checkpoint=node.checkpoint)
        return at

    def _attach(self, above: _Shown, tokens: Tokens, node: LayerNode, tier: TierName) -> _Shown:
        point = node.checkpoint
        used = 0.0 if point is None else point.last_used
        view = NodeView(
            id=layer_id(tier, node.key, above.view.end),
            parent=above.view.id,
            start=above.view.end,
            end=above.view.end + len(tokens),
            kv_lock=0,
            state_lock=0,
            kv_bytes=node.kv_bytes * len(tokens) // len(node.tokens),
            created=used if point is None else point.created,
            last_used=used,
            hits=0,
            checkpoint=None,
            tier=tier,
        )
        shown = _Shown(view, tokens, view.id)
        above.children[int(tokens[0])] = shown
        return shown

    def _cut(self, above: _Shown, child: _Shown, at: int) -> _Shown:
        """Split the first `at` tokens of `child` off as a node of their own."""
        whole = child.view
        bytes_above = whole.kv_bytes * at // len(child.tokens)
        middle = whole.start + at
        upper = _Shown(
            replace(
                whole,
                id=cut_id(child.origin, middle),
                end=middle,
                kv_bytes=bytes_above,
                state_lock=0,
                checkpoint=None,
                pinned=False,
            ),
            child.tokens[:at],
            child.origin,
        )
        child.view = replace(
            whole, parent=upper.view.id, start=middle, kv_bytes=whole.kv_bytes - bytes_above
        )
        child.tokens = child.tokens[at:]
        upper.children[int(child.tokens[0])] = child
        above.children[int(upper.tokens[0])] = upper
        return upper


def host_layer(host: CacheReader) -> Iterator[LayerNode]:
    """The nodes of the host tier, parents before their children."""
    for view in host.nodes():
        if view.parent is None:
            continue
        point = view.checkpoint
        yield LayerNode(
            key=str(view.id),
            parent=str(view.parent) if view.parent else "",
            tokens=host.tokens_of(view.id),
            kv_bytes=view.kv_bytes,
            checkpoint=None if point is None else replace(point, state=point.state.on("host")),
        )


class Spots:
    """Locates departures in one overlay; shared stretches are walked only once."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._known: dict[Stretch, Spot] = {}

    def shown(self, departure: Departure) -> int | None:
        """The node that represents all of it; None if the overlay does not contain all of it."""
        spot = self._of(departure.stretch)
        return spot.view.id if spot.whole else None

    def placed(self, departure: Departure) -> Evicted:
        """Its record, with the node at its place in this overlay and the tier that has a copy."""
        spot = self._of(departure.stretch)
        record, view = departure.record, spot.view
        record = replace(
            record,
            above=spot.above,
            cached_to=max(record.start, view.start + spot.inside),
            node_before=departure.node_before,
            copy="",
        )
        if not spot.whole:
            return record
        if record.plane == "kv":
            return replace(record, node_now=view.id, copy=view.tier)
        point = view.checkpoint if spot.at_end else None
        return replace(record, node_now=view.id, copy="" if point is None else point.state.tier)

    def _of(self, stretch: Stretch) -> Spot:
        """The spot at the end of `stretch`."""
        path: list[Stretch] = []
        at: Stretch | None = stretch
        while at is not None and at not in self._known:
            path.append(at)
            at = at.above
        spot = self._overlay.top() if at is None else self._known[at]
        for below in reversed(path):
            if below.tokens is not None:
                spot = self._overlay.follow(spot, below.tokens)
            elif below.end:
                # A file whose parent was already missing: it was never shown.
                spot = Spot(spot.node, spot.inside, whole=False)
            self._known[below] = spot
        return spot
