"""The spans of a tree as hashes: the same numbers that its requests have at those positions."""

from __future__ import annotations

from engine.cache.journal.changes import (
    CacheFound,
    CacheOpened,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
)
from engine.cache.journal.journal import Entry
from engine.cache.node import ROOT_ID
from engine.trace.token_hash import LINK_BYTES, TokenHasher, words_of


class TreeHasher:
    """Follows the trees of all tiers; holds 16 bytes for each cached token."""

    def __init__(self, hasher: TokenHasher) -> None:
        self._hasher = hasher
        # By tier and node: where the span starts, and the links of its tokens.
        self._spans: dict[tuple[str, int], tuple[int, bytes]] = {}

    def hashed(self, entry: Entry) -> Entry:
        """The entry as it may be written; must be called with every change, in order."""
        tier, change = entry.tier, entry.what
        if isinstance(change, NodeAdded):
            return entry._replace(what=change._replace(tokens=self._add(tier, change)))
        if isinstance(change, NodeSplit):
            self._split(tier, change)
        elif isinstance(change, NodeRemoved):
            self._spans.pop((tier, change.node), None)
        elif isinstance(change, CacheOpened):
            self._forget(tier)
        elif isinstance(change, CacheFound):
            self._forget(tier)
            if change.tokens:
                added = (
                    NodeAdded(view.id, view.parent or ROOT_ID, view.start, view.end, tokens)
                    for view, tokens in zip(change.nodes, change.tokens, strict=True)
                )
                hashes = tuple(self._add(tier, node) for node in added)
                return entry._replace(what=change._replace(tokens=hashes))
        return entry

    def _add(self, tier: str, added: NodeAdded) -> bytes:
        """The hashes of a new node's span; none if its tokens, or those above, are not known."""
        above = self._spans.get((tier, added.parent))
        if not added.tokens or (above is None and added.parent != ROOT_ID):
            return b""
        link = above[1][-LINK_BYTES:] if above is not None else b""
        links = self._hasher.extended(link, added.tokens)
        self._spans[tier, added.node] = added.start, links
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
