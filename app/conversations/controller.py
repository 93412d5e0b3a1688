"""Keeps the list of conversations and the menu in sync."""

from __future__ import annotations

from collections.abc import Callable

from app.chat.drafts import DraftController
from app.conversations.menu import conversation_menu
from app.conversations.panel import ChatsPanel
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Noted, Outcome
from app.core.session.removal import WAITS
from app.core.words.joining import in_turn, sentence
from app.core.words.tr import tr
from app.ui.menus.menus import Menus

_EVICT_HINT = tr(
    "Evict what only this conversation used from memory and from the cache's files. Its messages "
    "stay; its next answer takes longer then."
)


class ChatsController:
    """Connects the list and the menu's actions with the session."""

    def __init__(
        self,
        bridge: Bridge,
        panel: ChatsPanel,
        menus: Menus,
        drafts: DraftController,
        unfold: Callable[[], None],
    ) -> None:
        """unfold: shows the list."""
        session = self._session = bridge.session
        self._bridge, self._panel, self._menus = bridge, panel, menus
        self._drafts, self._unfold, self._removals = drafts, unfold, session.removals
        panel.new_wanted.connect(drafts.new_conversation)
        panel.chosen.connect(drafts.select)
        panel.renamed.connect(lambda number, title: bridge.perform(session.rename(number, title)))
        panel.menu_wanted.connect(conversation_menu(menus, panel).popup)
        panel.deleted.connect(self._delete)
        menus.new.triggered.connect(drafts.new_conversation)
        menus.rename.triggered.connect(self._rename)
        menus.pin.triggered.connect(lambda on: bridge.perform(session.pin(session.current.id, on)))
        menus.delete.triggered.connect(panel.delete_current)
        menus.restore.triggered.connect(drafts.restore)
        for evict in (menus.evict, menus.evict_current):
            evict.setToolTip(_EVICT_HINT)
        menus.evict.triggered.connect(lambda: bridge.perform(session.remove_deleted()))
        menus.always.triggered.connect(lambda on: bridge.perform(session.always_remove(on)))

    @property
    def always(self) -> bool:
        """Whether deleted conversations are removed from the cache unasked; a saved setting."""
        return self._removals.always

    @always.setter
    def always(self, on: bool) -> None:
        self._removals.always = on
        self._enable()

    def refresh(self) -> None:
        """Show all conversations."""
        self._panel.refresh()
        self._enable()

    def apply(self, changes: frozenset[Change]) -> None:
        """Refresh what changed."""
        kinds = {change.kind for change in changes}
        if kinds & {Changed.CONVERSATIONS, Changed.REMOVAL}:
            self.refresh()

    def _delete(self, conversation: int) -> None:
        self._drafts.delete(conversation)
        deleted = self._session.deleted
        if deleted is not None and deleted[1].id == conversation:
            offers = [("restore", tr("Undo"))]
            if not self._removals.always:
                offers.append(("evict", tr("Evict its cache")))
            said = tr("Deleted “{title}”").format(title=deleted[1].title)
            shown = self._removals.shown
            if shown is not None and shown.stage == "waiting":
                said = in_turn(sentence(said), WAITS)
            self._bridge.perform(Outcome.of(Noted(said, tuple(offers))))

    def _rename(self) -> None:
        """Rename in the list, which is unfolded first, as a hidden editor would take the keys."""
        if not self._panel.isVisible():
            self._unfold()
        if self._panel.isVisible():
            self._panel.rename_current()

    def _enable(self) -> None:
        """Enable the menu's possible commands."""
        self._menus.pin.setChecked(self._session.current.pinned)
        self._menus.restore.setEnabled(self._session.deleted is not None)
        shown = self._removals.shown
        self._menus.evict.setEnabled(shown is not None and shown.stage == "offered")
        self._menus.always.setChecked(self._removals.always)
