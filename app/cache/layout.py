"""Where each part of the tree goes: an axis to the right and lanes down, in numpy. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from app.cache.axis import TOKENS, Axis, Scale, scale_of, spread, without_width
from app.cache.chat_folding import aside_rows, fold_chats
from app.cache.folding import Folded, Folding
from app.cache.lanes import GroupedLaneAssigner, LaneAssigner, LaneGroup
from app.cache.mark_table import BITS
from app.cache.stretches import build_stretches
from app.cache.table import LIVE_ID, Flags, Ints, NodeTable, build_table
from engine.snapshot import CacheSnapshot, LiveView


def _no_rows() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The picture in world units: those of an axis to the right, lanes of equal height downward.

    Attributes:
        table: the nodes and the chips; row 0 is the root.
        folded: what the chips stand for.
        scale: where each row, and each token of it, is on the axis.
        lane: of each row.
        forks: rows that leave their parent's lane, at their left edge.
        on_path: rows on the running request's path.
        lanes: how many there are.
        extent: the right end.
        closest: pixels per unit beyond which zooming in shows nothing more.
        version, live: of the snapshot.
        readable: pixels per unit below which the canvas rather shows less of it; 0 for none.
        pointed: checkpoints are drawn at the right edges of their rows.
        stubs: rows of dropped thinking: marks below the right end of the row that they leave.
        groups: lanes of several engines, from above; none of one engine's.
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
        """How many nodes have one, folded or not."""
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

    An axis of messages gives way to one of tokens where nobody is known to speak.

    Args:
        held: lane, left and right of everything on screen besides the tree.
        table: of the snapshot, if it was read already.
    """
    folding = folding or Folding(on=False)
    bare = build_table(snapshot) if table is None else table
    told = bool(bare.columns.told.any())
    quiet = fold_chats(bare, snapshot, folding)
    # Where messages are told apart, a chain of nodes is a conversation to be read.
    folded = quiet.then(folding.apply(quiet.table, chains=not told))
    table = folded.table
    stretches = build_stretches(table, snapshot)
    used = axis if told else TOKENS
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
    """The layout of rows that have their places."""
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
    """The row of the running request if at most that one has changed; None otherwise."""
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
    """The layout of places that do not depend on how far the request is; None if more changed."""
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

    Writing an answer changes nothing else for hundreds of snapshots, so this fast path pays off.
    """
    live, row = snapshot.live, same_request(before, snapshot)
    if before is None or live is None or row is None:
        return None
    reach = max(live.position, live.total)
    if reach <= before.table.end[row]:
        return replace(before, live=live)
    scale = before.scale.grown(row, reach)
    beside = (before.lane == before.lane[row]) & (scale.left >= before.scale.right[row])
    if (scale.left[beside] < scale.right[row]).any():
        return None
    ends = before.table.end.copy()
    ends[row] = reach
    table = replace(before.table, end=ends)
    return replace(before, table=table, scale=scale, extent=scale.extent, live=live)
