"""The results of a search as a Qt model: a row for each conversation and each of its messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.session.search import FoundConversation, FoundMessage
from app.words.dates import short_day
from app.words.tr import tr

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A conversation, or one of its messages below it.

    Attributes:
        message: None for the conversation itself.
        day: when that was.
    """

    conversation: FoundConversation
    message: FoundMessage | None
    day: str

    @property
    def chosen(self) -> bool:
        """Whether the keys stop here: not at a title that only says where the messages are."""
        return self.message is not None or self.conversation.titled

    @property
    def key(self) -> tuple[int, int | None]:
        return self.conversation.id, None if self.message is None else self.message.id


class ResultsModel(QAbstractListModel):
    """Shows what a search found (role ROW: a `ResultRow`)."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ResultRow] = []

    def show(self, found: Iterable[FoundConversation], today: date) -> None:
        """Replace the rows; the same ones stay as they are."""
        rows: list[ResultRow] = []
        for one in found:
            rows.append(ResultRow(one, None, day_text(one.updated, today)))
            rows += (ResultRow(one, m, day_text(m.created, today)) for m in one.messages)
        if rows == self.rows:
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        text = (row.message.snippet if row.message is not None else row.conversation.title).text
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return text
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            what = tr("message") if row.message is not None else tr("conversation")
            return tr("{what}, {day}: {text}").format(what=what, day=row.day, text=text)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        selectable = self.rows[index.row()].chosen
        enabled = Qt.ItemFlag.ItemIsEnabled
        return enabled | Qt.ItemFlag.ItemIsSelectable if selectable else enabled


def day_text(when: float, today: date) -> str:
    """The local day of a time, as short as it can be: "14:05", "3 May", "3 May 2025"."""
    try:
        moment = datetime.fromtimestamp(when)
    except (ValueError, OverflowError, OSError):
        return ""
    if moment.date() == today:
        return f"{moment:%H:%M}"
    return short_day(moment.date(), today)
