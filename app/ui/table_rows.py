"""The lines of a table: columns as data, and their order, filter and sums. Without Qt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Generic, Literal, TypeVar

from app.ui.export.table import table

Subject = TypeVar("Subject")
Key = float | str


def _nothing(_: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class Column(Generic[Subject]):
    """How a column is read from what a line is about.

    Attributes:
        title: its heading, also in what is copied.
        text: what its cell says.
        key: what it is sorted by; None for its text.
        short: its heading on screen where that is shorter.
        hint: what is said about its heading.
        figures: it has numbers, in figures of one width, on that side.
        usual: a text as wide as most of the column; "" for one as wide as what is in it.
        most_px: how wide it gets where there is room.
        tone: the theme's colour of a cell, None for that of the sheet.
        hue: of a coloured square in front of the text, in degrees.
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


@dataclass(frozen=True, slots=True, eq=False)
class Sheet(Generic[Subject]):
    """The columns of a table.

    Attributes:
        sentence: all of a line in words.
        tip: what is said under the pointer.
        tone: the theme's colour of most cells.
        first, descending: the column that lines are sorted by at first, -1 for none, and how.
        spare: columns that may be left out, in that order, where there is no room for all.
        last_px: what the last column needs, which takes what room is left.
    """

    columns: tuple[Column[Subject], ...]
    sentence: Callable[[Subject], str] = _nothing
    tip: Callable[[Subject], str] | None = None
    tone: str = "text"
    first: int = 0
    descending: bool = True
    spare: tuple[int, ...] = ()
    last_px: int = 140

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    def line(self, number: int, subject: Subject, kind: str = "", **more: Any) -> TableRow:
        """A line about a subject; `more`: see TableRow."""
        return TableRow(number, subject, self, kind, **more)


@dataclass(slots=True, eq=False)
class TableRow:
    """One line.

    Attributes:
        number: later ones have a higher one.
        kind, cause: what it is counted and narrowed by, "" for nothing.
        freed: bytes.
        node: of the device, that it tells of.
    """

    number: int
    subject: Any
    sheet: Sheet[Any]
    kind: str = ""
    cause: str = ""
    freed: int = 0
    node: int | None = None
    _sought: str = field(default="", repr=False)

    @property
    def cells(self) -> tuple[str, ...]:
        return tuple(column.text(self.subject) for column in self.sheet.columns)

    @property
    def sentence(self) -> str:
        return self.sheet.sentence(self.subject)

    @property
    def sought(self) -> str:
        """What a filter looks for words in, in lower case."""
        if not self._sought:
            self._sought = f"{' '.join(self.cells)} {self.sentence}".casefold()
        return self._sought

    def key(self, column: int) -> Key:
        """What it is sorted by."""
        if column < 0:
            return 0.0
        what = self.sheet.columns[column]
        return (what.key or what.text)(self.subject)


def _joined(rows: Iterable[TableRow]) -> list[list[str]]:
    return [[" ".join(cell.split()) for cell in row.cells] for row in rows]


def rows_text(rows: Iterable[TableRow], sheet: Sheet[Any]) -> str:
    """Lines for the clipboard: columns between tabs, under their headings."""
    return "\n".join("\t".join(cells) for cells in (sheet.titles, *_joined(rows)))


def rows_csv(rows: Iterable[TableRow], sheet: Sheet[Any]) -> str:
    """Lines as comma-separated values, under their headings."""
    return table(sheet.titles, _joined(rows))


@dataclass(frozen=True, slots=True)
class TableFilter:
    """Which lines are shown; no kind or no cause stands for all of them.

    Attributes:
        text: words that each line has, in any order; "node:12" is that node's number.
    """

    text: str = ""
    kinds: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()

    def accepts(self, row: TableRow) -> bool:
        return (
            (not self.kinds or row.kind in self.kinds)
            and (not self.causes or row.cause in self.causes)
            and all(_has(row, word) for word in self.text.casefold().split())
        )


def _has(row: TableRow, word: str) -> bool:
    number = word.removeprefix("node:")
    if number != word and number.isdecimal():
        return row.node == int(number)
    return word in row.sought


