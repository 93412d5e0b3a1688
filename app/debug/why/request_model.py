"""The history of requests as a Qt model: newest first, those of one conversation or of all."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from app import theme
from app.debug.state import DebugState
from app.debug.why.inquiry import Inquiry
from app.debug.why.request_rows import (
    FIGURES,
    HEADINGS,
    HINTS,
    Column,
    spoken,
    text_of,
    worth_a_look,
)
from engine.trace.tape import TapedRequest

Index = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole
_NO_INDEX = QModelIndex()


class RequestModel(QAbstractTableModel):
    """Its rows are requests of the inquiry's tape.

    Attributes:
        session: only requests of this conversation; None for all.
        began_at: seconds to add to the tape's clock for the time of day; None if not known.
    """

    def __init__(self, state: DebugState, inquiry: Inquiry) -> None:
        super().__init__()
        self._state, self._inquiry = state, inquiry
        self.session: int | None = None
        self.offset_s = 0.0
        # Numbers of the shown requests, oldest first.
        self._shown: list[int] = []
        self._seen = 0

    def reset(self) -> None:
        """There is another tape, or another filter."""
        self.beginResetModel()
        self._shown, self._seen = [], 0
        self._take()
        self.endResetModel()

    def follow(self) -> int:
        """Take the new requests; returns how many rows came."""
        fresh = [r.number for r in self._inquiry.requests[self._seen :] if self._accepts(r)]
        if fresh:
            self.beginInsertRows(_NO_INDEX, 0, len(fresh) - 1)
            self._shown.extend(fresh)
            self.endInsertRows()
        self._seen = len(self._inquiry.requests)
        return len(fresh)

    def request(self, row: int) -> TapedRequest:
        return self._inquiry.requests[self._shown[-1 - row]]

    def row_of(self, number: int) -> int | None:
        """The row of a request; None if it is not shown."""
        try:
            return len(self._shown) - 1 - self._shown.index(number)
        except ValueError:
            return None

    def learn(self, first: int, last: int, budget: int) -> bool:
        """Explain up to `budget` of the rows from `first` to `last`; False once all are."""
        for row in range(max(first, 0), min(last + 1, len(self._shown))):
            number = self._shown[-1 - row]
            if self._inquiry.known(number):
                continue
            if not budget:
                return True
            budget -= 1
            if self._inquiry.evidence(number) is None:
                return True
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))
        return False

    def sessions(self) -> list[int]:
        """Of all requests, the one heard of last first."""
        found = dict.fromkeys(r.session for r in reversed(self._inquiry.requests))
        return list(found)

    def _take(self) -> None:
        self._shown = [r.number for r in self._inquiry.requests if self._accepts(r)]
        self._seen = len(self._inquiry.requests)

    def _accepts(self, request: TapedRequest) -> bool:
        return self.session is None or request.session == self.session

    def _title(self, request: TapedRequest) -> str:
        source = self._state.source
        return "" if source is None else source.title(request.session)

    # ---- Qt

    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, way: Qt.Orientation, role: int = _ROLE.DisplayRole) -> Any:
        if way is not Qt.Orientation.Horizontal:
            return None
        column = Column(section)
        if role == _ROLE.DisplayRole:
            return HEADINGS[column]
        if role == _ROLE.ToolTipRole:
            return HINTS.get(column)
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        return None

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        request, column = self.request(index.row()), Column(index.column())
        number = request.number
        evidence = self._inquiry.evidence(number) if self._inquiry.known(number) else None
        if role == _ROLE.DisplayRole:
            return text_of(request, column, self._title(request), evidence, self.offset_s)
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        if role == _ROLE.FontRole:
            return theme.mono_font() if column in FIGURES else None
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return spoken(request, self._title(request), evidence)
        if role == _ROLE.ForegroundRole and column is Column.CAUSE and evidence is not None:
            look = theme.current()
            return look.colour("text" if worth_a_look(evidence) else "faint")
        return None


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
