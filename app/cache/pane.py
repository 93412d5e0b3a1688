"""The right pane: memory, the last prompt and the tree, each with figures for who wants them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.checkpoint_dialog import NodeMenu, ask_first
from app.cache.drawer import NodeDrawer
from app.cache.elsewhere_page import ElsewherePage
from app.cache.legend import TreeLegend, entries_of, occurring
from app.cache.logic.fading import fate_of
from app.cache.match_view import MatchView
from app.cache.planes_view import PlanesView, SnapshotView
from app.cache.sections import GAP_PX as _GAP_PX
from app.cache.sections import SectionHead, head, needs, section, titled_section
from app.cache.teaching import TeachingPage, standing
from app.cache.view_switch import FocusButton, ViewSwitch
from app.core.session.last_prompt import last_prompt
from app.core.session.model import Session
from app.core.session.names import DELETED, names_of
from app.core.words.explain import evictions_text, live_text
from app.core.words.node_actions import offers
from app.core.words.node_link import link_to
from app.core.words.tr import tr
from app.ui.widgets import ElidedLabel, IconButton, rule, set_tip

if TYPE_CHECKING:
    from app.cache.timeline import Timeline
    from engine.snapshot import CacheSnapshot, NodeView

# A part of the pane whose figures the user may show.
Section = Literal["memory", "prompt", "tree"]
SECTIONS: tuple[Section, ...] = get_args(Section)
# The tree always has at least this height.
_TREE_PX = 90
# The engine's mark in the middle of a shortened text.
_SHORTENED = "\n…\n"


class _Part:
    """A part that may be on screen.

    Attributes:
        height: in pixels; 0 if it is not wanted.
        show: shows or hides it.
    """

    def __init__(self, wanted: bool, height: int, show: Callable[[bool], object]) -> None:
        self.wanted, self.height, self.show = wanted, height, show


class CachePane(QWidget):
    """Shows the current state of the engine's cache.

    At first it is a line and a bar for memory, the same for the last prompt, and the tree. Pressing
    a line or a bar shows that part's figures, and one button shows all of them.

    Attributes:
        planes, match, canvas, drawer: its parts.
        heads: the line of each part.
        figures: the parts whose figures the user has shown.
        elsewhere: shown instead of the tree for a remote engine.
        timeline: created once the window is up, because its library takes a moment to import.

    Signals:
        watched: whether the pane is visible; snapshots cost the engine some time.
        described: request the text of a node.
        verified: compare the checkpoint of a node with a cold run.
        acted(str, object): do this Action to a node.
        owner_opened: go to the message of this NodeOwner.
        notice: a sentence for the status line.
        explained: explain what this request ran and why.
    """

    watched = Signal(bool)
    described = Signal(object)
    verified = Signal(object)
    acted = Signal(str, object, object)
    warming_wanted = Signal()
    owner_opened = Signal(object)
    notice = Signal(str)
    explained = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cachePane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session: Session | None = None
        self._last: int | None = None
        self._still: object = None
        # Number of evictions of the session's log that the canvas has shown.
        self._shown_evictions = 0
        self.planes = PlanesView()
        self.figures: frozenset[Section] = frozenset()
        # The fates of evictions so far, which the legend explains.
        self._fates: set[str] = set()
        self._views: list[SnapshotView] = [self.planes]
        self._added: list[QWidget] = []
        self.match = MatchView()
        self.canvas = TreeCanvas()
        self.canvas.set_focused(True)
        self.canvas.chosen.connect(self._chosen)
        self.canvas.faded.connect(self._faded)
        self.canvas.menu_wanted.connect(self._show_menu)
        self._copying: int | None = None
        self.drawer = NodeDrawer()
        self.drawer.verified.connect(self.verified)
        self.drawer.owner_opened.connect(self.owner_opened)
        self.drawer.closed.connect(lambda: self.canvas.select(None))
        self.drawer.hide()
        self.summary = ElidedLabel("faint")
        self._live = ElidedLabel("figures")
        self._live.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.timeline: Timeline | None = None
        self._legend = TreeLegend()
        self.canvas.view_changed.connect(self._show_legend)
        self._timeline_box = QWidget()
        self._timeline_column = QVBoxLayout(self._timeline_box)
        self._timeline_column.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        self._teaching = TeachingPage()
        self._stack.addWidget(self._teaching)
        self._stack.addWidget(self.canvas)
        self.elsewhere = ElsewherePage()
        self._stack.addWidget(self.elsewhere)
        # Ignore the size hint of the hidden page.
        self._stack.setMinimumHeight(_TREE_PX)
        self.heads: dict[Section, SectionHead] = {
            "memory": SectionHead(tr("Memory the model uses"), tr("Memory")),
            "prompt": self.match.head,
            "tree": SectionHead(tr("What is remembered")),
        }
        self.all_figures = QPushButton()
        self.all_figures.setProperty("kind", "link")
        self.all_figures.clicked.connect(self._show_all_or_none)
        first = head(self.heads["memory"], self.planes.total, self.all_figures)
        self._memory = section(self.planes, rule())
        self._first = first
        self.match.why.clicked.connect(self._ask_why)
        self._prompt = section(self.match, rule())
        self._controls = head(
            self._live,
            FocusButton(self.canvas),
            IconButton("lanes", tr("Reset layout"), self.canvas.tidy, shortcut="T", size=14),
            IconButton("fit", tr("Show all"), self.canvas.fit, shortcut="F", size=14),
        )
        self._tools = head(self.heads["tree"], self._controls)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(_GAP_PX)
        for part in (first, self._memory, self._prompt, self._tools, self.summary):
            column.addWidget(part)
        self._switch = ViewSwitch(self.canvas)
        column.addWidget(self._switch)
        column.addWidget(self._stack, 1)
        for part in (self._legend, self._timeline_box, self.drawer):
            column.addWidget(part)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._make_timeline)
        for name, one in self.heads.items():
            one.clicked.connect(lambda _on=False, name=name: self.toggle(name))
        for bar, name in ((self.planes.bar, "memory"), (self.match.ruler, "prompt")):
            bar.setCursor(Qt.CursorShape.PointingHandCursor)
            bar.clicked.connect(lambda name=name: self.toggle(name))
        self.show_plan(None)
        self.show_figures(())

    def show_figures(self, sections: Collection[str]) -> None:
        """Show the figures of these parts and of no others; unknown names are ignored."""
        self.figures = frozenset(name for name in SECTIONS if name in sections)
        for name, one in self.heads.items():
            one.setChecked(name in self.figures)
        whole = len(self.figures) == len(SECTIONS)
        self.all_figures.setText(tr("Hide figures") if whole else tr("Show figures"))
        self.canvas.set_figured("tree" in self.figures)
        self._teaching.set_detailed("tree" in self.figures)
        self._show_legend()

    def toggle(self, section: Section) -> None:
        """Show or hide the figures of a part."""
        self.show_figures(self.figures ^ {section})

    def _show_all_or_none(self) -> None:
        self.show_figures(() if len(self.figures) == len(SECTIONS) else SECTIONS)

    def add_section(self, title: str, view: SnapshotView) -> None:
        """Show another view below the tree; it is the first to be hidden if height is short."""
        added = titled_section(title, view)
        self._added.append(added)
        self._views.append(view)
        # The details of the selected node stay at the bottom.
        self._column.insertWidget(self._column.indexOf(self.drawer), added)
        view.show_snapshot(self._session.cache.snapshot if self._session else None)
        self._arrange()

    def show_snapshot(self, session: Session) -> None:
        """Show the session's newest snapshot."""
        self._session = session
        snapshot = session.cache.snapshot
        fresh = session.log.after(self._shown_evictions) if snapshot is not None else ()
        self._shown_evictions = session.log.total
        self._fates.update(fate_of(gone) for gone in fresh)
        self.canvas.show_snapshot(snapshot, fresh)
        doing = live_text(snapshot.live) if snapshot else ""
        # "reading, at 1,024 of 4,096" becomes "reading" if there is no room for figures.
        self._live.setText(doing, doing.split(",")[0])
        if self.timeline is not None:
            self.timeline.show_snapshot(snapshot, session.rate.take())
        # Only the experts' bar changes with each token.
        if snapshot is not None:
            self.planes.show_experts(snapshot.experts)
        still = None if snapshot is None else _still(snapshot)
        # Between two tokens only the head moves: the rest need not be updated.
        if still is None or still != self._still:
            self._still = still
            self._show_still(snapshot)

    def show_elsewhere(self, session: Session) -> None:
        """Show what a remote engine reports instead of the tree, which is unknown."""
        self._session = session
        self.elsewhere.show_session(session)
        self._show_page()
        self._arrange()

    def show_chats(self, session: Session) -> None:
        """Name the conversations in the tree, and show the one on screen in full."""
        names = names_of(session.conversations)
        names = session.served.names | names
        self.canvas.show_chats(lambda owner: names.get(owner, DELETED), session.current.id)

    def _show_still(self, snapshot: CacheSnapshot | None) -> None:
        """Update what changes with the cache, not with each token."""
        if self._session is not None:
            self.show_chats(self._session)
        for view in self._views:
            view.show_snapshot(snapshot)
        self._show_page()
        summary = self.canvas.accessibleDescription() if snapshot else ""
        self.summary.setText(summary)
        told = f"{summary}\n{evictions_text(snapshot)}" if snapshot else ""
        self._describe("tree", told)
        self.summary.setToolTip(told)
        self._describe("memory", self.planes.accessibleDescription())
        self._show_legend()
        self._show_node()

    def _describe(self, section: Section, figures: str) -> None:
        """Give a part's figures to whoever hovers over its line, or has it read out."""
        set_tip(self.heads[section], figures)
        self.heads[section].setAccessibleDescription(figures)

    def _show_page(self) -> None:
        there = self._session is not None and self._session.engine.there
        self._stack.setCurrentIndex(2 if there else 0 if self.canvas.empty else 1)

    def _faded(self) -> None:
        """An empty tree gives way to the teaching page."""
        self._show_page()
        self._arrange()

    def show_plan(self, session: Session | None) -> None:
        """Show the last prompt of the conversation on screen, and name it."""
        last = None if session is None else last_prompt(session)
        self._last = None if last is None else last.request
        self.match.show_plan(None if last is None else last.plan)
        self.match.show_title("" if last is None else last.title)
        asked = last is not None and last.over and last.request is not None
        # Only a remote engine itself could explain why it reused no more.
        self.match.why.setVisible(asked and last is not None and not last.plan.reported_by)
        self._arrange()

    def _ask_why(self) -> None:
        if self._last is not None:
            self.explained.emit(self._last)

    def show_node_text(self, session: Session) -> None:
        node_text = session.cache.node_text
        if node_text is None:
            return
        self.drawer.show_text(node_text)
        self.show_owners(session)
        if node_text.node == self._copying:
            self._copying = None
            QGuiApplication.clipboard().setText(node_text.text)
            rest = tr(", shortened in the middle") if _SHORTENED in node_text.text else ""
            span = tr("{start:,} to {end:,}").format(start=node_text.start, end=node_text.end)
            self.notice.emit(
                tr("Copied the text of tokens {span}{rest}.").format(span=span, rest=rest)
            )

    def show_owners(self, session: Session) -> None:
        """Update the owners of the selected node: conversations come, go and are renamed."""
        if session.cache.node_text is not None:
            titles = session.served.names | names_of(session.conversations)
            self.drawer.show_owners(session.cache.node_text, titles)
            self._arrange()

    def restyle(self) -> None:
        self.planes.restyle()
        self.elsewhere.update()
        self.match.restyle()
        for one in self.heads.values():
            one.update()
        self.canvas.update()
        self._legend.update()

    def _show_legend(self) -> None:
        """Show the marks that occur, and explain all of them."""
        view, made = self.canvas.view.name, self.canvas.model.layout
        marks, others = 0, set(self._fates)
        if made is not None:
            marks = int(np.bitwise_or.reduce(made.table.marks, initial=0))
            others |= {"folded"} if made.folded.chips else set()
        self._legend.show_entries(occurring(view, marks, others))
        self._legend.explain(entries_of(view))
        self._arrange()

    def _chosen(self, node: int | None) -> None:
        self._show_node()
        if node is not None:
            self.described.emit(node)

    def _show_menu(self, number: int, at: QPoint, position: int | None) -> None:
        node = self.canvas.node(number)
        snapshot = self._session.cache.snapshot if self._session else None
        if node is None or snapshot is None:
            return
        details = number == self.canvas.selected
        menu = NodeMenu(node, details=details, parent=self, offers=offers(node, snapshot))
        menu.acted.connect(lambda action: self._act(action, node, snapshot, position))
        menu.warming_wanted.connect(self.warming_wanted)
        menu.linked.connect(lambda: QGuiApplication.clipboard().setText(link_to(node)))
        menu.opened.connect(lambda: self.canvas.select(number))
        menu.closed.connect(lambda: self.canvas.select(None))
        menu.told.connect(lambda: self.canvas.opened.emit(number))
        menu.copied.connect(lambda: self._copy(number))
        menu.verified.connect(lambda: self.verified.emit(number))
        menu.popup(at)

    def _act(
        self, action: str, node: NodeView, snapshot: CacheSnapshot, position: int | None
    ) -> None:
        ask_first(
            action,
            node,
            snapshot,
            position,
            self,
            lambda at: self.acted.emit(action, node.id, at),
        )

    def _copy(self, number: int) -> None:
        """Request the text from the engine; it is copied when it arrives."""
        self._copying = number
        self.described.emit(number)

    def _show_node(self) -> None:
        chosen = self.canvas.selected
        node = None if chosen is None else self.canvas.node(chosen)
        snapshot = self._session.cache.snapshot if self._session else None
        if node is not None and snapshot is not None:
            self.drawer.show_node(node, snapshot.time)
        self.drawer.setVisible(node is not None)
        self._arrange()

    def _arrange(self) -> None:
        """Show the parts that are wanted and fit; the tree and the details are hidden last."""
        there = self._stack.currentIndex() == 2
        self.heads["memory"].setVisible(not there)
        self._tools.setVisible(not there)
        self._controls.setVisible("tree" in self.figures)
        if there:
            ours = (self._memory, self.summary, self._switch, self._legend, self._timeline_box)
            for widget in (self.planes.total, *ours, *self._added):
                widget.hide()
            self._first.show()
            self._prompt.show()
            self.match.set_detailed("prompt" in self.figures)
            return
        margins = self._column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        parts = self._parts(width)
        fixed = margins.top() + margins.bottom() + needs(self._tools, width) + _TREE_PX + _GAP_PX
        if self.drawer.isVisibleTo(self):
            self.drawer.set_brief(True)
            fixed += needs(self.drawer, width, changed=True) + _GAP_PX
        count = standing(self.height(), fixed, [part.height for part in parts])
        for number, part in enumerate(parts):
            part.show(part.wanted and number < count)

    def _parts(self, width: int) -> list[_Part]:
        """What may stand beside the tree and the details, the most important first."""
        planes, match, drawer = self.planes, self.match, self.drawer

        shrunk = {self._memory, self._prompt, drawer}
        heights: dict[QWidget, int] = {}

        def part(widget: QWidget, wanted: bool = True) -> _Part:
            if not wanted:
                return _Part(False, 0, widget.setVisible)
            height = heights[widget] = needs(widget, width, changed=widget in shrunk)
            return _Part(True, height + _GAP_PX, widget.setVisible)

        def more(inside: QWidget, wanted: bool, show: Callable[[bool], object]) -> _Part:
            """More of a part that stands there already."""
            if not wanted:
                return _Part(False, 0, show)
            before = heights.get(inside)
            if before is None:
                before = needs(inside, width, changed=True)
            show(True)
            height = heights[inside] = needs(inside, width, changed=True)
            return _Part(True, height - before, show)

        self._show_some_rows(False)
        planes.trouble.set_brief(True)
        match.set_detailed(False)
        drawer.set_brief(True)
        grown = self._stack.currentIndex() == 1
        memory, prompt, tree = (name in self.figures for name in SECTIONS)
        tree &= grown
        drawn = self.timeline is not None and len(self.timeline.history) > 1
        return [
            part(self._first),
            part(self._memory),
            part(self._prompt),
            more(self._memory, planes.trouble.told, lambda on: planes.trouble.set_brief(not on)),
            more(self._memory, memory, self._show_some_rows),
            more(self._prompt, prompt, match.set_detailed),
            part(self.summary, "tree" in self.figures),
            part(self._switch, tree),
            more(self._memory, memory, self._show_all_rows),
            more(drawer, drawer.isVisibleTo(self), lambda on: drawer.set_brief(not on)),
            part(self._legend, tree and bool(self._legend.words)),
            part(self._timeline_box, tree and drawn),
            *(part(added) for added in self._added),
        ]

    def _show_some_rows(self, on: bool) -> None:
        self.planes.set_rows("few" if on else "none")
        self.planes.total.setVisible(on)

    def _show_all_rows(self, on: bool) -> None:
        if on:
            self.planes.set_rows("all")

    def _make_timeline(self) -> None:
        if self.timeline is not None:
            return
        from app.cache.timeline import Timeline

        made = Timeline()
        self.timeline = made
        self._timeline_column.addWidget(made)
        if self._session is not None:
            made.show_snapshot(self._session.cache.snapshot, self._session.rate.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.start()
        self.watched.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.timeline is not None:
            self.timeline.look_away()
        self.watched.emit(False)


def _still(snapshot: CacheSnapshot) -> object:
    """The parts of a snapshot that are shown as text and bars."""
    return snapshot.version, snapshot.memory, snapshot.state, snapshot.host, snapshot.disk
