"""The tree of one engine's blocks on one tier, as journal changes.

Engines share whole blocks, while a tree forks between tokens, so a node ends where two sequences
diverge or where the last block of a path does. Many events are combined into one step: what came
and went in between is never drawn, and a step's cost is proportional to its changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from engine.cache.journal.changes import (
    Change,
    CheckpointDropped,
    CheckpointStored,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    Touched,
)
from engine.net.kv_events.blocks import TOKEN_BYTES, BlockTable, Node
from engine.net.kv_events.states import StateTable
from engine.stored_state import StoredState, TierName

REMOVED = "removed remotely"
HERE: TierName = "device"
# A sequence that grows block by block is drawn in pieces of this many tokens, or after this long.
PIECE_TOKENS, PIECE_S = 256, 2.0

# Rows of consecutive blocks, and their tokens.
Run = tuple[list[int], bytes]


class Arrivals:
    """Pending blocks: waiting for their parent, or for more of the same sequence."""

    def __init__(self, table: BlockTable) -> None:
        """table: its `fresh` blocks are the new ones."""
        self._table = table
        # Rows waiting for another row; since when a sequence's end has waited, by its first row.
        self._waiting: dict[int, dict[int, None]] = {}
        self._since: dict[int, float] = {}

    def due(self, now: float | None) -> Iterator[Run]:
        """Yields what can be placed; the caller must place each run before advancing.

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
        """Whether it extends the end of a path, and is short and recent."""
        table = self._table
        above = table.parent[run[0]]
        node = table.node[above] if above >= 0 else None
        if node is None or node.children or table.end[above] != node.end:
            return False
        short = len(tokens) < PIECE_TOKENS * TOKEN_BYTES
        return short and now - self._since.setdefault(run[0], now) < PIECE_S

    def _runs(self, fresh: dict[int, bytes]) -> Iterator[Run]:
        """Runs of consecutive blocks, with their tokens."""
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
        """Hold it back until its parent is placed."""
        table = self._table
        for row, part in _parts(run, tokens):
            table.apart[row] = part
            if table.parent[row] >= 0:
                self._waiting.setdefault(table.parent[row], {})[row] = None

    def _wake(self, run: list[int]) -> None:
        """Make blocks that waited for these available again."""
        table = self._table
        for row in run:
            for child in self._waiting.pop(row, ()):
                # The row may have been reused for another block.
                if child in table.apart and table.parent[child] == row:
                    table.fresh[child] = table.apart.pop(child)


def _parts(run: list[int], tokens: bytes) -> Iterator[tuple[int, bytes]]:
    """The blocks of a run with their tokens."""
    width = len(tokens) // len(run)
    for place, row in enumerate(run):
        yield row, tokens[place * width : (place + 1) * width]


