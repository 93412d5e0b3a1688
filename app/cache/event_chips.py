"""What is in the event log, summed up by kind and by cause; each sum is a toggle that filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.cache.event_rows import Kind
from app.cache.event_table import EventSum
from app.cache.eviction_words import CAUSE_WORDS
from app.flow_row import FlowRow
from app.words import format as fmt
from app.words.engine_words import said
from app.words.joining import titled
from app.words.tr import tr

Kinds = Mapping[Kind, tuple[str, str]]
# Of each kind its name, and what it means.
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
        changed: other toggles are pressed.
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
    def kinds(self) -> frozenset[Kind]:
        return frozenset(cast("Kind", kind) for kind in _pressed(self._kinds))

    @property
    def causes(self) -> frozenset[str]:
        return frozenset(_pressed(self._causes))

    def show_sums(self, kinds: Mapping[Kind, EventSum], causes: Mapping[str, EventSum]) -> None:
        for kind, chip in self._kinds.items():
            _say(
                chip, self._names[cast("Kind", kind)][0], kinds.get(cast("Kind", kind), EventSum())
            )
        for cause in [cause for cause in self._causes if cause not in causes]:
            _say(self._causes[cause], _title(said(cause)), EventSum())
        for cause, total in causes.items():
            if cause not in self._causes:
                words = CAUSE_WORDS.get(cause, said(cause))
                self._causes[cause] = self._chip(tr("Evicted {words}").format(words=words))
            _say(self._causes[cause], _title(said(cause)), total)
        self._show_causes()

    def show_all(self, on: bool) -> None:
        """With the causes, or without: a pressed one stays, since it decides what is shown."""
        if on != self._all:
            self._all = on
            self._show_causes()

    def _show_causes(self) -> None:
        for chip in self._causes.values():
            chip.setVisible(self._all or chip.isChecked())
        self.arrange()

    def _chip(self, hint: str) -> QPushButton:
        chip = QPushButton()
        chip.setCheckable(True)
        # Enter in the filter must not press one.
        chip.setAutoDefault(False)
        chip.setProperty("kind", "sum")
        chip.setToolTip(tr("{hint}. Press to show only these.").format(hint=hint))
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.toggled.connect(self.changed)
        self.add(chip)
        return chip


def _pressed(chips: Mapping[str, QPushButton]) -> Iterable[str]:
    return [name for name, chip in chips.items() if chip.isChecked()]


def _title(cause: str) -> str:
    """As a label begins: "State pressure", "KV pressure"."""
    first, _, rest = cause.partition(" ")
    return f"{'KV' if first == 'kv' else first.capitalize()} {rest}".strip()


def _say(chip: QPushButton, name: str, total: EventSum) -> None:
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
