"""The right pane: planes bar, match ruler, tree, timeline, details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.drawer import NodeDrawer
from app.cache.explain import evictions_text, live_text, tree_summary
from app.cache.legend import TreeLegend
from app.cache.match_view import MatchView
from app.cache.planes_view import PlanesView
from app.session.model import Session
from app.widgets import ElidedLabel, IconButton, label, rule

if TYPE_CHECKING:
    from app.cache.timeline import Timeline
    from engine.snapshot import CacheSnapshot

_TEACHING = (
    (
        "Two planes",
        "Attention layers keep keys and values per token. Linear layers keep one state "
        "that fits exactly one position: a checkpoint, drawn as a diamond.",
    ),
    (
        "Resuming",
        "A prompt goes on from the last diamond on its path. Tokens that are known after "
        "it are replayed, the rest is new.",
    ),
    ("Try it", "Send a message, then edit it or answer again. The tree forks at the exact token."),
)
# Below this height the timeline makes room for the tree.
_TALL_PX = 620
_ROOM_FOR_BOTH_PX = 800
_LEGEND_PX = 540


class CachePane(QWidget):
    """Shows the engine's cache as it is.

    Attributes:
        planes, match, canvas, drawer: its parts.
        timeline: made once the window is up, because its library takes a moment to import.

    Signals:
        watched: whether anyone looks: snapshots cost the engine a little.
        described: a node whose text is wanted.
    """

    watched = Signal(bool)
    described = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cachePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session: Session | None = None
        self._still: object = None
        # Evictions of the session's log that the canvas was shown.
        self._told = 0
        self.planes = PlanesView()
        self.match = MatchView()
        self.canvas = TreeCanvas()
        self.canvas.chosen.connect(self._chosen)
        self.canvas.faded.connect(self._faded)
        self.drawer = NodeDrawer()
        self.drawer.closed.connect(lambda: self.canvas.select(None))
        self.drawer.hide()
        self.summary = ElidedLabel("faint")
        self._live = ElidedLabel("figures")
        self._live.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.timeline: Timeline | None = None
        self._legend = TreeLegend()
        self._timeline_box = QWidget()
        self._timeline_column = QVBoxLayout(self._timeline_box)
        self._timeline_column.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(_teaching_page())
        self._stack.addWidget(self.canvas)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(_head("DEVICE MEMORY", self.planes.total))
        column.addWidget(self.planes)
        column.addWidget(rule())
        column.addLayout(_head("LAST PROMPT"))
        column.addWidget(self.match)
        column.addWidget(rule())
        tools = _head("CACHED PREFIXES", self.summary)
        tools.setStretch(1, 1)
        tools.addWidget(self._live, 1)
        tools.addWidget(
            IconButton("lanes", "Lay out anew", self.canvas.tidy, shortcut="T", size=14)
        )
        tools.addWidget(IconButton("fit", "Show all", self.canvas.fit, shortcut="F", size=14))
        column.addLayout(tools)
        column.addWidget(self._stack, 1)
        column.addWidget(self._legend)
        column.addWidget(self._timeline_box)
        column.addWidget(self.drawer)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._make_timeline)
        self.show_plan(None)

    def show_snapshot(self, session: Session) -> None:
        """Show the session's newest snapshot."""
        self._session = session
        snapshot = session.snapshot
        told = session.log.after(self._told) if snapshot is not None else ()
        self._told = session.log.total
        self.canvas.show_snapshot(snapshot, told)
        doing = live_text(snapshot.live) if snapshot else ""
        self._live.setText(doing)
        self._live.setVisible(bool(doing))
        if self.timeline is not None:
            self.timeline.show_snapshot(snapshot, session.rate.take())
        # Experts come and go with each token; the rest of the bars does not.
        if snapshot is not None:
            self.planes.show_experts(snapshot.experts)
        still = None if snapshot is None else (snapshot.version, snapshot.memory, snapshot.state)
        # Between two tokens only the head moves: the rest need not be said again.
        if still is None or still != self._still:
            self._still = still
            self._show_still(snapshot)

    def _show_still(self, snapshot: CacheSnapshot | None) -> None:
        """What changes with the cache, not with each token."""
        self.planes.show_snapshot(snapshot)
        self._show_page()
        summary = tree_summary(snapshot) if snapshot else ""
        self.summary.setText(summary)
        self.summary.setToolTip(f"{summary}\n{evictions_text(snapshot)}" if snapshot else "")
        self._show_node()

    def _show_page(self) -> None:
        self._stack.setCurrentIndex(0 if self.canvas.empty else 1)

    def _faded(self) -> None:
        """A tree that is empty by now makes room for the page that teaches."""
        self._show_page()
        self._arrange()

    def show_plan(self, session: Session | None) -> None:
        self.match.show_plan(session.plan if session else None)

    def show_node_text(self, session: Session) -> None:
        if session.node_text is not None:
            self.drawer.show_text(session.node_text)

    def restyle(self) -> None:
        self.planes.restyle()
        self.match.restyle()
        self.canvas.update()
        self._legend.update()
        if self.timeline is not None:
            self.timeline.restyle()

    def _chosen(self, node: int | None) -> None:
        self._show_node()
        if node is not None:
            self.described.emit(node)

    def _show_node(self) -> None:
        chosen = self.canvas.selected
        node = None if chosen is None else self.canvas.node(chosen)
        snapshot = self._session.snapshot if self._session else None
        self.drawer.setVisible(node is not None)
        self._arrange()
        if node is not None and snapshot is not None:
            self.drawer.show_node(node, snapshot.time)

    def _arrange(self) -> None:
        """What gives way first where there is little height: the timeline, then its neighbour."""
        open_drawer = self.drawer.isVisibleTo(self)
        tall = self.height() >= (_ROOM_FOR_BOTH_PX if open_drawer else _TALL_PX)
        drawn = self.timeline is not None and len(self.timeline.history) > 1
        self._timeline_box.setVisible(tall and drawn)
        grown = self._stack.currentIndex() == 1
        self._legend.setVisible(grown and self.height() >= _LEGEND_PX and not open_drawer)

    def _make_timeline(self) -> None:
        if self.timeline is not None:
            return
        from app.cache.timeline import Timeline

        made = Timeline()
        self.timeline = made
        self._timeline_column.addWidget(made)
        if self._session is not None:
            made.show_snapshot(self._session.snapshot, self._session.rate.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start()
        self.watched.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.watched.emit(False)


def _head(title: str, beside: QLabel | None = None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(label(title, "section"))
    if beside is not None:
        row.addWidget(beside)
        if beside.property("kind") == "figuresStrong":
            row.addStretch(1)
    return row


def _teaching_page() -> QWidget:
    """What stands where the tree will grow."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(8, 8, 8, 8)
    column.setSpacing(4)
    column.addStretch(1)
    for title, text in _TEACHING:
        column.addWidget(label(title, "title"))
        column.addWidget(label(text, "dim", wrap=True))
        column.addSpacing(8)
    column.addStretch(2)
    return page
