"""The menus: every command, its name and its shortcut."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from app import theme
from app.shell.edit_target import EditCommand

_THEMES: tuple[tuple[theme.Mode, str], ...] = (
    ("system", "Follow system"),
    ("light", "Light"),
    ("dark", "Dark"),
)
_EDITS: tuple[tuple[EditCommand, str, str], ...] = (
    ("undo", "Undo", "Ctrl+Z"),
    ("redo", "Redo", "Ctrl+Shift+Z"),
    ("cut", "Cut", "Ctrl+X"),
    ("copy", "Copy", "Ctrl+C"),
    ("paste", "Paste", "Ctrl+V"),
    ("select_all", "Select all", "Ctrl+A"),
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
        file = bar.addMenu("&File")
        self.new = self._action("New conversation", "Ctrl+N")
        self.open_model = self._action("Open model…", "Ctrl+O")
        self.opening = self._action("Weights and experts…", "")
        self.quit = self._action("Quit", "Ctrl+Q")
        file.addActions([self.new, self.open_model])
        self.file_menu, self.recent_menu = file, file.addMenu("Open recent")
        file.addAction(self.opening)
        file.addSeparator()
        self.open_trace = self._action("Open trace…", "Ctrl+Shift+O")
        self.demo_trace = self._action("Open demo trace", "")
        self.close_trace = self._action("Close trace", "")
        file.addActions([self.open_trace, self.demo_trace, self.close_trace])
        file.addSeparator()
        self.export = self._action("Export conversation…", "")
        self.export_all = self._action("Export all conversations…", "")
        self.import_ = self._action("Import conversations…", "")
        file.addActions([self.export, self.export_all, self.import_])
        self.save_trace = self._action("Save trace as…", "")
        file.addAction(self.save_trace)
        file.addSeparator()
        file.addAction(self.quit)
        self.edit_menu = self._edit(bar)
        chat = bar.addMenu("&Conversation")
        self.stop = self._action("Stop", "Esc")
        self.regenerate = self._action("Regenerate", "Ctrl+R")
        self.continue_ = self._action("Continue answer", "Ctrl+Shift+Return")
        self.edit_last = self._action("Edit last message", "Ctrl+Up")
        self.edit_answer = self._action("Edit last answer", "Ctrl+Shift+Up")
        self.fork = self._action("Fork to a new conversation", "Ctrl+Shift+F")
        self.before = self._action("Previous version", "Alt+Left")
        self.after = self._action("Next version", "Alt+Right")
        self.settings = self._action("Settings…", "Ctrl+,")
        self.continue_.setShortcuts(
            [QKeySequence("Ctrl+Shift+Return"), QKeySequence("Ctrl+Shift+Enter")]
        )
        self.rename = self._action("Rename", "")
        self.pin = self._action("Pinned", "", checkable=True)
        self.delete = self._action("Delete", "")
        self.attach = self._action("Attach files…", "Ctrl+Shift+A")
        chat.addActions([self.attach, self.stop, self.regenerate, self.continue_])
        chat.addSeparator()
        chat.addActions([self.edit_last, self.edit_answer, self.fork])
        chat.addActions([self.before, self.after])
        chat.addSeparator()
        self.restore = self._action("Restore deleted conversation", "Ctrl+Shift+T")
        self.evict = self._action("Evict deleted conversation from cache", "")
        self.always = self._action("Always evict deleted conversations", "", checkable=True)
        chat.addAction(self.settings)
        chat.addSeparator()
        chat.addActions([self.rename, self.pin, self.delete, self.restore])
        chat.addActions([self.evict, self.always])
        view = bar.addMenu("&View")
        self.chats = self._action("Conversations", "Ctrl+B", checkable=True)
        self.cache = self._action("Cache", "Ctrl+J", checkable=True)
        self.fit = self._action("Show whole tree", "Ctrl+0")
        self.debugger = self._action("Debugger", "F11", checkable=True)
        self.lab = self._action("Memory lab", "Ctrl+M")
        view.addActions([self.chats, self.cache, self.debugger])
        self.panels = view.addMenu("Debugger panels")
        self.reset_desk = self._action("Reset debugger layout", "")
        view.addActions([self.reset_desk, self.fit, self.lab])
        view.addSeparator()
        looks = view.addMenu("Theme")
        group = QActionGroup(self)
        self.themes: dict[theme.Mode, QAction] = {}
        for mode, name in _THEMES:
            action = self._action(name, "", checkable=True)
            action.setChecked(mode == theme.keeper().mode)
            group.addAction(action)
            looks.addAction(action)
            self.themes[mode] = action
        tools = bar.addMenu("C&ache")
        self.check = self._action("Check cache invariants", "")
        self.audit = self._action("Verify states when idle", "", checkable=True)
        self.events = self._action("Event log", "Ctrl+Shift+E")
        self.warm = self._action("Warm a prompt…", "Ctrl+Shift+W")
        self.drop = self._action("Clear cache", "")
        self.record = self._action("Record trace…", "", checkable=True)
        tools.addActions([self.check, self.audit, self.events, self.record])
        tools.addSeparator()
        tools.addActions([self.warm, self.drop])
        help_menu = bar.addMenu("&Help")
        self.keys = self._action("Keyboard shortcuts", "F1")
        self.log = self._action("Show log", "")
        self.about = self._action("About Biplane", "")
        help_menu.addActions([self.keys, self.log, self.about])

    def show_panes(self, chats: bool, cache: bool) -> None:
        """Mark which side panes are on screen."""
        self.chats.setChecked(chats)
        self.cache.setChecked(cache)

    def _edit(self, bar: QMenuBar) -> QMenu:
        menu = bar.addMenu("&Edit")
        self.edits: dict[EditCommand, QAction] = {
            command: self._action(name, keys) for command, name, keys in _EDITS
        }
        edits = self.edits
        menu.addActions([edits["undo"], edits["redo"]])
        menu.addSeparator()
        menu.addActions([edits["cut"], edits["copy"], edits["paste"]])
        menu.addSeparator()
        self.find = self._action("Find in conversation…", "Ctrl+F")
        self.search = self._action("Search conversations…", "Ctrl+K")
        self.go_to_link = self._action("Go to link of a node…", "Ctrl+Shift+L")
        menu.addActions([edits["select_all"], self.find, self.search, self.go_to_link])
        return menu

    def _action(self, name: str, keys: str, *, checkable: bool = False) -> QAction:
        action = QAction(name, self)
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.setCheckable(checkable)
        return action
