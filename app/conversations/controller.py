"""Keeps the list of conversations, the bar after a deletion and the menu in sync."""

from __future__ import annotations

from collections.abc import Callable

from app.chat.drafts import DraftController
from app.conversations.menu import conversation_menu
from app.conversations.panel import ChatsPanel
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Noted, Outcome
from app.core.words.tr import tr
from app.ui.key_hints import hints
from app.ui.menus.menus import Menus


class ChatsController:
    """Connects the list, its bar and the menu's actions with the session.

    Attributes:
        always_set: the bar's signal whether to always remove deleted conversations from the cache.
    """

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
        bar = panel.deleted_bar
        bar.undone.connect(drafts.restore)
        bar.dismissed.connect(lambda: bridge.perform(session.removals.dismiss()))
        for evict in (bar.evicted, menus.evict.triggered):
            evict.connect(lambda: bridge.perform(session.remove_deleted()))
        self.always_set = bar.always_set
        for always in (bar.always_set, menus.always.triggered):
            always.connect(lambda on: bridge.perform(session.always_remove(on)))

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
        if self._session.deleted is not None:
            keys = hints().of("restore")
            said = tr("Conversation deleted. {keys} restores it.") if keys else ""
            note = Noted(said.format(keys=keys) or tr("Conversation deleted."))
            self._bridge.perform(Outcome.of(note))

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
