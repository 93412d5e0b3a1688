"""After a conversation was deleted: the bar below the list and the menu act as one."""

from __future__ import annotations

from app.bridge import Bridge
from app.chat.drafts import DraftController
from app.chats.deleted_bar import DeletedBar
from app.menus.menus import Menus


class DeletionController:
    """Connects the bar and the menu's actions with the session.

    Attributes:
        always_set: the bar's signal that deleted conversations leave the cache unasked, or not.
    """

    def __init__(
        self, bridge: Bridge, bar: DeletedBar, menus: Menus, drafts: DraftController
    ) -> None:
        self._menus, self._removals = menus, bridge.session.removals
        session = bridge.session
        bar.undone.connect(drafts.restore)
        bar.dismissed.connect(lambda: bridge.perform(session.removals.dismiss()))
        for evict in (bar.evicted, menus.evict.triggered):
            evict.connect(lambda: bridge.perform(session.remove_deleted()))
        self.always_set = bar.always_set
        for always in (bar.always_set, menus.always.triggered):
            always.connect(lambda on: bridge.perform(session.always_remove(on)))

    @property
    def always(self) -> bool:
        """Whether deleted conversations leave the cache unasked; kept between starts."""
        return self._removals.always

    @always.setter
    def always(self, on: bool) -> None:
        self._removals.always = on
        self.enable()

    def enable(self) -> None:
        """Let the menu offer what can be done."""
        shown = self._removals.shown
        self._menus.evict.setEnabled(shown is not None and shown.stage == "offered")
        self._menus.always.setChecked(self._removals.always)
