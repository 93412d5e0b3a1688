"""The rows of a table: columns as data, sorting, filtering and totals. Without Qt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Generic, Literal, TypeVar

from app.ui.export.table import table
from app.ui.filter import EVERYTHING, Field, Query

Subject = TypeVar("Subject")
Key = float | str


def _nothing(_: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class Column(Generic[Subject]):
    """How to read a column from a row's subject.

    Attributes:
        title: its header, also in copied text.
        text: the text of its cell.
        key: its sort key; None to sort by text.
        short: a shorter header on screen.
        hint: the header's tooltip.
        figures: for numbers, in tabular figures: the side to align to.
        usual: a sample text for its width; "" to fit the content.
        most_px: its maximum width if there is room.
        tone: the theme's colour of a cell; None for the sheet's.
        hue: of a coloured square in front of the text, in degrees; None for no square.
        term: the glossary's term in a cell; None for none.
    """

    title: str
    text: Callable[[Subject], str]
    key: Callable[[Subject], Key] | None = None
    short: str = ""
    hint: str = ""
    figures: Literal["", "left", "right"] = ""
    usual: str = ""
    most_px: int = 0
    tone: Callable[[Subject], str] | None = None
    hue: Callable[[Subject], int] | None = None
    term: Callable[[Subject], str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sheet(Generic[Subject]):
    """The columns of a table.

    Attributes:
        sentence: a row in words.
        tip: the tooltip of a row.
        tone: the theme's colour of most cells.
        first, descending: the initial sort column, -1 for none, and order.
        spare: columns that may be hidden, in that order, if there is not enough room.
        last_px: minimum width of the last column, which takes the remaining width.
        fields: what filters can ask for by name.
    """

    columns: tuple[Column[Subject], ...]
    sentence: Callable[[Subject], str] = _nothing
    tip: Callable[[Subject], str] | None = None
    tone: str = "text"
    first: int = 0
    descending: bool = True
    spare: tuple[int, ...] = ()
    last_px: int = 140
    fields: tuple[Field[Subject], ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    def terms(self, subject: Subject) -> tuple[str, ...]:
        """The glossary's terms in a row."""
        return tuple(one.term(subject) for one in self.columns if one.term is not None)

    def line(self, number: int, subject: Subject, kind: str = "", **more: Any) -> TableRow:
        """A row about a subject; `more`: see TableRow."""
        return TableRow(number, subject, self, kind, **more)


@dataclass(slots=True, eq=False)
class TableRow:
    """One row.

    Attributes:
        number: ascends in order of arrival.
        kind, cause: for totals and filters; "" for none.
        freed: bytes.
    """

    number: int
    subject: Any
    sheet: Sheet[Any]
    kind: str = ""
    cause: str = ""
    freed: int = 0
    _sought: str = field(default="", repr=False)

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(column.text(self.subject) for column in self.sheet.columns)

    @property
    def sentence(self) -> str:
        return self.sheet.sentence(self.subject)

    @property
    def sought(self) -> str:
        """The lower-case text that filters search."""
        if not self._sought:
            self._sought = f"{' '.join(self.cells)} {self.sentence}".casefold()
        return self._sought

    def key(self, column: int) -> Key:
        """The sort key of a column."""
        if column < 0:
            return 0.0
        what = self.sheet.columns[column]
        return (what.key or what.text)(self.subject)


def _joined(rows: Iterable[TableRow]) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row.cells] for row in rows]


def rows_text(rows: Iterable[TableRow], sheet: Sheet[Any]) -> str:
    """Rows for the clipboard: tab-separated, with headers."""
    return "\n".join("\t".join(cells) for cells in (sheet.titles, *_joined(rows)))


def rows_csv(rows: Iterable[TableRow], sheet: Sheet[Any]) -> str:
    """Rows as comma-separated values, with headers."""
    return table(sheet.titles, _joined(rows))


@dataclass(frozen=True, slots=True)
class TableFilter:
    """Which rows to show; an empty set of kinds or causes means all."""

    query: Query = EVERYTHING
    kinds: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()

    def accepts(self, row: TableRow) -> bool:
        return (
            (not self.kinds or row.kind in self.kinds)
            and (not self.causes or row.cause in self.causes)
            and self.query.accepts(row)
        )


