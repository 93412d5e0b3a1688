"""The spans of a tree as hashes: the same numbers that its requests have at those positions."""

from __future__ import annotations

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    SegmentRemoved,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.segments import SegmentAdded, SegmentsUsed, SegmentWritten
from engine.cache.node import ROOT_ID
from engine.trace.token_hash import LINK_BYTES, TokenHasher, words_of

_Segment = SegmentAdded | SegmentWritten | SegmentsUsed | SegmentRemoved


class TreeHasher:
    """Follows the trees of all tiers; holds 16 bytes for each cached token."""

    def __init__(self, hasher: TokenHasher) -> None:
        self._hasher = hasher
        # By tier and node, or segment: where the span starts, and the links of its tokens.
        self._spans: dict[tuple[str, int | str], tuple[int, bytes]] = {}

    def hashed(self, entry: Entry) -> Entry:
        """The entry as it may be written; must be called with every change, in order."""
        tier, change = entry.tier, entry.what
        if isinstance(change, SegmentAdded | SegmentWritten | SegmentsUsed | SegmentRemoved):
            return entry._replace(what=self._segment(change))
        if isinstance(change, NodeAdded):
            tokens = self._linked(tier, change.node, change.parent, change.start, change.tokens)
            return entry._replace(what=change._replace(tokens=tokens))
        if isinstance(change, NodeSplit):
            self._split(tier, change)
        elif isinstance(change, NodeRemoved):
            self._spans.pop((tier, change.node), None)
        elif isinstance(change, CacheOpened):
            self._forget(tier)
        elif isinstance(change, CacheFound):
            self._forget(tier)
            if change.tokens:
                hashes = tuple(
                    self._linked(tier, view.id, view.parent or ROOT_ID, view.start, tokens)
                    for view, tokens in zip(change.nodes, change.tokens, strict=True)
                )
                return entry._replace(what=change._replace(tokens=hashes))
        return entry

    def _segment(self, change: _Segment) -> _Segment:
        """The same under other keys: those of the files are unkeyed hashes of prefixes."""
        if isinstance(change, SegmentsUsed):
            return change._replace(keys=tuple(map(self._hasher.name, change.keys)))
        key = self._hasher.name(change.key) if change.key else ""
        if isinstance(change, SegmentAdded):
            above, parent = (
                change.parent or ROOT_ID,
                change.parent and self._hasher.name(change.parent),
            )
            tokens = self._linked("disk", change.key, above, change.start, change.tokens)
            return change._replace(key=key, parent=parent, tokens=tokens)
        if isinstance(change, SegmentRemoved):
            self._spans.pop(("disk", change.key), None)
        return change._replace(key=key)

    def _linked(
        self, tier: str, node: int | str, parent: int | str, start: int, tokens: bytes
    ) -> bytes:
        """The hashes of a new span; none if its tokens, or those above, are not known."""
        above = self._spans.get((tier, parent))
        if not tokens or (above is None and parent != ROOT_ID):
            return b""
        link = above[1][-LINK_BYTES:] if above is not None else b""
        links = self._hasher.extended(link, tokens)
        self._spans[tier, node] = start, links
        return words_of(links).astype("<i4").tobytes()

    def _split(self, tier: str, split: NodeSplit) -> None:
        known = self._spans.get((tier, split.node))
        if known is None:
            return
        start, links = known
        at = (split.position - start) * LINK_BYTES
        self._spans[tier, split.upper] = start, links[:at]
        self._spans[tier, split.node] = split.position, links[at:]

    def _forget(self, tier: str) -> None:
        self._spans = {at: span for at, span in self._spans.items() if at[0] != tier}
