"""The left pane: start, select, rename, pin and delete conversations."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.chats.deleted_bar import DeletedBar
from app.chats.model import HEADING, RUNNING, ConversationModel, Index
from app.chats.results import Results
from app.chats.search_field import SearchField
from app.session.model import Session
from app.store.importing import NAMES
from app.widgets import IconButton, label
from app.words.tr import tr

# The margin that the style sheet leaves beside a row.
_ASIDE_PX = 8
_HEADING_PX = 28
_HEADING_TEXT_PX = 11
_RESTYLING = (QEvent.Type.StyleChange, QEvent.Type.FontChange, QEvent.Type.Polish)


class _RowPainter(QStyledItemDelegate):
    """Draws headings, and a dot on rows whose conversation is being answered.

    The edit field gets the full width.
    """

    def __init__(self, model: ConversationModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._sizes: tuple[QSize, QSize] | None = None

    def restyle(self) -> None:
        """The rows may have another height now."""
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
        # Asked for every row at every change, so nothing is measured twice, and no title at all:
        # the width is the view's.
        if self._sizes is None:
            height = super().sizeHint(option, index).height()
            self._sizes = QSize(1, height), QSize(1, height + _HEADING_PX)
        return self._sizes[self._model.has_heading(index.row())]

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """The whole row: the text's own rectangle has no room for the field's frame."""
        # A row with a long title is wider than its visible part.
        seen = editor.parentWidget()
        area = _below_heading(QRect(option.rect), index)
        if seen is not None:
            area = area.intersected(seen.rect())
        area.adjust(_ASIDE_PX, 0, -_ASIDE_PX, 0)
        # Qt's own field grows with its text, right to the edge.
        editor.setMaximumWidth(area.width())
        editor.setGeometry(area)


def _below_heading(area: QRect, index: Index) -> QRect:
    """The part of a row's rectangle that is the conversation itself."""
    return area.adjusted(0, _HEADING_PX if index.data(HEADING) else 0, 0, 0)


class _List(QListView):
    """A list that opens a keyboard-requested menu at the selected row, not in its middle.

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
        """So many rows lie above the end of what is on screen."""
        last = self.indexAt(QPoint(2 * _ASIDE_PX, self.viewport().height() - 1))
        # Where there is no row, all of them end above.
        return last.row() + 1 if last.isValid() else 0

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            middle = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_wanted.emit(index, middle if by_key else event.globalPos())


class ChatsPanel(QWidget):
    """The list of conversations, and in its place what a search found.

    Attributes:
        search: the field above.
        results: what was found.
        deleted_bar: what can be done about the last deletion.

    Signals:
        new_wanted: start a new conversation.
        chosen: conversation id.
        renamed: (conversation id, title).
        pinned: (conversation id, whether it stands before the others).
        deleted: conversation id.
        files_dropped: paths of files of conversations.
    """

    new_wanted = Signal()
    chosen = Signal(int)
    renamed = Signal(int, str)
    pinned = Signal(int, bool)
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
        self.deleted_bar = DeletedBar()
        around = QHBoxLayout()
        around.setContentsMargins(10, 6, 10, 0)
        around.addWidget(self.deleted_bar)
        column.addLayout(around)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's conversations, the current one selected."""
        # Qt makes another row the current one where that one goes.
        self._selecting = True
        self._model.refresh(self.list.seen)
        self._selecting = False
        index = self._model.index_of(self._session.current.id)
        # Without scrolling to it again: the user may be looking elsewhere.
        if index != self.list.currentIndex() or not index.isValid():
            self._select(index)
        self.list.viewport().update()
        self.deleted_bar.show_removals(self._session.removals)

    def show_results(self, on: bool) -> None:
        """Show what was found in place of the list, or the list again."""
        self._stack.setCurrentIndex(1 if on else 0)

    def restyle(self) -> None:
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.files_dropped.emit(_files(event.mimeData()))

    def rename_current(self) -> None:
        """Edit the title of the conversation on screen in the list, which comes back for it."""
        self.search.clear()
        self.show_results(False)
        index = self._model.index_of(self._session.current.id, fetch=True)
        self._select(index)
        self.list.edit(index)

    def delete_current(self) -> None:
        self.deleted.emit(self._session.current.id)

    def _select(self, index: QModelIndex) -> None:
        """Select a row that is on screen already, so it is not chosen again."""
        self._selecting = True
        self.list.setCurrentIndex(index)
        self._selecting = False

    def _chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._selecting:
            self.chosen.emit(self._model.conversation_at(index))

    def _menu(self, index: QModelIndex, at: QPoint) -> None:
        self.list.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Rename"), QKeySequence(Qt.Key.Key_F2), self.rename_current)
        conversation = self._session.conversation(self._model.conversation_at(index))
        to = not conversation.pinned
        pin = menu.addAction(tr("Pin") if to else tr("Unpin"))
        pin.triggered.connect(lambda: self.pinned.emit(conversation.id, to))
        menu.addAction(tr("Delete"), QKeySequence(Qt.Key.Key_Delete), self.delete_current)
        menu.popup(at)


def _files(data: QMimeData) -> list[Path]:
    """Files that may have conversations in them, as their names tell."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if path.suffix.lower() in NAMES]
