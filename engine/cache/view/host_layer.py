"""The host tier as a layer of the overlay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.cache.reader import CacheReader
from engine.cache.view.overlay import LayerNode


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
