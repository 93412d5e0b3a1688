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
from engine.trace.token_hash import TOKEN_BYTES, WINDOW, TokenHasher

_Segment = SegmentAdded | SegmentWritten | SegmentsUsed | SegmentRemoved


class TreeHasher:
    """Follows the trees of all tiers; holds the cached tokens, 4 bytes for each."""

    def __init__(self, hasher: TokenHasher) -> None:
        self._hasher = hasher
        # By tier and node, or segment: where the span ends, and the tokens up to there.
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
        before = b"" if above is None else above[1][-(WINDOW - 1) * TOKEN_BYTES :]
        self._spans[tier, node] = start + len(tokens) // TOKEN_BYTES, before + tokens
        return self._hasher.extended(before, tokens).astype("<i4").tobytes()

    def _split(self, tier: str, split: NodeSplit) -> None:
        known = self._spans.get((tier, split.node))
        if known is None:
            return
        end, tokens = known
        # What was above is above the lower part, too.
        upper = tokens[: len(tokens) - (end - split.position) * TOKEN_BYTES]
        self._spans[tier, split.upper] = split.position, upper

    def _forget(self, tier: str) -> None:
        self._spans = {at: span for at, span in self._spans.items() if at[0] != tier}
