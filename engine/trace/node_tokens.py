"""The tokens of the nodes of a tape, for whoever looks for one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.cache.journal.changes import CacheFound, NodeAdded, NodeSplit
from engine.snapshot import NodeView
from engine.trace.tape import Tape

Tokens = NDArray[np.int32]
# Of so many entries at a time it is told how far it is.
_STEP = 512


class NodeTokens:
    """Follows a tape that only grows.

    A node's tokens are kept as it was added; a split or another moment only needs a part of them.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._seen = 0
        self._added: dict[int, tuple[int, bytes]] = {}

    def follow(self) -> Iterator[None]:
        """Read the entries that were not read yet; yields now and then."""
        while self._seen < len(self.tape):
            if self._seen < self.tape.first:
                # What comes next is forgotten: go on with the nodes that were there then.
                self._seen = self.tape.first
                for entry in self.tape.opening():
                    if entry.tier == "device":
                        self._hear(entry.what)
            entry = self.tape.entry(self._seen)
            self._seen += 1
            if entry.tier == "device":
                self._hear(entry.what)
            if not self._seen % _STEP:
                yield

    def of(self, node: NodeView) -> Tokens | None:
        """`[end - start] int32` token ids; None if they are not known."""
        start, tokens = self._added.get(node.id, (0, b""))
        if node.start < start:
            return None
        found = np.frombuffer(tokens, "<i4")[node.start - start : node.end - start]
        return found if len(found) == node.end - node.start else None

    def _hear(self, what: object) -> None:
        if isinstance(what, NodeAdded):
            self._added[what.node] = what.start, what.tokens
        elif isinstance(what, NodeSplit):
            if what.node in self._added:
                self._added[what.upper] = self._added[what.node]
        elif isinstance(what, CacheFound):
            self._added = {
                node.id: (node.start, tokens)
                for node, tokens in zip(what.nodes, what.tokens, strict=False)
            }
