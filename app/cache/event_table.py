"""The lines of the event log: filtered, sorted, summed up; where each was. Without Qt."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.cache.event_rows import EventRow, Kind
from app.session.event_log import EventLog, Logged, LoggedEviction
from app.words import format as fmt
from app.words.explain import TIER_WORDS
from app.words.tr import tr
from engine.snapshot import CacheSnapshot, NodeView


@dataclass(frozen=True, slots=True)
class EventPlace:
    """The node to select, None if there is none; and a sentence about it."""

    node: int | None
    sentence: str


def place_of(logged: LoggedEviction, log: EventLog, snapshot: CacheSnapshot | None) -> EventPlace:
    """The place of an eviction in a snapshot."""
    if snapshot is None or logged.model != log.models:
        return EventPlace(None, tr("It left the cache of a model that is no longer open."))
    nodes = {node.id: node for node in snapshot.nodes if node.parent is not None}
    gone = logged.evicted
    there = _covering(nodes, gone.node_now, gone.end)
    if there is not None:
        return EventPlace(there.id, _told(there, gone.end))
    above = _nearest(gone.above, nodes, log.since(logged.number))
    if above is not None:
        return EventPlace(
            above.id,
            tr(
                "It is no longer in the tree. The nearest node above it is selected, "
                "up to token {end}."
            ).format(end=fmt.count(above.end)),
        )
    return EventPlace(None, tr("It is no longer in the tree, and neither is any node above it."))


def _covering(nodes: dict[int, NodeView], number: int | None, end: int) -> NodeView | None:
    """The node with the token before `end`: a node that was split keeps only its lower part."""
    node = None if number is None else nodes.get(number)
    while node is not None and node.start >= end:
        node = None if node.parent is None else nodes.get(node.parent)
    return node if node is not None and node.end >= end else None


def _nearest(number: int, nodes: dict[int, NodeView], later: Iterable[Logged]) -> NodeView | None:
    """A node, or of those that were above it the first that is left: later evictions tell."""
    if number in nodes:
        return nodes[number]
    for entry in later:
        if not isinstance(entry, LoggedEviction):
            continue
        gone = entry.evicted
        if gone.node_before == number and gone.node_now is None:
            number = gone.above
            if number in nodes:
                return nodes[number]
    return None


def _told(node: NodeView, end: int) -> str:
    if node.end > end:
        longer = (
            tr("node {id}").format(id=node.id)
            if node.tier == "device"
            else tr("a node {tier_words}").format(tier_words=TIER_WORDS[node.tier])
        )
        return tr("Its tokens are a part of {longer} now, which is selected.").format(longer=longer)
    if node.tier != "device":
        return tr("Its node is selected, which is {tier_words} now.").format(
            tier_words=TIER_WORDS[node.tier]
        )
    if node.tombstone:
        return tr("Node {id} is selected, which is a tombstone now.").format(id=node.id)
    return tr("Node {id} is selected.").format(id=node.id)


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which lines are shown; no kind or no cause stands for all of them.

    Attributes:
        text: words that each line has, in any order; "node:12" is that node's number.
    """

    text: str = ""
    kinds: frozenset[Kind] = frozenset()
    causes: frozenset[str] = frozenset()

    def accepts(self, row: EventRow) -> bool:
        return (
            (not self.kinds or row.kind in self.kinds)
            and (not self.causes or row.cause in self.causes)
            and all(_has(row, word) for word in self.text.casefold().split())
        )


def _has(row: EventRow, word: str) -> bool:
    number = word.removeprefix("node:")
    if number != word and number.isdecimal():
        return row.node == int(number)
    return word in row.sought


@dataclass(slots=True)
class EventSum:
    """How many lines of a kind or a cause there are, how many of them were regretted, and the
    bytes that they freed.
    """

    count: int = 0
    freed: int = 0
    regretted: int = 0

    def add(self, row: EventRow, sign: int = 1) -> None:
        self.count += sign
        self.freed += sign * row.freed
        self.regretted += sign * (row.kind == "regretted")


@dataclass(frozen=True, slots=True)
class Change:
    """Lines [first, first + count) of those shown, as counted while they are in the table."""

    first: int
    count: int


