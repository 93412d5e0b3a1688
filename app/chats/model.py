"""The list of conversations as a Qt model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.chats.groups import headings
from app.session.model import Session

Index = QModelIndex | QPersistentModelIndex
RUNNING = Qt.ItemDataRole.UserRole
HEADING = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    title: str
    running: bool
    pinned: bool
    heading: str


class ConversationModel(QAbstractListModel):
    """One row per conversation, in the session's order.

    A row knows whether it is being answered (role RUNNING) and the heading above it (role HEADING),
    "" for all but the first row of a group.

    Signals:
        renamed: (conversation id, title), by editing a row.
    """

    renamed = Signal(int, str)

    def __init__(self, session: Session, today: Callable[[], date] = date.today) -> None:
        super().__init__()
        self._session, self._today = session, today
        self._rows: list[_Row] = []
        self.refresh()

    def refresh(self) -> None:
        """Adopt the session's list; rows that only changed their title stay selected."""
        there = self._session.conversations
        rows = [
            _Row(c.id, c.title, c.running is not None, c.pinned, heading)
            for c, heading in zip(there, headings(there, self._today()), strict=True)
        ]
        if [row.id for row in rows] != [row.id for row in self._rows]:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
        elif rows != self._rows:
            self._rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def conversation_at(self, index: Index) -> int:
        return self._rows[index.row()].id

    def index_of(self, conversation: int) -> QModelIndex:
        at = next(i for i, row in enumerate(self._rows) if row.id == conversation)
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
            states = ["pinned"] * row.pinned + ["answering"] * row.running
            return ", ".join([row.title, *states])
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self.renamed.emit(self._rows[index.row()].id, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        given = super().flags(index)
        return given | Qt.ItemFlag.ItemIsEditable if index.isValid() else given
