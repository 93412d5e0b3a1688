"""Blocks that came and are not in the drawn tree yet: which of them can be put there now."""

from __future__ import annotations

from collections.abc import Iterator

from engine.remote.tree.blocks import TOKEN_BYTES, BlockTable

# A sequence that grows block by block is drawn in pieces of this many tokens, or after so long.
PIECE_TOKENS, PIECE_S = 256, 2.0

Run = tuple[list[int], bytes]
"""Rows of blocks that follow one another, and their tokens."""


class Arrivals:
    """What waits: for the block before it, or for more of the same sequence."""

    def __init__(self, table: BlockTable) -> None:
        """table: its `fresh` blocks are those that came."""
        self._table = table
        # Rows that wait for another row; since when the end of a sequence waits, by its first row.
        self._waiting: dict[int, dict[int, None]] = {}
        self._since: dict[int, float] = {}

    def due(self, now: float | None) -> Iterator[Run]:
        """What can be placed; whoever asks places each run before asking for the next.

        Mutates the table's `fresh` and `apart`.

        Args:
            now: seconds on any clock; None if nothing may wait for more.
        """
        table, grows = self._table, dict[int, bytes]()
        while table.fresh:
            fresh, table.fresh = table.fresh, {}
            for run, tokens in self._runs(fresh):
                if not table.placeable(run[0]):
                    self._set_apart(run, tokens)
                elif now is not None and self._may_grow(run, tokens, now):
                    grows.update(_parts(run, tokens))
                else:
                    self._since.pop(run[0], None)
                    yield run, tokens
                    if self._waiting:
                        self._wake(run)
        table.fresh.update(grows)

    def _may_grow(self, run: list[int], tokens: bytes, now: float) -> bool:
        """Whether it goes on with the end of a path, and is short and new."""
        table = self._table
        above = table.parent[run[0]]
        node = table.node[above] if above >= 0 else None
        if node is None or node.children or table.end[above] != node.end:
            return False
        short = len(tokens) < PIECE_TOKENS * TOKEN_BYTES
        return short and now - self._since.setdefault(run[0], now) < PIECE_S

    def _runs(self, fresh: dict[int, bytes]) -> Iterator[Run]:
        """Blocks that follow one another, with their tokens."""
        parent = self._table.parent
        run: list[int] = []
        parts: list[bytes] = []
        for row, part in fresh.items():
            if run and (parent[row] != run[-1] or len(part) != len(parts[0])):
                yield run, b"".join(parts)
                run, parts = [], []
            run.append(row)
            parts.append(part)
        if run:
            yield run, b"".join(parts)

    def _set_apart(self, run: list[int], tokens: bytes) -> None:
        """Nothing of it can be placed before its parent is."""
        table = self._table
        for row, part in _parts(run, tokens):
            table.apart[row] = part
            if table.parent[row] >= 0:
                self._waiting.setdefault(table.parent[row], {})[row] = None

    def _wake(self, run: list[int]) -> None:
        """What waited for these blocks can be placed now."""
        table = self._table
        for row in run:
            for child in self._waiting.pop(row, ()):
                # Its number may be another block's by now.
                if child in table.apart and table.parent[child] == row:
                    table.fresh[child] = table.apart.pop(child)


def _parts(run: list[int], tokens: bytes) -> Iterator[tuple[int, bytes]]:
    """The blocks of a run with their tokens."""
    width = len(tokens) // len(run)
    for place, row in enumerate(run):
        yield row, tokens[place * width : (place + 1) * width]
