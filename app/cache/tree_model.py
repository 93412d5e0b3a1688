"""What of the tree is on screen: layout, viewport, hover and selection. Without Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from app.cache.arrangement import Arrangement
from app.cache.fading import FadingBook, Mark, marks_at
from app.cache.folding import Chip, Folding
from app.cache.layout import Layout
from app.cache.mark_table import are_wanted, masks
from app.cache.table import LIVE_ID, Flags
from app.cache.viewport import Viewport, fitted
from app.cache.walk import Direction, neighbour
from engine.snapshot import CacheSnapshot, Evicted, NodeView

_REACH_PX = 6
# Evicted spans are drawn around the existing ones.
_MARK_REACH_PX = 10
# At least this much of some node stays on screen.
_KEPT_PX = 24.0


class TreeModel:
    """The tree as one arrangement shows it; the whole of it until the user zooms or pans.

    Points are in pixels below the ruler.

    Attributes:
        arrangement: decides where nodes are; set it with `arrange`.
        folding: shared by all arrangements.
        snapshot, layout: what is shown, or None.
        viewport: the part that is on screen.
        selected: id of the selected node or chip, or None; set it with `select`.
        hovered: row under the pointer, or None.
        wanted: for `are_wanted`: what the filter leaves bright; empty if it is off.
        made: how often a layout was made anew, for whoever keeps pictures of one.
    """

    def __init__(self, arrangement: Arrangement, folding: Folding | None = None) -> None:
        self.arrangement = arrangement
        self.folding = Folding(on=False) if folding is None else folding
        self.snapshot: CacheSnapshot | None = None
        self.layout: Layout | None = None
        self.viewport = Viewport()
        self.selected: int | None = None
        self.hovered: int | None = None
        self.wanted: tuple[int, ...] = ()
        self.made = 0
        self._fades = FadingBook()
        self._auto = True

    def show(self, snapshot: CacheSnapshot, fresh: Sequence[Evicted], now: float) -> bool:
        """Lay out a snapshot; True if more than the running request has moved.

        Args:
            fresh: evictions that were not shown before.
            now: seconds; evictions fade by it.
        """
        self._fades.add(fresh, self.layout, now)
        for gone in fresh:
            if gone.node_before is not None and gone.node_now is not None:
                self.arrangement.follow(gone.node_before, gone.node_now)
        before = self.layout
        self.layout = None if before is None else self.arrangement.advance(before, snapshot)
        anew = self.layout is None
        self.snapshot = snapshot
        if anew:
            self._lay_out()
        made = self.layout
        assert made is not None
        self._fades.settle(made)
        if before is None or len(made.table) != len(before.table):
            self.hovered = None
        self.follow_tree()
        return anew

    def clear(self) -> None:
        """There is no tree any more; lanes and evictions are forgotten."""
        self.snapshot = self.layout = self.hovered = None
        self.arrangement.forget()
        self._fades.forget()

    def arrange(self, arrangement: Arrangement) -> None:
        """Show the same tree in another arrangement, all of it."""
        self.arrangement = arrangement
        self._fades.forget()
        self.hovered = None
        if self.snapshot is not None:
            self._lay_out()
        self.fit()

    @property
    def empty(self) -> bool:
        """There is no tree, and no eviction is fading."""
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
        """Forget evictions that have faded; True while some have not."""
        return self._fades.prune(now)

    def node(self, number: int) -> NodeView | None:
        if self.snapshot is None:
            return None
        return next((node for node in self.snapshot.nodes if node.id == number), None)

    def node_of(self, row: int | None) -> NodeView | None:
        """The node of a row; None for the running request's and a chip's."""
        if row is None or self.layout is None or self.snapshot is None:
            return None
        source = int(self.layout.table.source[row])
        return self.snapshot.nodes[source] if source >= 0 else None

    def chip_of(self, row: int | None) -> Chip | None:
        """The chip of a row, if it is one."""
        if row is None or self.layout is None:
            return None
        return self.layout.folded.chips.get(row)

    def select(self, number: int | None) -> None:
        """Select a node, which is unfolded, or a chip."""
        self.selected = number
        if number is None or number < 0:
            return
        self.folding.keep(number)
        if self.layout is not None and self.selected_row is None and self.node(number) is not None:
            self._lay_out()

    def fold(self, on: bool) -> None:
        """Fold long chains and wide fans, all of them, or show every node."""
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
        """The rows that the filter leaves as they are; None if it is off."""
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

    def _refold(self) -> None:
        """Lay out again; what is on screen stays on screen as far as it can."""
        if self.snapshot is None:
            return
        self._lay_out()
        assert self.layout is not None
        self._fades.settle(self.layout)
        self.hovered = None
        if self._auto:
            self.fit()

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
        row = made.checkpoint_near(units, lane, _REACH_PX / self.viewport.px_per_unit)
        row = made.hit(units, lane) if row is None else row
        return None if row is None or made.table.ids[row] == LIVE_ID else row

    def marks_at(self, x: float, y: float, now: float) -> tuple[Mark, ...]:
        """The evictions at a point, the newest first."""
        if y < 0:
            return ()
        reach = _MARK_REACH_PX / self.viewport.px_per_unit
        return marks_at(self.marks(now), self.viewport.units(x), self.viewport.lane(y), reach)

    def resize(self, width: float, height: float) -> None:
        self._auto = True
        self._fit(width, height, growing=False)

    def fit(self) -> None:
        """Show the whole tree, and keep it fitted."""
        self._auto = True
        self._fit(self.viewport.width, self.viewport.height, growing=False)

    def tidy(self) -> None:
        """Forget all places, fold all again, and lay the tree out."""
        self.arrangement.forget()
        self.folding.forget()
        if self.snapshot is not None:
            self._lay_out()
            assert self.layout is not None
            self._fades.settle(self.layout)
        self.fit()

    def zoom(self, factor: float, x: float, y: float) -> None:
        self._look(self.viewport.zoomed(factor, x, y, self.extent, self.lanes))

    def pan(self, dx: float, dy: float) -> None:
        self._look(self.viewport.moved(dx, dy, self.extent, self.lanes))

    def reveal(self, row: int) -> None:
        """Move the view if none of a row is on screen."""
        made = self.layout
        assert made is not None
        span = float(made.scale.left[row]), float(made.scale.right[row])
        moved = self.viewport.showing(span, int(made.lane[row]), self.extent, self.lanes)
        if moved != self.viewport:
            self._look(moved)

    def neighbour(self, direction: Direction) -> int | None:
        """The id of the node next to the selected one; of the first one if none is selected."""
        made = self.layout
        if made is None or not len(made.table):
            return None
        target = neighbour(made, self.selected_row or 0, direction)
        return None if target is None else int(made.table.ids[target])

    def follow_tree(self) -> None:
        """Show the whole tree, unless the user has zoomed or panned."""
        if self._auto and not self.viewport.shows(self.extent, self.lanes):
            self._fit(self.viewport.width, self.viewport.height, growing=True)

    def _lay_out(self) -> None:
        assert self.snapshot is not None
        self.layout = self.arrangement.lay_out(self.snapshot, self._fades.held())
        self.made += 1

    def _fit(self, width: float, height: float, *, growing: bool) -> None:
        closest = Viewport().closest if self.layout is None else self.layout.closest
        self.viewport = fitted(
            self.extent, self.lanes, width, height, growing=growing, closest=closest
        )

    def _look(self, wanted: Viewport) -> None:
        """Show another part, or the nearest one in which there is something to see."""
        self._auto = False
        made = self.layout
        if made is None or not made.extent:
            self.viewport = wanted
            return
        view, scale = wanted, made.scale
        rows = np.flatnonzero(scale.right > scale.left)
        top = view.lane_px * made.lane[rows] - view.top
        right = np.minimum(_KEPT_PX, (scale.right - scale.left)[rows] * view.px_per_unit)
        xs, ends = view.xs(scale.left[rows]), view.xs(scale.right[rows])
        # How far each row must move, to the right and down, for a piece of it to be seen.
        dx = np.maximum(0.0, right - ends) - np.maximum(0.0, xs + right - view.width)
        dy = np.maximum(0.0, -top) - np.maximum(0.0, top + view.lane_px - view.height)
        nearest = int(np.argmin(np.abs(dx) + np.abs(dy)))
        if dx[nearest] or dy[nearest]:
            view = view.moved(float(dx[nearest]), float(dy[nearest]), self.extent, self.lanes)
        self.viewport = view
