"""Edit > Find anything: the entries of the window's command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.core.bridge import Bridge
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.models.logic.recent_models import place_text
from app.models.recent_menu import RecentMenu
from app.ui.menus.command_table import MENUS
from app.ui.menus.menus import Menus
from app.ui.palette.entries import PaletteEntry
from app.ui.palette.palette import Palette

# Titles beyond these are found by the message search, which has an index.
_MOST_CONVERSATIONS = 500
_NATIVE = QKeySequence.SequenceFormat.NativeText


class PaletteController(QObject):
    """Collects commands, models and conversations on each change of the text.

    Attributes:
        palette: on screen while it is open.
        search_text: searches all messages; None if none are stored.
        sources: further entries, queried each time: add one to offer more.

    Signals:
        conversation_chosen(int): its id.
    """

    conversation_chosen = Signal(int)

    def __init__(self, bridge: Bridge, menus: Menus, recent: RecentMenu, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._session = bridge, bridge.session
        self._menus, self._recent = menus, recent
        self.search_text: Callable[[str], object] | None = None
        self.sources: list[Callable[[], Iterator[PaletteEntry]]] = [
            self._conversations,
            self._models,
            self._commands,
        ]
        self.palette = Palette(window, self._entries)
        menus.palette.triggered.connect(lambda: self.palette.open())

    def _entries(self, text: str) -> list[PaletteEntry]:
        found = [entry for source in self.sources for entry in source()]
        search = self.search_text
        if text.strip() and search is not None:
            title = tr("Search all messages for “{words}”").format(words=text.strip())
            keys = self._menus.search.shortcut().toString(_NATIVE)
            run = partial(search, text.strip())
            found.append(PaletteEntry("text", title, run, keys=keys, always=True))
        return found

    def _commands(self) -> Iterator[PaletteEntry]:
        for menu in MENUS:
            for command in menu.commands():
                action = self._menus.actions[command.id]
                if command.id == "palette":
                    continue
                refusal = ""
                if not action.isEnabled():
                    wanted = command.needs
                    refusal = tr("needs {what}").format(what=wanted) if wanted else tr("not now")
                on = tr("on") if action.isCheckable() and action.isChecked() else ""
                yield PaletteEntry(
                    "command",
                    action.text(),
                    action.trigger,
                    detail=listed((menu.name, on)),
                    keys=action.shortcut().toString(_NATIVE),
                    refusal=refusal,
                    also=command.also,
                )

    def _models(self) -> Iterator[PaletteEntry]:
        recent = self._recent
        for folder in recent.folders:
            yield PaletteEntry(
                "model",
                folder.name,
                partial(self._bridge.open_model, folder),
                detail=place_text(folder),
                refusal=recent.problems.get(folder, ""),
                also=tr("open model"),
            )

    def _conversations(self) -> Iterator[PaletteEntry]:
        newest = sorted(self._session.conversations, key=lambda one: -one.updated)
        for one in newest[:_MOST_CONVERSATIONS]:
            if not one.empty:
                choose = partial(self.conversation_chosen.emit, one.id)
                yield PaletteEntry("conversation", one.title, choose)
