"""The tree panel: the tree of cached prefixes at the moment on screen."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.legend import MarkFilter, TreeLegend, own_entries
from app.cache.logic.lit import Lights
from app.cache.logic.mark_table import counts
from app.cache.logic.search import HINT, Misread, Query, parse, search
from app.cache.view_switch import FocusButton, ViewSwitch
from app.chat.find_bar import FindBar
from app.core.session.passages import Place
from app.core.words.node_link import follow, read_link
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen, node_of
from app.debugger.logic.node_drafts import read_places
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.ui.key_hints import KeyTip
from app.ui.widgets import FlowRow, IconButton, label
from engine.snapshot import CacheSnapshot

_EMPTY = tr("Nothing is cached at this moment. The tree grows from the first request on.")
# Below this height the legend is hidden to make room for the lanes.
_LEGEND_FROM_PX = 300
# Time budget per search step, a part of a frame.
_SLICE_S = 0.006
# A growing tree is searched again this often.
_AGAIN_MS = 400


def places_of(
    what: Chosen, snapshot: CacheSnapshot | None, *, whole: bool = False
) -> tuple[Place, ...]:
    """The selected tokens; for a node without a span, all of them if `whole`, else none."""
    if what.places or what.node is None:
        return what.places
    if what.span is not None:
        return (Place(what.node, *what.span),)
    if not whole or snapshot is None:
        return ()
    node = next((one for one in snapshot.nodes if one.id == what.node), None)
    return () if node is None else (Place(node.id, node.start, node.end),)


class TreeFinding(QObject):
    """Attributes:
    bar: the search field; hidden while there is no search.
    note: what is wrong with the query, below the bar.
    hits: ids of the nodes found so far, by position.
    """

    def __init__(self, canvas: TreeCanvas, state: DebugState, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas, self._state = canvas, state
        self.bar = FindBar()
        self.bar.field.setPlaceholderText(HINT)
        self.bar.field.setAccessibleName(tr("Find in the tree"))
        self.bar.changed.connect(lambda _: self._begin(jump=True))
        self.bar.stepped.connect(self.step)
        self.bar.closed.connect(self.close)
        self.bar.hide()
        self.note = label("", "faint")
        self.note.hide()
        self.hits: list[int] = []
        self._at = 0
        self._jump = False
        self._steps: Iterator[int | None] = iter(())
        self._found: list[int] = []
        self._slice = QTimer(self)
        self._slice.setInterval(0)
        self._slice.timeout.connect(self._go_on)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(lambda: self._begin(jump=False))

    @property
    def searching(self) -> bool:
        """Whether a search is still running."""
        return self._slice.isActive()

    def go_to(self, link: str) -> None:
        """Go to the target of a link; "" asks for one."""
        self.bar.show()
        self.bar.field.setText(link)
        self.bar.field.setFocus()
        self._begin(jump=True)

    def open(self) -> None:
        self.bar.show()
        self.bar.field.setFocus()
        self.bar.field.selectAll()
        self._begin(jump=False)

    def close(self) -> None:
        self.bar.hide()
        self.note.hide()
        self._stop()
        self._show([])
        self._canvas.setFocus()

    def forget(self) -> None:
        """Reset for another source."""
        self._stop()
        self._show([])

    def follow(self) -> None:
        """Search again after the snapshot has changed."""
        if self.bar.isVisible() and self.bar.field.text() and not self.searching:
            self._again.start()

    def step(self, forward: bool) -> None:
        """Select the next or previous hit."""
        if self.hits:
            self._at = (self._at + (1 if forward else -1)) % len(self.hits)
            self._canvas.reveal(self.hits[self._at])
            self.bar.show_count(self._at, len(self.hits))

    def _begin(self, *, jump: bool) -> None:
        self._stop()
        snapshot = self._canvas.model.snapshot
        if read_link(self.bar.field.text()) is not None:
            self._jump, self._found = jump, []
            self._steps = self._lead(self.bar.field.text(), snapshot)
            self._slice.start()
            return
        asked = parse(self.bar.field.text())
        problem = asked.sentence if isinstance(asked, Misread) else ""
        self.note.setText(problem)
        self.note.setVisible(bool(problem))
        if asked is None or isinstance(asked, Misread) or snapshot is None:
            self._show([])
            return
        self._jump, self._found = jump, []
        self._steps = self._search(asked, snapshot)
        self._slice.start()

    def _search(self, asked: Query, snapshot: CacheSnapshot) -> Iterator[int | None]:
        source = self._state.source
        if source is not None:
            tape, tokens = source.tape, source.tape.tokens(self._state.moment.index)
            yield from search(asked, snapshot, tokens, lambda ids: tape.text(ids.tolist()))

    def _lead(self, link: str, snapshot: CacheSnapshot | None) -> Iterator[int | None]:
        """Resolve a link."""
        source, index = self._state.source, self._state.moment.index
        target = follow(link, snapshot, None if source is None else source.tape.tokens(index))
        self.note.setText(target.sentence)
        self.note.show()
        yield target.node

    def _go_on(self) -> None:
        ends = perf_counter() + _SLICE_S
        for hit in self._steps:
            if hit is not None:
                self._found.append(hit)
            if perf_counter() > ends:
                return
        self._slice.stop()
        self._show(self._found)
        if self._jump and self.hits:
            self._canvas.reveal(self.hits[0])

    def _show(self, hits: list[int]) -> None:
        chosen = self._canvas.selected
        self.hits = hits
        self._at = hits.index(chosen) if chosen in hits and not self._jump else 0
        self._canvas.show_found(frozenset(hits))
        self.bar.show_count(self._at, len(hits))

    def _stop(self) -> None:
        self._slice.stop()
        self._again.stop()
        self._steps = iter(())


class TreePanel(DebugPanel):
    """The central panel of the desk.

    Attributes:
        canvas: draws the tree.
        empty: shown instead while there is no tree.
        switch: chooses its view.
        marks: the legend of marks, which is also the filter.
        unmarked: the legend of everything else.
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
        # Until the user clicks it, the panel's height decides.
        self._legend.clicked.connect(self._keep_legend)
        self._legend_kept = False
        seek = tr("Find a text, token, position or hash")
        self._find = _toggle(tr("Find"), seek)
        KeyTip(self._find, seek, "find")
        self._find.setCheckable(False)
        self._find.clicked.connect(self.finding.open)
        tidy = IconButton("lanes", tr("Reset layout"), self.canvas.tidy, shortcut="T", size=14)
        fit = IconButton("fit", tr("Show all"), self.canvas.fit, shortcut="F", size=14)
        row = FlowRow(4)
        for part in (self.switch, self._find, self._focus, self._fold, self._legend, tidy, fit):
            row.add(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(6)
        column.addWidget(row)
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
        """Select or deselect the checkpoint of a node that is already selected."""
        if on_checkpoint or self.state.chosen.is_checkpoint:
            self.state.choose(node_of(self.canvas.node(node), checkpoint=on_checkpoint))

    def look_up(self) -> None:
        """Open the search field."""
        self.finding.open()

    def go_to_link(self, link: str) -> None:
        """Select the target node of a link; "" asks for one."""
        self.finding.go_to(link)

    def show_source(self) -> None:
        self.canvas.show_snapshot(None)
        self._show_page()
        self.finding.forget()

    def show_moment(self) -> None:
        snapshot = self.state.moment.snapshot
        before = self.canvas.model.made
        self.canvas.show_snapshot(snapshot)
        # During decode nothing else changes for hundreds of snapshots.
        if snapshot is None or self.canvas.model.made != before:
            self.marks.show_counts(counts(snapshot) if snapshot is not None else {})
            self.finding.follow()
        source = self.state.source
        if source is not None:
            self.canvas.show_chats(source.owner_title, source.current)
        self._show_page()
        self._show_lights()

    def _show_page(self) -> None:
        self._pages.setCurrentWidget(self.empty if self.canvas.empty else self.canvas)

    def _also(self, node: int) -> str:
        """An addition to a node's card: which other engines have its prefix."""
        source = self.state.source
        also = None if source is None else source.also_on(node)
        return "" if also is None else tr("also on {engines}").format(engines=also)

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
        """Select the node of an entry, or its closest ancestor with a notice."""
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
        """Highlight what is hovered or selected in any panel, and where its drafts were read."""
        snapshot, state = self.state.moment.snapshot, self.state
        lit = places_of(state.hovered, snapshot, whole=True)
        marked = places_of(state.chosen, snapshot) or self._read()
        self.canvas.show_lights(Lights(lit, marked))

    def _read(self) -> tuple[Place, ...]:
        """Where the drafts of the selected request were found."""
        source, request = self.state.source, self.state.chosen.request
        if source is None or request is None or request >= len(source.tape.requests):
            return ()
        return read_places(source.tape, request, self.state.moment.index)

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
