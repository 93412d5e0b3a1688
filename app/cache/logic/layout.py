"""The layout of the tree: an axis to the right and lanes downward, in numpy. Without Qt.

It folds what the reader of one conversation does not need: the others, and dropped thinking. Chat
templates drop the thinking of earlier answers, so every later prompt forks where an answer began.
The branch with the thinking is a dead end, and is drawn as a stub. What only one other conversation
uses becomes one chip with its title.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from app.cache.logic.arrays import Flags, Ints
from app.cache.logic.axis import TOKENS, Axis, Scale, scale_of, spread, without_width
from app.cache.logic.chats import Chats
from app.cache.logic.columns import KINDS, UNKNOWN, order_by
from app.cache.logic.folding import Folded, Folding, Found, collapse, ways, whole
from app.cache.logic.forest import below, nearest, under
from app.cache.logic.lanes import GroupedLaneAssigner, LaneAssigner, LaneGroup
from app.cache.logic.mark_table import BITS
from app.cache.logic.stretches import build_stretches
from app.cache.logic.table import LIVE_ID, NodeTable, build_table
from engine.snapshot import CacheSnapshot, LiveView

# Keys of these chips are above those of chains and fans, which are about twice an id.
_THINKING_KEYS, _CHAT_KEYS = 1 << 50, 1 << 51
_USER, _THINKING, _ANSWER = KINDS["user"], KINDS["thinking"], KINDS["assistant"]


def fold_chats(table: NodeTable, snapshot: CacheSnapshot, folding: Folding) -> Folded:
    """Fold conversations and dropped thinking as `folding` says, but not chains and fans."""
    if folding.chats.focus is None and not folding.on:
        return whole(table)
    stays = ways(table, folding.kept(table))
    found: list[Found] = []
    if folding.chats.focus is not None:
        found += _others(table, snapshot, stays, folding.chats, folding.opened)
        for one in found:
            stays[one.rows] = True
    if folding.on:
        found += _stumps(table, snapshot, stays, folding.opened)
    return collapse(table, found)


def aside_rows(table: NodeTable, snapshot: CacheSnapshot, chats: Chats) -> Ints:
    """The rows that the conversation in focus does not use, parents first; empty without a focus.

    Before it has any, it is assumed to use what all others share, since it will begin there.
    """
    if chats.focus is None:
        return np.zeros(0, dtype=np.int64)
    used = _used_by(table, snapshot, chats.focus)
    if not used.any():
        used = _used_by_all(table)
    aside = ~used & (table.ids != LIVE_ID)
    aside[:1] = False
    return np.flatnonzero(aside)


def chat_key(conversation: int) -> int:
    """The key by which the chips of a conversation are opened."""
    return _CHAT_KEYS + conversation


def _stumps(
    table: NodeTable, snapshot: CacheSnapshot, stays: Flags, opened: Collection[int]
) -> Iterator[Found]:
    """Branches with thinking that have a sibling with only the answer."""
    first = _First.of(table, snapshot)
    # Continues with the answer, without its thinking.
    goes_on = (first.kind == _ANSWER) & (~first.opens | (first.start < table.start))
    goes_on &= table.parent >= 0
    kept = np.bincount(table.parent[goes_on], minlength=len(table)) > 0
    tops = kept[table.parent] & (table.parent >= 0) & (first.kind == _THINKING) & ~stays
    if not tops.any():
        return
    tops &= below(table.parent, _asks(table).astype(np.int64)) == 0
    # A stump within another is part of it.
    tops &= ~under(table.parent, tops)
    for rows in _grouped(nearest(table.parent, tops)):
        key = _THINKING_KEYS + int(table.ids[rows].min())
        if key not in opened:
            yield Found("thinking", key, key, rows, 1)


def _others(
    table: NodeTable,
    snapshot: CacheSnapshot,
    stays: Flags,
    chats: Chats,
    opened: Collection[int],
) -> Iterator[Found]:
    """What a single conversation other than the one in focus uses; one chip for each parent."""
    assert chats.focus is not None
    owner, several = _owners(table, snapshot)
    mine = _used_by(table, snapshot, chats.focus)
    foldable = (table.parent >= 0) & ~stays & ~mine & ~several
    unfolded = [key - _CHAT_KEYS for key in opened]
    foldable &= ~np.isin(owner, unfolded)
    tops = foldable & ~under(table.parent, foldable)
    if not tops.any():
        return
    # All tops of one owner below one parent are one chip, named by the first of them.
    at = np.flatnonzero(tops)
    _, first, group = np.unique(
        np.stack([table.parent[at], owner[at]]), axis=1, return_index=True, return_inverse=True
    )
    head = np.full(len(table) + 1, -1, dtype=np.int64)
    head[at] = at[first][group.reshape(-1)]
    for rows in _grouped(head[nearest(table.parent, tops)]):
        number = int(owner[rows[0]])
        name = _CHAT_KEYS + int(table.ids[rows].min())
        branches = int(tops[rows].sum())
        yield Found("chat", chat_key(number), name, rows, branches, chats.title(number))


def _grouped(number: Ints) -> Iterator[Ints]:
    """The rows grouped by number, in ascending order; those with -1 are left out."""
    order = order_by(number)
    order = order[number[order] >= 0]
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(number[order])) + 1)


def _owners(table: NodeTable, snapshot: CacheSnapshot) -> tuple[Ints, Flags]:
    """For each row, its most recently active conversation, or 0; and whether it has others."""
    groups, live = table.columns.groups, snapshot.live
    first = np.array([group[0] if group else 0 for group in groups], dtype=np.int64)
    many = np.array([len(group) > 1 for group in groups], dtype=np.int64)
    owner = table.of_nodes(first[table.columns.owners], 0)
    owner[table.ids == LIVE_ID] = 0 if live is None else live.owner
    return owner, table.of_nodes(many[table.columns.owners], 0) > 0


def _used_by(table: NodeTable, snapshot: CacheSnapshot, conversation: int) -> Flags:
    groups, live = table.columns.groups, snapshot.live
    named = np.array([conversation in group for group in groups], dtype=np.int64)
    used: Flags = table.of_nodes(named[table.columns.owners], 0) > 0
    if live is not None and live.owner and live.owner == conversation:
        used[table.ids == LIVE_ID] = True
    return used


def _used_by_all(table: NodeTable) -> Flags:
    """The rows that all conversations with nodes use, if there are several."""
    columns = table.columns
    here = [columns.groups[at] for at in np.unique(columns.owners).tolist()]
    owners = {owner for group in here for owner in group}
    shared = [len(owners) > 1 and owners <= set(group) for group in columns.groups]
    made: Flags = table.of_nodes(np.array(shared, dtype=np.int64)[columns.owners], 0) > 0
    return made


@dataclass(frozen=True, slots=True, eq=False)
class _First:
    """The first speaker in each row, as the engine reported it; kind -1 if it did not.

    Attributes:
        start: of the stretch; for the running request, it may be above its row.
    """

    kind: Ints
    opens: Flags
    start: Ints

    @classmethod
    def of(cls, table: NodeTable, snapshot: CacheSnapshot) -> _First:
        columns, said = table.columns, table.columns.said
        known = table.of_nodes(columns.told.astype(np.int64), 0) > 0
        at = table.of_nodes(columns.first, 0)
        kind = np.where(known, said.kind[at], -1)
        opens, start = said.opens[at], said.start[at]
        live, running = snapshot.live, np.flatnonzero(table.ids == LIVE_ID)
        if live is not None and len(running):
            row = int(running[0])
            covering = [one for one in live.speech if one.start <= table.start[row]]
            if covering and table.start[row] < live.total:
                one = covering[-1]
                kind[row] = KINDS.get(one.role, UNKNOWN)
                opens[row], start[row] = one.opens, one.start
        return cls(kind, opens, start)


def _asks(table: NodeTable) -> Flags:
    """Whether a user's message begins in a row, so that it is no dead end; chips count as such."""
    columns, said = table.columns, table.columns.said
    asking = np.append(0, np.cumsum((said.kind == _USER) & said.opens))
    found = asking[columns.first + columns.count] - asking[columns.first]
    asks: Flags = table.of_nodes(found, 1) > 0
    return asks


