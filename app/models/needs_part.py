"""What a model needs of this machine, and the formats in which it can be opened."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.drop_down import DropDown
from app.models.fit import CONTEXTS, USUAL_CONTEXT
from app.models.fit_bar import FitBar
from app.models.format_table import FormatTable
from app.models.pace import best, rows_of
from app.models.section import Section
from app.models.shown import Shown
from app.models.words import advice_text, measured_text
from app.widgets import label
from app.words import format as fmt
from app.words.tr import tr
from engine.config import WeightFormat


class NeedsPart(QWidget):
    """Of the model that is shown; not on screen while that is not known.

    Attributes:
        context: for which the fit is shown. fit: whether it fits.
        formats: to choose from; what was chosen is remembered for each model.
        advice: which to choose. measured: how fast this machine is. measure: measures it now.

    Signals:
        measure_wanted: this machine is to be measured now.
    """

    measure_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: Shown | None = None
        # The names of formats, by model.
        self._chosen: dict[str, str] = {}
        self.context = DropDown()
        self.context.setAccessibleName(tr("Context for which it shall fit"))
        for tokens in CONTEXTS:
            self.context.addItem(tr("{count} tokens").format(count=fmt.count(tokens)), tokens)
        self.context.setCurrentIndex(CONTEXTS.index(USUAL_CONTEXT))
        self.context.currentIndexChanged.connect(lambda _: self._refresh())
        self.fit = FitBar()
        self.formats = FormatTable()
        self.formats.chosen.connect(self._choose)
        self.advice = label("", wrap=True)
        self.measured = label("", "faint", wrap=True)
        self.measure = QPushButton(tr("Measure now"))
        self.measure.setProperty("kind", "link")
        self.measure.setAutoDefault(False)
        self.measure.clicked.connect(self.measure_wanted)
        self._build()

    def show_model(self, shown: Shown) -> None:
        """Show what a model needs, or became of it."""
        self._shown = shown
        self.setVisible(shown.needs is not None)
        self._refresh()

    def chosen_format(self) -> WeightFormat | None:
        """How to open it; None while that is not known."""
        shown = self._shown
        if shown is None or shown.needs is None:
            return None
        name = self._name_of_format()
        found = next((size for size in shown.needs.formats if size.name == name), None)
        # "bfloat16" of a model that is stored otherwise is no choice of the weights' format.
        return "stored" if found is None else found.weights

    def chosen_expert_bytes(self) -> int:
        """Memory for routed experts with which it fits; 0 if it needs no such limit."""
        shown = self._shown
        if shown is None or shown.needs is None:
            return 0
        rows = rows_of(shown.needs, self.context.currentData(), shown.host_bytes, shown.speed)
        name = self._name_of_format()
        return next((row.fit.expert_bytes for row in rows if row.size.name == name), 0)

    def _refresh(self) -> None:
        shown = self._shown
        if shown is None or shown.needs is None:
            return
        needs = shown.needs
        rows = rows_of(needs, self.context.currentData(), shown.host_bytes, shown.speed)
        name = self._name_of_format()
        chosen = next((row for row in rows if row.size.name == name), rows[0])
        self.formats.show_rows(rows, chosen.size.name)
        self.fit.show_fit(chosen.fit, needs.device)
        self.advice.setText(advice_text(rows, best(rows)))
        self.measured.setText(measured_text(shown.speed, shown.measuring, rows))
        self.measure.setVisible(not shown.measuring)
        self.measure.setText(tr("Measure now") if shown.speed is None else tr("Measure again"))

    def _name_of_format(self) -> str:
        """What was chosen for this model, else what is recommended."""
        shown = self._shown
        assert shown is not None
        if shown.entry.key in self._chosen:
            return self._chosen[shown.entry.key]
        if shown.needs is None:
            return ""
        rows = rows_of(shown.needs, self.context.currentData(), shown.host_bytes, shown.speed)
        found = best(rows)
        return rows[-1].size.name if found is None else found.size.name

    def _choose(self, name: str) -> None:
        if self._shown is not None:
            self._chosen[self._shown.entry.key] = name
            self._refresh()

    def _build(self) -> None:
        table = QWidget()
        rows = QVBoxLayout(table)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        rows.addWidget(self.formats)
        rows.addWidget(self.advice)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.measured, 1)
        line.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignTop)
        rows.addLayout(line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(24)
        column.addWidget(Section(tr("FIT"), self.fit, self.context))
        column.addWidget(Section(tr("FORMATS"), table))
