"""Snapshots of the cache for the panel: complete, consistent, and cheap while nothing changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.cache.node import Tokens
from engine.cache.view.departures import Departure, DepartureReader
from engine.cache.view.overlay import Overlay, Spots, host_layer
from engine.cache.view.owners import Owners
from engine.events import NodeText
from engine.prefix_key import PrefixKey
from engine.snapshot import (
    Branch,
    CacheSnapshot,
    Evicted,
    HostView,
    LiveView,
    NodeView,
    PoolView,
    Speech,
)
from engine.speech import SILENT, Voice, speech

if TYPE_CHECKING:
    from engine.run.store import Store
    from engine.text.text_model import TextModel

PREVIEW_TOKENS = 24
LONGEST_TEXT = 4000


@dataclass(frozen=True, slots=True)
class _Told:
    """What a node's tokens say: its first characters, its key, who speaks, and who at its end."""

    text: str
    key: PrefixKey
    speech: tuple[Speech, ...]
    voice: Voice


class CacheWatch:
    """Builds snapshots, reusing what did not change since the last one."""

    def __init__(
        self,
        store: Store,
        text: TextModel,
        owners: Owners | None = None,
    ) -> None:
        """owners: whose each sequence is; None: nobody's."""
        self._store = store
        self._text = text
        self._owners = Owners() if owners is None else owners
        self._version = -1
        self._owned_version = -1
        self._overlay: Overlay | None = None
        # Number of departures already located in the previous snapshot.
        self._placed = 0
        self._nodes: tuple[NodeView, ...] = ()
        self._branches: tuple[Branch, ...] = ()
        self._tokens: dict[int, Tokens] = {}
        self._pools: tuple[PoolView, PoolView] | None = None
        self._told: dict[tuple[int, int, int], _Told] = {}

    def snapshot(
        self, live: LiveView | None, reader: DepartureReader | None = None
    ) -> CacheSnapshot:
        """The current cache, with all tiers merged.

        It lists the evictions that `reader` has not taken yet; none without a reader.
        """
        tiers = self._store.tiers
        version = tiers.version
        if self._version != version or self._pools is None:
            self._refresh()
            self._version = version
        elif self._owned_version != self._owners.version:
            self._name_owners()
        assert self._pools is not None
        kv, state = self._pools
        host = tiers.host
        snapshot = CacheSnapshot(
            version=version,
            time=time.perf_counter(),
            nodes=self._nodes,
            kv=kv,
            state=state,
            memory=self._store.memory(),
            live=live,
            evicted=tuple(sorted(tiers.device.reader.evicted.items())),
            skipped_checkpoints=tiers.device.skipped,
            quarantined=tiers.quarantined,
            host=None
            if host is None
            else HostView(host.reader.kv_pool(), host.reader.state_pool()),
            disk=None if tiers.disk is None else tiers.disk.view(),
            experts=self._store.experts(),
            branches=self._branches,
        )
        # Last, so that a failed snapshot does not lose any eviction.
        fresh, unlisted = ((), 0) if reader is None else reader.take()
        if not fresh:
            return snapshot
        return replace(snapshot, evictions=self._placed_in(fresh), unlisted=unlisted)

    def path_tokens(self, node: int, live: LiveView | None) -> tuple[Tokens, int] | None:
        """The tokens from the root to a node's end, and where it starts; None if it is gone."""
        nodes = {shown.id: shown for shown in self.snapshot(live).nodes}
        view = nodes.get(node)
        return None if view is None else (self._path(nodes, view), view.start)

    def node_text(self, node: int, live: LiveView | None) -> NodeText | None:
        """The decoded text of a node, elided in the middle if long; None if it is gone."""
        nodes = self.snapshot(live).nodes
        view = next((shown for shown in nodes if shown.id == node), None)
        if view is None:
            return None
        text = self._text.decode(self._tokens[node].tolist())
        if len(text) > LONGEST_TEXT:
            half = LONGEST_TEXT // 2
            text = f"{text[:half]}\n…\n{text[-half:]}"
        owners = self._owners.of(self._path({shown.id: shown for shown in nodes}, view), view.start)
        return NodeText(node=node, start=view.start, end=view.end, text=text, owners=owners)

    def _path(self, nodes: Mapping[int, NodeView], end: NodeView) -> Tokens:
        """The tokens from the root to the end of a node."""
        parts, at = [], end
        while at.parent is not None:
            parts.append(self._tokens[at.id])
            at = nodes[at.parent]
        return np.concatenate(parts[::-1]) if parts else self._tokens[at.id]

    def _refresh(self) -> None:
        tiers = self._store.tiers
        device = tiers.device
        self._place_before()
        overlay = self._overlay = Overlay(
            (view, device.reader.tokens_of(view.id)) for view in device.reader.nodes()
        )
        if tiers.host is not None:
            overlay.add("host", host_layer(tiers.host.reader))
        if tiers.disk is not None:
            overlay.add("disk", tiers.disk.layer())
        known, self._told = self._told, {}
        shown = []
        # A reader recognises what did not change by its being the same object.
        before = {node.id: node for node in self._nodes}
        self._tokens = {}
        above: dict[int | None, tuple[Voice, PrefixKey]] = {None: (SILENT, PrefixKey())}
        nodes = overlay.nodes()
        held = self._owners.of_nodes(nodes)
        self._branches = held.branches
        self._owned_version = self._owners.version
        for node, tokens in nodes:
            key = (node.id, node.start, node.end)
            told = known.get(key) or self._tell(tokens, node.start, *above[node.parent])
            self._told[key] = told
            self._tokens[node.id] = tokens
            above[node.id] = told.voice, told.key
            made = replace(
                node,
                text=told.text,
                speech=told.speech,
                owners=held.owners.get(node.id, ()),
                key=told.key.text,
            )
            was = before.get(node.id)
            shown.append(was if was is not None and was == made else made)
        self._nodes = tuple(shown)
        tree = device.reader.state_pool()
        # The live slot is outside the tree's allocator but is a slot of the plane like any other.
        state = replace(tree, total=tree.total + 1, live=tree.live + 1, beside=1)
        self._pools = (device.reader.kv_pool(), state)

    def _name_owners(self) -> None:
        """Say of every node whose it is now."""
        held = self._owners.of_nodes((node, self._tokens[node.id]) for node in self._nodes)
        self._owned_version, self._branches = self._owners.version, held.branches
        self._nodes = tuple(
            node
            if node.owners == (owners := held.owners.get(node.id, ()))
            else replace(node, owners=owners)
            for node in self._nodes
        )

    def _tell(self, tokens: Tokens, start: int, voice: Voice, key: PrefixKey) -> _Told:
        text = self._text.decode(tokens[:PREVIEW_TOKENS].tolist())
        said = speech(tokens, start, voice, self._text.marks, self._text.piece)
        return _Told(text, key.then(tokens), *said)

    # ---- evictions

    def _place_before(self) -> None:
        """Locate new departures in the overlay that is about to be replaced."""
        departures = self._store.departures
        if departures.total == self._placed:
            return
        if self._overlay is not None:
            spots = Spots(self._overlay)
            for departure in departures.after(self._placed):
                departure.node_before = spots.shown(departure)
        self._placed = departures.total

    def _placed_in(self, fresh: tuple[Departure, ...]) -> tuple[Evicted, ...]:
        """The records, with what each one's place in the overlay shows now."""
        assert self._overlay is not None
        spots = Spots(self._overlay)
        return tuple(spots.placed(departure) for departure in fresh)
