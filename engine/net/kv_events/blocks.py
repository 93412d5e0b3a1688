"""The blocks of one engine on one tier, as its events report them: exact, drawn or not."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.net.kv_events.wire import Hash

# Special values of a row's parent.
ROOT, UNTOLD, FREE = -1, -2, -3
TOKEN_BYTES = 4


@dataclass(frozen=True, slots=True)
class BlockView:
    """One block, for comparisons.

    Attributes:
        parent: hash of the block before it, None for the first of a sequence.
        copies: how many times it is cached.
    """

    hash: Hash
    parent: Hash | None
    copies: int


class Node:
    """A node of the drawn tree.

    Attributes:
        id: in the journal.
        start, end: its span in tokens.
        tokens: `[end - start] int32`.
        rows: of the blocks that end in it, ordered by their ends.
        told: whether the journal has it.
        held: whether there is a state at its end.
    """

    __slots__ = ("above", "children", "end", "held", "id", "rows", "start", "tokens", "told")

    def __init__(self, number: int, above: Node | None, start: int, tokens: bytes) -> None:
        self.id = number
        self.above = above
        self.start, self.end = start, start + len(tokens) // TOKEN_BYTES
        self.tokens = tokens
        self.children: dict[bytes, Node] = {}
        self.rows: list[int] = []
        self.told = self.held = False

    @property
    def key(self) -> bytes:
        return self.tokens[:TOKEN_BYTES]


class BlockTable:
    """Columns with a row for each cached block, and for each ancestor of one.

    An engine may cache a block twice and report each copy, so copies are counted. A block whose
    parent is not cached cannot be reached from the start of a sequence: it is kept, but not placed
    in the tree until its parent is.

    Attributes:
        rows: by hash.
        parent: of each row; may be ROOT or UNTOLD.
        end: tokens from the start of the sequence to the end of the block, once it is placed.
        node: of the drawn tree, if it is placed.
        fresh: tokens of the blocks that are cached but not placed yet, in order.
        apart: likewise, of those that cannot be placed because their parent is not.
        gone: rows that are placed but no longer cached.
        doubted: how many cached blocks have not been confirmed since events were lost.
        blank: rows of blocks whose tokens are unknown.
        heard: rows in doubt that have been confirmed since.
        unmatched: removals of blocks that were never reported.
        contradicted: blocks reported with another parent than before.
    """

    def __init__(self) -> None:
        self.rows: dict[Hash, int] = {}
        self.parent = array("i")
        self.end = array("i")
        self.node: list[Node | None] = []
        self.fresh: dict[int, bytes] = {}
        self.apart: dict[int, bytes] = {}
        self.gone: set[int] = set()
        self.heard: list[int] = []
        self.blank: set[int] = set()
        self.doubted = self.unmatched = self.contradicted = 0
        self.epoch = 0
        self._names: list[Hash] = []
        self._copies = array("i")
        self._cached = set[int]()
        self._children = array("i")
        self._seen = array("i")
        self._free: list[int] = []

    def __len__(self) -> int:
        """The number of rows, including those of blocks that were never reported."""
        return len(self.rows)

    @property
    def blocks(self) -> int:
        """The number of cached blocks."""
        return len(self._cached)

    # ---- engine events

    def store(self, hashes: Sequence[Hash], before: Hash | None, tokens: bytes) -> None:
        """Blocks were cached, after the block `before`; `tokens` are `[n * size] int32`."""
        rows, copies, epoch, seen = self.rows, self._copies, self.epoch, self._seen
        children = self._children
        width = len(tokens) // max(len(hashes), 1)
        above = ROOT if before is None else self._named(before)
        self._confirm(above)
        at = 0
        for name in hashes:
            row = rows.get(name)
            if row is None:
                row = self._new(name, above)
                copies[row] = 1
                self._cached.add(row)
                if above >= 0:
                    children[above] += 1
                self.fresh[row] = tokens[at : at + width]
            elif not copies[row]:
                copies[row] = 1
                seen[row] = epoch
                self._cached.add(row)
                if self.node[row] is None:
                    self._hang(row, above)
                    self.fresh[row] = tokens[at : at + width]
            elif self.parent[row] != above:
                self.contradicted += 1
            elif seen[row] < epoch:
                # It may have been removed and stored again among the lost events.
                copies[row] = 1
                self.heard.append(row)
            else:
                copies[row] += 1
            if seen[row] < epoch:
                seen[row] = epoch
                self.doubted -= 1
            above = row
            at += width

    def store_blank(self, name: Hash, before: Hash | None, numbers: bytes) -> None:
        """A block with unknown tokens was cached; `numbers` take their place."""
        self.store((name,), before, numbers)
        self.blank.add(self.rows[name])

    def remove(self, hashes: Sequence[Hash]) -> None:
        """One copy of each of these blocks was removed."""
        rows, copies = self.rows, self._copies
        for name in hashes:
            row = rows.get(name)
            if row is None or not copies[row]:
                self.unmatched += 1
            elif copies[row] > 1:
                copies[row] -= 1
            else:
                self._cached.discard(row)
                self._drop(row)

    def clear(self) -> None:
        """Everything was removed."""
        # A set that has shrunk is still as slow to iterate, so replace it.
        cached, self._cached = self._cached, set()
        for row in cached:
            self._drop(row)

    def doubt(self) -> None:
        """Events were lost: every block may have been removed, until it is confirmed."""
        self.epoch += 1
        self.doubted = self.blocks

    # ---- queries

    def cached(self, row: int) -> bool:
        return self._copies[row] > 0

    def has(self, name: Hash) -> bool:
        """Whether a block is cached, by its hash."""
        row = self.rows.get(name)
        return row is not None and self._copies[row] > 0

    def doubtful(self, row: int) -> bool:
        """Whether it has not been confirmed since events were lost."""
        return self._seen[row] < self.epoch

    def placeable(self, row: int) -> bool:
        """Whether its parent is placed."""
        above = self.parent[row]
        return above == ROOT or (above >= 0 and self.node[above] is not None)

    def release(self, row: int) -> None:
        """Free a row that is neither cached nor placed, and ancestors only needed for it."""
        while row >= 0 and not (self._copies[row] or self._children[row] or self.node[row]):
            above = self.parent[row]
            if above == FREE:
                return
            del self.rows[self._names[row]]
            self._names[row], self.parent[row] = 0, FREE
            self._free.append(row)
            if above < 0:
                return
            self._children[above] -= 1
            row = above

    def views(self) -> Iterator[BlockView]:
        """Every cached block."""
        for row in self._cached:
            above = self.parent[row]
            before = None if above < 0 else self._names[above]
            yield BlockView(self._names[row], before, self._copies[row])

    def name(self, row: int) -> Hash:
        """The hash of a row's block."""
        return self._names[row]

    def reachable(self) -> int:
        """The number of cached blocks that are placed in the tree."""
        return self.blocks - len(self.fresh) - len(self.apart)

    # ---- internals

    def _drop(self, row: int) -> None:
        """The last copy of its block was removed."""
        self._copies[row] = 0
        self.doubted -= self.doubtful(row)
        self.blank.discard(row)
        if self.node[row] is not None:
            self.gone.add(row)
        else:
            self.fresh.pop(row, None)
            self.apart.pop(row, None)
            self.release(row)

    def _named(self, name: Hash) -> int:
        row = self.rows.get(name)
        return self._new(name) if row is None else row

    def _new(self, name: Hash, above: int = UNTOLD) -> int:
        """A row for a block that is not cached and has no children."""
        if self._free:
            row = self._free.pop()
            self._names[row], self.parent[row] = name, above
            self._seen[row] = self.epoch
        else:
            row = len(self._names)
            self._names.append(name)
            self.parent.append(above)
            self.end.append(0)
            self.node.append(None)
            self._copies.append(0)
            self._children.append(0)
            self._seen.append(self.epoch)
        self.rows[name] = row
        return row

    def _hang(self, row: int, above: int) -> None:
        """Set its parent, possibly replacing another."""
        known = self.parent[row]
        if known == above or row == above:
            return
        if known >= 0:
            self._children[known] -= 1
        self.parent[row] = above
        if above >= 0:
            self._children[above] += 1
        if known >= 0:
            self.release(known)

    def _confirm(self, row: int) -> None:
        """It and its ancestors must be cached, or nothing could have been stored after them."""
        seen, epoch = self._seen, self.epoch
        while row >= 0 and seen[row] < epoch:
            seen[row] = epoch
            self.doubted -= self.cached(row)
            self.heard.append(row)
            row = self.parent[row]
