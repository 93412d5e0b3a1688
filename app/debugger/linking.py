"""Links messages of the chat to places of the cache: each highlights the other.

What is hovered is framed, what is selected is bracketed or has a bar at its side. Neither scrolls
the other pane unless the user asks for it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.cache.logic.lit import DARK, Lights
from app.cache.pane import CachePane
from app.chat.column import ColumnLights
from app.chat.drafts import DraftController
from app.chat.pane import ChatPane
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.passages import Passages, Place, owner_of, passages
from app.core.words.tr import tr
from app.debugger.debugger import DebuggerController
from app.debugger.logic.chosen import NOTHING, Chosen, node_of
from app.debugger.state import DebugState
from app.debugger.tree_panel import TreePanel
from engine.snapshot import CacheSnapshot

_MOVES = (Changed.SNAPSHOT, Changed.TURNS, Changed.CONVERSATIONS)
_NOBODY: frozenset[int] = frozenset()
_NOT_CACHED = tr("That message is not in the cache: it has not run yet, or was evicted.")
_NOT_SAID = tr("Those tokens belong to no message of a conversation.")


class LinkController(QObject):
    """Connects the panes; how each highlights is its own business.

    Attributes:
        hovered, chosen: in the debugger's terms, from any pane.

    Signals:
        pane_wanted: a message is to be shown in the cache, whose pane is hidden.
    """

    pane_wanted = Signal()

    def __init__(
        self,
        bridge: Bridge,
        chat: ChatPane,
        cache: CachePane,
        debugger: DebuggerController,
        drafts: DraftController,
    ) -> None:
        super().__init__(chat)
        self._bridge, self._session = bridge, bridge.session
        self._chat, self._cache, self._debugger = chat, cache, debugger
        self._drafts = drafts
        self.hovered = self.chosen = NOTHING
        self._known: tuple[object, ...] = ()
        self._passages = Passages()
        self._state: DebugState | None = None
        # To be shown once the pane has its first snapshot.
        self._awaited: int | None = None
        chat.view.pointed.connect(self._point_at_message)
        chat.view.located.connect(self._locate)
        cache.canvas.hovered.connect(self._point_at_node)
        cache.canvas.picked.connect(self._pick)
        cache.canvas.chosen.connect(self._choose_node)
        cache.canvas.opened.connect(lambda node: self._show_in_chat(node, None))
        debugger.shown.connect(lambda _: self._meet_debugger())
        bridge.changed.connect(self._changed)

    # ---- from the panes

    def _point_at_message(self, turn: int | None) -> None:
        self._hover(NOTHING if turn is None else self._message(turn))

    def _locate(self, turn: int) -> None:
        """Select a message, and scroll the cache pane to it."""
        if not self._cache.isVisible():
            self._awaited = turn
            self.pane_wanted.emit()
            return
        found = self._message(turn)
        self._choose(found)
        if not found.places:
            self._bridge.notify(_NOT_CACHED)
            return
        self._cache.canvas.reveal_place(found.places[0])

    def _message(self, turn: int) -> Chosen:
        """A message as a selection: its places, and the requests that ran it."""
        now = self._now()
        return Chosen(
            node=now.main_node(turn),
            turn=turn,
            places=now.places(turn),
            ran=now.ran(turn, self._session.current.turns),
        )

    def _choose_node(self, node: int | None) -> None:
        if node is not None or self.chosen.node is not None:
            self._choose(NOTHING if node is None else Chosen(node=node))

    def _point_at_node(self, node: int | None, on_checkpoint: bool) -> None:
        self._hover(node_of(self._cache.canvas.node(node), checkpoint=on_checkpoint))

    def _pick(self, node: int, on_checkpoint: bool) -> None:
        """Select or deselect the checkpoint of a node that is already selected."""
        if on_checkpoint or self.chosen.is_checkpoint:
            self._choose(node_of(self._cache.canvas.node(node), checkpoint=on_checkpoint))

    def _hover(self, what: Chosen) -> None:
        self.hovered = what
        if self._state is not None and self._follows:
            self._state.hover(what)
        self._show()

    def _choose(self, what: Chosen) -> None:
        self.chosen = what
        if self._state is not None and self._follows:
            self._state.choose(what)
        self._show()

    # ---- from and to the debugger

    @property
    def _follows(self) -> bool:
        """Whether the debugger shows this engine."""
        source = self._state.source if self._state is not None else None
        return source is not None and source.live

    def _meet_debugger(self) -> None:
        """Connect to the desk, which is created when it is first shown."""
        desk = self._debugger.desk
        if desk is None or self._state is desk.state:
            return
        state = self._state = desk.state
        state.hovered_changed.connect(self._hovered_there)
        state.chosen_changed.connect(self._chosen_there)
        tree = desk.panels[TreePanel.name]
        assert isinstance(tree, TreePanel)
        tree.canvas.opened.connect(lambda node: self._show_in_chat(node, state))
        if self.chosen != NOTHING and self._follows:
            state.choose(self.chosen)

    def _hovered_there(self) -> None:
        if self._state is not None and self._follows and self._state.hovered != self.hovered:
            self.hovered = self._state.hovered
            self._show()

    def _chosen_there(self) -> None:
        if self._state is not None and self._follows and self._state.chosen != self.chosen:
            self.chosen = self._state.chosen
            self._show()

    # ---- highlights

    def _changed(self, changes: frozenset[Change]) -> None:
        if self._awaited is not None and Changed.SNAPSHOT in {change.kind for change in changes}:
            awaited, self._awaited = self._awaited, None
            self._locate(awaited)
        some = self.hovered != NOTHING or self.chosen != NOTHING
        if some and any(change.kind in _MOVES for change in changes):
            self._show()

    def _show(self) -> None:
        """Highlight what is hovered and selected, in the chat and in the cache pane."""
        if self.hovered == NOTHING and self.chosen == NOTHING:
            self._chat.view.column.show_lights(ColumnLights())
            self._cache.canvas.show_lights(DARK)
            return
        lit, marked = self._turns(self.hovered), self._turns(self.chosen)
        self._chat.view.column.show_lights(ColumnLights(lit, marked))
        self._cache.canvas.show_lights(
            Lights(self._places(self.hovered), self._places(self.chosen))
        )

    def _turns(self, what: Chosen) -> frozenset[int]:
        """The messages on screen that it concerns; a hovered message does not mark itself."""
        if what.turn is not None:
            return frozenset((what.turn,)) if what is self.chosen else _NOBODY
        known = self._there()
        if what.node is not None and what.span is not None:
            return known.turns_in(what.node, *what.span)
        if what.node is not None:
            return known.turns_at(what.node)
        return _NOBODY if what.request is None else self._asked(what.request)

    def _asked(self, number: int) -> frozenset[int]:
        """The answer written by a request of the tape."""
        source = None if self._state is None else self._state.source
        requests = [] if source is None else source.tape.requests
        ran = requests[number].bare.request if number < len(requests) else 0
        turns = self._session.current.turns
        return frozenset(turn.id for turn in turns if ran and turn.request == ran)

    def _places(self, what: Chosen) -> tuple[Place, ...]:
        """Its current places in the cache."""
        if what.turn is not None:
            return self._now().places(what.turn)
        if what.node is None:
            return ()
        if what.span is not None:
            return (Place(what.node, *what.span),)
        node = self._now().nodes.get(what.node)
        return (
            () if node is None or what is self.chosen else (Place(node.id, node.start, node.end),)
        )

    def _show_in_chat(self, node: int, state: DebugState | None) -> None:
        """Go to the message at the end of a node, in any conversation."""
        known = self._now() if state is None else self._there()
        turn = known.last_turn(node)
        snapshot = self._session.cache.snapshot if state is None else state.moment.snapshot
        owner = None
        if turn is None and snapshot is not None:
            now = state is None or state.moment.follows
            branches = self._session.cache.follower.branches() if now else ()
            owner = owner_of(node, snapshot, branches)
        nobody = turn is None and owner is None
        if nobody or (state is not None and not self._follows):
            self._bridge.notify(_NOT_SAID)
            return
        self._debugger.show(False)
        if turn is not None:
            self._chat.go_to(turn)
        elif owner is not None:
            self._drafts.open_owner(owner)

    # ---- places of messages

    def _there(self) -> Passages:
        """The passages at the moment that the debugger shows, if any; else the current ones."""
        state = self._state
        if state is None or not self._follows or state.moment.follows:
            return self._now()
        snapshot, source = state.moment.snapshot, state.source
        if snapshot is None or source is None:
            return Passages()
        index = state.moment.index
        owner = self._session.current.id
        return passages(self._session.current, snapshot, source.tape.branches(index, owner))

    def _now(self) -> Passages:
        snapshot: CacheSnapshot | None = self._session.cache.snapshot
        one = self._session.current
        turns = tuple((turn.id, turn.request, turn.state) for turn in one.turns)
        known = (snapshot, one.id, turns)
        if snapshot is None:
            return Passages()
        if not self._known or self._known[0] is not snapshot or self._known[1:] != known[1:]:
            branches = self._session.cache.follower.branches(one.id)
            self._known, self._passages = known, passages(one, snapshot, branches)
        return self._passages
