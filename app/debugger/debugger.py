"""View > Debugger: shows the desk instead of the chat, and updates it while it is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Outcome
from app.core.words.node_link import read_link
from app.core.words.tr import tr
from app.debugger.layouts import Layouts
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.layouts import DEFAULT
from app.debugger.logic.source import LiveSource, Source
from app.debugger.state import DebugState, OwnCost
from app.debugger.tree_panel import TreePanel
from app.ui import theme
from app.ui.menus.menus import Menus
from engine.commands import Act, Command, UndoAct, VerifyNode

if TYPE_CHECKING:
    # What only an open desk needs is a good part of all modules, and takes its time to import.
    from app.debugger.desk import Desk

# More updates cannot be seen, and a panel may need a few milliseconds for each. While the pointer
# is elsewhere, half of them suffice.
_FOLLOW_MS, _ALONG_MS = 125, 250
_NOT_THERE = tr("That request is not in the record any more: a model was opened since.")
_TOLD_BY = (
    Changed.COUNTERS,
    Changed.SNAPSHOT,
    Changed.SERVER,
    Changed.CONVERSATIONS,
    Changed.ENGINE,
    Changed.TAPE,
    Changed.CHECK,
    Changed.ACTS,
    Changed.NODE,
)


class DebuggerController(QObject):
    """Owns the desk, which is created when it is first opened.

    Attributes:
        desk: None until then.
        above: a widget to place at the top of the desk.
        layouts: its saved layouts.
        cost: its share of the window's time while it is on screen.

    Signals:
        owner_opened(object): the chat is shown; go to the message of this NodeOwner.
        warming_wanted: open the dialog that warms a prompt.
        shown(bool): whether any of the desk is on screen changed.
    """

    shown = Signal(bool)
    warming_wanted = Signal()
    owner_opened = Signal(object)

    def __init__(
        self, bridge: Bridge, menus: Menus, pages: QStackedWidget, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._bridge, self._menus, self._pages = bridge, menus, pages
        self._places = ""
        self.desk: Desk | None = None
        self.above: QWidget | None = None
        self._source: Source | None = None
        self._live = LiveSource(bridge.session)
        self.cost = OwnCost(parent, self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FOLLOW_MS)
        self._timer.timeout.connect(self._follow)
        self.layouts = Layouts(menus.menu["layouts"], self._opened, parent)
        self.layouts.notice.connect(bridge.notify)
        menus.debugger.toggled.connect(self.show)
        menus.reset_desk.triggered.connect(self._reset)
        menus.go_to_link.triggered.connect(self.go_to_link)
        menus.save_trace.triggered.connect(self._save_trace)
        bridge.changed.connect(self._changed)
        theme.keeper().changed.connect(self._restyle)

    @property
    def on_screen(self) -> bool:
        return self.desk is not None and self._pages.currentWidget() is self.desk

    @property
    def places(self) -> str:
        """The layout of the panels, to be saved."""
        return self.desk.saved() if self.desk is not None else self._places

    def stand(self, places: str) -> None:
        """Restore a saved layout of the panels."""
        self._places = places
        if self.desk is not None:
            self.desk.restore(places)

    def show(self, on: bool) -> None:
        """Show the desk in place of the chat, or the chat again."""
        if on == self.on_screen:
            return
        if on and self.desk is None:
            self._make()
        self._menus.debugger.setChecked(on)
        if on and self.desk is not None:
            self._pages.setCurrentWidget(self.desk)
        else:
            self._pages.setCurrentIndex(0)
        self.cost.watch(on)
        self.shown.emit(self._seen)
        if on:
            self._follow()

    def show_source(self, source: Source | None) -> None:
        """Show another source; None: the open engine."""
        self._source = source
        if self.desk is not None:
            self.desk.state.show_source(source or self._live)

    def show_part(self, source: Source) -> int:
        """Show a file that is still being read, at its current end; returns that end."""
        self.show_source(source)
        assert self.desk is not None, "a file is opened on the desk"
        end = len(source.tape)
        # Do not follow: the panels would be rebuilt with each piece.
        self.desk.state.seek(end)
        return end

    def grow(self) -> None:
        """Update the panels after more of the file has been read."""
        if self.desk is not None and self._seen:
            self.desk.state.follow()

    def show_whole(self, part_end: int) -> None:
        """Go to the end of a file that is read, unless the user went elsewhere."""
        assert self.desk is not None, "a file is opened on the desk"
        state = self.desk.state
        state.follow()
        if not state.moment.follows and state.moment.index == part_end:
            state.seek(None)

    def look_up(self) -> bool:
        """Look up a node of the tree; False if the desk is not on screen."""
        if self.desk is None or not self.on_screen:
            return False
        tree = self.desk.panels["tree"]
        assert isinstance(tree, TreePanel)
        tree.look_up()
        return True

    def show_panel(self, name: str) -> bool:
        """Show the desk with a panel in front; False if no panel has that name."""
        self.show(True)
        return self.desk is not None and self.desk.show_panel(name)

    def go_to_link(self) -> None:
        """Go to the node link on the clipboard, or ask for one."""
        self.show(True)
        tree = None if self.desk is None else self.desk.panels[TreePanel.name]
        if isinstance(tree, TreePanel):
            copied = QGuiApplication.clipboard().text()
            tree.go_to_link(copied if read_link(copied) is not None else "")

    def explain(self, request: int) -> None:
        """Show why a request of this engine ran what it ran."""
        tape = self._live.tape
        found = next((t for t in reversed(tape.requests) if t.ran.request == request), None)
        if found is None:
            self._bridge.notify(_NOT_THERE)
            return
        self.show_panel("why")
        assert self.desk is not None, "showing a panel creates the desk"
        state = self.desk.state
        if state.source is not self._live:
            state.show_source(self._live)
        state.choose(Chosen(request=found.number))

    @property
    def _seen(self) -> bool:
        return self.desk is not None and self.desk.seen

    def _opened(self) -> Desk:
        """The desk, on screen."""
        self.show(True)
        assert self.desk is not None, "showing creates the desk"
        return self.desk

    def _reset(self) -> None:
        self._opened().arrange(DEFAULT)

    def _save_trace(self) -> None:
        """Save what the debugger has recorded, which starts when it is first opened."""
        self.show(True)
        from app.debugger.export.menu import ExportButton

        export = None if self.desk is None else self.desk.findChild(ExportButton)
        if isinstance(export, ExportButton):
            export.ask_trace()

    def _make(self) -> None:
        from app.debugger.desk import Desk
        from app.debugger.panels import furnish

        state = DebugState()
        state.own_cost = self.cost
        self.desk = Desk(state)
        state.setParent(self.desk)
        furnish(self.desk, state)
        if self._places:
            self.desk.restore(self._places)
        for dock in self.desk.docks.values():
            self._menus.menu["panels"].addAction(dock.toggleViewAction())
            dock.visibilityChanged.connect(lambda _on: self.shown.emit(self._seen))
        state.asked.connect(self._ask)
        state.settings_wanted.connect(self._bridge.change_settings)
        state.warming_wanted.connect(self.warming_wanted)
        state.notice.connect(self._bridge.notify)
        state.owner_opened.connect(self._open_owner)
        if self.above is not None:
            folded = self.above.isHidden()
            self.desk.setMenuWidget(self.above)
            self.above.setHidden(folded)
        state.show_source(self._source or self._live)
        self._pages.addWidget(self.desk)

    def _open_owner(self, owner: object) -> None:
        self.show(False)
        self.owner_opened.emit(owner)

    def _changed(self, changes: frozenset[Change]) -> None:
        told = self._source is None and any(change.kind in _TOLD_BY for change in changes)
        if told and self._seen and not self._timer.isActive():
            near = self.desk is not None and self.desk.underMouse()
            self._timer.start(_FOLLOW_MS if near else _ALONG_MS)

    def _follow(self) -> None:
        if self.desk is not None and self._seen:
            self.cost.run(self.desk.state.follow)

    def _ask(self, command: Command) -> None:
        if isinstance(command, VerifyNode):
            # The session tracks what is being verified, so that Esc stops it.
            self._bridge.perform(self._bridge.session.cache.verify(command.node))
        elif isinstance(command, Act | UndoAct):
            # Esc stops these, too.
            self._bridge.perform(Outcome.of(Changed.ACTS, commands=(command,)))
        else:
            self._bridge.ask(command)

    def _restyle(self) -> None:
        if self.desk is not None:
            self.desk.restyle()
