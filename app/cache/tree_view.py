"""The interface of a view of the tree: an arrangement, and what paints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtGui import QPainter

from app.cache.logic.arrangement import Arrangement
from app.cache.logic.geometry import Geometry
from app.ui.theme import Theme
from engine.snapshot import CacheSnapshot


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What is on screen: the rows of a layout in a viewport, and the snapshot they come from.

    Attributes:
        figured: with a ruler, and letters that say what checkpoints are kept for.
    """

    geometry: Geometry
    snapshot: CacheSnapshot
    look: Theme
    figured: bool = True


class TreeView(Protocol):
    """A view of the canvas, which owns all the rest: viewport, mouse, keys, hover and selection.

    The canvas asks the arrangement for a layout when the snapshot changes, paints the view into a
    picture when the layout, the viewport or the theme changes, and draws what moves over it: the
    running request, evictions that fade, hover, selection. All of that is based on the layout's
    rectangles, in lanes of equal height, so a view only decides where its nodes are and how they
    look. `app/cache/views.py` lists the views.

    Attributes:
        name: the key under which the choice is stored.
        title: one short word for its button.
        key: its keyboard shortcut.
        tip: what it shows, in one sentence.
        arrangement: decides where nodes are.
    """

    name: str
    title: str
    key: str
    tip: str
    arrangement: Arrangement

    def bar_px(self, lane_px: float) -> float:
        """The height of a node in lanes that are `lane_px` apart."""
        ...

    def paint_head(self, painter: QPainter, frame: Frame) -> None:
        """The ruler, RULER_PX high, in the coordinates of the whole canvas."""
        ...

    def paint(self, painter: QPainter, frame: Frame) -> None:
        """The nodes, in coordinates that start below the ruler."""
        ...
