"""The menus: every command, its name and its shortcut."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from app import theme
from app.shell.edit_target import EditCommand
from app.words.tr import tr

_THEMES: tuple[tuple[theme.Mode, str], ...] = (
    ("system", tr("Follow system")),
    ("light", tr("Light")),
    ("dark", tr("Dark")),
)
_EDITS: tuple[tuple[EditCommand, str, str], ...] = (
    ("undo", tr("Undo"), "Ctrl+Z"),
    ("redo", tr("Redo"), "Ctrl+Shift+Z"),
    ("cut", tr("Cut"), "Ctrl+X"),
    ("copy", tr("Copy"), "Ctrl+C"),
    ("paste", tr("Paste"), "Ctrl+V"),
    ("select_all", tr("Select all"), "Ctrl+A"),
)


class Menus(QObject):
    """Makes the actions; the window connects them.

    Attributes:
        open_trace, demo_trace, close_trace: look at a recorded trace, or no longer.
        new, open_model, opening, export, export_all, import_, quit, attach, stop, regenerate,
        continue_, edit_last, edit_answer, fork, before, after, settings, rename, pin, delete,
        restore, evict, always, save_trace, chats, cache, debugger, reset_desk, fit, lab, check,
        audit, events, record, warm, drop, keys, log, about: the actions.
        find, search: look up a text in the conversation, and in all of them.
        edits: the actions that the focused text decides about, by command.
        file_menu, recent_menu, edit_menu, panels: menus whose actions change.
        themes: by mode.
    """

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        file = bar.addMenu(tr("&File"))
        self.new = self._action(tr("New conversation"), "Ctrl+N")
        self.open_model = self._action(tr("Open model…"), "Ctrl+O")
        self.opening = self._action(tr("Weights and experts…"), "")
        self.quit = self._action(tr("Quit"), "Ctrl+Q")
        file.addActions([self.new, self.open_model])
        self.file_menu, self.recent_menu = file, file.addMenu(tr("Open recent"))
        file.addAction(self.opening)
        file.addSeparator()
        self.open_trace = self._action(tr("Open trace…"), "Ctrl+Shift+O")
        self.demo_trace = self._action(tr("Open demo trace"), "")
        self.close_trace = self._action(tr("Close trace"), "")
        file.addActions([self.open_trace, self.demo_trace, self.close_trace])
        file.addSeparator()
        self.export = self._action(tr("Export conversation…"), "")
        self.export_all = self._action(tr("Export all conversations…"), "")
        self.import_ = self._action(tr("Import conversations…"), "")
        file.addActions([self.export, self.export_all, self.import_])
        self.save_trace = self._action(tr("Save trace as…"), "")
        file.addAction(self.save_trace)
        file.addSeparator()
        file.addAction(self.quit)
        self.edit_menu = self._edit(bar)
        chat = bar.addMenu(tr("&Conversation"))
        self.stop = self._action(tr("Stop"), "Esc")
        self.regenerate = self._action(tr("Regenerate"), "Ctrl+R")
        self.continue_ = self._action(tr("Continue answer"), "Ctrl+Shift+Return")
        self.edit_last = self._action(tr("Edit last message"), "Ctrl+Up")
        self.edit_answer = self._action(tr("Edit last answer"), "Ctrl+Shift+Up")
        self.fork = self._action(tr("Fork to a new conversation"), "Ctrl+Shift+F")
        self.before = self._action(tr("Previous version"), "Alt+Left")
        self.after = self._action(tr("Next version"), "Alt+Right")
        self.settings = self._action(tr("Settings…"), "Ctrl+,")
        self.continue_.setShortcuts(
            [QKeySequence("Ctrl+Shift+Return"), QKeySequence("Ctrl+Shift+Enter")]
        )
        self.rename = self._action(tr("Rename"), "")
        self.pin = self._action(tr("Pinned"), "", checkable=True)
        self.delete = self._action(tr("Delete"), "")
        self.attach = self._action(tr("Attach files…"), "Ctrl+Shift+A")
        chat.addActions([self.attach, self.stop, self.regenerate, self.continue_])
        chat.addSeparator()
        chat.addActions([self.edit_last, self.edit_answer, self.fork])
        chat.addActions([self.before, self.after])
        chat.addSeparator()
        self.restore = self._action(tr("Restore deleted conversation"), "Ctrl+Shift+T")
        self.evict = self._action(tr("Evict deleted conversation from cache"), "")
        self.always = self._action(tr("Always evict deleted conversations"), "", checkable=True)
        chat.addAction(self.settings)
        chat.addSeparator()
        chat.addActions([self.rename, self.pin, self.delete, self.restore])
        chat.addActions([self.evict, self.always])
        view = bar.addMenu(tr("&View"))
        self.chats = self._action(tr("Conversations"), "Ctrl+B", checkable=True)
        self.cache = self._action(tr("Cache"), "Ctrl+J", checkable=True)
        self.fit = self._action(tr("Show whole tree"), "Ctrl+0")
        self.debugger = self._action(tr("Debugger"), "F11", checkable=True)
        self.lab = self._action(tr("Memory lab"), "Ctrl+M")
        view.addActions([self.chats, self.cache, self.debugger])
        self.panels = view.addMenu(tr("Debugger panels"))
        self.reset_desk = self._action(tr("Reset debugger layout"), "")
        view.addActions([self.reset_desk, self.fit, self.lab])
        view.addSeparator()
        looks = view.addMenu(tr("Theme"))
        group = QActionGroup(self)
        self.themes: dict[theme.Mode, QAction] = {}
        for mode, name in _THEMES:
            action = self._action(name, "", checkable=True)
            action.setChecked(mode == theme.keeper().mode)
            group.addAction(action)
            looks.addAction(action)
            self.themes[mode] = action
        tools = bar.addMenu(tr("C&ache"))
        self.check = self._action(tr("Check cache invariants"), "")
        self.audit = self._action(tr("Verify states when idle"), "", checkable=True)
        self.events = self._action(tr("Event log"), "Ctrl+Shift+E")
        self.warm = self._action(tr("Warm a prompt…"), "Ctrl+Shift+W")
        self.drop = self._action(tr("Clear cache"), "")
        self.record = self._action(tr("Record trace…"), "", checkable=True)
        tools.addActions([self.check, self.audit, self.events, self.record])
        tools.addSeparator()
        tools.addActions([self.warm, self.drop])
        help_menu = bar.addMenu(tr("&Help"))
        self.keys = self._action(tr("Keyboard shortcuts"), "F1")
        self.log = self._action(tr("Show log"), "")
        self.about = self._action(tr("About Biplane"), "")
        help_menu.addActions([self.keys, self.log, self.about])

    def show_panes(self, chats: bool, cache: bool) -> None:
        """Mark which side panes are on screen."""
        self.chats.setChecked(chats)
        self.cache.setChecked(cache)

    def _edit(self, bar: QMenuBar) -> QMenu:
        menu = bar.addMenu(tr("&Edit"))
        self.edits: dict[EditCommand, QAction] = {
            command: self._action(name, keys) for command, name, keys in _EDITS
        }
        edits = self.edits
        menu.addActions([edits["undo"], edits["redo"]])
        menu.addSeparator()
        menu.addActions([edits["cut"], edits["copy"], edits["paste"]])
        menu.addSeparator()
        self.find = self._action(tr("Find in conversation…"), "Ctrl+F")
        self.search = self._action(tr("Search conversations…"), "Ctrl+K")
        self.go_to_link = self._action(tr("Go to link of a node…"), "Ctrl+Shift+L")
        menu.addActions([edits["select_all"], self.find, self.search, self.go_to_link])
        return menu

    def _action(self, name: str, keys: str, *, checkable: bool = False) -> QAction:
        action = QAction(name, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.setCheckable(checkable)
        return action
