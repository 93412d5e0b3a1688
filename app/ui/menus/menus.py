"""The menus: an action for every command of the table."""

from __future__ import annotations

from collections.abc import Mapping
from keyword import iskeyword

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from app.ui import theme
from app.ui.key_hints import hints
from app.ui.menus.command_table import COMMANDS, MENUS, Command, Separator, Submenu
from app.ui.menus.edit_menu import EditCommand

_EDITS: tuple[EditCommand, ...] = ("undo", "redo", "cut", "copy", "paste", "select_all")
_THEMES: tuple[theme.Mode, ...] = ("system", "light", "dark")


class Menus(QObject):
    """Creates the actions; the parts of the window connect and enable them.

    Attributes:
        actions: by command id. Each is an attribute, too (`import_` for "import").
        edits: the actions of the focused text widget, by command.
        menu: the menus and submenus, by id.
        themes: by mode.

    Signals:
        rebound: the shortcuts have changed.
    """

    rebound = Signal()

    new: QAction
    open_model: QAction
    connection: QAction
    opening: QAction
    cancel_opening: QAction
    open_trace: QAction
    demo_trace: QAction
    close_trace: QAction
    export: QAction
    export_all: QAction
    import_: QAction
    save_trace: QAction
    server: QAction
    quit: QAction
    undo: QAction
    redo: QAction
    cut: QAction
    copy: QAction
    paste: QAction
    select_all: QAction
    find: QAction
    palette: QAction
    search: QAction
    go_to_link: QAction
    attach: QAction
    stop: QAction
    regenerate: QAction
    continue_: QAction
    edit_last: QAction
    edit_answer: QAction
    fork: QAction
    before: QAction
    after: QAction
    settings: QAction
    chat_settings: QAction
    switch_model: QAction
    stay_with_model: QAction
    rename: QAction
    pin: QAction
    evict_current: QAction
    delete: QAction
    restore: QAction
    evict: QAction
    always: QAction
    chats: QAction
    cache: QAction
    debugger: QAction
    reset_desk: QAction
    fit: QAction
    lab: QAction
    models: QAction
    theme_system: QAction
    theme_light: QAction
    theme_dark: QAction
    check: QAction
    audit: QAction
    events: QAction
    record: QAction
    warm: QAction
    drop: QAction
    keys: QAction
    log: QAction
    diagnostics: QAction
    checkup: QAction
    newer: QAction
    about: QAction

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self.actions: dict[str, QAction] = {}
        self.menu: dict[str, QMenu] = {}
        self._choices: dict[str, QActionGroup] = {}
        for table in MENUS:
            menu = self.menu[table.id] = bar.addMenu(table.title)
            for item in table.items:
                self._add(menu, item)
        self.edits: dict[EditCommand, QAction] = {name: self.actions[name] for name in _EDITS}
        self.themes: dict[theme.Mode, QAction] = {
            mode: self.actions[f"theme_{mode}"] for mode in _THEMES
        }
        self.themes[theme.keeper().mode].setChecked(True)
        self.bind({})

    def bind(self, keys: Mapping[str, tuple[str, ...]]) -> None:
        """Set the given shortcuts; all other commands get their defaults back."""
        for id, command in COMMANDS.items():
            wanted = keys.get(id, command.keys)
            self.actions[id].setShortcuts([QKeySequence(text) for text in wanted])
        hints().show_bound(self.bound())
        self.rebound.emit()

    def bound(self) -> dict[str, tuple[str, ...]]:
        """The shortcuts of all commands that have one, in the system's notation."""
        written = QKeySequence.SequenceFormat.NativeText
        found = {
            id: tuple(keys.toString(written) for keys in action.shortcuts())
            for id, action in self.actions.items()
        }
        return {id: keys for id, keys in found.items() if keys}

    def show_panes(self, chats: bool, cache: bool) -> None:
        """Check the actions of the visible side panes."""
        self.chats.setChecked(chats)
        self.cache.setChecked(cache)

    def _add(self, menu: QMenu, item: Command | Separator | Submenu) -> None:
        if isinstance(item, Separator):
            menu.addSeparator()
        elif isinstance(item, Submenu):
            inner = self.menu[item.id] = menu.addMenu(item.title)
            for each in item.items:
                self._add(inner, each)
        else:
            menu.addAction(self._action(item))

    def _action(self, command: Command) -> QAction:
        action = QAction(command.title, self)
        action.setCheckable(command.checkable)
        if command.choice:
            group = self._choices.setdefault(command.choice, QActionGroup(self))
            group.addAction(action)
        self.actions[command.id] = action
        setattr(self, f"{command.id}_" if iskeyword(command.id) else command.id, action)
        return action
