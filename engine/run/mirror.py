"""The cache rebuilt from the journal, for callers on the engine's thread."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from engine.cache.node import Tokens
from engine.cache.owners import Owners
from engine.events import NodeText
from engine.journal.feed import Feed
from engine.journal.tape import Follower, Tape
from engine.run.store import Store
from engine.snapshot import CacheSnapshot, HostView
from engine.text.text_model import TextModel

# Longer texts of nodes are elided in the middle.
LONGEST_TEXT = 4000
# Maximum entries pending for the next query; beyond it they are processed in any case.
MOST_WAITING = 10_000
# After this many entries a query starts over; after ten times as many, without a query.
MOST_ENTRIES = 50_000


class CacheMirror:
    """Follows the journal from the first query on. The window has its own mirror."""

    def __init__(self, feed: Callable[[], Feed], text: TextModel, owners: Owners) -> None:
        """Follows nothing before the first query.

        feed: the journal from now on, preceded by the current caches.
        """
        self._make, self._text, self._owners = feed, text, owners
        self._feed: Feed | None = None
        self._follower: Follower | None = None

    def snapshot(self) -> CacheSnapshot:
        """The cache now, with the evictions since the last snapshot."""
        follower = self._look()
        found = replace(follower.snapshot(), branches=follower.branches())
        if len(follower.tape) > MOST_ENTRIES:
            self._stop()
        return found

    def path_tokens(self, node: int) -> tuple[Tokens, int] | None:
        """The tokens from the root to a node's end, and its start; None if the node is gone."""
        return self._look().tokens(node)

    def node_text(self, node: int) -> NodeText | None:
        """The decoded text of a node, elided in the middle if long; None if the node is gone."""
        found = self.path_tokens(node)
        if found is None:
            return None
        path, start = found
        text = self._text.decode(path[start:].tolist())
        if len(text) > LONGEST_TEXT:
            half = LONGEST_TEXT // 2
            text = f"{text[:half]}\n…\n{text[-half:]}"
        owners = self._owners.of(path, start)
        return NodeText(node=node, start=start, end=len(path), text=text, owners=owners)

    def rest(self) -> None:
        """Keep entries from accumulating between queries."""
        if self._feed is None or self._feed.waiting < MOST_WAITING:
            return
        if len(self._look().tape) > 10 * MOST_ENTRIES:
            self._stop()

    def _look(self) -> Follower:
        """The follower of a tape with all entries so far."""
        if self._feed is None:
            self._feed = self._make()
        batch = self._feed.take()
        if batch is not None and batch.header is not None:
            self._follower = Follower(Tape(batch.header, MOST_ENTRIES), time.monotonic)
        assert self._follower is not None, "the first batch has a header"
        if batch is not None:
            self._follower.tape.append(batch.lines)
        return self._follower

    def _stop(self) -> None:
        assert self._feed is not None
        self._feed.stop()
        self._feed = self._follower = None


def read_anew(store: Store, feed: Feed) -> CacheSnapshot:
    """The cache as the trees, allocators, files and tensors have it now, for checks.

    Nothing is taken from earlier journal entries.

    Args:
        feed: a new one; it is stopped here.
    """
    batch = feed.take()
    feed.stop()
    assert batch is not None, "the first batch has a header"
    tape = Tape(batch.header)
    tape.append(batch.lines)
    device, host, disk = store.cache.reader, store.tiers.host, store.tiers.disk
    states = device.state_pool()
    return replace(
        tape.snapshot(len(tape)),
        kv=device.kv_pool(),
        # The live slot is not the cache's, but comes from the same plane.
        state=replace(states, total=states.total + 1, live=states.live + 1, beside=1),
        host=None if host is None else HostView(host.reader.kv_pool(), host.reader.state_pool()),
        disk=None if disk is None else disk.view(),
        memory=store.memory(),
        evicted=tuple(sorted(device.evicted.items())),
    )
