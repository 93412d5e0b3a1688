"""The right pane: planes bar, match ruler, tree, timeline, details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.cache.canvas import TreeCanvas
from app.cache.checkpoint_dialog import NodeMenu, ask_first
from app.cache.drawer import NodeDrawer
from app.cache.elsewhere_page import ElsewherePage
from app.cache.legend import TreeLegend, entries_of
from app.cache.match_view import MatchView
from app.cache.planes_view import PlanesView, SnapshotView
from app.cache.sections import GAP_PX as _GAP_PX
from app.cache.sections import head, needs, section
from app.cache.teaching import TeachingPage, standing
from app.cache.view_switch import FocusButton, ViewSwitch
from app.core.session.last_prompt import last_prompt
from app.core.session.model import Session
from app.core.session.names import DELETED, names_of
from app.core.words.explain import evictions_text, live_text
from app.core.words.node_actions import offers
from app.core.words.node_link import link_to
from app.core.words.tr import tr
from app.ui.widgets import ElidedLabel, IconButton, label, rule

if TYPE_CHECKING:
    from app.cache.timeline import Timeline
    from engine.snapshot import CacheSnapshot, NodeView

# The tree always has at least this height.
_TREE_PX = 90
# Lengths of a conversation's title in characters; the longest that fits is used.
_TITLE = (28, 16, 8)
# The engine's mark in the middle of a shortened text.
_SHORTENED = "\n…\n"


class CachePane(QWidget):
    """Shows the current state of the engine's cache.

    Attributes:
        planes, match, canvas, drawer: its parts.
        elsewhere: shown instead of the tree for a remote engine.
        whose, why: the last prompt's conversation, and the link to its explanation.
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
        self._stack.addWidget(TeachingPage())
        self._stack.addWidget(self.canvas)
        self.elsewhere = ElsewherePage()
        self._stack.addWidget(self.elsewhere)
        # Ignore the size hint of the hidden page.
        self._stack.setMinimumHeight(_TREE_PX)
        self._memory = section(head(tr("DEVICE MEMORY"), self.planes.total), self.planes, rule())
        self.whose = ElidedLabel("faint")
        self.why = QPushButton(tr("Why?"))
        self.why.setProperty("kind", "link")
        self.why.setToolTip(tr("Explain this request in the debugger"))
        self.why.setAccessibleName(tr("Why did the last prompt take this long?"))
        self.why.clicked.connect(self._ask_why)
        self._prompt = section(self._prompt_head(), self.match, rule())
        self._tools = QWidget()
        tools = QHBoxLayout(self._tools)
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(_GAP_PX)
        tools.addWidget(label(tr("CACHED PREFIXES"), "section"))
        tools.addWidget(self._live, 1)
        self._focus = FocusButton(self.canvas)
        tools.addWidget(self._focus)
        tools.addWidget(
            IconButton("lanes", tr("Reset layout"), self.canvas.tidy, shortcut="T", size=14)
        )
        tools.addWidget(IconButton("fit", tr("Show all"), self.canvas.fit, shortcut="F", size=14))
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(_GAP_PX)
        for part in (self._memory, self._prompt, self._tools, self.summary):
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
        self.show_plan(None)

    def add_section(self, title: str, view: SnapshotView) -> None:
        """Show another view below the tree; it is the first to be hidden if height is short."""
        added = section(head(title), view)
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
        self.summary.setToolTip(f"{summary}\n{evictions_text(snapshot)}" if snapshot else "")
        self._show_node()

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
        title = "" if last is None else last.title
        # The list of conversations has the whole title.
        shorter = [
            tr("of “{title}…”").format(title=title[:length].rstrip())
            for length in _TITLE
            if length < len(title)
        ]
        self.whose.setText(tr("of “{title}”").format(title=title) if title else "", *shorter)
        asked = last is not None and last.over and last.request is not None
        # Only a remote engine itself could explain why it reused no more.
        self.why.setVisible(asked and last is not None and not last.plan.reported_by)

    def _prompt_head(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        row.addWidget(label(tr("LAST PROMPT"), "section"))
        row.addWidget(self.whose, 1)
        row.addWidget(self.why)
        return made

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
        self.canvas.update()
        self._legend.update()

    def _show_legend(self) -> None:
        self._legend.show_entries(entries_of(self.canvas.view.name))
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
        """Hide parts that do not fit; the tree and the details are hidden last."""
        there = self._stack.currentIndex() == 2
        self._tools.setVisible(not there)
        if there:
            ours = (self._memory, self.summary, self._switch, self._legend, self._timeline_box)
            for part in (*ours, *self._added):
                part.hide()
            self._prompt.show()
            return
        margins = self._column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        grown = self._stack.currentIndex() == 1
        drawn = self.timeline is not None and len(self.timeline.history) > 1
        fixed = margins.top() + margins.bottom() + needs(self._tools, width) + _TREE_PX + _GAP_PX
        shorter = (self.planes, self.drawer)
        for part in shorter:
            part.set_brief(True)
        memory, details = needs(self._memory, width), needs(self.drawer, width)
        for part in shorter:
            part.set_brief(False)
        chosen = self.drawer.isVisibleTo(self)
        if chosen:
            fixed += details + _GAP_PX
        parts = (
            memory + _GAP_PX,
            needs(self._prompt, width) + _GAP_PX,
            needs(self.summary, width) + _GAP_PX,
            needs(self._switch, width) + _GAP_PX if grown else 0,
            needs(self._memory, width) - memory,
            needs(self.drawer, width) - details if chosen else 0,
            needs(self._legend, width) + _GAP_PX if grown else 0,
            needs(self._timeline_box, width) + _GAP_PX if drawn else 0,
            *(needs(added, width) + _GAP_PX for added in self._added),
        )
        count = standing(self.height(), fixed, parts)
        self._memory.setVisible(count > 0)
        self._prompt.setVisible(count > 1)
        self.summary.setVisible(count > 2)
        self._switch.setVisible(grown and count > 3)
        self.planes.set_brief(count <= 4)
        self.drawer.set_brief(count <= 5)
        self._legend.setVisible(grown and count > 6)
        self._timeline_box.setVisible(drawn and count > 7)
        for number, added in enumerate(self._added, 8):
            added.setVisible(count > number)

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
