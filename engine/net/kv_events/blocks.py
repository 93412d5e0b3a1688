"""The blocks of one engine on one tier, as its events tell of them: exact, whatever is drawn."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.net.kv_events.wire import Hash

# In place of the row of a block's parent.
ROOT, UNTOLD, FREE = -1, -2, -3
TOKEN_BYTES = 4


@dataclass(frozen=True, slots=True)
class BlockView:
    """One block, for who compares.

    Attributes:
        parent: hash of the block before it, None for the first of a sequence.
        copies: how often it is cached.
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
        rows: of the blocks that end in it, by their ends.
        told: the journal knows it.
        held: there is a state at its end.
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
    """Columns with a row for each block that is cached, or stands before one that is.

    An engine may cache a block twice and tell of each copy, so copies are counted. A block whose
    parent is not cached cannot be reached from the start of a sequence: it is kept, and not placed
    in the tree until its parent is.

    Attributes:
        rows: by hash.
        parent: of each row; ROOT or UNTOLD.
        end: tokens from the start of the sequence to the end of the block, where it is placed.
        node: of the drawn tree, in which it is placed.
        fresh: tokens of the blocks that are cached and not placed yet, in order.
        apart: the same of those that cannot be placed, since what is before them is not.
        gone: rows that are placed and not cached any longer.
        doubted: how many blocks are cached and were not heard of since events were lost.
        blank: rows of those whose tokens nobody has told.
        heard: rows that were in doubt and were heard of since.
        unmatched: removals of blocks that nobody had told of.
        contradicted: blocks told with another parent than before.
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
        """How many rows there are, those of blocks that were never told of included."""
        return len(self.rows)

    @property
    def blocks(self) -> int:
        """How many blocks are cached."""
        return len(self._cached)

    # ---- what the engine tells

    def store(self, hashes: Sequence[Hash], before: Hash | None, tokens: bytes) -> None:
        """Blocks are cached, after the block `before`; `tokens` are `[n * size] int32`."""
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
                # It may have gone and come back while nobody listened.
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
        """A block is cached whose tokens nobody has told; `numbers` stand in their place."""
        self.store((name,), before, numbers)
        self.blank.add(self.rows[name])

    def remove(self, hashes: Sequence[Hash]) -> None:
        """One copy of each of these blocks is gone."""
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
        """Nothing is cached any longer."""
        # A set from which much was taken is as slow to walk as before, so it begins anew.
        cached, self._cached = self._cached, set()
        for row in cached:
            self._drop(row)

    def doubt(self) -> None:
        """Events were lost: every block may be gone by now, until it is heard of again."""
        self.epoch += 1
        self.doubted = self.blocks

    # ---- for who draws it, and who asks

    def cached(self, row: int) -> bool:
        return self._copies[row] > 0

    def has(self, name: Hash) -> bool:
        """Whether a block is cached, by its hash."""
        row = self.rows.get(name)
        return row is not None and self._copies[row] > 0

    def doubtful(self, row: int) -> bool:
        """Whether it was not heard of since events were lost."""
        return self._seen[row] < self.epoch

    def placeable(self, row: int) -> bool:
        """Whether all before it is placed."""
        above = self.parent[row]
        return above == ROOT or (above >= 0 and self.node[above] is not None)

    def release(self, row: int) -> None:
        """Forget a row that is neither cached nor placed, and those that only stood before it."""
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
        """How many cached blocks are placed in the tree."""
        return self.blocks - len(self.fresh) - len(self.apart)

    # ---- inside

    def _drop(self, row: int) -> None:
        """No copy of its block is left."""
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
        """A row for a block that is not cached, and nothing is known to stand behind."""
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
        """Its parent is told, maybe not for the first time."""
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
        """It and all before it are cached now, or nothing could be stored behind them."""
        seen, epoch = self._seen, self.epoch
        while row >= 0 and seen[row] < epoch:
            seen[row] = epoch
            self.doubted -= self.cached(row)
            self.heard.append(row)
            row = self.parent[row]
