"""The left pane: start, select, rename, pin and delete conversations."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.chats.deleted_bar import DeletedBar
from app.chats.model import HEADING, RUNNING, ConversationModel, Index
from app.session.model import Session
from app.widgets import IconButton, label

# The margin that the style sheet leaves beside a row.
_ASIDE_PX = 8
_HEADING_PX = 28
_HEADING_TEXT_PX = 11


class _RowPainter(QStyledItemDelegate):
    """Draws headings, and a dot on rows whose conversation is being answered.

    The edit field gets the full width.
    """

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
        size = super().sizeHint(option, index)
        return size + QSize(0, _HEADING_PX) if index.data(HEADING) else size

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

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            middle = self.viewport().mapToGlobal(self.visualRect(index).center())
            self.menu_wanted.emit(index, middle if by_key else event.globalPos())


class ChatsPanel(QWidget):
    """The list of conversations.

    Attributes:
        deleted_bar: what can be done about the last deletion.

    Signals:
        new_wanted: start a new conversation.
        chosen: conversation id.
        renamed: (conversation id, title).
        pinned: (conversation id, whether it stands before the others).
        deleted: conversation id.
    """

    new_wanted = Signal()
    chosen = Signal(int)
    renamed = Signal(int, str)
    pinned = Signal(int, bool)
    deleted = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self._model = ConversationModel(session)
        self._model.setParent(self)
        self._model.renamed.connect(self.renamed)
        self.list = _List(self)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_RowPainter(self.list))
        self.list.setAccessibleName("Conversations")
        self.list.setEditTriggers(QListView.EditTrigger.DoubleClicked)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setIconSize(QSize(0, 0))
        self.list.menu_wanted.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        for name, keys, slot in (
            ("Rename", (QKeySequence(Qt.Key.Key_F2),), self.rename_current),
            ("Delete", (QKeySequence(Qt.Key.Key_Delete),), self.delete_current),
        ):
            action = QAction(name, self.list)
            action.setShortcuts(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(slot)
            self.list.addAction(action)
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 10, 8)
        head.addWidget(label("CONVERSATIONS", "section"), 1)
        head.addWidget(
            IconButton("plus", "New conversation", self.new_wanted.emit, shortcut="Ctrl+N")
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        self.deleted_bar = DeletedBar()
        around = QHBoxLayout()
        around.setContentsMargins(10, 6, 10, 0)
        around.addWidget(self.deleted_bar)
        column.addLayout(around)
        self.refresh()

    def refresh(self) -> None:
        """Show the session's conversations, the current one selected."""
        chooser = self.list.selectionModel()
        chooser.blockSignals(True)
        self._model.refresh()
        self.list.setCurrentIndex(self._model.index_of(self._session.current.id))
        chooser.blockSignals(False)
        self.list.viewport().update()
        self.deleted_bar.show_removals(self._session.removals)

    def rename_current(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self.list.edit(index)

    def delete_current(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self.deleted.emit(self._model.conversation_at(index))

    def _chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._model.conversation_at(index))

    def _menu(self, index: QModelIndex, at: QPoint) -> None:
        self.list.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Rename", QKeySequence(Qt.Key.Key_F2), self.rename_current)
        conversation = self._session.conversation(self._model.conversation_at(index))
        to = not conversation.pinned
        pin = menu.addAction("Pin" if to else "Unpin")
        pin.triggered.connect(lambda: self.pinned.emit(conversation.id, to))
        menu.addAction("Delete", QKeySequence(Qt.Key.Key_Delete), self.delete_current)
        menu.popup(at)
