"""Help > Keyboard and Help > About."""

from __future__ import annotations

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

from app.cache.canvas_keys import KEY_LINES
from app.debug.timeline.keys import KEY_LINES as TIMELINE_LINES
from app.debug.transport_keys import KEY_LINES as TRANSPORT_LINES
from app.icons import app_icon
from app.version import app_version
from app.widgets import label
from app.words.tr import tr

KEYS = (
    ("Enter", tr("send, or queue while an answer is written")),
    ("Shift+Enter", tr("new line")),
    ("Esc", tr("stop the answer")),
    ("Ctrl+R, Ctrl+Shift+Return", tr("regenerate, continue the answer")),
    ("Ctrl+Shift+A", tr("attach files")),
    (tr("Delete"), tr("remove an attached file (on its chip)")),
    ("Ctrl+Up, Ctrl+Shift+Up", tr("edit your last message, the last answer")),
    ("Alt+Left, Alt+Right", tr("previous and next version of a message")),
    ("Ctrl+Shift+F", tr("fork to a new conversation")),
    ("Ctrl+N, Ctrl+O, Ctrl+Shift+O", tr("new conversation, open a model, a trace")),
    ("Ctrl+Q", tr("quit")),
    ("Ctrl+,", tr("settings of the conversation")),
    ("Ctrl+F", tr("find in the conversation")),
    ("Ctrl+K", tr("search all conversations")),
    ("Ctrl+Shift+L", tr("go to the link of a cached node")),
    ("Down, Up, Enter", tr("next, previous and open (while searching)")),
    ("Enter, Shift+Enter", tr("next and previous match (while finding)")),
    ("Ctrl+Z, Ctrl+Shift+Z", tr("undo, redo")),
    ("Ctrl+X, Ctrl+C, Ctrl+V", tr("cut, copy, paste")),
    ("Ctrl+A", tr("select all")),
    ("F2, Delete", tr("rename or delete a conversation (in the list)")),
    ("Ctrl+Shift+T", tr("restore the deleted conversation")),
    ("Ctrl+B, Ctrl+J", tr("show or hide conversations, cache")),
    ("Ctrl+0, Ctrl+M", tr("show the whole tree, the memory lab")),
    ("F11", tr("the debugger in place of the chat, and back")),
    ("Ctrl+Shift+E, Ctrl+Shift+W", tr("event log of the cache, warm a prompt")),
    (tr("Wheel, Shift+Wheel, drag"), tr("tree: zoom, move")),
    *((line.shown, line.what) for line in KEY_LINES),
    ("Menu, Shift+F10", tr("tree and list: context menu")),
    *TRANSPORT_LINES,
    *((line.shown, line.what) for line in TIMELINE_LINES),
    ("F1", tr("these keys")),
)
# A screen with room for the keys in two columns.
_WIDE_PX = 1100
# Height of a dialog's margins, its button and the window frame.
_AROUND_PX = 150
_ABOUT = tr(
    "Local chat with hybrid models on a two-plane prefix cache.\n\nThe upper "
    "wing keeps keys and values, the lower one keeps recurrent states. Nothing "
    "leaves this computer."
)


def keyboard_dialog(parent: QWidget) -> QDialog:
    dialog = _dialog(parent, tr("Keyboard shortcuts"))
    grid = QGridLayout()
    grid.setContentsMargins(6, 6, 6, 6)
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(6)
    columns = 2 if parent.screen().availableGeometry().width() >= _WIDE_PX else 1
    rows = -(-len(KEYS) // columns)
    for number, (keys, what) in enumerate(KEYS):
        column, row = divmod(number, rows)
        grid.addWidget(label(keys, "figuresStrong"), row, 2 * column)
        grid.addWidget(label(what), row, 2 * column + 1)
    table = QWidget()
    table.setLayout(grid)
    box = QHBoxLayout()
    box.addWidget(_scrolled(table, parent))
    _fill(dialog, box)
    return dialog


def about_dialog(parent: QWidget) -> QDialog:
    dialog = _dialog(parent, tr("About Biplane"))
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(64, 64))
    words = QVBoxLayout()
    words.addWidget(label("Biplane", "headline"))
    words.addWidget(label(tr("Version {app_version}").format(app_version=app_version()), "faint"))
    text = label(_ABOUT, "dim", wrap=True)
    text.setFixedWidth(340)
    words.addWidget(text)
    row = QHBoxLayout()
    row.setSpacing(16)
    row.addWidget(picture, alignment=Qt.AlignmentFlag.AlignTop)
    row.addLayout(words)
    _fill(dialog, row)
    return dialog


def _scrolled(content: QWidget, parent: QWidget) -> QScrollArea:
    """Content at its preferred height, or as tall as the screen allows."""
    area = QScrollArea()
    area.setObjectName("ringed")
    area.setWidgetResizable(True)
    area.setWidget(content)
    area.viewport().setAutoFillBackground(False)
    content.setAutoFillBackground(False)
    for part in content.findChildren(QWidget):
        # The style sheet, which is applied late, sets the fonts.
        part.ensurePolished()
    wanted = content.sizeHint() + QSize(2, 2)
    most = parent.screen().availableGeometry().height() - _AROUND_PX
    area.setFixedHeight(min(wanted.height(), most))
    short = wanted.height() > most
    bar = area.verticalScrollBar().sizeHint().width() if short else 0
    area.setMinimumWidth(wanted.width() + bar)
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
