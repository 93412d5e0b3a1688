"""Help > Keyboard and Help > About."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.cache.canvas import KEY_LINES as TREE_LINES
from app.core.version import app_version
from app.core.words.tr import tr
from app.ui.icons import app_icon
from app.ui.menus.command_table import MENUS
from app.ui.widgets import label

_MOST_COLUMNS = 3
# Height of a section's title, with the space above it.
_SECTION_PX = 28
# A dialog's margins, button and window frame: total width, and total height.
_BESIDE_PX, _AROUND_PX = 80, 150
_ABOUT = tr(
    "Local chat with hybrid models on a two-plane prefix cache.\n\nThe upper "
    "wing keeps keys and values, the lower one keeps recurrent states.\n\nWhat you "
    "write stays on this computer, unless you connect to an engine elsewhere. Models are "
    "downloaded only when you ask for them."
)
# Shortcuts by the id of their command.
Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key combination, and what it does."""

    keys: str
    what: str


@dataclass(frozen=True, slots=True)
class KeySection:
    """Keys that are listed together."""

    title: str
    lines: tuple[KeyLine, ...]


# Keys of single fields and lists, which are not commands and cannot be rebound.
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
)


def key_sections(bound: Keys) -> tuple[KeySection, ...]:
    """Every key: the commands' by menu, then those of single widgets."""
    # The debugger is imported when it is first wanted: see DebuggerController.
    from app.debugger.timeline.view import KEY_LINES as TIMELINE_LINES
    from app.debugger.transport_bar import KEY_LINES as TRANSPORT_LINES

    debugger = (*TRANSPORT_LINES, *((line.shown, line.what) for line in TIMELINE_LINES))
    menus = (
        KeySection(
            menu.name,
            tuple(
                # Only the first of several shortcuts is listed.
                KeyLine(bound[command.id][0], command.title.removesuffix("…"))
                for command in menu.commands()
                if bound.get(command.id)
            ),
        )
        for menu in MENUS
    )
    places = (
        KeySection(title, tuple(KeyLine(keys, what) for keys, what in lines))
        for title, lines in (*_PLACES, (tr("Debugger"), debugger))
    )
    return tuple(section for section in (*menus, *places) if section.lines)


def keyboard_dialog(parent: QWidget, bound: Keys) -> QDialog:
    """A dialog that lists every key. `bound`: the shortcuts of the commands, by id."""
    dialog = _dialog(parent, tr("Keyboard shortcuts"))
    room = parent.screen().availableGeometry().width() - _BESIDE_PX
    sections = key_sections(bound)
    table = _key_table(sections, 1)
    for columns in range(2, _MOST_COLUMNS + 1):
        wider = _key_table(sections, columns)
        if wider.sizeHint().width() > room:
            break
        table = wider
    box = QHBoxLayout()
    box.addWidget(_scrolled(table, parent, room))
    _fill(dialog, box)
    return dialog


def _key_table(sections: tuple[KeySection, ...], columns: int) -> QWidget:
    table = QWidget()
    row = QHBoxLayout(table)
    row.setContentsMargins(8, 8, 8, 8)
    row.setSpacing(32)
    for column in _columns(sections, columns):
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        for section in column:
            at = grid.rowCount()
            grid.setRowMinimumHeight(at, _SECTION_PX)
            title = label(section.title, "section")
            grid.addWidget(title, at, 0, 1, 2, Qt.AlignmentFlag.AlignBottom)
            for number, line in enumerate(section.lines, at + 1):
                grid.addWidget(label(line.keys, "figuresStrong"), number, 0)
                grid.addWidget(label(line.what), number, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        row.addLayout(grid)
    for part in table.findChildren(QWidget):
        # The style sheet, which is applied lazily, sets the fonts.
        part.ensurePolished()
    return table


def about_dialog(parent: QWidget) -> QDialog:
    dialog = _dialog(parent, tr("About Biplane"))
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(64, 64))
    words = QVBoxLayout()
    words.setSpacing(4)
    words.addWidget(label("Biplane", "headline"))
    words.addWidget(label(tr("Version {app_version}").format(app_version=app_version()), "faint"))
    text = label(_ABOUT, "dim", wrap=True)
    text.setFixedWidth(340)
    words.addSpacing(8)
    words.addWidget(text)
    words.addStretch(1)
    row = QHBoxLayout()
    row.setSpacing(16)
    row.addWidget(picture, alignment=Qt.AlignmentFlag.AlignTop)
    row.addLayout(words)
    _fill(dialog, row)
    return dialog


def _columns(sections: tuple[KeySection, ...], count: int) -> list[list[KeySection]]:
    """The sections in their order, in columns of about the same height."""
    columns: list[list[KeySection]] = [[]]
    share = sum(len(section.lines) + 1 for section in sections) / count
    filled = 0
    for section in sections:
        if filled >= share and len(columns) < count:
            columns.append([])
            filled = 0
        columns[-1].append(section)
        filled += len(section.lines) + 1
    return columns


def _scrolled(content: QWidget, parent: QWidget, room: int) -> QScrollArea:
    """Wrap content in a scroll area that shows as much of it as the screen has room for.

    room: the available width.
    """
    area = QScrollArea()
    area.setObjectName("ringed")
    area.setAccessibleName(tr("Keyboard shortcuts"))
    area.setWidgetResizable(True)
    area.setWidget(content)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    wanted = content.sizeHint() + QSize(2, 2)
    most = parent.screen().availableGeometry().height() - _AROUND_PX
    area.setFixedHeight(min(wanted.height(), most))
    short = wanted.height() > most
    bar = area.verticalScrollBar().sizeHint().width() if short else 0
    area.setMinimumWidth(min(wanted.width() + bar, room))
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus if short else Qt.FocusPolicy.NoFocus)
    return area


def _dialog(parent: QWidget, title: str) -> QDialog:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog


def _fill(dialog: QDialog, content: QHBoxLayout) -> None:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.close)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(20, 20, 20, 16)
    column.setSpacing(16)
    column.addLayout(content)
    column.addWidget(buttons)
