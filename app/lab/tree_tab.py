"""The tab "Tree": the tree of cached prefixes, over the plane of entries and that of states."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.legend import TreeLegend
from app.cache.view_switch import ViewSwitch
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.asking_tab import LabTab
from app.lab.logic.example import example
from app.lab.logic.tables import tree_csv
from app.ui.widgets import label
from engine.snapshot import CacheSnapshot

_EXAMPLE = tr(
    "An example, recorded with the bundled model; once something is cached, your own tree stands "
    "here."
)
_OWN = tr("What the open model has cached of all conversations.")
_CANVAS_LEAST_PX = 140


class TreeTab(LabTab):
    """Shows a snapshot of the cache.

    Attributes:
        canvas: the tree.
        kv, states: what stands on each plane, in words.
        example: the tree is the recorded one: nothing is cached, or it is asked for.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: CacheSnapshot | None = None
        self._wants_example = False
        self._on_screen: CacheSnapshot | None = None
        self.canvas = TreeCanvas()
        self.canvas.setMinimumHeight(_CANVAS_LEAST_PX)
        self.canvas.chosen.connect(self._chosen)
        self.about = label("", "dim", wrap=True)
        self.kv, self.states = label("", "figuresStrong"), label("", "figuresStrong")
        self._build()

    @property
    def example(self) -> bool:
        return self._wants_example or self._own is None or len(self._own.nodes) < 2

    @property
    def shown(self) -> CacheSnapshot:
        """The snapshot on screen."""
        return example().tree if self.example or self._own is None else self._own

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show the open model's cache; None if it is unknown."""
        self._own = snapshot
        self._show()

    def show_example(self, on: bool) -> None:
        """Show the recorded tree even if something is cached, or no longer."""
        self._wants_example = on
        self._show()

    def go(self, position: int) -> None:
        self.canvas.select(None)
        self.canvas.fit()

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        parts = {"kv": self.kv, "states": self.states, "tree": self.canvas}
        part = parts.get(name)
        return None if part is None else (part, QRectF(part.rect()))

    def settings(self) -> tuple[str, ...]:
        return self.kv.text(), self.states.text()

    def as_table(self) -> Callable[[], str] | None:
        shown = self.shown
        return lambda: tree_csv(shown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _chosen(self, _node: object) -> None:
        self.changed.emit()

    def _show(self) -> None:
        shown, before = self.shown, self._on_screen
        # A large tree takes time to lay out.
        if shown is before or not self.isVisible():
            return
        self._on_screen = shown
        self.about.setText(_EXAMPLE if self.example else _OWN)
        recorded = example().tree
        if (shown is recorded) != (before is recorded):
            # Ids of another tree mean other nodes.
            self.canvas.show_snapshot(None)
        self.canvas.show_snapshot(shown)
        tokens = sum(node.end - node.start for node in shown.nodes)
        points = [node.checkpoint for node in shown.nodes if node.checkpoint is not None]
        self.kv.setText(
            tr("KV plane: {tokens}, {size}").format(
                tokens=fmt.plural(tokens, "token"),
                size=fmt.byte_size(sum(node.kv_bytes for node in shown.nodes)),
            )
        )
        self.states.setText(
            tr("State plane: {points}, {size}").format(
                points=fmt.plural(len(points), "checkpoint"),
                size=fmt.byte_size(sum(point.bytes for point in points)),
            )
        )
        self.changed.emit()

    def _build(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(6, 4, 10, 4)
        column.setSpacing(10)
        planes = QHBoxLayout()
        planes.setSpacing(24)
        planes.addWidget(self.kv)
        planes.addWidget(self.states)
        planes.addStretch(1)
        column.addWidget(self.about)
        column.addLayout(planes)
        column.addWidget(ViewSwitch(self.canvas))
        column.addWidget(self.canvas, 1)
        column.addWidget(TreeLegend())
        self.fill(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 14, 10, 12)
        outer.addWidget(self.body)