def _no_rows() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The layout in world units: those of an axis to the right, lanes of equal height downward.

    Attributes:
        table: the nodes and the chips; row 0 is the root.
        folded: what the chips stand for.
        scale: where each row, and each token of it, is on the axis.
        lane: of each row.
        forks: rows that leave their parent's lane, at their left edge.
        on_path: rows on the running request's path.
        lanes: number of lanes.
        extent: the right end.
        closest: pixels per unit beyond which zooming in shows nothing more.
        version, live: of the snapshot.
        readable: pixels per unit below which the canvas prefers to show only a part; 0 for none.
        pointed: checkpoints are drawn at the right edges of their rows.
        stubs: rows of dropped thinking: marks below the right end of the row they branch from.
        groups: lanes of several engines, from top to bottom; none if there is one engine.
    """

    table: NodeTable
    folded: Folded
    scale: Scale
    lane: Ints
    forks: Ints
    on_path: Flags
    lanes: int
    extent: float
    closest: float
    version: int
    live: LiveView | None
    readable: float = 0.0
    pointed: bool = True
    stubs: Ints = field(default_factory=_no_rows)
    groups: tuple[LaneGroup, ...] = ()

    @property
    def checkpoints(self) -> int:
        """The number of checkpoints, folded or not."""
        return int(np.count_nonzero(self.table.columns.provenance))

    def row_of(self, node: int) -> int | None:
        found = np.flatnonzero(self.table.ids == node)
        return int(found[0]) if len(found) else None

    def hit(self, x: float, lane: int) -> int | None:
        """The row at an x of a lane."""
        left, right = self.scale.left, self.scale.right
        found = np.flatnonzero((self.lane == lane) & (left <= x) & (x < right))
        return int(found[-1]) if len(found) else None

    def free(self, lane: int, left: float, right: float) -> bool:
        """Whether no node of a lane overlaps [left, right)."""
        lefts, rights = self.scale.left, self.scale.right
        inside = (self.lane == lane) & (lefts < right) & (rights > left) & (rights > lefts)
        return not inside.any()

    def checkpoint_near(self, x: float, lane: int, reach: float) -> int | None:
        """The row whose checkpoint is within `reach` of an x in a lane."""
        if not self.pointed:
            return None
        right = self.scale.right
        near = (self.lane == lane) & (self.table.provenance > 0) & (np.abs(right - x) <= reach)
        rows = np.flatnonzero(near)
        if not len(rows):
            return None
        return int(rows[np.argmin(np.abs(right[rows] - x))])

    def stub_near(self, x: float, lane: int, reach: float) -> int | None:
        """The stub within `reach` of an x in a lane."""
        if not len(self.stubs):
            return None
        away = np.abs(self.scale.left[self.stubs] - x)
        away[self.lane[self.stubs] != lane] = np.inf
        nearest = int(np.argmin(away))
        return int(self.stubs[nearest]) if away[nearest] <= reach else None

    def visible(self, left: float, right: float, top: int, bottom: int) -> Ints:
        """Rows with tokens in [left, right] on lanes [top, bottom]."""
        lefts, rights = self.scale.left, self.scale.right
        seen = (rights >= left) & (lefts <= right) & (rights > lefts)
        return np.flatnonzero(seen & (self.lane >= top) & (self.lane <= bottom))


def path_rows(table: NodeTable, row: int) -> list[int]:
    """A row and its ancestors, up to the root."""
    rows = []
    while row >= 0:
        rows.append(row)
        row = int(table.parent[row])
    return rows


def lay_out(
    snapshot: CacheSnapshot,
    lanes: LaneAssigner | GroupedLaneAssigner,
    held: Iterable[tuple[int, float, float]] = (),
    axis: Axis = TOKENS,
    folding: Folding | None = None,
    table: NodeTable | None = None,
) -> Layout:
    """Lay out a snapshot; `lanes` keeps lanes where they were.

    If no speakers are known, an axis of messages falls back to one of tokens.

    Args:
        held: lane, left and right of everything on screen besides the tree.
        table: of the snapshot, if it was read already.
    """
    folding = folding or Folding(on=False)
    bare = build_table(snapshot) if table is None else table
    spoken = bool(bare.columns.told.any())
    quiet = fold_chats(bare, snapshot, folding)
    # If messages are known, a chain of nodes is a conversation to be read.
    folded = quiet.then(folding.apply(quiet.table, chains=not spoken))
    table = folded.table
    stretches = build_stretches(table, snapshot)
    used = axis if spoken else TOKENS
    stubs = folded.of_kind("thinking")
    asides = np.setdiff1d(aside_rows(table, snapshot, folding.chats), stubs).tolist()
    scale = without_width(scale_of(used, table, stretches), stubs)
    lane = lanes.assign(table, scale.left, scale.right, held, stubs.tolist(), asides)
    made = placed(snapshot, folded, scale, lane, used.closest)
    groups = lanes.titled(snapshot) if isinstance(lanes, GroupedLaneAssigner) else ()
    return replace(made, stubs=stubs, readable=used.readable, groups=groups)


def placed(
    snapshot: CacheSnapshot, folded: Folded, scale: Scale, lane: Ints, closest: float
) -> Layout:
    """The layout of rows whose x and lanes are known."""
    table = folded.table
    has_parent = table.parent >= 0
    above = np.where(has_parent, table.parent, 0)
    forks = np.flatnonzero(has_parent & (lane != lane[above]) & (table.end > table.start))
    on_path = np.zeros(len(table), dtype=np.bool_)
    ends_at = np.flatnonzero(table.marks & BITS["running"])
    if len(ends_at):
        on_path[path_rows(table, int(ends_at[-1]))] = True
    return Layout(
        table=table,
        folded=folded,
        scale=scale,
        lane=lane,
        forks=forks,
        on_path=on_path,
        lanes=int(lane.max(initial=-1)) + 1,
        extent=scale.extent,
        closest=closest,
        version=snapshot.version,
        live=snapshot.live,
    )


def same_request(before: Layout | None, snapshot: CacheSnapshot) -> int | None:
    """The row of the running request if no other has changed; None otherwise."""
    live = snapshot.live
    if before is None or live is None or before.live is None or before.version != snapshot.version:
        return None
    was = before.live
    if (live.request, live.node) != (was.request, was.node):
        return None
    if len(before.folded.shown_by) != len(snapshot.nodes) + 1:
        return None
    return before.row_of(LIVE_ID)


def moved_on(before: Layout, snapshot: CacheSnapshot) -> Layout | None:
    """`advance` for layouts whose places do not depend on the request's position."""
    live, row = snapshot.live, same_request(before, snapshot)
    if live is None or row is None:
        return None
    reach = max(live.position, live.total)
    if reach <= before.table.end[row]:
        return replace(before, live=live)
    ends, said = before.table.end.copy(), before.scale.stretches
    until = said.end.copy()
    ends[row] = until[int(said.first[row + 1]) - 1] = reach
    table = replace(before.table, end=ends)
    scale = spread(table, replace(said, end=until), before.scale.left, before.scale.right)
    return replace(before, table=table, scale=scale, live=live)


def advance(before: Layout | None, snapshot: CacheSnapshot) -> Layout | None:
    """The layout of a snapshot in which only the running request advanced; None otherwise.

    Decode changes nothing else for hundreds of snapshots, so this fast path pays off.
    """
    live, row = snapshot.live, same_request(before, snapshot)
    if before is None or live is None or row is None:
        return None
    reach = max(live.position, live.total)
    if reach <= before.table.end[row]:
        return replace(before, live=live)
    scale = before.scale.grown(row, reach)
    ahead = (before.lane == before.lane[row]) & (scale.left >= before.scale.right[row])
    if (scale.left[ahead] < scale.right[row]).any():
        return None
    ends = before.table.end.copy()
    ends[row] = reach
    table = replace(before.table, end=ends)
    return replace(before, table=table, scale=scale, extent=scale.extent, live=live)
