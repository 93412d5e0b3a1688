"""The memory that a model needs on this machine, and the formats it can be opened in."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.models.logic.pace import CONTEXTS, USUAL_CONTEXT, Fit, FormatRow, best, rows_of
from app.models.logic.rows import (
    advice_text,
    fit_text,
    fits_word,
    format_text,
    measured_text,
    pace_text,
    part_texts,
)
from app.models.logic.shelf import Shown
from app.ui import theme
from app.ui.widgets import DropDown, FlowRow, label, set_state
from engine.config import WeightFormat

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# Index of the last column, fixed even if the speed columns are hidden.
_VERDICT = 4
_BAR_PX, _SWATCH_PX, _LEAST_PX = 20, 10, 2.0
_RADIUS = 5


class Section(QWidget):
    """A titled part; `beside` is at the end of the title's line."""

    def __init__(self, title: str, body: QWidget, beside: QWidget | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(label(title, "section"))
        head.addStretch(1)
        if beside is not None:
            head.addWidget(beside)
        column.addLayout(head)
        column.addWidget(body)


class Bar(QWidget):
    """Only paints the bar; `FitBar` adds the text."""

    def __init__(self) -> None:
        super().__init__()
        self._fit: Fit | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fit(self, fit: Fit | None) -> None:
        self._fit = fit
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, whole = theme.current(), QRectF(self.rect())
        clip = QPainterPath()
        clip.addRoundedRect(whole, _RADIUS, _RADIUS)
        painter.setClipPath(clip)
        painter.fillRect(whole, colours.colour("track"))
        fit = self._fit
        if fit is not None and fit.total:
            # If it does not fit, the bar extends beyond the memory, whose end is marked.
            scale = whole.width() / max(fit.total, fit.others + fit.needed)
            left = 0.0
            for token, size in fit.parts:
                if size <= 0:
                    continue
                width = max(size * scale, _LEAST_PX)
                part = QRectF(left, 0, max(width - 1, 1), whole.height())
                painter.fillRect(part, _brush(token))
                left += width
            if not fit.fits:
                end = fit.total * scale
                painter.fillRect(QRectF(end - 1, 0, 2, whole.height()), colours.colour("danger"))
        painter.end()


class Swatch(QWidget):
    """A small square in a colour of the bar."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token
        self.setFixedSize(_SWATCH_PX, _SWATCH_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_brush(self._token))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        painter.end()


class FitBar(QWidget):
    """The bar, its legend with sizes, and the sentence.

    Attributes:
        sentence: whether it fits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bar = Bar()
        self.sentence = label("", "strong", wrap=True)
        self._legend = FlowRow(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        column.addWidget(self.bar)
        column.addWidget(self._legend)
        self._shown: tuple[tuple[str, str, str], ...] = ()

    def show_fit(self, fit: Fit, device: str) -> None:
        """Show how a model fits into a device's memory."""
        said = fit_text(fit, device)
        self.sentence.setText(said)
        set_state(self.sentence, "kind", "strong" if fit.fits else "danger")
        self.bar.show_fit(fit)
        parts = part_texts(fit)
        self.bar.setAccessibleName(listed((said, *(f"{name} {size}" for _, name, size in parts))))
        if parts != self._shown:
            self._shown = parts
            self._legend.clear()
            for token, name, size in parts:
                self._legend.add(_item(token, name, size))
            self._legend.arrange()


def _brush(token: str) -> QBrush:
    """The brush of a part; other programs' memory is hatched, as grey is the weights' colour."""
    if token == "faint":
        return QBrush(theme.current().colour("faint"), Qt.BrushStyle.BDiagPattern)
    return QBrush(theme.current().colour(token))


def _item(token: str, name: str, size: str) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(Swatch(token))
    row.addWidget(label(name, "faint"))
    figure: QLabel = label(size, "figuresStrong")
    row.addWidget(figure)
    return made


class FormatTable(QWidget):
    """One radio button per format, with its figures next to it.

    Attributes:
        buttons: by name of the format.

    Signals:
        chosen(str): the name of a format.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self._shown: tuple[FormatRow, ...] = ()

    def show_rows(self, rows: tuple[FormatRow, ...], name: str) -> None:
        """Show formats; `name` is the chosen one."""
        if [row.size.name for row in rows] != list(self.buttons):
            self._clear()
        if rows != self._shown:
            self._shown = rows
            self._fill(rows)
        if name in self.buttons:
            self.buttons[name].setChecked(True)

    def _clear(self) -> None:
        for button in self.buttons.values():
            self._group.removeButton(button)
        self.buttons = {}
        self._shown = ()
        self._empty(keep=())

    def _empty(self, keep: tuple[QWidget, ...]) -> None:
        for at in reversed(range(self._grid.count())):
            item = self._grid.itemAt(at)
            part = None if item is None else item.widget()
            if part is not None and part not in keep:
                self._grid.removeWidget(part)
                part.hide()
                part.deleteLater()

    def _fill(self, rows: tuple[FormatRow, ...]) -> None:
        self._empty(keep=tuple(self.buttons.values()))
        titles = [tr("Weights")]
        # Two columns of dashes would look like an error; a sentence below gives the reason.
        paced = any(row.paced for row in rows)
        if paced:
            titles += [tr("Reads"), tr("Writes")]
        for column, title in enumerate(titles, 1):
            made = label(title, "section")
            made.setAlignment(_RIGHT)
            self._grid.addWidget(made, 0, column)
        # With one format there is nothing to recommend.
        chosen = best(rows) if len(rows) > 1 else None
        for at, row in enumerate(rows, 1):
            name = row.size.name
            if name not in self.buttons:
                button = QRadioButton(name)
                button.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
                self._group.addButton(button)
                self.buttons[name] = button
                self._grid.addWidget(button, at, 0)
            said = format_text(row, chosen=row is chosen)
            self.buttons[name].setAccessibleName(said)
            texts = [fmt.byte_size(row.size.weight_bytes)]
            if paced:
                texts += pace_text(row.pace)
            for column, text in enumerate(texts, 1):
                figure = label(text, "figuresStrong")
                figure.setAlignment(_RIGHT)
                self._grid.addWidget(figure, at, column)
            recommended = tr("recommended") if row is chosen else fits_word(row)
            kind = "figuresGood" if row is chosen else "figures"
            if not row.fit.fits:
                kind = "figuresDanger"
            self._grid.addWidget(label(recommended, kind), at, _VERDICT)
        self._grid.setColumnStretch(_VERDICT + 1, 1)


class NeedsPart(QWidget):
    """The needs of the selected model; hidden until known.

    Attributes:
        context: the one for which the fit is shown. fit: whether it fits.
        formats: the choices; remembered per model.
        advice: the recommended format. measured: this machine's speed. measure: measures it now.

    Signals:
        measure_wanted: measure this machine now.
    """

    measure_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown: Shown | None = None
        # The chosen format names, by model.
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
        """Show what a model needs, or why that is unknown."""
        self._shown = shown
        self.setVisible(shown.needs is not None)
        self._refresh()

    def chosen_format(self) -> WeightFormat | None:
        """The format to open it in; None while unknown."""
        shown = self._shown
        if shown is None or shown.needs is None:
            return None
        name = self._name_of_format()
        found = next((size for size in shown.needs.formats if size.name == name), None)
        # A name like "bfloat16" of a model stored otherwise is no weight format.
        return "stored" if found is None else found.weights

    def chosen_expert_bytes(self) -> int:
        """Limit for routed experts with which it fits; 0 if it needs none."""
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
        """The format chosen for this model, else the recommended one."""
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
