"""The list of conversations as a Qt model, of which a page at a time is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import islice
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.chats.groups import headings
from app.chats.steps import Insert, Move, Remove, steps
from app.session.model import Session
from app.words.joining import listed
from app.words.tr import tr

Index = QModelIndex | QPersistentModelIndex
RUNNING = Qt.ItemDataRole.UserRole
HEADING = Qt.ItemDataRole.UserRole + 1
PAGE = 100
# What is further down is not fetched only to be selected.
_MOST_SOUGHT = 1000


class _Row(NamedTuple):
    """A tuple, as thousands are made and compared at a time."""

    id: int
    title: str
    running: bool
    pinned: bool
    heading: str


class ConversationModel(QAbstractListModel):
    """One row per conversation, in the session's order; further ones come when they are asked for.

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

    def refresh(self, seen: int = 0) -> None:
        """Adopt the session's list; rows that only moved or changed their title stay selected.

        seen: so many rows are needed; those of later pages go until they are asked for again.
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
        """The row of a conversation; an invalid index if it is far below those that are there.

        fetch: take in all rows down to it, however many they are.
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
        """Show the first `count` conversations, changing no more rows than necessary."""
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
                # Qt counts the place before which a row goes while it is still where it was.
                before = target + 1 if target > source else target
                self.beginMoveRows(nowhere, source, source, nowhere, before)
                self._rows.insert(target, self._rows.pop(source))
                self.endMoveRows()
