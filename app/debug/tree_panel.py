"""The tree of cached prefixes at the moment on screen."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.legend import TreeLegend, own_entries
from app.cache.lit import Lights
from app.cache.mark_filter import MarkFilter
from app.cache.mark_table import counts
from app.cache.view_switch import FocusButton, ViewSwitch
from app.debug.chosen import Chosen, node_of
from app.debug.panel import DebugPanel
from app.debug.places import places_of
from app.debug.state import DebugState
from app.debug.tree_finding import TreeFinding
from app.key_hints import KeyTip
from app.widgets import ElidedLabel, IconButton, label
from app.words.tr import tr

_COST_S = 1.0
_EMPTY = tr("Nothing is cached at this moment. The tree grows from the first request on.")
# Below this height the lanes need the legend's room.
_LEGEND_FROM_PX = 300


class TreePanel(DebugPanel):
    """The middle of the desk.

    Attributes:
        canvas: draws the tree.
        empty: says so where there is none.
        switch: chooses its view.
        cost: what the debugger itself takes.
        marks: the legend, which is also the filter.
        unmarked: the legend of what is no mark of a node.
        finding: looks up nodes.
    """

    title = tr("Tree")
    name = "tree"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.canvas = TreeCanvas()
        self.canvas.minimap.always = True
        self.canvas.chosen.connect(state.choose_node)
        self.canvas.hovered.connect(self._point)
        self.canvas.model.also = self._also
        self.canvas.picked.connect(self._pick)
        self.switch = ViewSwitch(self.canvas)
        self.marks = MarkFilter()
        self.marks.changed.connect(lambda: self.canvas.filter(self.marks.wanted))
        self.unmarked = TreeLegend()
        self.canvas.view_changed.connect(self._show_unmarked)
        self._show_unmarked()
        self.finding = TreeFinding(self.canvas, state, self)
        self._focus = FocusButton(self.canvas)
        self._fold = _toggle(tr("Fold"), tr("Fold long chains and wide fans into chips (Z)"))
        self._fold.setChecked(self.canvas.model.folding.on)
        self._fold.toggled.connect(self.canvas.set_folded)
        self.canvas.folded.connect(self._fold.setChecked)
        self._legend = _toggle(tr("Marks"), tr("What the marks mean, and filter by them"))
        self._legend.setChecked(True)
        self._legend.toggled.connect(self.marks.setVisible)
        self._legend.toggled.connect(self.unmarked.setVisible)
        # A click settles it; until then the panel's height decides.
        self._legend.clicked.connect(self._keep_legend)
        self._legend_kept = False
        seek = tr("Find a text, token, position or hash")
        self._find = _toggle(tr("Find"), seek)
        KeyTip(self._find, seek, "find")
        self._find.setCheckable(False)
        self._find.clicked.connect(self.finding.open)
        self.cost = ElidedLabel("faint")
        self.cost.setToolTip(tr("What the debugger itself costs, while it is on screen"))
        self.cost.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._told = 0.0
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.switch)
        row.addWidget(self.cost, 1)
        for button in (self._find, self._focus, self._fold, self._legend):
            row.addWidget(button)
        row.addWidget(
            IconButton("lanes", tr("Reset layout"), self.canvas.tidy, shortcut="T", size=14)
        )
        row.addWidget(IconButton("fit", tr("Show all"), self.canvas.fit, shortcut="F", size=14))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.finding.bar)
        column.addWidget(self.finding.note)
        self.empty = label(_EMPTY, "faint", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self.canvas)
        self.canvas.faded.connect(self._show_page)
        column.addWidget(self._pages, 1)
        column.addWidget(self.marks)
        column.addWidget(self.unmarked)

    def _point(self, node: int | None, on_checkpoint: bool) -> None:
        self.state.hover(node_of(self.canvas.node(node), checkpoint=on_checkpoint))

    def _pick(self, node: int, on_checkpoint: bool) -> None:
        """A node is chosen already; its checkpoint is not, or no longer."""
        if on_checkpoint or self.state.chosen.is_checkpoint:
            self.state.choose(node_of(self.canvas.node(node), checkpoint=on_checkpoint))

    def look_up(self) -> None:
        """Open the field in which nodes are looked up."""
        self.finding.open()

    def go_to_link(self, link: str) -> None:
        """Choose the node that a link leads to; "" asks for one."""
        self.finding.go_to(link)

    def show_source(self) -> None:
        self.canvas.show_snapshot(None)
        self._show_page()
        self.finding.forget()

    def show_moment(self) -> None:
        snapshot = self.state.moment.snapshot
        before = self.canvas.model.made
        self.canvas.show_snapshot(snapshot)
        # While an answer is written, nothing else changes for hundreds of snapshots.
        if snapshot is None or self.canvas.model.made != before:
            self.marks.show_counts(counts(snapshot) if snapshot is not None else {})
            self.finding.follow()
        source = self.state.source
        if source is not None:
            self.canvas.show_chats(source.owner_title, source.current)
        self._show_page()
        self._show_lights()
        self._show_cost()

    def _show_page(self) -> None:
        self._pages.setCurrentWidget(self.empty if self.canvas.empty else self.canvas)

    def _also(self, node: int) -> str:
        """What a node's card says besides: which other engines have its prefix."""
        source = self.state.source
        also = None if source is None else source.also_on(node)
        return "" if also is None else tr("also on {engines}").format(engines=also)

    def _show_cost(self) -> None:
        """Once a second: a figure that changes faster cannot be read."""
        cost, now = self.state.own_cost, monotonic()
        if cost is not None and now - self._told > _COST_S:
            self._told = now
            self.cost.setText(cost.words, cost.words.split(" · ")[0])

    def show_chosen(self) -> None:
        chosen, snapshot = self.state.chosen, self.state.moment.snapshot
        there = chosen.node is not None and self.canvas.node(chosen.node) is not None
        alone = chosen.entry is not None and chosen.request is None and not there
        if alone and chosen.entry is not None and snapshot is not None:
            self._find_entry(chosen.entry)
            return
        self.canvas.reveal(chosen.node)
        self._show_lights()
        if chosen.places:
            self.canvas.reveal_place(chosen.places[0])

    def _find_entry(self, entry: int) -> None:
        """Choose where an entry is, or what is left there, and say so."""
        found = self.state.place_of(entry)
        if found.sentence:
            self.state.notice.emit(found.sentence)
        if found.node is not None:
            self.state.choose(Chosen(found.node, entry=entry))
        else:
            self.canvas.reveal(None)
            self._show_lights()

    def show_hovered(self) -> None:
        self._show_lights()

    def _show_lights(self) -> None:
        """What is pointed at or chosen, whichever panel that is in."""
        snapshot, state = self.state.moment.snapshot, self.state
        lit = places_of(state.hovered, snapshot, whole=True)
        self.canvas.show_lights(Lights(lit, places_of(state.chosen, snapshot)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._legend_kept:
            self._legend.setChecked(self.height() >= _LEGEND_FROM_PX)

    def _show_unmarked(self) -> None:
        self.unmarked.show_entries(own_entries(self.canvas.view.name))

    def _keep_legend(self) -> None:
        self._legend_kept = True

    def restyle(self) -> None:
        self.marks.restyle()
        self.canvas.update()


def _toggle(text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(hint)
    button.setAccessibleName(hint)
    button.setCheckable(True)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
