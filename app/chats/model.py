"""The list of conversations as a Qt model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.session.model import Session

Index = QModelIndex | QPersistentModelIndex


class ConversationModel(QAbstractListModel):
    """One row per conversation, newest first.

    Signals:
        renamed: (conversation id, title), by editing a row.
    """

    renamed = Signal(int, str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._rows: list[tuple[int, str, bool]] = []
        self.refresh()

    def refresh(self) -> None:
        """Adopt the session's list; rows that only changed their title stay selected."""
        rows = [(c.id, c.title, c.running is not None) for c in self._session.conversations]
        if [row[0] for row in rows] != [row[0] for row in self._rows]:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
        elif rows != self._rows:
            self._rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def conversation_at(self, index: Index) -> int:
        return self._rows[index.row()][0]

    def index_of(self, conversation: int) -> QModelIndex:
        at = next(i for i, row in enumerate(self._rows) if row[0] == conversation)
        return self.index(at)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        _, title, running = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return title
        if role == Qt.ItemDataRole.UserRole:
            return running
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}, answering" if running else title
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self.renamed.emit(self._rows[index.row()][0], str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        given = super().flags(index)
        return given | Qt.ItemFlag.ItemIsEditable if index.isValid() else given