class Drawn:
    """The tree, updated step by step.

    Attributes:
        top: the node above everything.
        repeated: blocks with the same tokens as others that they do not precede.
        by_id: every node below the top.
    """

    def __init__(
        self, table: BlockTable, states: StateTable, top: int, number: Callable[[], int]
    ) -> None:
        """Create an empty tree.

        Args:
            top: id of the node under which the tree hangs.
            number: returns the id of a new node.
        """
        self.top = Node(top, None, 0, b"")
        self.top.told = True
        self.by_id: dict[int, Node] = {}
        self._table, self._states, self._number = table, states, number
        self._arrivals = Arrivals(table)

    def step(self, now: float, *, everything: bool = False) -> list[Change]:
        """The changes since the last step, parents first.

        Args:
            now: seconds on any clock.
            everything: include what may still grow.
        """
        out: list[Change] = []
        if self._table.gone:
            self._take_out(out)
        if self._table.fresh:
            self._put_in(out, now, everything)
        if self._states.changed:
            self._mark(out)
        if self._table.heard:
            self._hear(out)
        return out

    def deepest(self, tokens: bytes) -> tuple[Node, int]:
        """How far the tree matches a sequence: the node it ends in, and the last block's end."""
        node, at = self.top, 0
        while at < len(tokens):
            child = node.children.get(tokens[at : at + TOKEN_BYTES])
            if child is None:
                break
            shared = _shared(child.tokens, tokens, at)
            node, at = child, at + TOKEN_BYTES * shared
            if node.start + shared < node.end:
                break
        reach = at // TOKEN_BYTES
        end = self._table.end
        while node.above is not None:
            place = bisect_right(node.rows, reach, key=end.__getitem__)
            if place:
                return node, end[node.rows[place - 1]]
            node = node.above
        return node, 0

    def tokens_to(self, row: int) -> bytes:
        """The tokens from the start to the end of a placed block."""
        node, parts = self._table.node[row], list[bytes]()
        end = self._table.end[row]
        while node is not None and node.above is not None:
            parts.append(node.tokens[: TOKEN_BYTES * (end - node.start)])
            node = node.above
        return b"".join(reversed(parts))

    def path(self, node: Node) -> bytes:
        """The tokens from the start to the end of a node."""
        parts, at = list[bytes](), node
        while at.above is not None:
            parts.append(at.tokens)
            at = at.above
        return b"".join(reversed(parts))

    def nodes(self) -> Iterable[Node]:
        """Every node below the top, parents first."""
        stack = list(self.top.children.values())
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children.values())

    # ---- additions

    def _put_in(self, out: list[Change], now: float, everything: bool) -> None:
        table, made = self._table, list[Node]()
        for run, tokens in self._arrivals.due(None if everything else now):
            above = table.parent[run[0]]
            node = self.top if above < 0 else table.node[above]
            assert node is not None, "it is placeable"
            self._place(node, 0 if above < 0 else table.end[above], run, tokens, made, out)
        # A node may have been split since, so parents are only known now.
        for node in sorted(made, key=_start):
            assert node.above is not None, "only the top has nothing above it"
            out.append(NodeAdded(node.id, node.above.id, node.start, node.end, node.tokens))
            node.told = True

    def _place(
        self,
        node: Node,
        at: int,
        run: list[int],
        tokens: bytes,
        made: list[Node],
        out: list[Change],
    ) -> None:
        """Insert blocks into the tree from position `at` on, which is in `node` or at its end."""
        done = 0
        while done < len(tokens):
            if at < node.end:
                inside = TOKEN_BYTES * (at - node.start)
                shared = _shared(tokens[done:], node.tokens, inside)
                at, done = at + shared, done + TOKEN_BYTES * shared
                if done < len(tokens) and at < node.end:
                    node = self._split(node, at, made, out)
                continue
            child = node.children.get(tokens[done : done + TOKEN_BYTES])
            if child is not None:
                node = child
                continue
            if not node.told and not node.children and node is not self.top:
                node.tokens += tokens[done:]
                node.end += (len(tokens) - done) // TOKEN_BYTES
            else:
                child = Node(self._number(), node, at, tokens[done:])
                node.children[child.key] = self.by_id[child.id] = child
                made.append(child)
                node = child
            break
        self._register(node, run, len(tokens) // len(run) // TOKEN_BYTES)

    def _register(self, node: Node, run: list[int], size: int) -> None:
        """Record where the blocks of a run, which ends in `node`, are."""
        table = self._table
        end, of = table.end, table.node
        above = table.parent[run[0]]
        first = (0 if above < 0 else end[above]) + size
        for place, row in enumerate(run):
            end[row] = first + place * size
            if self._states.told and table.name(row) in self._states:
                self._states.changed[table.name(row)] = None
        left = len(run)
        while left:
            begin = left
            while begin and end[run[begin - 1]] > node.start:
                begin -= 1
            part = run[begin:left]
            for row in part:
                of[row] = node
            if part:
                rows = node.rows
                ordered = not rows or end[rows[-1]] <= end[part[0]]
                rows.extend(part)
                if not ordered:
                    rows.sort(key=end.__getitem__)
            left = begin
            if left:
                assert node.above is not None, "blocks begin at the top"
                node = node.above

    def _split(self, node: Node, at: int, made: list[Node], out: list[Change]) -> Node:
        """Split a node; returns the part before `at`."""
        table, cut = self._table, TOKEN_BYTES * (at - node.start)
        upper = Node(self._number(), node.above, node.start, node.tokens[:cut])
        place = bisect_right(node.rows, at, key=table.end.__getitem__)
        upper.rows, node.rows = node.rows[:place], node.rows[place:]
        for row in upper.rows:
            table.node[row] = upper
        assert node.above is not None, "the top has no tokens"
        node.above.children[upper.key] = self.by_id[upper.id] = upper
        node.above, node.start, node.tokens = upper, at, node.tokens[cut:]
        upper.children[node.key] = node
        if node.told:
            upper.told = True
            out.append(NodeSplit(node.id, upper.id, at))
        else:
            made.append(upper)
        return upper

    # ---- states

    def _mark(self, out: list[Change]) -> None:
        """Apply state changes, as far as their blocks are placed."""
        table, states = self._table, self._states
        changed, states.changed = states.changed, {}
        for name in changed:
            row = table.rows.get(name)
            node = None if row is None else table.node[row]
            if row is None or node is None:
                # The block may still come; a removed one took its state along.
                if name in states:
                    states.changed[name] = None
                continue
            at = table.end[row]
            held, wanted = node.held and node.end == at, name in states
            if held == wanted:
                continue
            if wanted:
                if at < node.end:
                    node = self._split(node, at, [], out)
                state = StoredState(at, tier=HERE)
                out.append(CheckpointStored(node.id, 0, 0, state))
            else:
                out.append(CheckpointDropped(node.id, at, REMOVED))
            node.held = wanted

    # ---- doubt

    def _hear(self, out: list[Change]) -> None:
        """Touch the nodes that were confirmed, down to their last block."""
        table = self._table
        heard, table.heard = table.heard, []
        nodes: dict[Node, None] = {}
        for row in heard:
            node = table.node[row]
            while node is not None and (not node.rows or table.doubtful(node.rows[-1])):
                node = node.above
            if node is not None and node.above is not None:
                nodes[node] = None
        out.extend(Touched(node.id, None) for node in nodes)

    # ---- removals

    def _take_out(self, out: list[Change]) -> None:
        table = self._table
        gone, table.gone = table.gone, set()
        places: dict[Node, set[int]] = {}
        for row in gone:
            node = table.node[row]
            if node is not None and not table.cached(row):
                places.setdefault(node, set()).add(row)
        passed: list[Node] = []
        for node, rows in sorted(places.items(), key=lambda one: one[0].start):
            if not any(map(table.node.__getitem__, rows)):
                # They were removed together with an ancestor.
                continue
            tail = node.rows[-len(rows) :]
            if not node.children and rows.issuperset(tail):
                del node.rows[-len(rows) :]
                for row in reversed(tail):
                    table.node[row] = None
                    table.release(row)
            else:
                self._sift(node, passed)
            passed.append(node)
        for node in sorted(passed, key=_start, reverse=True):
            self._trim(node, out)

    def _sift(self, node: Node, passed: list[Node]) -> None:
        """Take out removed blocks, and those only reachable through them."""
        table, stack, absent = self._table, [node], list[int]()
        while stack:
            # A path may contain a node in which no block ends.
            node = stack.pop()
            stack.extend(node.children.values())
            kept, left = [], []
            for row in node.rows:
                if table.cached(row) and table.placeable(row):
                    kept.append(row)
                    continue
                if table.cached(row):
                    table.fresh[row] = self._tokens(row)
                else:
                    absent.append(row)
                left.append(row)
                table.node[row] = None
            if left:
                node.rows = kept
                passed.append(node)
        for row in reversed(absent):
            table.release(row)

    def _tokens(self, row: int) -> bytes:
        """The tokens of a placed block."""
        table = self._table
        above, end = table.parent[row], table.end[row]
        start = 0 if above < 0 else table.end[above]
        node, parts = table.node[row], list[bytes]()
        while node is not None and end > start:
            first = max(start, node.start)
            cut = TOKEN_BYTES * (first - node.start), TOKEN_BYTES * (end - node.start)
            parts.append(node.tokens[cut[0] : cut[1]])
            end, node = first, node.above
        return b"".join(reversed(parts))

    def _trim(self, node: Node, out: list[Change]) -> None:
        """Shorten a path to its last block."""
        table = self._table
        while node.above is not None and not node.children:
            last = table.end[node.rows[-1]] if node.rows else node.start
            above = node.above
            if above.children.get(node.key) is not node:
                return
            if last == node.end:
                return
            if last > node.start:
                number = self._number()
                out.append(NodeSplit(node.id, number, last))
                out.append(NodeRemoved(node.id, REMOVED))
                del self.by_id[node.id]
                self.by_id[number] = node
                node.id, node.end, node.held = number, last, False
                node.tokens = node.tokens[: TOKEN_BYTES * (last - node.start)]
                return
            out.append(NodeRemoved(node.id, REMOVED))
            del above.children[node.key], self.by_id[node.id]
            node.above = None
            node = above


def _start(node: Node) -> int:
    return node.start


def _shared(one: bytes, other: bytes, at: int) -> int:
    """The number of leading tokens that `one` shares with `other` from byte `at` on."""
    length = min(len(one), len(other) - at)
    if one[:length] == other[at : at + length]:
        return length // TOKEN_BYTES
    low, high = 0, length
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[at + low : at + middle]:
            low = middle
        else:
            high = middle
    return low // TOKEN_BYTES
