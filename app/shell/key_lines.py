"""The list of keyboard shortcuts, by section, with what the user has bound now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.cache.canvas_keys import KEY_LINES as TREE_LINES
from app.debug.timeline.keys import KEY_LINES as TIMELINE_LINES
from app.debug.transport_keys import KEY_LINES as TRANSPORT_LINES
from app.shell.command_table import MENUS
from app.words.tr import tr

# Shortcuts by the id of their command.
Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """Keys, and what they do."""

    keys: str
    what: str


@dataclass(frozen=True, slots=True)
class KeySection:
    """Keys that belong together."""

    title: str
    lines: tuple[KeyLine, ...]


# Keys of single fields and lists, which are no commands and cannot be set.
_PLACES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        tr("Message field and lists"),
        (
            ("Enter", tr("send, or queue while an answer is written")),
            ("Shift+Enter", tr("new line")),
            ("Delete", tr("remove an attached file (on its chip)")),
            ("Down, Up, Enter", tr("next, previous and open (while searching)")),
            ("Enter, Shift+Enter", tr("next and previous match (while finding)")),
            ("F2, Delete", tr("rename or delete a conversation (in the list)")),
            ("Menu, Shift+F10", tr("context menu (tree and list)")),
        ),
    ),
    (
        tr("Tree"),
        (
            (tr("Wheel, Shift+Wheel, drag"), tr("tree: zoom, move")),
            *((line.shown, line.what) for line in TREE_LINES),
        ),
    ),
    (
        tr("Debugger"),
        (*TRANSPORT_LINES, *((line.shown, line.what) for line in TIMELINE_LINES)),
    ),
)


def key_sections(bound: Keys) -> tuple[KeySection, ...]:
    """Every key: the commands' by menu, then those of single places."""
    menus = (
        KeySection(
            menu.name,
            tuple(
                # One of several is enough to remember.
                KeyLine(bound[command.id][0], command.title.removesuffix("…"))
                for command in menu.commands()
                if bound.get(command.id)
            ),
        )
        for menu in MENUS
    )
    places = (
        KeySection(title, tuple(KeyLine(keys, what) for keys, what in lines))
        for title, lines in _PLACES
    )
    return tuple(section for section in (*menus, *places) if section.lines)
