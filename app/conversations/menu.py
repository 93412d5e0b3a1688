"""The menu of the conversation on screen: at its row in the list, and beside its title."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from app.ui.menus.menus import Menus


def conversation_menu(menus: Menus, parent: QWidget) -> QMenu:
    """The commands on a whole conversation, as in the menu bar; the caller shows it."""
    made = QMenu(parent)
    made.setToolTipsVisible(True)
    groups = (
        (menus.rename, menus.pin),
        (menus.fork, menus.export, menus.evict_current),
        (menus.delete,),
    )
    for at, group in enumerate(groups):
        if at:
            made.addSeparator()
        made.addActions(group)
    return made
