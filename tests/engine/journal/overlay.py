"""The naive merging of the tiers, which the mirror is compared with: one tree for all of them.

Each tier has its own tree, split at different places. Merged, they form one radix tree again: a
node or checkpoint belongs to the nearest tier that has it, and a tombstone is a node whose state is
on no tier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from engine.cache.journal.changes import Change, DiskOpened, SegmentAdded
from engine.cache.node import Tokens
from engine.cache.reader import CacheReader
from engine.cache.tree import common_prefix
from engine.journal.merged_views import cut_id, layer_id
from engine.snapshot import CheckpointView, NodeView
from engine.stored_state import TierName


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


def disk_layer(told: Iterable[Change]) -> Iterator[LayerNode]:
    """The segments that a disk tier tells a late listener of, parents first.

    Shallow ones first: what several have is shown as the one's that ends first.
    """
    opened, *added = told
    assert isinstance(opened, DiskOpened)
    segments = [one for one in added if isinstance(one, SegmentAdded)]
    for one in sorted(segments, key=lambda one: (one.end, one.key)):
        kv_bytes = (one.end - one.start) * opened.kv_slot_bytes
        point = CheckpointView(
            state=one.state,
            slot=0,
            bytes=max(one.file_bytes - kv_bytes, 0),
            created=one.created,
            last_used=one.used,
            hits=0,
        )
        yield LayerNode(one.key, one.parent, np.frombuffer(one.tokens, "<i4"), kv_bytes, point)