@dataclass(slots=True)
class RowSum:
    """Totals of a kind or a cause: rows, regretted ones, and bytes freed."""

    count: int = 0
    freed: int = 0
    regretted: int = 0

    def add(self, row: TableRow, sign: int) -> None:
        self.count += sign
        self.freed += sign * row.freed
        self.regretted += sign * (row.kind == "regretted")


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows [first, first + count) of the shown ones, counted while they are in the table."""

    first: int
    count: int


class TableRows:
    """All rows, and the shown ones in order.

    Attributes:
        filter: selects the shown ones.
        column, descending: the sort order; equal rows stay in order of arrival.
        kinds, causes: totals over all rows.
    """

    def __init__(self, column: int = 0, descending: bool = True) -> None:
        self.filter = TableFilter()
        self.column, self.descending = column, descending
        self.kinds: dict[str, RowSum] = {}
        self.causes: dict[str, RowSum] = {}
        # By number, ascending.
        self._all: dict[int, TableRow] = {}
        self._shown: list[TableRow] = []

    def __len__(self) -> int:
        """Number of shown rows."""
        return len(self._shown)

    @property
    def total(self) -> int:
        """Number of all rows."""
        return len(self._all)

    @property
    def shown(self) -> list[TableRow]:
        """The shown rows, from the top."""
        return self._shown[::-1] if self.descending else list(self._shown)

    def row(self, line: int) -> TableRow:
        """The row at a visible index."""
        return self._shown[self._flip(line)]

    def line_of(self, row: TableRow) -> int | None:
        """The visible index of a row; None if it is not shown."""
        at = self._place(row)
        found = at < len(self._shown) and self._shown[at].number == row.number
        return self._flip(at) if found else None

    def numbered(self, number: int) -> TableRow | None:
        """The row with a number; None if there is none."""
        return self._all.get(number)

    def arrange(self, column: int, descending: bool) -> None:
        """Set the sort order."""
        self.column, self.descending = column, descending
        self._shown.sort(key=self._key)

    def show(self, rows: Iterable[TableRow]) -> None:
        """Replace all rows; given by ascending number."""
        self._all = {row.number: row for row in rows}
        self.kinds, self.causes = {}, {}
        for row in self._all.values():
            self._sum(row, 1)
        self.narrow(self.filter)

    def replace(self, rows: Iterable[TableRow]) -> None:
        """Replace rows by number."""
        self.show((self._all | {row.number: row for row in rows}).values())

    def swap(self, row: TableRow) -> int | None:
        """Replace a row by one that differs only in content.

        Returns its visible index; None if the order changes, too.
        """
        old = self._all[row.number]
        line = self.line_of(old)
        alike = (row.kind, row.cause, row.freed) == (old.kind, old.cause, old.freed)
        if line is None or not alike or self._key(row) != self._key(old):
            return None
        if not self.filter.accepts(row):
            return None
        self._all[row.number] = self._shown[self._flip(line)] = row
        return line

    def narrow(self, wanted: TableFilter) -> None:
        """Set the filter."""
        self.filter = wanted
        self._shown = sorted(filter(wanted.accepts, self._all.values()), key=self._key)

    def add(self, rows: Iterable[TableRow], begin: Callable[[RowRange], None], end: _End) -> None:
        """Add new rows; `begin` and `end` are called around each inserted range of shown ones."""
        fresh = list(rows)
        for row in fresh:
            self._sum(row, 1)
            self._all[row.number] = row
        accepted = sorted(filter(self.filter.accepts, fresh), key=self._key)
        # From the end, so that earlier indices stay valid.
        for at, run in reversed(self._runs(accepted)):
            begin(RowRange(self._line(at, len(run), len(self._shown) + len(run)), len(run)))
            self._shown[at:at] = run
            end()

    def drop(self, oldest: tuple[int, int], begin: Callable[[RowRange], None], end: _End) -> None:
        """Drop rows numbered before the oldest notice and the oldest of the others."""
        early = takewhile(lambda row: row.number < max(oldest), self._all.values())
        gone = [row for row in early if row.number < oldest[row.kind != "notice"]]
        for row in gone:
            self._sum(row, -1)
            del self._all[row.number]
        for at, count in reversed(self._stretches(gone)):
            begin(RowRange(self._line(at, count, len(self._shown)), count))
            del self._shown[at : at + count]
            end()

    def _sum(self, row: TableRow, sign: int) -> None:
        for sums, name in ((self.kinds, row.kind), (self.causes, row.cause)):
            if name:
                sums.setdefault(name, RowSum()).add(row, sign)

    def _key(self, row: TableRow) -> tuple[Key, int]:
        return row.key(self.column), row.number

    def _place(self, row: TableRow) -> int:
        """The index of a row, present or not, in ascending order."""
        return bisect_left(self._shown, self._key(row), key=self._key)

    def _runs(self, rows: Iterable[TableRow]) -> list[tuple[int, list[TableRow]]]:
        """Group rows, in ascending order, by insertion index."""
        runs: list[tuple[int, list[TableRow]]] = []
        for row in rows:
            at = self._place(row)
            if runs and runs[-1][0] == at:
                runs[-1][1].append(row)
            else:
                runs.append((at, [row]))
        return runs

    def _stretches(self, rows: Iterable[TableRow]) -> list[tuple[int, int]]:
        """Visible ranges (first index, count) of some rows, adjacent ones merged."""
        stretches: list[tuple[int, int]] = []
        for at in sorted(self._place(row) for row in rows if self.line_of(row) is not None):
            if stretches and sum(stretches[-1]) == at:
                stretches[-1] = stretches[-1][0], stretches[-1][1] + 1
            else:
                stretches.append((at, 1))
        return stretches

    def _flip(self, at: int) -> int:
        return len(self._shown) - 1 - at if self.descending else at

    def _line(self, at: int, count: int, total: int) -> int:
        """The first visible index of a range in a table of `total` rows that includes it."""
        return total - at - count if self.descending else at


_End = Callable[[], None]
