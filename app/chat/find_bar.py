"""The find bar, and the search for occurrences in the displayed text of a conversation."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.core.session.records import Turn
from app.core.words.tr import tr
from app.ui.widgets import EscapeField, IconButton, add_middle, label, set_state

_COUNT_PX = 84
_MOST_PX = 760
# A text, or several that all count.
Wanted = str | tuple[str, ...]
# Whether a text may have an occurrence: it contains the words.
Likely = Callable[[str], bool]
# The texts of a turn by part; None for a part that is not likely and was skipped.
Texts = Callable[[Turn, Likely], Iterable[str | None]]
_WORD = re.compile(r"\w+")
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """The `number`th occurrence (from 0) in part `part` of a turn; sorts in reading order.

    Attributes:
        place: index of the turn in its conversation.
        turn: its id.
    """

    place: int
    turn: int
    part: int
    number: int


@dataclass(frozen=True, slots=True)
class Found:
    """The occurrences in one part of a turn, at least one."""

    place: int
    turn: int
    part: int
    count: int


class Hits(Sequence[Hit]):
    """All hits in reading order, stored as one entry per part, as letters occur often."""

    def __init__(self) -> None:
        self._found: list[Found] = []
        self._before: list[int] = [0]
        self._keys: list[tuple[int, int, int]] = []

    def add(self, found: Found) -> None:
        """Append occurrences after all others."""
        self._found.append(found)
        self._before.append(self._before[-1] + found.count)
        self._keys.append((found.place, found.turn, found.part))

    def __len__(self) -> int:
        return self._before[-1]

    def __getitem__(self, index: int) -> Hit:  # type: ignore[override]
        if not 0 <= index < len(self):
            raise IndexError(index)
        at = bisect_right(self._before, index) - 1
        found = self._found[at]
        return Hit(found.place, found.turn, found.part, index - self._before[at])

    def first_from(self, goal: Hit) -> int:
        """The index of the first hit not before a place; the length if there is none."""
        at = bisect_left(self._keys, (goal.place, goal.turn, goal.part))
        if at < len(self._keys) and self._keys[at] == (goal.place, goal.turn, goal.part):
            return self._before[at] + min(max(goal.number, 0), self._found[at].count)
        return self._before[at]


def find_hits(turns: Iterable[Turn], wanted: Wanted, texts: Texts) -> Iterator[Found | None]:
    """Yield the occurrences in each part, in reading order, ignoring case.

    Incremental, as a long conversation takes longer than a frame; None for a part without any.
    """
    # Rendering the Markdown of a long conversation is slow, and most parts can be skipped.
    words = [[word.casefold() for word in _WORD.findall(one)] for one in _each(wanted)]

    def likely(source: str) -> bool:
        folded = source.casefold()
        return any(all(word in folded for word in of) for of in words)

    for place, turn in enumerate(turns):
        if not likely(turn.text):
            yield None
            continue
        for part, text in enumerate(texts(turn, likely)):
            count = 0 if text is None else sum(1 for _ in occurrences(text, wanted))
            yield Found(place, turn.id, part, count) if count else None


def occurrences(text: str, wanted: Wanted) -> Iterator[tuple[int, int]]:
    """Find the occurrences of any of some texts in another, first to last.

    None overlap, none span two lines.

    Positions are in UTF-16 units, as in a QTextDocument.
    """
    # Of two that begin at one position, the longer one counts.
    sought = sorted(_each(wanted), key=len, reverse=True)
    if not sought:
        return
    wide = [match.start() for match in _BEYOND_BMP.finditer(text)] if not text.isascii() else []
    for match in re.finditer("|".join(map(re.escape, sought)), text, re.IGNORECASE):
        start, end = match.span()
        yield start + bisect_left(wide, start), end + bisect_left(wide, end)


def _each(wanted: Wanted) -> tuple[str, ...]:
    return tuple(filter(None, (wanted,) if isinstance(wanted, str) else wanted))


def count_text(at: int, total: int, wanted: str) -> str:
    """The count next to the field: "3 of 12"."""
    if not wanted:
        return ""
    return tr("{at:,} of {total:,}").format(at=at + 1, total=total) if total else tr("No matches")


class _Field(EscapeField):
    """The search field.

    Signals:
        stepped: Enter (True) or Shift+Enter (False).
    """

    stepped = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """A field, the count of hits, and buttons for the previous and next one.

    Attributes:
        field: the search text.
        count: "3 of 12".

    Signals:
        changed: the text to find.
        stepped: go to the next hit (True) or the previous one (False).
        closed: the user closes the bar.
    """

    changed = Signal(str)
    stepped = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field()
        self.field.setPlaceholderText(tr("Find"))
        self.field.setAccessibleName(tr("Find in conversation"))
        self.field.setClearButtonEnabled(False)
        self.field.textChanged.connect(self.changed)
        self.field.stepped.connect(self.stepped)
        self.field.left.connect(self.closed)
        self.count = label("", "figures")
        self.count.setMinimumWidth(_COUNT_PX)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.before = IconButton(
            "up", tr("Previous match"), lambda: self.stepped.emit(False), shortcut="Shift+Enter"
        )
        self.after = IconButton(
            "down", tr("Next match"), lambda: self.stepped.emit(True), shortcut="Enter"
        )
        close = IconButton("close", tr("Close"), self.closed.emit, shortcut="Esc")
        bar = QFrame()
        bar.setObjectName("findBar")
        bar.setMaximumWidth(_MOST_PX)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(24, 0, 24, 8)
        add_middle(outer, bar)
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 5, 6, 5)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        row.addSpacing(4)
        for button in (self.before, self.after, close):
            row.addWidget(button)

    def show_count(self, at: int, total: int) -> None:
        """at: the index of the current hit."""
        wanted = self.field.text()
        self.count.setText(count_text(at, total, wanted))
        set_state(self.count, "kind", "figuresDanger" if wanted and not total else "figures")
        for button in (self.before, self.after):
            button.setEnabled(total > 0)
