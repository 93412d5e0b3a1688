"""One watched engine: its batches in order, and its cache as they describe it."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from zlib import crc32

from engine.cache.journal.changes import Change
from engine.net.kv_events.blocks import BlockTable, Node
from engine.net.kv_events.drawn import Drawn
from engine.net.kv_events.dump import Blanks, DumpedBlocks
from engine.net.kv_events.inferred import Runs
from engine.net.kv_events.states import STATE_KINDS, StateTable
from engine.net.kv_events.wire import (
    KV_KINDS,
    AllBlocksCleared,
    BatchReader,
    BlockRemoved,
    BlockStored,
    Hash,
    Unread,
    WireError,
    tier_of,
)

TIERS = ("device", "host")
# Maximum early batches that wait for those before them; publishers keep as many.
MOST_HELD = 10_000
# How many checksums are kept, to distinguish a repeated batch from one of a restarted engine.
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Numbered:
    """A batch as it came."""

    seq: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Hole:
    """Batches [first, end) will not arrive any more."""

    first: int
    end: int

    def __len__(self) -> int:
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class Restarted:
    """The sender numbers from the start again: its cache is now empty."""


Step = Numbered | Hole | Restarted


class Order:
    """Puts the batches of one sender in order.

    Attributes:
        next: number of the next batch; None before the first one.
        repeated: number of duplicate batches.
        lost: number of batches that never arrived.
        late: number of batches that were sent before the first available one.
    """

    def __init__(self) -> None:
        self.next: int | None = None
        self.repeated = self.lost = self.late = 0
        self._held: dict[int, bytes] = {}
        self._seen: OrderedDict[int, int] = OrderedDict()
        self._ready: deque[Step] = deque()

    @property
    def wanted(self) -> int | None:
        """The first missing batch, if later ones wait for it; None otherwise."""
        return self.next if self._held else None

    @property
    def waiting(self) -> int:
        """The number of waiting batches."""
        return len(self._held)

    def put(self, seq: int, payload: bytes) -> None:
        """A batch arrived, live or replayed."""
        if self.next is None:
            self._held[seq] = payload
            return
        if seq >= self.next:
            if seq in self._held:
                self.repeated += 1
            self._held[seq] = payload
            self._release()
            if len(self._held) > MOST_HELD:
                self.give_up()
        elif self._seen.get(seq) == crc32(payload):
            self.repeated += 1
        elif seq in self._seen or seq == 0:
            self._restart(seq, payload)
        else:
            # Too old to be remembered.
            self.repeated += 1

    def begin(self) -> None:
        """The past has been replayed as far as possible: start with the first available batch."""
        if self.next is None and self._held:
            self.next = self.late = min(self._held)
            self._release()

    def give_up(self) -> None:
        """Missing batches will not arrive: continue with the first available one."""
        if self.next is None:
            self.begin()
        elif self._held:
            hole = Hole(self.next, min(self._held))
            self.lost += len(hole)
            self._ready.append(hole)
            self.next = hole.end
            self._release()

    def take(self) -> list[Step]:
        """The batches that are ready, in order."""
        ready = list(self._ready)
        self._ready.clear()
        return ready

    def _release(self) -> None:
        assert self.next is not None, "it has begun"
        held, ready = self._held, self._ready
        while (payload := held.pop(self.next, None)) is not None:
            ready.append(Numbered(self.next, payload))
            self._seen[self.next] = crc32(payload)
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            self.next += 1

    def _restart(self, seq: int, payload: bytes) -> None:
        self._held.clear()
        self._seen.clear()
        self._ready.append(Restarted())
        self.next = 0
        self._held[seq] = payload
        self._release()


@dataclass(frozen=True, slots=True)
class Gap:
    """Batches were permanently lost.

    Attributes:
        batches: how many.
        blocks: number of blocks that may have been removed since.
    """

    batches: int
    blocks: int


class Worker:
    """Follows one engine.

    Attributes:
        label: its display name.
        lane: id of the node under which its tree hangs.
        order: puts its batches in order.
        unread: what could not be used.
        events: number of events used.
        stored_blocks: number of blocks reported as stored, including copies.
        tables: its blocks by tier.
        drawn: their trees by tier.
        elsewhere: number of events about media that are not drawn, by the engine's name.
        states: its recurrent states by tier, as far as it reports them.
        windows: number of events about layers that are not drawn, by kind.
        runs: the blocks that its requests stored.
        batches: number of batches read.
        seen: the engine's clock in its last batch, seconds since 1970; None before any.
    """

    def __init__(self, label: str, lane: int, number: Callable[[], int]) -> None:
        """number: returns the id of a new node."""
        self.label, self.lane = label, lane
        self.order, self.unread = Order(), Unread()
        self.events = self.stored_blocks = self.batches = 0
        self.tables = {tier: BlockTable() for tier in TIERS}
        self.states = {tier: StateTable() for tier in TIERS}
        self.drawn = {
            tier: Drawn(self.tables[tier], self.states[tier], lane, number) for tier in TIERS
        }
        self.runs = Runs()
        self.elsewhere: Counter[str] = Counter()
        self.windows: Counter[str] = Counter()
        self.seen: float | None = None
        self.block_size = 0
        # Removals while a dump is awaited, which may still contain them, by tier and hash.
        self._awaits = self._cleared = False
        self._removed: set[tuple[str, Hash]] = set()
        self._reader = BatchReader()
        # The kind of each group of layers, from events that store blocks.
        self._kinds: dict[int, str] = {}

    def put(self, seq: int, payload: bytes) -> list[Gap]:
        """A batch arrived; applies all batches that are ready. Returns the gaps it left."""
        self.order.put(seq, payload)
        return self.apply()

    def apply(self) -> list[Gap]:
        """Apply the batches that are ready."""
        gaps = []
        for step in self.order.take():
            if isinstance(step, Hole):
                gaps.append(self._lose(len(step)))
            elif isinstance(step, Restarted):
                self._clear()
            else:
                gaps += self._read(step.payload)
        return gaps

    def step(self, now: float, *, everything: bool = False) -> Iterable[tuple[str, Change]]:
        """The changes in its trees since the last call, each with its tier."""
        for tier, drawn in self.drawn.items():
            for change in drawn.step(now, everything=everything):
                yield tier, change

    def await_dump(self) -> None:
        """Record removals until `begin_from`."""
        self._awaits = True

    def begin_from(self, dump: Iterable[DumpedBlocks]) -> None:
        """Add blocks cached before the subscription, from an indexer's dump.

        The engine's own events take precedence: what they removed is not restored.
        """
        removed, self._removed, self._awaits = self._removed, set(), False
        blanks = Blanks()
        for run in () if self._cleared else dump:
            table, before = self.tables[run.tier], run.before
            self.block_size = self.block_size or run.size
            above = None if before is None else self._own(before)
            for name in map(self._own, run.hashes):
                if not table.has(name) and (run.tier, name) not in removed:
                    table.store_blank(name, above, blanks.of(name, run.size))
                above = name

    @property
    def blank(self) -> int:
        """Number of blocks with unknown tokens."""
        return sum(len(table.blank) for table in self.tables.values())

    @property
    def blocks(self) -> int:
        """Number of blocks it caches, on all tiers."""
        return sum(table.blocks for table in self.tables.values())

    @property
    def unplaced(self) -> int:
        """Number of blocks whose ancestors are not cached, or were not seen being stored."""
        return sum(len(table.apart) for table in self.tables.values())

    @property
    def doubtful(self) -> int:
        """Number of blocks not confirmed since batches were lost."""
        return sum(table.doubted for table in self.tables.values())

    def known(self, tokens: bytes) -> dict[str, tuple[Node, int]]:
        """How many of these tokens it caches, by tier, and the node where they end."""
        return {tier: drawn.deepest(tokens) for tier, drawn in self.drawn.items()}

    def state_before(self, tokens: bytes) -> int | None:
        """Position of the deepest state of these tokens, 0 for none; None if states are unknown."""
        if not self.states["device"].told:
            return None
        found, end = self.drawn["device"].deepest(tokens)
        node: Node | None = found
        while node is not None:
            if node.held and node.end <= end:
                return node.end
            node = node.above
        return 0

    def path(self, block: Hash | None) -> bytes | None:
        """The tokens down to a block's end; None if it is not in the tree."""
        if block is None:
            return b""
        row = self.tables["device"].rows.get(block)
        if row is None or self.tables["device"].node[row] is None:
            return None
        return self.drawn["device"].tokens_to(row)

    # ---- internals

    def _read(self, payload: bytes) -> list[Gap]:
        try:
            batch = self._reader.read(payload)
        except WireError:
            self.unread.batches += 1
            return [self._lose(1)]
        self.seen = batch.ts
        self.batches += 1
        self.unread.count(batch)
        gaps = [self._lose(0)] if batch.refused else []
        for event in batch.events:
            self._follow(event)
        return gaps

    def _follow(self, event: BlockStored | BlockRemoved | AllBlocksCleared) -> None:
        self.events += 1
        if isinstance(event, AllBlocksCleared):
            self._clear()
            return
        group, kind = event.group_idx or 0, ""
        if isinstance(event, BlockStored):
            kind = self._kinds[group] = event.kv_cache_spec_kind or ""
        else:
            kind = self._kinds.get(group, "")
        tier = tier_of(event.medium)
        if not tier:
            self.elsewhere[(event.medium or "")[:40]] += 1
        elif kind in KV_KINDS:
            self._blocks(tier, event)
        elif kind in STATE_KINDS:
            states = self.states[tier]
            change = states.store if isinstance(event, BlockStored) else states.remove
            change(group, event.block_hashes)
        else:
            self.windows[kind[:40]] += 1

    def _blocks(self, tier: str, event: BlockStored | BlockRemoved) -> None:
        """KV blocks were stored or removed."""
        table = self.tables[tier]
        if isinstance(event, BlockRemoved):
            table.remove(event.block_hashes)
            if self._awaits:
                self._removed.update((tier, name) for name in event.block_hashes)
            return
        try:
            tokens = event.tokens()
        except WireError:
            self.unread.events += 1
            return
        self.block_size = event.block_size
        self.stored_blocks += len(event.block_hashes)
        table.store(event.block_hashes, event.parent_block_hash, tokens)
        if tier == TIERS[0]:
            # A copy to another tier is not a request.
            self.runs.store(event.block_hashes, event.parent_block_hash, tokens, self.seen or 0.0)

    def _lose(self, batches: int) -> Gap:
        for table in self.tables.values():
            table.doubt()
        return Gap(batches, self.blocks)

    def _own(self, name: int) -> int:
        """Convert a dump's hash to the engine's: an indexer reads negative ones as large ones."""
        signed = name - (1 << 64)
        if name < 1 << 63 or any(name in table.rows for table in self.tables.values()):
            return name
        return signed if any(signed in table.rows for table in self.tables.values()) else name

    def _clear(self) -> None:
        # A pending dump is now entirely stale.
        self._cleared = self._cleared or self._awaits
        for tier in TIERS:
            self.tables[tier].clear()
            self.states[tier].clear()
