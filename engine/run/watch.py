"""Snapshots of the cache for the panel: whole, consistent, and cheap while nothing changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.cache.cache import TwoPlaneCache
from engine.snapshot import CacheSnapshot, LiveView, MemoryView, NodeView, PoolView

PREVIEW_TOKENS = 24
LONGEST_TEXT = 4000


class CacheWatch:
    """Builds snapshots and keeps what did not change since the last one."""

    def __init__(
        self,
        cache: TwoPlaneCache,
        memory: Callable[[], MemoryView],
        decode: Callable[[Sequence[int]], str],
    ) -> None:
        self._cache = cache
        self._memory = memory
        self._decode = decode
        self._version = -1
        self._nodes: tuple[NodeView, ...] = ()
        self._pools: tuple[PoolView, PoolView] | None = None
        self._previews: dict[tuple[int, int, int], str] = {}

    def snapshot(self, live: LiveView | None) -> CacheSnapshot:
        """The cache as it is now."""
        if self._version != self._cache.version or self._pools is None:
            self._refresh()
        assert self._pools is not None
        kv, state = self._pools
        return CacheSnapshot(
            version=self._version,
            time=time.perf_counter(),
            nodes=self._nodes,
            kv=kv,
            state=state,
            memory=self._memory(),
            live=live,
            evicted=tuple(sorted(self._cache.evicted.items())),
            skipped_checkpoints=self._cache.skipped,
        )

    def text(self, node: NodeView) -> str:
        """The decoded text of a node's span, shortened in the middle if long."""
        text = self._decode(self._cache.tokens_of(node.id).tolist())
        if len(text) <= LONGEST_TEXT:
            return text
        half = LONGEST_TEXT // 2
        return f"{text[:half]}\n…\n{text[-half:]}"

    def _refresh(self) -> None:
        nodes = self._cache.nodes()
        known = self._previews
        self._previews = {}
        shown = []
        for node in nodes:
            key = (node.id, node.start, node.end)
            text = known.get(key)
            if text is None:
                head = self._cache.tokens_of(node.id)[:PREVIEW_TOKENS]
                text = self._decode(head.tolist())
            self._previews[key] = text
            shown.append(replace(node, text=text))
        self._nodes = tuple(shown)
        tree = self._cache.state_pool()
        # The live slot lies outside the tree's allocator but is a slot of the plane like any other.
        state = replace(tree, total=tree.total + 1, live=tree.live + 1)
        self._pools = (self._cache.kv_pool(), state)
        self._version = self._cache.version