@dataclass(slots=True)
class RowSum:
    """How many lines of a kind or a cause there are, how many of them were regretted, and the
    bytes that they freed.
    """

    count: int = 0
    freed: int = 0
    regretted: int = 0

    def add(self, row: TableRow, sign: int) -> None:
        self.count += sign
        self.freed += sign * row.freed
        self.regretted += sign * (row.kind == "regretted")


@dataclass(frozen=True, slots=True)
class RowRange:
    """Lines [first, first + count) of those shown, as counted while they are in the table."""

    first: int
    count: int


class TableRows:
    """All lines, and those that are shown in their order.

    Attributes:
        filter: which ones are shown.
        column, descending: their order; lines alike are in the order of their arrival.
        kinds, causes: sums over all lines.
    """

    def __init__(self, column: int = 0, descending: bool = True) -> None:
        self.filter = TableFilter()
        self.column, self.descending = column, descending
        self.kinds: dict[str, RowSum] = {}
        self.causes: dict[str, RowSum] = {}
        # By number, which ascends.
        self._all: dict[int, TableRow] = {}
        self._shown: list[TableRow] = []

    def __len__(self) -> int:
        """How many are shown."""
        return len(self._shown)

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self._all)

    @property
    def shown(self) -> list[TableRow]:
        """From the top."""
        return self._shown[::-1] if self.descending else list(self._shown)

    def row(self, line: int) -> TableRow:
        """The line at a place on screen."""
        return self._shown[self._flip(line)]

    def line_of(self, row: TableRow) -> int | None:
        """The place of a line on screen; None if it is not shown."""
        at = self._place(row)
        found = at < len(self._shown) and self._shown[at].number == row.number
        return self._flip(at) if found else None

    def numbered(self, number: int) -> TableRow | None:
        """The line of a number; None if there is none."""
        return self._all.get(number)

    def arrange(self, column: int, descending: bool) -> None:
        """Show the same lines in another order."""
        self.column, self.descending = column, descending
        self._shown.sort(key=self._key)

    def show(self, rows: Iterable[TableRow]) -> None:
        """Have exactly these lines, given by ascending number."""
        self._all = {row.number: row for row in rows}
        self.kinds, self.causes = {}, {}
        for row in self._all.values():
            self._sum(row, 1)
        self.narrow(self.filter)

    def replace(self, rows: Iterable[TableRow]) -> None:
        """Put other lines in the places of those of the same number."""
        self.show((self._all | {row.number: row for row in rows}).values())

    def swap(self, row: TableRow) -> int | None:
        """Put a line in the place of one that it differs from in what it says alone.

        Returns its place on screen, None if another line has to be somewhere else.
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
        """Show other lines."""
        self.filter = wanted
        self._shown = sorted(filter(wanted.accepts, self._all.values()), key=self._key)

    def add(self, rows: Iterable[TableRow], begin: Callable[[RowRange], None], end: _End) -> None:
        """Add new lines; each stretch of those shown is announced before and after."""
        fresh = list(rows)
        for row in fresh:
            self._sum(row, 1)
            self._all[row.number] = row
        accepted = sorted(filter(self.filter.accepts, fresh), key=self._key)
        # From the back, so that the places of the earlier ones hold.
        for at, run in reversed(self._runs(accepted)):
            begin(RowRange(self._line(at, len(run), len(self._shown) + len(run)), len(run)))
            self._shown[at:at] = run
            end()

    def drop(self, oldest: tuple[int, int], begin: Callable[[RowRange], None], end: _End) -> None:
        """Drop lines numbered before the oldest notice and the oldest of the others."""
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
        """Where a row is, or would be, in ascending order."""
        return bisect_left(self._shown, self._key(row), key=self._key)

    def _runs(self, rows: Iterable[TableRow]) -> list[tuple[int, list[TableRow]]]:
        """Rows in ascending order by the place where they come in."""
        runs: list[tuple[int, list[TableRow]]] = []
        for row in rows:
            at = self._place(row)
            if runs and runs[-1][0] == at:
                runs[-1][1].append(row)
            else:
                runs.append((at, [row]))
        return runs

    def _stretches(self, rows: Iterable[TableRow]) -> list[tuple[int, int]]:
        """First place and number of the shown ones among some rows, joined where adjacent."""
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
        """The first place on screen of a stretch, in a table of `total` lines that has it."""
        return total - at - count if self.descending else at


_End = Callable[[], None]
