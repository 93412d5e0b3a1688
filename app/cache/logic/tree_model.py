"""The model of the canvas: layout, viewport, hover and selection. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal

import numpy as np

from app.cache.logic.arrangement import Arrangement
from app.cache.logic.axis import Viewport, fitted
from app.cache.logic.chats import Chats
from app.cache.logic.fading import FadingBook, Mark, marks_at
from app.cache.logic.folding import Chip, Folding
from app.cache.logic.layout import Layout
from app.cache.logic.lit import DARK, covers
from app.cache.logic.mark_table import BITS, are_wanted, masks
from app.cache.logic.name_tags import outside
from app.cache.logic.table import LIVE_ID, Flags
from app.cache.logic.walk import Direction, neighbour
from app.core.session.passages import Place, way_to
from app.core.words.node_link import heir
from engine.snapshot import CacheSnapshot, Evicted, NodeView

_REACH_PX = 6
# Stubs hang to the right of where they branch off, in the lower part of a lane.
_STUB_REACH_PX, _STUB_SHARE = 11, 0.78
# Evicted spans are drawn slightly larger than bars.
_MARK_REACH_PX = 10
# At least this much of some row stays on screen.
KEPT_PX = 24.0


def newest_row(made: Layout) -> int | None:
    """The row of the running request, else the last one stored; None without nodes."""
    table = made.table
    running = np.flatnonzero(table.marks & BITS["running"])
    if len(running):
        return int(running[-1])
    rows = np.flatnonzero((table.source >= 0) & (table.parent >= 0))
    if not len(rows):
        return None
    born = table.columns.created[table.source[rows]]
    rows = rows[born == born.max()]
    return int(rows[table.end[rows].argmax()])


def in_sight(wanted: Viewport, made: Layout | None, extent: float, lanes: int) -> Viewport:
    """The viewport, or the nearest one that shows a part of the tree."""
    if made is None or not made.extent:
        return wanted
    scale = made.scale
    rows = np.flatnonzero(scale.right > scale.left)
    top = wanted.lane_px * made.lane[rows] - wanted.top
    right = np.minimum(KEPT_PX, (scale.right - scale.left)[rows] * wanted.px_per_unit)
    xs, ends = wanted.xs(scale.left[rows]), wanted.xs(scale.right[rows])
    # How far each row must move, to the right and down, for part of it to be visible.
    dx = np.maximum(0.0, right - ends) - np.maximum(0.0, xs + right - wanted.width)
    dy = np.maximum(0.0, -top) - np.maximum(0.0, top + wanted.lane_px - wanted.height)
    nearest = int(np.argmin(np.abs(dx) + np.abs(dy)))
    if not dx[nearest] and not dy[nearest]:
        return wanted
    return wanted.moved(float(dx[nearest]), float(dy[nearest]), extent, lanes)


class TreeModel:
    """The tree as laid out by one arrangement.

    Until the user zooms or pans, the viewport follows the whole tree or, if its text would be
    illegible, its newest end.

    Points are in pixels below the ruler.

    Attributes:
        arrangement: decides where nodes are; set it with `arrange`.
        folding: shared by all arrangements.
        snapshot, layout: what is shown, or None.
        viewport: the part that is on screen.
        selected: id of the selected node or chip, or None; set it with `select`.
        hovered: row under the pointer, or None.
        lights: what other panels point at.
        wanted: the filter's masks for `are_wanted`; empty if it is off.
        made: counts rebuilt layouts, as a key for cached pictures.
        also: says where else a node is stored, for its card; "" if nowhere.
    """

    def __init__(self, arrangement: Arrangement, folding: Folding | None = None) -> None:
        self.arrangement = arrangement
        self.folding = Folding(on=False) if folding is None else folding
        self.snapshot: CacheSnapshot | None = None
        self.layout: Layout | None = None
        self.viewport = Viewport()
        self.selected: int | None = None
        self.hovered: int | None = None
        self.lights = DARK
        self.wanted: tuple[int, ...] = ()
        self.made = 0
        self.also: Callable[[int], str] = lambda _node: ""
        self._fades = FadingBook()
        # What the viewport follows, until the user zooms or pans.
        self._follows: Literal["newest", "whole", ""] = "newest"

    def show(self, snapshot: CacheSnapshot, fresh: Sequence[Evicted], now: float) -> bool:
        """Lay out a snapshot; True if the layout was rebuilt, not just advanced.

        Args:
            fresh: evictions that were not shown before.
            now: seconds; evictions fade by it.
        """
        faded = self.fading
        self._fades.add(fresh, self.layout, now)
        for gone in fresh:
            if gone.node_before is not None and gone.node_now is not None:
                self.arrangement.follow(gone.node_before, gone.node_now)
        before = self.layout
        # Only a rebuilt layout closes lanes that faded evictions left empty.
        known = before if self.fading or not faded else None
        self.layout = None if known is None else self.arrangement.advance(known, snapshot)
        rebuilt = self.layout is None
        if self.snapshot is not None and self.selected is not None:
            self.selected = heir(self.selected, self.snapshot, snapshot)
        self.snapshot = snapshot
        if rebuilt:
            self._lay_out()
        made = self.layout
        assert made is not None
        self._fades.settle(made)
        if before is None or len(made.table) != len(before.table):
            self.hovered = None
        self.follow_tree()
        return rebuilt

    def clear(self) -> None:
        """Drop the tree, and forget lanes and evictions."""
        self.snapshot = self.layout = self.hovered = None
        self.arrangement.forget()
        self._fades.forget()

    def arrange(self, arrangement: Arrangement) -> None:
        """Show the same tree in another arrangement, and fit it."""
        self.arrangement = arrangement
        self._fades.forget()
        self.hovered = None
        if self.snapshot is not None:
            self._lay_out()
        self.follow()

    @property
    def empty(self) -> bool:
        """Whether there is neither a tree nor a fading eviction."""
        return self.layout is None or self.extent == 0

    @property
    def extent(self) -> float:
        """The right end of the tree or of a fading eviction, in units."""
        return max(self.layout.extent if self.layout else 0.0, self._fades.extent)

    @property
    def lanes(self) -> int:
        return max(self.layout.lanes if self.layout else 1, self._fades.lanes)

    @property
    def fading(self) -> bool:
        return len(self._fades) > 0

    def marks(self, now: float) -> tuple[Mark, ...]:
        """The evictions that are currently drawn."""
        return self._fades.marks(now)

    def fade(self, now: float) -> bool:
        """Forget evictions that have faded; True while some have not.

        After the last one, the lanes that they kept empty close.
        """
        faded, fading = self.fading, self._fades.prune(now)
        if faded and not fading and self.snapshot is not None:
            self._lay_out()
            self.hovered = None
        return fading

    def node(self, number: int) -> NodeView | None:
        if self.snapshot is None:
            return None
        return next((node for node in self.snapshot.nodes if node.id == number), None)

    def node_of(self, row: int | None) -> NodeView | None:
        """The node of a row; None for the running request and for chips."""
        if row is None or self.layout is None or self.snapshot is None:
            return None
        source = int(self.layout.table.source[row])
        return self.snapshot.nodes[source] if source >= 0 else None

    def chip_of(self, row: int | None) -> Chip | None:
        """The chip of a row; None if it is not one."""
        if row is None or self.layout is None:
            return None
        return self.layout.folded.chips.get(row)

    def select(self, number: int | None) -> None:
        """Select a node, which unfolds it, or a chip."""
        self.selected = number
        if number is None or number < 0:
            return
        self.folding.keep(number)
        if self.layout is not None and self.selected_row is None and self.node(number) is not None:
            self._lay_out()

    def unfold_to(self, number: int) -> None:
        """Unfold a node, which then stays unfolded."""
        self.folding.keep(number)
        hidden = self.layout is not None and self.layout.row_of(number) is None
        if hidden and self.node(number) is not None:
            self._refold()

    def show_part(self, lane: int, left: float, right: float) -> None:
        """Move the view if none of a part of a lane, in units, is on screen."""
        moved = self.viewport.showing((left, right), lane, self.extent, self.lanes)
        if moved != self.viewport:
            self._look(moved)

    def reveal_place(self, place: Place) -> None:
        """Unfold the start of a place, and move the view if that is not on screen."""
        first = self._first_node(place)
        if first is not None:
            self.unfold_to(first)
        if self.layout is not None:
            # Only its first node: the rest may already be on screen.
            for one in covers(self.layout, (Place(first, place.start, place.end),))[:1]:
                self.show_part(one.lane, one.left, one.right)

    def _first_node(self, place: Place) -> int | None:
        """The node in which a place begins; None for the running request's row."""
        live = None if self.snapshot is None else self.snapshot.live
        nodes = () if self.snapshot is None else self.snapshot.nodes
        last = place.node if place.node is not None else None if live is None else live.node
        way = [] if last is None else way_to(last, {node.id: node for node in nodes})
        return next((one.id for one in way if one.end > place.start), place.node)

    def fold(self, on: bool) -> None:
        """Fold all long chains and wide fans, or show every node."""
        self.folding.on = on
        self.folding.forget()
        self._refold()

    def open(self, chip: Chip) -> None:
        """Show the nodes that a chip stands for, and select the first of them."""
        self.folding.opened.add(chip.key)
        self.selected = chip.ids[0]
        self._refold()

    def filter(self, wanted: Collection[str]) -> None:
        """Dim the nodes that do not have the marks with these keys."""
        self.wanted = masks(wanted)
        self.made += 1

    @property
    def bright(self) -> Flags | None:
        """The rows that the filter does not dim; None if it is off."""
        if not self.wanted or self.layout is None:
            return None
        return are_wanted(self.layout.table.marks, self.wanted)

    def find(self, found: frozenset[int]) -> None:
        """Mark nodes that a search found; they are never folded."""
        hidden = self.layout is not None and bool(
            found and not found <= set(self.layout.table.ids.tolist())
        )
        self.folding.found = found
        self.made += 1
        if hidden:
            self._refold()

    def show_chats(self, chats: Chats) -> None:
        """Name the conversations, and show one or all of them in full."""
        if chats == self.folding.chats:
            return
        turned = chats.focus != self.folding.chats.focus
        self.folding.chats = chats
        if turned:
            self.arrangement.forget()
            self.folding.forget()
        self._refold()

    def _refold(self) -> None:
        """Lay out again; what is on screen stays there as far as possible."""
        if self.snapshot is None:
            return
        self._lay_out()
        assert self.layout is not None
        self._fades.settle(self.layout)
        self.hovered = None
        if self._follows:
            self._refit()

    @property
    def selected_row(self) -> int | None:
        if self.layout is None or self.selected is None:
            return None
        return self.layout.row_of(self.selected)

    def row_at(self, x: float, y: float) -> int | None:
        """The row of the node, or of the checkpoint, at a point."""
        made = self.layout
        if made is None or y < 0:
            return None
        lane, units = self.viewport.lane(y), self.viewport.units(x)
        if y > self.viewport.y(lane + _STUB_SHARE):
            reach = _STUB_REACH_PX / self.viewport.px_per_unit
            stub = made.stub_near(units - reach, lane, reach)
            if stub is not None:
                return stub
        row = made.checkpoint_near(units, lane, self._reach)
        row = made.hit(units, lane) if row is None else row
        row = self._outside(lane) if row is None and made.scale.axis is not None else row
        return None if row is None or made.table.ids[row] == LIVE_ID else row

    def on_checkpoint(self, row: int | None, x: float, y: float) -> bool:
        """Whether a point is on a row's own checkpoint."""
        made = self.layout
        if made is None or row is None:
            return False
        near = made.checkpoint_near(self.viewport.units(x), self.viewport.lane(y), self._reach)
        return row == near

    @property
    def _reach(self) -> float:
        """The hit radius of a checkpoint's mark, in units."""
        return _REACH_PX / self.viewport.px_per_unit

    def _outside(self, lane: int) -> int | None:
        """The row that names a lane that would otherwise be blank."""
        assert self.layout is not None
        found = outside(self.layout, self.viewport, self.folding.chats)
        return next((one.row for one in found if one.lane == lane), None)

    def off_screen(self, row: int) -> bool:
        """Whether a row ends to the left of the screen."""
        return self.layout is not None and self.layout.scale.right[row] <= self.viewport.left

    def covers(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether any part of the tree is drawn in an area."""
        made, view = self.layout, self.viewport
        if made is None:
            return False
        rows = made.visible(
            view.units(left), view.units(right), view.lane(max(top, 0.0)), view.lane(bottom)
        )
        return len(rows) > 0

    def position_at(self, row: int, x: float) -> int:
        """The token position of a row at an x; beyond its edges, the nearest one."""
        assert self.layout is not None, "a row requires a layout"
        return round(self.layout.scale.position(row, self.viewport.units(x)))

    def marks_at(self, x: float, y: float, now: float) -> tuple[Mark, ...]:
        """The evictions at a point, the newest first."""
        if y < 0:
            return ()
        reach = _MARK_REACH_PX / self.viewport.px_per_unit
        return marks_at(self.marks(now), self.viewport.units(x), self.viewport.lane(y), reach)

    def resize(self, width: float, height: float) -> None:
        self._follows = self._follows or "newest"
        self._fit(width, height, growing=False)

    def fit(self) -> None:
        """Show the whole tree, and keep it fitted."""
        self._follows = "whole"
        self._refit()

    def follow(self) -> None:
        """Show the newest end of the tree at a scale that can be read, and keep it on screen."""
        self._follows = "newest"
        self._refit()

    def tidy(self) -> None:
        """Forget all places, fold all again, and lay the tree out."""
        self.arrangement.forget()
        self.folding.forget()
        if self.snapshot is not None:
            self._lay_out()
            assert self.layout is not None
            self._fades.settle(self.layout)
        if self._follows:
            self._refit()

    def zoom(self, factor: float, x: float, y: float) -> None:
        self._look(self.viewport.zoomed(factor, x, y, self.extent, self.lanes))

    def pan(self, dx: float, dy: float) -> None:
        self._look(self.viewport.moved(dx, dy, self.extent, self.lanes))

    def reveal(self, row: int) -> None:
        """Move the view if none of a row is on screen."""
        made = self.layout
        assert made is not None
        left, right = float(made.scale.left[row]), float(made.scale.right[row])
        self.show_part(int(made.lane[row]), left, right)

    def neighbour(self, direction: Direction) -> int | None:
        """The id of the node next to the selected one; of the first one if none is selected."""
        made = self.layout
        if made is None or not len(made.table):
            return None
        target = neighbour(made, self.selected_row or 0, direction)
        return None if target is None else int(made.table.ids[target])

    @property
    def all_shown(self) -> bool:
        """Whether all of the tree is on screen."""
        view = self.viewport
        across = view.left <= 0 and self.extent <= view.right
        return across and view.top <= 0 and self.lanes * view.lane_px <= view.height + 1

    def follow_tree(self) -> None:
        """Keep what is followed on screen, unless the user has zoomed or panned."""
        if self._follows and not self._shown():
            self._fit(self.viewport.width, self.viewport.height, growing=True)

    def _shown(self) -> bool:
        """Whether what is followed is on screen."""
        whole, made = self.viewport.shows(self.extent, self.lanes), self.layout
        if self._follows == "whole" or made is None or self.viewport.px_per_unit != made.readable:
            return whole and (made is None or self.viewport.px_per_unit >= made.readable)
        row = self._newest()
        if row is None:
            return whole
        x, y = self.viewport.x(float(made.scale.right[row])), self.viewport.y(int(made.lane[row]))
        inside = 0 <= y <= self.viewport.height - self.viewport.lane_px + 1
        return 0 < x < self.viewport.width - KEPT_PX and inside

    def _lay_out(self) -> None:
        assert self.snapshot is not None
        self.layout = self.arrangement.lay_out(self.snapshot, self._fades.held())
        self.made += 1

    def _fit(self, width: float, height: float, *, growing: bool) -> None:
        closest = Viewport().closest if self.layout is None else self.layout.closest
        self.viewport = fitted(
            self.extent, self.lanes, width, height, growing=growing, closest=closest
        )
        made = self.layout
        if made is None or self._follows != "newest":
            return
        row = self._newest()
        if row is not None and self.viewport.px_per_unit < made.readable:
            end, lane = float(made.scale.right[row]), int(made.lane[row])
            self.viewport = self.viewport.closer(made.readable, end, lane, self.extent, self.lanes)

    def _refit(self) -> None:
        self._fit(self.viewport.width, self.viewport.height, growing=False)

    def _newest(self) -> int | None:
        if self.layout is None or self.snapshot is None:
            return None
        return newest_row(self.layout)

    def _look(self, wanted: Viewport) -> None:
        """Show another part, or the nearest one that shows a part of the tree."""
        self._follows = ""
        self.viewport = in_sight(wanted, self.layout, self.extent, self.lanes)
