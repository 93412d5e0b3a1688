"""A list of events: a filter, sums, the lines, and a note on the selected one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.cache.logic.fading import CAUSE_WORDS
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.glossary import explained, explanation
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui.filter_line import FilterLine
from app.ui.table import Table
from app.ui.table_rows import RowSum, TableFilter
from app.ui.widgets import ElidedLabel, FlowRow

# Below this height the sums by cause are hidden to make room for the lines.
_ALL_SUMS_FROM_PX = 220
_SHOW = (tr("Show in tree"), tr("Go to the tree with this node selected (Enter)"))
Kinds = Mapping[str, tuple[str, str]]
# The name and the meaning of each kind.
LOG_KINDS: Kinds = {
    "notice": (tr("Notices"), tr("What the engine had to say")),
    "lost": (tr("Lost"), tr("Evicted, with no copy to resume from on any tier")),
    "moved": (tr("Moved down"), tr("Evicted, but still in host memory or on disk")),
    "kept": (tr("Kept"), tr("Left a tier, but a copy remains on the same or a faster one")),
}
_GAP_PX = 6


class EventChips(FlowRow):
    """A toggle for each kind, then one for each cause that occurred; none pressed shows all.

    Signals:
        changed: a toggle was pressed or released.
    """

    changed = Signal()

    def __init__(self, kinds: Kinds = LOG_KINDS, parent: QWidget | None = None) -> None:
        super().__init__(_GAP_PX, parent, line_gap=_GAP_PX)
        self.setAccessibleName(tr("Sums of events by kind and by cause"))
        self._names = kinds
        self._kinds: dict[str, QPushButton] = {}
        self._causes: dict[str, QPushButton] = {}
        self._all = True
        for kind, (_, hint) in kinds.items():
            self._kinds[kind] = self._chip(hint)
        self.show_sums({}, {})

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(_pressed(self._kinds))

    @property
    def causes(self) -> frozenset[str]:
        return frozenset(_pressed(self._causes))

    def show_sums(self, kinds: Mapping[str, RowSum], causes: Mapping[str, RowSum]) -> None:
        for kind, chip in self._kinds.items():
            _say(chip, self._names[kind][0], kinds.get(kind, RowSum()))
        for cause in [cause for cause in self._causes if cause not in causes]:
            _say(self._causes[cause], _title(said(cause)), RowSum())
        for cause, total in causes.items():
            if cause not in self._causes:
                words = CAUSE_WORDS.get(cause, said(cause))
                hint = tr("Evicted {words}").format(words=words)
                self._causes[cause] = self._chip(hint, cause)
            _say(self._causes[cause], _title(said(cause)), total)
        self._show_causes()

    def show_all(self, on: bool) -> None:
        """Show or hide the causes; a pressed one stays, since it filters the lines."""
        if on != self._all:
            self._all = on
            self._show_causes()

    def _show_causes(self) -> None:
        for chip in self._causes.values():
            chip.setVisible(self._all or chip.isChecked())
        self.arrange()

    def _chip(self, hint: str, term: str = "") -> QPushButton:
        chip = QPushButton()
        chip.setCheckable(True)
        # Enter in the filter must not press one.
        chip.setAutoDefault(False)
        chip.setProperty("kind", "sum")
        told = tr("{hint}. Press to show only these.").format(hint=hint)
        chip.setToolTip(explained(told, term))
        chip.setAccessibleDescription(explanation(term))
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.toggled.connect(self.changed)
        self.add(chip)
        return chip


def _pressed(chips: Mapping[str, QPushButton]) -> Iterable[str]:
    return [name for name, chip in chips.items() if chip.isChecked()]


def _title(cause: str) -> str:
    """A cause, capitalized: "State pressure", "KV pressure"."""
    first, _, rest = cause.partition(" ")
    return f"{'KV' if first == 'kv' else first.capitalize()} {rest}".strip()


def _say(chip: QPushButton, name: str, total: RowSum) -> None:
    freed = f" · {fmt.byte_size(total.freed)}" if total.freed else ""
    again = total.regretted if total.regretted < total.count else 0
    regret = (
        tr(" · {again} regretted").format(again=fmt.percent(again / total.count)) if again else ""
    )
    text = f"{name}  {fmt.count(total.count)}{freed}{regret}"
    if chip.text() == text:
        return
    chip.setText(text)
    events = fmt.plural(total.count, "event")
    freed = tr(", {freed} freed").format(freed=fmt.byte_size(total.freed)) if total.freed else ""
    regret = tr(", {again} of them regretted").format(again=fmt.count(again)) if again else ""
    chip.setAccessibleName(titled(name, f"{events}{freed}{regret}"))


# By noun: the placeholder of the filter, and the text of an empty list.
_NOUNS = {
    "event": (tr("Filter events"), tr("No events yet.")),
    "checkpoint": (tr("Filter checkpoints"), tr("No checkpoints yet.")),
    "eviction": (tr("Filter evictions"), tr("No evictions yet.")),
}


class EventLines(QWidget):
    """The lines of a view, and everything around them.

    Attributes:
        filter: what each shown line must have, see app/ui/filter.py.
        count: the number of lines shown.
        chips: sums, which filter the lines by kind and cause.
        view: the lines.
        note: a sentence about the selected line.
        foot: the row of buttons; callers may add to it.
    """

    def __init__(
        self,
        view: Table,
        noun: str,
        kinds: Kinds = LOG_KINDS,
        show: tuple[str, str] = _SHOW,
        parent: QWidget | None = None,
        *,
        summed: bool = False,
    ) -> None:
        """noun: of one line. show: the label and the hint of the button that opens a line.

        summed: the number of lines is already shown next to it.
        """
        super().__init__(parent)
        self._summed = summed
        self.view, self._noun = view, noun
        self.filter = FilterLine(view.shown.sheet.fields, _NOUNS[noun][0])
        self.count = ElidedLabel("faint")
        side = Qt.AlignmentFlag.AlignRight if summed else Qt.AlignmentFlag.AlignLeft
        self.count.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.chips = EventChips(kinds)
        self.note = ElidedLabel("dim")
        self._find = small_button(*show)
        self._copy = small_button(tr("Copy"), tr("Copy the selected lines (Ctrl+C)"))
        self.head, self.foot = QHBoxLayout(), QHBoxLayout()
        self.head.addWidget(self.count, 3)
        self.head.addWidget(self.filter, 2)
        self.foot.addWidget(self.note, 1)
        self.foot.addWidget(self._find)
        self.foot.addWidget(self._copy)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.addLayout(self.head)
        self.column.addWidget(self.filter.error)
        self.column.addWidget(self.chips)
        self.column.addWidget(view, 1)
        self.column.addLayout(self.foot)
        self.filter.narrowed.connect(self._narrow)
        self.filter.left.connect(view.enter)
        self.chips.changed.connect(self._narrow)
        self._find.clicked.connect(view.open_current)
        self._copy.clicked.connect(self._copy_lines)
        view.selectionModel().selectionChanged.connect(self.enable)
        self._more = ""
        self.enable()
        self.show_sums()

    def show_sums(self, more: str = "") -> None:
        """Update the sums after the lines changed; `more` is appended to their number."""
        self._more = more
        table = self.view.rows
        self.chips.show_sums(table.kinds, table.causes)
        self._show_count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chips.show_all(self.height() >= _ALL_SUMS_FROM_PX)

    def enable(self) -> None:
        """Enable the buttons that apply to the selection."""
        some = self.view.selectionModel().hasSelection()
        for button in (self._find, self._copy):
            button.setEnabled(some)

    def _narrow(self) -> None:
        wanted = TableFilter(self.filter.query, self.chips.kinds, self.chips.causes)
        self.view.narrow(wanted)
        self._show_count()
        self.enable()

    @property
    def narrowed(self) -> bool:
        """Whether some lines are filtered out."""
        return self.view.rows.filter != TableFilter()

    def _show_count(self) -> None:
        table, narrowed = self.view.rows, self.narrowed
        if not table.total:
            self.count.setText(_NOUNS[self._noun][1])
            return
        all_of_them = fmt.plural(table.total, self._noun)
        shown = (
            tr("{table} of {all_of_them}").format(
                table=fmt.count(len(table)), all_of_them=all_of_them
            )
            if narrowed
            else all_of_them
        )
        if self._summed and not narrowed:
            self.count.setText(self._more)
        elif self._more:
            self.count.setText(f"{shown} · {self._more}", shown)
        else:
            self.count.setText(shown)

    def _copy_lines(self) -> None:
        self.note.setText(tr("{lines} copied.").format(lines=fmt.plural(self.view.copy(), "line")))


def small_button(text: str, hint: str) -> QPushButton:
    made = QPushButton(text)
    # Enter in the filter or the lines must not press it.
    made.setAutoDefault(False)
    made.setProperty("kind", "small")
    made.setToolTip(hint)
    return made