class EventTable:
    """All lines, and those that are shown in their order.

    Attributes:
        filter: which ones are shown.
        column, descending: their order; lines alike are in the order of their arrival.
        kinds, causes: sums over all lines.
    """

    def __init__(self, column: int = 0) -> None:
        """column: by which they are sorted at first, descending."""
        self.filter = EventFilter()
        self.column = column
        self.descending = True
        self.kinds: dict[Kind, EventSum] = {}
        self.causes: dict[str, EventSum] = {}
        self._notices: deque[EventRow] = deque()
        self._evictions: deque[EventRow] = deque()
        self._shown: list[EventRow] = []

    def __len__(self) -> int:
        """How many are shown."""
        return len(self._shown)

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self._notices) + len(self._evictions)

    def row(self, line: int) -> EventRow:
        """The line at a place on screen."""
        return self._shown[self._flip(line)]

    def line_of(self, row: EventRow) -> int | None:
        """The place of a line on screen; None if it is not shown."""
        at = self._place(row)
        found = at < len(self._shown) and self._shown[at].number == row.number
        return self._flip(at) if found else None

    def numbered(self, number: int) -> EventRow | None:
        """The line of a number; None if there is none."""
        for held in (self._evictions, self._notices):
            at = bisect_left(held, number, key=lambda row: row.number)
            if at < len(held) and held[at].number == number:
                return held[at]
        return None

    def arrange(self, column: int, descending: bool) -> None:
        """Show the same lines in another order."""
        self.column, self.descending = column, descending
        self._shown.sort(key=self._key)

    def show(self, rows: Iterable[EventRow]) -> None:
        """Have exactly these lines, given by ascending number."""
        self.kinds, self.causes = {}, {}
        self._notices.clear()
        self._evictions = deque(rows)
        for row in self._evictions:
            self._sum(row, 1)
        self.narrow(self.filter)

    def replace(self, rows: Iterable[EventRow]) -> None:
        """Put other lines in the places of those of the same number."""
        other = {row.number: row for row in rows}
        self.kinds, self.causes = {}, {}
        for held in (self._notices, self._evictions):
            for at, row in enumerate(held):
                held[at] = other.get(row.number, row)
                self._sum(held[at], 1)
        self.narrow(self.filter)

    def narrow(self, wanted: EventFilter) -> None:
        """Show other lines."""
        self.filter = wanted
        rows = (*self._notices, *self._evictions)
        self._shown = sorted((row for row in rows if wanted.accepts(row)), key=self._key)

    def add(self, rows: Iterable[EventRow], begin: Callable[[Change], None], end: _End) -> None:
        """Add new lines; each stretch of those shown is announced before and after."""
        fresh = list(rows)
        for row in fresh:
            self._sum(row, 1)
            (self._notices if row.kind == "notice" else self._evictions).append(row)
        accepted = sorted(filter(self.filter.accepts, fresh), key=self._key)
        # From the back, so that the places of the earlier ones hold.
        for at, run in reversed(self._runs(accepted)):
            begin(Change(self._line(at, len(run), len(self._shown) + len(run)), len(run)))
            self._shown[at:at] = run
            end()

    def drop(self, oldest: tuple[int, int], begin: Callable[[Change], None], end: _End) -> None:
        """Drop lines numbered before the oldest notice and the oldest eviction."""
        gone = []
        for held, first in zip((self._notices, self._evictions), oldest, strict=True):
            while held and held[0].number < first:
                gone.append(held.popleft())
        for row in gone:
            self._sum(row, -1)
        for at, count in reversed(self._stretches(gone)):
            begin(Change(self._line(at, count, len(self._shown)), count))
            del self._shown[at : at + count]
            end()

    def _sum(self, row: EventRow, sign: int) -> None:
        self.kinds.setdefault(row.kind, EventSum()).add(row, sign)
        if row.cause:
            self.causes.setdefault(row.cause, EventSum()).add(row, sign)

    def _key(self, row: EventRow) -> tuple[float | str, int]:
        return row.keys[self.column], row.number

    def _place(self, row: EventRow) -> int:
        """Where a row is, or would be, in ascending order."""
        return bisect_left(self._shown, self._key(row), key=self._key)

    def _runs(self, rows: Iterable[EventRow]) -> list[tuple[int, list[EventRow]]]:
        """Rows in ascending order by the place where they come in."""
        runs: list[tuple[int, list[EventRow]]] = []
        for row in rows:
            at = self._place(row)
            if runs and runs[-1][0] == at:
                runs[-1][1].append(row)
            else:
                runs.append((at, [row]))
        return runs

    def _stretches(self, rows: Iterable[EventRow]) -> list[tuple[int, int]]:
        """First place and number of the shown ones among some rows, joined where adjacent."""
        stretches: list[tuple[int, int]] = []
        for at in sorted(self._place(row) for row in rows if self.line_of(row) is not None):
            if stretches and sum(stretches[-1]) == at:
                stretches[-1] = stretches[-1][0], stretches[-1][1] + 1
            else:
                stretches.append((at, 1))
        return stretches

    def _flip(self, at: int) -> int:
        return len(self._shown) - 1 - at if self.descending else at

    def _line(self, at: int, count: int, total: int) -> int:
        """The first place on screen of a stretch, in a table of `total` lines that has it."""
        return total - at - count if self.descending else at


_End = Callable[[], None]
