"""The left pane: create, select, rename, pin and delete conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.conversations.logic.steps import Insert, Move, Remove, headings, steps
from app.conversations.results_model import ResultPainter, ResultRow, ResultsModel
from app.core.session.model import Session
from app.core.session.search import FoundConversation
from app.core.store.importing import NAMES
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.ui import theme
from app.ui.key_hints import KeyTip
from app.ui.widgets import ClearSign, EscapeField, IconButton, label

# The style sheet's margin next to a row.
_ASIDE_PX = 8
_HEADING_PX = 28
_HEADING_TEXT_PX = 11
_RESTYLING = (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.Polish)
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 5,
    Qt.Key.Key_PageUp: -5,
}
Index = QModelIndex | QPersistentModelIndex
RUNNING = Qt.ItemDataRole.UserRole
HEADING = Qt.ItemDataRole.UserRole + 1
PAGE = 100
# Rows further down are not fetched just to be selected.
_MOST_SOUGHT = 1000


class _Row(NamedTuple):
    """A tuple, since thousands are created and compared at a time."""

    id: int
    title: str
    running: bool
    pinned: bool
    heading: str


class ConversationModel(QAbstractListModel):
    """One row per conversation, in the session's order; more are fetched on demand.

    A row has its running state (role RUNNING) and the heading above it (role HEADING), which is
    "" except in the first row of a group.

    Signals:
        renamed: (conversation id, title), by editing a row.
    """

    renamed = Signal(int, str)

    def __init__(self, session: Session, today: Callable[[], date] = date.today) -> None:
        super().__init__()
        self._session, self._today = session, today
        self._rows: list[_Row] = []
        self.refresh()

    def refresh(self, seen: int = 0) -> None:
        """Update to the session's list; rows that only moved or were renamed stay selected.

        seen: rows needed; those of further pages are dropped until fetched again.
        """
        self._adopt((seen // PAGE + 1) * PAGE)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._rows) < len(self._session.conversations)

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._adopt(len(self._rows) + PAGE)

    def has_heading(self, row: int) -> bool:
        return bool(self._rows[row].heading)

    def conversation_at(self, index: Index) -> int:
        return self._rows[index.row()].id

    def index_of(self, conversation: int, *, fetch: bool = False) -> QModelIndex:
        """The row of a conversation; an invalid index if it is far below the fetched ones.

        fetch: fetch all rows down to it, however many.
        """
        at = next((i for i, row in enumerate(self._rows) if row.id == conversation), None)
        if at is None:
            most = None if fetch else _MOST_SOUGHT
            sought = islice(self._session.conversations, most)
            at = next((i for i, one in enumerate(sought) if one.id == conversation), None)
            if at is None:
                return QModelIndex()
            self._adopt((at // PAGE + 1) * PAGE)
        return self.index(at)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        texts = (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.EditRole,
            Qt.ItemDataRole.ToolTipRole,
        )
        if role in texts:
            return row.title
        if role == RUNNING:
            return row.running
        if role == HEADING:
            return row.heading
        if role == Qt.ItemDataRole.AccessibleTextRole:
            states = [tr("pinned")] * row.pinned + [tr("answering")] * row.running
            return listed((row.title, *states))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self.renamed.emit(self._rows[index.row()].id, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        given = super().flags(index)
        return given | Qt.ItemFlag.ItemIsEditable if index.isValid() else given

    def _adopt(self, count: int) -> None:
        """Show the first `count` conversations, with as few row changes as necessary."""
        there = list(islice(self._session.conversations, count))
        rows = [
            _Row(c.id, c.title, c.running is not None, c.pinned, heading)
            for c, heading in zip(there, headings(there, self._today()), strict=True)
        ]
        if rows == self._rows:
            return
        todo = steps([row.id for row in self._rows], [row.id for row in rows])
        if todo is None:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return
        for step in todo:
            self._take(step, rows)
        changed = [at for at, row in enumerate(rows) if self._rows[at] != row]
        self._rows = rows
        for at in changed:
            self.dataChanged.emit(self.index(at), self.index(at))

    def _take(self, step: Insert | Remove | Move, rows: list[_Row]) -> None:
        nowhere = QModelIndex()
        match step:
            case Insert(at, count):
                self.beginInsertRows(nowhere, at, at + count - 1)
                self._rows[at:at] = rows[at : at + count]
                self.endInsertRows()
            case Remove(at, count):
                self.beginRemoveRows(nowhere, at, at + count - 1)
                del self._rows[at : at + count]
                self.endRemoveRows()
            case Move(source, target):
                # Qt's target index refers to the rows before the move.
                before = target + 1 if target > source else target
                self.beginMoveRows(nowhere, source, source, nowhere, before)
                self._rows.insert(target, self._rows.pop(source))
                self.endMoveRows()


class _ResultList(QListView):
    """A list that Esc leaves, like the field above it.

    Signals:
        left: Esc was pressed.
    """

    left = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            # Esc would otherwise stop a running answer.
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.left.emit()
            return True
        return super().event(event)


class Results(QWidget):
    """The search results, and a line about them.

    Attributes:
        list: a row per conversation and per message.
        line: the number of results; a sentence if there are none.

    Signals:
        chosen: the `ResultRow` to open.
        left: Esc was pressed in the list.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ResultsModel()
        self.model.setParent(self)
        self.list = _ResultList()
        self.list.setModel(self.model)
        self.list.setItemDelegate(ResultPainter(self.list))
        self.list.setAccessibleName(tr("Search results"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.clicked.connect(self._clicked)
        self.list.activated.connect(self._clicked)
        self.line = label("", "faint", wrap=True)
        self.line.setContentsMargins(16, 6, 12, 6)
        self.list.left.connect(self.left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.line)
        column.addWidget(self.list, 1)

    def show_found(self, found: Sequence[FoundConversation], line: str) -> None:
        """Show results, keeping the current one."""
        stood = self._current()
        self.model.show(found, date.today())
        self.line.setText(line)
        if stood is not None and self._current() is None:
            keys = [row.key for row in self.model.rows]
            if stood.key in keys:
                self.list.setCurrentIndex(self.model.index(keys.index(stood.key)))

    def step(self, count: int) -> None:
        """Move to another result, without wrapping around."""
        stops = [at for at, row in enumerate(self.model.rows) if row.chosen]
        if not stops:
            return
        index = self.list.currentIndex()
        if not index.isValid():
            at = 0 if count > 0 else len(stops) - 1
        else:
            before = sum(stop < index.row() for stop in stops)
            at = min(max(before + count, 0), len(stops) - 1)
        self.list.setCurrentIndex(self.model.index(stops[at]))

    def open(self) -> None:
        """Open the current result, else the first one."""
        if self._current() is None:
            self.step(1)
        row = self._current()
        if row is not None:
            self.chosen.emit(row)

    def _current(self) -> ResultRow | None:
        index = self.list.currentIndex()
        return self.model.rows[index.row()] if index.isValid() else None

    def _clicked(self, index: QModelIndex) -> None:
        """Open the clicked result; for a title that does not match, the message below it."""
        at = index.row()
        if not self.model.rows[at].chosen and at + 1 < len(self.model.rows):
            at += 1
        self.list.setCurrentIndex(self.model.index(at))
        self.chosen.emit(self.model.rows[at])


class SearchField(EscapeField):
    """Keeps the focus while the keys move through the results.

    Signals:
        stepped: move by so many results.
        opened: open the result.
    """

    stepped = Signal(int)
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search")
        self.setPlaceholderText(tr("Search"))
        self.setAccessibleName(tr("Search conversations"))
        KeyTip(self, tr("Search titles and messages"), "search")
        self._clear = ClearSign(self, tr("Clear the search"))
        self._clear.triggered.connect(self.left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class _RowPainter(QStyledItemDelegate):
    """Paints headings, and a dot on rows with a running answer.

    The edit field gets the full width.
    """

    def __init__(self, model: ConversationModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._sizes: tuple[QSize, QSize] | None = None

    def restyle(self) -> None:
        """Recompute the row heights for the theme."""
        self._sizes = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = QStyleOptionViewItem(option)
        area = _below_heading(QRect(option.rect), index)
        row.rect = area
        if heading := index.data(HEADING):
            self._write(painter, QRect(option.rect), heading)
        super().paint(painter, row, index)
        if not index.data(RUNNING):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().colour("accent"))
        painter.drawEllipse(QPoint(area.right() - 16, area.center().y() + 1), 3, 3)
        painter.restore()

    def _write(self, painter: QPainter, area: QRect, heading: str) -> None:
        painter.save()
        painter.setFont(theme.ui_font(_HEADING_TEXT_PX))
        painter.setPen(theme.current().colour("faint"))
        area.setHeight(_HEADING_PX)
        area.adjust(2 * _ASIDE_PX, 0, -_ASIDE_PX, -4)
        flags = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, flags, heading)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # Called for every row on every change, so sizes are cached, and titles are not measured:
        # the width is the view's.
        if self._sizes is None:
            height = super().sizeHint(option, index).height()
            self._sizes = QSize(1, height), QSize(1, height + _HEADING_PX)
        return self._sizes[self._model.has_heading(index.row())]

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Use the whole row: the text's own rectangle has no room for the field's frame."""
        # A row with a long title is wider than its visible part.
        seen = editor.parentWidget()
        area = _below_heading(QRect(option.rect), index)
        if seen is not None:
            area = area.intersected(seen.rect())
        area.adjust(_ASIDE_PX, 0, -_ASIDE_PX, 0)
        # Qt's default editor grows with its text, to the edge of the view.
        editor.setMaximumWidth(area.width())
        editor.setGeometry(area)


def _below_heading(area: QRect, index: Index) -> QRect:
    """The part of a row's rectangle below its heading."""
    return area.adjusted(0, _HEADING_PX if index.data(HEADING) else 0, 0, 0)


class _List(QListView):
    """A list that opens the context menu at the selected row for the keyboard.

    Signals:
        menu_wanted: the context menu of a row is requested, at a screen position.
    """

    menu_wanted = Signal(QModelIndex, QPoint)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        painter = self.itemDelegate()
        if event.type() in _RESTYLING and isinstance(painter, _RowPainter):
            painter.restyle()
            self.scheduleDelayedItemsLayout()
        return done

    @property
    def seen(self) -> int:
        """The number of rows above the bottom of the viewport."""
        last = self.indexAt(QPoint(2 * _ASIDE_PX, self.viewport().height() - 1))
        # Without a row there, all rows end above it.
        return last.row() + 1 if last.isValid() else 0

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            middle = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_wanted.emit(index, middle if by_key else event.globalPos())


class ChatsPanel(QWidget):
    """The list of conversations, or the results of a search in its place.

    Attributes:
        search: the field above the list.
        results: the search results.

    Signals:
        new_wanted: start a new conversation.
        chosen: conversation id.
        renamed: (conversation id, title).
        menu_wanted: the menu of the conversation on screen, at a screen position.
        deleted: conversation id.
        files_dropped: paths of files to import.
    """

    new_wanted = Signal()
    chosen = Signal(int)
    renamed = Signal(int, str)
    menu_wanted = Signal(QPoint)
    deleted = Signal(int)
    files_dropped = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session, self._selecting = session, False
        self._model = ConversationModel(session)
        self._model.setParent(self)
        self._model.renamed.connect(self.renamed)
        self.list = _List(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_RowPainter(self._model, self.list))
        self.list.setAccessibleName(tr("Conversations"))
        self.list.setEditTriggers(QListView.EditTrigger.DoubleClicked)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(0, 0))
        self.list.menu_wanted.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        for name, keys, slot in (
            (tr("Rename"), (QKeySequence(Qt.Key.Key_F2),), self.rename_current),
            (tr("Delete"), (QKeySequence(Qt.Key.Key_Delete),), self.delete_current),
        ):
            action = QAction(name, self.list)
            action.setShortcuts(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(slot)
            self.list.addAction(action)
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 10, 8)
        head.addWidget(label(tr("CONVERSATIONS"), "section"), 1)
        head.addWidget(
            IconButton("plus", tr("New conversation"), self.new_wanted.emit, command="new")
        )
        self.search, self.results = SearchField(), Results()
        self.search.stepped.connect(self.results.step)
        self.search.opened.connect(self.results.open)
        field = QHBoxLayout()
        field.setContentsMargins(10, 0, 10, 6)
        field.addWidget(self.search)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.results)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(field)
        column.addWidget(self._stack, 1)
        self.setAcceptDrops(True)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's conversations, the current one selected."""
        # Removing the current row makes Qt select another one.
        self._selecting = True
        self._model.refresh(self.list.seen)
        self._selecting = False
        index = self._model.index_of(self._session.current.id)
        # Without scrolling to it again: the user may be reading elsewhere.
        if index != self.list.currentIndex() or not index.isValid():
            self._select(index)
        self.list.viewport().update()

    def show_results(self, on: bool) -> None:
        """Show the search results in place of the list, or the list again."""
        self._stack.setCurrentIndex(1 if on else 0)

    def restyle(self) -> None:
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if files := _files(event.mimeData()):
            event.acceptProposedAction()
            self.files_dropped.emit(files)
        else:
            # The window knows what to do with others.
            event.ignore()

    def rename_current(self) -> None:
        """Edit the title of the conversation on screen in the list, showing the list if needed."""
        self.search.clear()
        self.show_results(False)
        index = self._model.index_of(self._session.current.id, fetch=True)
        self._select(index)
        self.list.edit(index)

    def delete_current(self) -> None:
        self.deleted.emit(self._session.current.id)

    def _select(self, index: QModelIndex) -> None:
        """Select the row of the conversation on screen without emitting `chosen`."""
        self._selecting = True
        self.list.setCurrentIndex(index)
        self._selecting = False

    def _chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._selecting:
            self.chosen.emit(self._model.conversation_at(index))

    def _menu(self, index: QModelIndex, at: QPoint) -> None:
        self.list.setCurrentIndex(index)
        self.menu_wanted.emit(at)


def _files(data: QMimeData) -> list[Path]:
    """Files that may contain conversations, by their suffixes."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.suffix.lower() in NAMES]
