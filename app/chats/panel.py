"""The left pane: start, select, rename and delete conversations."""

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
from app.chats.model import ConversationModel, Index
from app.session.model import Session
from app.widgets import IconButton, label

# The margin that the style sheet leaves beside a row.
_ASIDE_PX = 8


class _RowPainter(QStyledItemDelegate):
    """Draws a dot on rows whose conversation is being answered; makes the edit field full width."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if not index.data(Qt.ItemDataRole.UserRole):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().colour("accent"))
        area = QRect(option.rect)
        painter.drawEllipse(QPoint(area.right() - 16, area.center().y() + 1), 3, 3)
        painter.restore()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """The whole row: the text's own rectangle has no room for the field's frame."""
        # A row with a long title is wider than its visible part.
        seen = editor.parentWidget()
        area = QRect(option.rect)
        if seen is not None:
            area = area.intersected(seen.rect())
        area.adjust(_ASIDE_PX, 0, -_ASIDE_PX, 0)
        # Qt's own field grows with its text, right to the edge.
        editor.setMaximumWidth(area.width())
        editor.setGeometry(area)


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

    Signals:
        new_wanted: start a new conversation.
        chosen: conversation id.
        renamed: (conversation id, title).
        deleted: conversation id.
    """

    new_wanted = Signal()
    chosen = Signal(int)
    renamed = Signal(int, str)
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
        self.list.setUniformItemSizes(True)
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
        self.refresh()

    def refresh(self) -> None:
        """Show the session's conversations, the current one selected."""
        chooser = self.list.selectionModel()
        chooser.blockSignals(True)
        self._model.refresh()
        self.list.setCurrentIndex(self._model.index_of(self._session.current.id))
        chooser.blockSignals(False)
        self.list.viewport().update()

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
        menu.addAction("Delete", QKeySequence(Qt.Key.Key_Delete), self.delete_current)
        menu.popup(at)
