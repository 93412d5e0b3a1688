"""Table of all the window's commands, read by menus, shortcuts, palette and F1. Without Qt.

To add a command: one entry in MENUS, its name in `Menus`, and `menus.NAME.triggered.connect(...)`
where it is handled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.core.words.tr import tr


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the user.

    Attributes:
        id: its key in the settings file, and of its action in `Menus`.
        title: as in its menu.
        keys: the default shortcuts, as "Ctrl+Shift+A".
        checkable: whether it toggles.
        choice: name of its exclusive group; "" for none.
        needs: what it requires, named if that is missing: "an answer being written".
        also: further search terms.
        fixed: its keys belong to text fields, and cannot be rebound.
    """

    id: str
    title: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    choice: str = ""
    needs: str = ""
    also: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Separator:
    """A separator in a menu."""


@dataclass(frozen=True, slots=True)
class Submenu:
    """A submenu; its items may come from elsewhere.

    Attributes:
        id: its name in `Menus.submenus`.
    """

    id: str
    title: str
    items: tuple[Command | Separator, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuTable:
    """One menu of the menu bar. `title` marks its mnemonic with "&"."""

    id: str
    title: str
    items: tuple[Command | Separator | Submenu, ...]

    @property
    def name(self) -> str:
        # A title without a Latin letter has its mnemonic appended: "文件(&F)".
        return re.sub(r"\(&\w\)$", "", self.title).replace("&", "")

    def commands(self) -> Iterator[Command]:
        """Its commands, including those of submenus, from top to bottom."""
        for item in self.items:
            if isinstance(item, Command):
                yield item
            elif isinstance(item, Submenu):
                yield from (inner for inner in item.items if isinstance(inner, Command))


_MODEL = tr("an open model")
_TRACE = tr("an open trace")
_ANSWER = tr("an answer")
_MESSAGE = tr("a message of yours")
_DELETED = tr("a deleted conversation")
_LINE = Separator()

MENUS: tuple[MenuTable, ...] = (
    MenuTable(
        "file",
        tr("&File"),
        (
            Command("new", tr("New conversation"), ("Ctrl+N",), also=tr("chat", "to be found by")),
            Command("open_model", tr("Open model…"), ("Ctrl+O",), also=tr("load folder")),
            Submenu("recent", tr("Open recent")),
            Command(
                "connection",
                tr("Connect…"),
                ("Ctrl+Shift+K",),
                also=tr("remote server OpenAI vLLM SGLang llama"),
            ),
            Command(
                "cancel_opening",
                tr("Cancel opening the model"),
                needs=tr("a model on its way"),
                also=tr("stop loading"),
            ),
            Command("opening", tr("Weights and experts…"), also=tr("format quantise memory")),
            _LINE,
            Command(
                "open_trace",
                tr("Open trace…"),
                ("Ctrl+Shift+O",),
                also=tr("recording", "to be found by"),
            ),
            Command("demo_trace", tr("Open demo trace"), also=tr("recording example")),
            Command("close_trace", tr("Close trace"), needs=_TRACE),
            _LINE,
            Command(
                "export",
                tr("Export conversation…"),
                needs=tr("a message in the conversation"),
                also=tr("save Markdown JSON"),
            ),
            Command("export_all", tr("Export all conversations…"), also=tr("save backup")),
            Command("import", tr("Import conversations…"), also=tr("ChatGPT Open WebUI")),
            Command("save_trace", tr("Save trace as…"), also=tr("recording", "to be found by")),
            _LINE,
            Command(
                "server", tr("Start server"), also=tr("stop serve api openai anthropic agents")
            ),
            Command("settings", tr("Settings…"), ("Ctrl+,",), also=tr("preferences options")),
            _LINE,
            Command("quit", tr("Quit"), ("Ctrl+Q",), also=tr("exit close")),
        ),
    ),
    MenuTable(
        "edit",
        tr("&Edit"),
        (
            Command("undo", tr("Undo"), ("Ctrl+Z",), fixed=True),
            Command("redo", tr("Redo"), ("Ctrl+Shift+Z",), fixed=True),
            _LINE,
            Command("cut", tr("Cut"), ("Ctrl+X",), fixed=True),
            Command("copy", tr("Copy"), ("Ctrl+C",), fixed=True),
            Command("paste", tr("Paste"), ("Ctrl+V",), fixed=True),
            _LINE,
            Command("select_all", tr("Select all"), ("Ctrl+A",), fixed=True),
            Command(
                "find",
                tr("Find in conversation…"),
                ("Ctrl+F",),
                needs=tr("a message in the conversation"),
            ),
            Command("palette", tr("Find anything…"), ("Ctrl+K",), also=tr("palette commands")),
            Command(
                "search",
                tr("Search messages…"),
                ("Ctrl+Shift+F",),
                also=tr("find text conversations"),
            ),
            Command("go_to_link", tr("Go to link of a node…"), ("Ctrl+Shift+L",)),
        ),
    ),
    MenuTable(
        "conversation",
        tr("&Conversation"),
        (
            Command("attach", tr("Attach files…"), ("Ctrl+Shift+A",), also=tr("add upload")),
            Command("stop", tr("Stop"), ("Esc",), needs=tr("something running")),
            Command(
                "regenerate",
                tr("Regenerate"),
                ("Ctrl+R",),
                needs=_ANSWER,
                also=tr("again retry"),
            ),
            Command(
                "continue",
                tr("Continue answer"),
                ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
                needs=tr("an answer that was cut"),
                also=tr("more", "to be found by"),
            ),
            _LINE,
            Command("edit_last", tr("Edit last message"), ("Ctrl+Up",), needs=_MESSAGE),
            Command("edit_answer", tr("Edit last answer"), ("Ctrl+Shift+Up",), needs=_ANSWER),
            Command(
                "fork",
                tr("Fork to a new conversation"),
                ("Ctrl+Shift+N",),
                needs=_ANSWER,
                also=tr("branch copy"),
            ),
            Command(
                "before",
                tr("Previous version"),
                ("Alt+Left",),
                needs=tr("a message with several versions"),
                also=tr("branch", "to be found by"),
            ),
            Command(
                "after",
                tr("Next version"),
                ("Alt+Right",),
                needs=tr("a message with several versions"),
                also=tr("branch", "to be found by"),
            ),
            _LINE,
            Command(
                "chat_settings",
                tr("Settings of this conversation…"),
                ("Ctrl+Alt+,",),
                also=tr("temperature sampling system text preset"),
            ),
            Command(
                "switch_model",
                tr("Open this conversation's model"),
                ("Ctrl+Shift+M",),
                needs=tr("a conversation with another model"),
                also=tr("switch change"),
            ),
            Command(
                "stay_with_model",
                tr("Go on with the open model"),
                needs=tr("a conversation with another model"),
                also=tr("switch change"),
            ),
            _LINE,
            Command("rename", tr("Rename"), also=tr("title", "to be found by")),
            Command("pin", tr("Pinned"), checkable=True, also=tr("top", "to be found by")),
            Command(
                "evict_current",
                tr("Evict conversation from cache"),
                needs=tr("a conversation that the open model has read"),
            ),
            Command("delete", tr("Delete"), also=tr("remove", "to be found by")),
            Command(
                "restore",
                tr("Restore deleted conversation"),
                ("Ctrl+Shift+T",),
                needs=_DELETED,
                also=tr("undo", "to be found by"),
            ),
            Command("evict", tr("Evict deleted conversation from cache"), needs=_DELETED),
            Command("always", tr("Always evict deleted conversations"), checkable=True),
        ),
    ),
    MenuTable(
        "view",
        tr("&View"),
        (
            Command(
                "chats",
                tr("Conversations"),
                ("Ctrl+B",),
                checkable=True,
                also=tr("list sidebar pane"),
            ),
            Command("cache", tr("Cache"), ("Ctrl+J",), checkable=True, also=tr("tree pane")),
            Command("debugger", tr("Debugger"), ("F11",), checkable=True),
            Submenu("panels", tr("Debugger panels")),
            Submenu("layouts", tr("Debugger layouts")),
            Command("reset_desk", tr("Reset debugger layout")),
            Command("fit", tr("Show whole tree"), ("Ctrl+0",), also=tr("zoom fit")),
            Command("lab", tr("Memory lab"), ("Ctrl+M",)),
            Command("models", tr("Models"), ("Ctrl+Shift+D",), also=tr("download fit memory")),
            _LINE,
            Submenu(
                "theme",
                tr("Theme"),
                (
                    Command(
                        "theme_system",
                        tr("Follow system"),
                        checkable=True,
                        choice="theme",
                        also=tr("theme appearance"),
                    ),
                    Command(
                        "theme_light",
                        tr("Light"),
                        checkable=True,
                        choice="theme",
                        also=tr("theme appearance bright"),
                    ),
                    Command(
                        "theme_dark",
                        tr("Dark"),
                        checkable=True,
                        choice="theme",
                        also=tr("theme appearance night"),
                    ),
                ),
            ),
        ),
    ),
    MenuTable(
        "cache",
        tr("C&ache"),
        (
            Command("check", tr("Check cache invariants"), needs=_MODEL),
            Command("audit", tr("Verify states when idle"), checkable=True),
            Command("events", tr("Event log"), ("Ctrl+Shift+E",)),
            Command("record", tr("Record trace…"), checkable=True, needs=_MODEL),
            _LINE,
            Command("warm", tr("Warm a prompt…"), ("Ctrl+Shift+W",), needs=_MODEL),
            Command("drop", tr("Clear cache"), needs=_MODEL, also=tr("empty delete")),
        ),
    ),
    MenuTable(
        "help",
        tr("&Help"),
        (
            Command("keys", tr("Keyboard shortcuts"), ("F1",), also=tr("help keys")),
            Command("log", tr("Show log"), also=tr("diagnostics", "to be found by")),
            Command("diagnostics", tr("Copy diagnostics"), also=tr("report error version")),
            Command("checkup", tr("Check this computer…"), also=tr("self test problem driver")),
            Command("newer", tr("Check for a newer version"), also=tr("update upgrade release")),
            Command("about", tr("About Biplane"), also=tr("version", "to be found by")),
        ),
    ),
)

COMMANDS: dict[str, Command] = {
    command.id: command for menu in MENUS for command in menu.commands()
}
