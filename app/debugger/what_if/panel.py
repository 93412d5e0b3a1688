"""The what-if panel: sliders for the cache's settings, and what they would have changed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QHideEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.core.session.applied import SettingsChange
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.source import LiveSource
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.debugger.what_if.curve import Curve
from app.debugger.what_if.logic.figures import (
    Figure,
    figures,
    recorded_text,
    remembered_text,
    verdict_sentence,
)
from app.debugger.what_if.logic.knobs import Knob
from app.debugger.what_if.logic.study import Study, best
from app.debugger.what_if.logic.wanted import LIVE, OF_DRAFTS, SOME_DISK, Wanted, config_fields
from app.debugger.what_if.requests_plot import RequestsPlot
from app.ui import theme
from app.ui.widgets import DropDown, label
from engine.analysis.report import ReplayReport, disk_note
from engine.journal.settings import WhatIf

# A prediction starts once sliders rest, and a little later after new requests.
_REST_MS, _ARRIVAL_MS = 60, 800
_POLL_MS = 50
_PORTION_S = 0.004
_LEAST_WIDTH_PX = 340
_HEADINGS = ("", tr("Today", "as it is set"), tr("Predicted"), tr("Change"))
_ARROWS = {"better": "✓ ", "worse": "✗ ", "same": ""}
_KINDS = {"better": "figuresGood", "worse": "figuresDanger", "same": "figures"}
_BAR_PX = 14
_GAP_PX = 4
_LEFT_PX = 66
_VALUE_PX = 78
_LEAST_SLIDER_PX = 56


class _Slider(QSlider):
    """Ignores the wheel, so that scrolling the panel never changes a setting."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class KnobRows(QWidget):
    """All settings in a grid.

    Signals:
        moved(str, object): the user set the setting of this name to this value.
    """

    moved = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QSlider | DropDown] = {}
        self._knobs: dict[str, Knob] = {}
        self._values: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def show_knobs(self, knobs: tuple[Knob, ...]) -> None:
        """Show these settings; existing names keep their widgets."""
        for row, knob in enumerate(knobs):
            if knob.name not in self.fields:
                self._add(row, knob)
            self._knobs[knob.name] = knob
            field = self.fields[knob.name]
            with QSignalBlocker(field):
                if isinstance(field, QSlider):
                    field.setRange(0, len(knob.values) - 1)

    def show_values(self, values: dict[str, Any], today: dict[str, Any]) -> None:
        """Show every value, and highlight those that differ from today's."""
        for name, value in values.items():
            knob, field = self._knobs[name], self.fields[name]
            with QSignalBlocker(field):
                if isinstance(field, QSlider):
                    field.setValue(knob.position(value))
                else:
                    field.setCurrentIndex(knob.position(value))
            now, was = knob.words(value), knob.words(today[name])
            changed = value != today[name]
            if name in self._values:
                self._values[name].setText(now)
            field.setAccessibleDescription(
                tr("{told}; {was} today").format(told=now, was=was) if changed else now
            )
            shown = self._names[name]
            shown.setText(f"{knob.label} •" if changed else knob.label)
            shown.setToolTip(tr("{hint}\nToday: {was}").format(hint=knob.hint, was=was))
            field.setToolTip(shown.toolTip())

    def _add(self, row: int, knob: Knob) -> None:
        name = self._names[knob.name] = label(knob.label, "dim")
        if knob.choice:
            box = DropDown()
            box.setMinimumContentsLength(6)
            box.addItems([knob.words(value) for value in knob.values])
            box.activated.connect(lambda at, key=knob.name: self._moved(key, at))
            self.fields[knob.name] = box
            self._grid.addWidget(box, row, 1, 1, 2)
        else:
            slider = _Slider(Qt.Orientation.Horizontal)
            slider.setMinimumWidth(_LEAST_SLIDER_PX)
            slider.setPageStep(4)
            slider.valueChanged.connect(lambda at, key=knob.name: self._moved(key, at))
            value = self._values[knob.name] = label("", "figuresStrong")
            value.setMinimumWidth(_VALUE_PX)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.fields[knob.name] = slider
            self._grid.addWidget(slider, row, 1)
            self._grid.addWidget(value, row, 2)
        self.fields[knob.name].setAccessibleName(knob.label)
        name.setBuddy(self.fields[knob.name])
        self._grid.addWidget(name, row, 0)

    def _moved(self, name: str, at: int) -> None:
        self.moved.emit(name, self._knobs[name].values[at])


class SplitBars(QWidget):
    """A bar per report: keys and values, then states."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.planes: list[tuple[int, int]] = []
        self.setFixedHeight(2 * _BAR_PX + _GAP_PX)
        self.setAccessibleName(tr("How the device's memory is divided"))

    def show_reports(self, today: ReplayReport | None, predicted: ReplayReport | None) -> None:
        """Show the bytes of KV and states at the end of each."""
        known = [report for report in (today, predicted) if report is not None]
        self.planes = [plane_bytes(report) for report in known]
        text = in_turn(
            *(
                tr("{name}: {kv} keys and values, {state} states.").format(
                    name=name, kv=fmt.byte_size(kv), state=fmt.byte_size(state)
                )
                for name, (kv, state) in zip(
                    (tr("Today", "as it is set"), tr("Predicted")), self.planes, strict=False
                )
            )
        )
        self.setToolTip(text)
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setFont(theme.ui_font(theme.SMALL_PX))
        most = max((kv + state for kv, state in self.planes), default=0)
        room = self.width() - _LEFT_PX
        for number, name in enumerate((tr("today"), tr("predicted"))):
            top = number * (_BAR_PX + _GAP_PX)
            painter.setPen(look.colour("faint"))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, top, _LEFT_PX, _BAR_PX), left, name)
            if number >= len(self.planes) or not most:
                painter.fillRect(QRectF(_LEFT_PX, top, room, _BAR_PX), look.colour("track"))
                continue
            kv, state = self.planes[number]
            first = QRectF(_LEFT_PX, top, room * kv / most, _BAR_PX)
            second = QRectF(first.right(), top, room * state / most, _BAR_PX)
            painter.fillRect(first, look.colour("kv_cached"))
            painter.fillRect(second, look.colour("state_cached"))
            stripes = QBrush(look.colour("window", 0.35), Qt.BrushStyle.Dense6Pattern)
            painter.fillRect(second, stripes)
            self._name(painter, first, "KV")
            self._name(painter, second, tr("states"))
        painter.end()

    def _name(self, painter: QPainter, area: QRectF, name: str) -> None:
        if painter.fontMetrics().horizontalAdvance(name) + 8 < area.width():
            painter.setPen(theme.current().colour("window" if theme.current().dark else "text"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, name)


def plane_bytes(report: ReplayReport) -> tuple[int, int]:
    """Bytes of keys and values and of states at the end of a replay."""
    settings = report.settings
    return (
        report.kv_slots * settings.kv_slot_bytes,
        report.state_slots * settings.state_slot_bytes,
    )


class FigureTable(QWidget):
    """One line per figure; better and worse are marked by a sign and a colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._cells: list[list[QLabel]] = []
        for column, heading in enumerate(_HEADINGS):
            self._place(label(heading, "section"), 0, column)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        while len(self._cells) < len(figures):
            row = [label("", "dim"), *(label("", "figuresStrong") for _ in range(3))]
            self._cells.append(row)
            for column, cell in enumerate(row):
                self._place(cell, len(self._cells), column)
        for at, row in enumerate(self._cells):
            for cell in row:
                cell.setVisible(at < len(figures))
            if at < len(figures):
                self._show(row, figures[at])

    def text(self) -> list[list[str]]:
        """The texts of each line."""
        return [[cell.text() for cell in row] for row in self._cells if not row[0].isHidden()]

    def _show(self, row: list[QLabel], figure: Figure) -> None:
        change = f"{_ARROWS[figure.verdict]}{figure.change}" if figure.change else ""
        texts = (figure.name, figure.today, figure.predicted, change)
        for cell, text in zip(row, texts, strict=True):
            cell.setText(text)
            cell.setToolTip(figure.hint)
        kind = _KINDS[figure.verdict]
        if row[3].property("kind") != kind:
            row[3].setProperty("kind", kind)
            row[3].style().polish(row[3])
        row[0].setAccessibleDescription(
            tr("today {today}, predicted {predicted}").format(
                today=figure.today, predicted=figure.predicted
            )
        )

    def _place(self, cell: QLabel, row: int, column: int) -> None:
        if column:
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(cell, row, column)


class WhatIfPanel(DebugPanel):
    """Predicts while it is on screen, in a separate process.

    Attributes:
        study: the settings and predictions.
        knobs, table, split, plot, curve: see their classes.
        said: the prediction in a sentence, or why there is none.
        apply, undo, reset: the buttons.
        remembered: the settings for the next start.
        swept: chooses the slider of the curve.
        area: scrolls the panel.
    """

    title = tr("What if")
    name = "what-if"

    def __init__(self, state: DebugState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.setMinimumWidth(_LEAST_WIDTH_PX)
        self.study = Study()
        self._former: list[Wanted] = []
        # The model that `_former` belongs to.
        self._former_of = ""
        self._make_widgets()
        self._lay_out()
        self._rest, self._poll = QTimer(self), QTimer(self)
        self._rest.setSingleShot(True)
        self._poll.setInterval(_POLL_MS)
        self._rest.timeout.connect(self._ask)
        self._poll.timeout.connect(self._take)
        self.knobs.moved.connect(self._move)
        self.swept.activated.connect(self._sweep)
        self.curve.chosen.connect(lambda value: self._move(self.study.swept, value))
        self.plot.chosen.connect(lambda number: state.choose(Chosen(request=number)))
        self.apply.clicked.connect(self._apply)
        self.undo.clicked.connect(self._undo)
        self.reset.clicked.connect(self._reset)
        state.what_if_wanted.connect(self.fill)
        self._show_settings()
        self._show_results()

    def fill(self, what_if: WhatIf) -> None:
        """Set the sliders to a suggestion."""
        self.study.fill(what_if)
        self._show_settings()
        self._show_results()
        self._ask_soon(_REST_MS)

    def show_source(self) -> None:
        source = self.state.source
        disk = None if source is None or not source.live else _disk_budget(self.state)
        if source is not None and source.model is not None:
            if source.model.folder != self._former_of:
                self._former.clear()
            self._former_of = source.model.folder
        self.study.show(None if source is None else source.tape, disk or SOME_DISK)
        self._show_settings()
        self._show_results()
        self._ask_soon(_REST_MS)

    def follow(self) -> None:
        self._show_remembered()
        self._ask_soon(_ARRIVAL_MS)

    def show_chosen(self) -> None:
        self.plot.show_request(self.state.chosen.request)

    def show_on_screen(self) -> None:
        if self.on_screen:
            self._ask_soon(0)
        else:
            self._stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _stop(self) -> None:
        self._rest.stop()
        self._poll.stop()
        self.study.close()

    def restyle(self) -> None:
        for part in (self.split, self.plot, self.curve):
            part.update()

    # ---- widgets

    def _make_widgets(self) -> None:
        self.said = label("", "strong", wrap=True)
        self.busy = QProgressBar()
        self.busy.setTextVisible(False)
        self.busy.setFixedHeight(3)
        self.busy.setAccessibleName(tr("Predicting"))
        self.knobs = KnobRows()
        self.apply = _button(tr("Apply"), "primarySmall")
        self.undo = _button(tr("Undo"), "small")
        self.undo.setToolTip(tr("Return to the settings before the last Apply, and remember those"))
        self.reset = _button(tr("Reset"), "small")
        self.reset.setToolTip(tr("All sliders as the settings are now"))
        self.consequence = label("", "faint", wrap=True)
        self.remembered = label("", "faint", wrap=True)
        self.table = FigureTable()
        self.split = SplitBars()
        self.plot = RequestsPlot()
        self.swept = DropDown()
        self.swept.setAccessibleName(tr("Curve by"))
        self.curve = Curve()
        self.hint = label("", "faint", wrap=True)
        self.note = label("", "faint", wrap=True)

    def _lay_out(self) -> None:
        buttons, sweep = QHBoxLayout(), QHBoxLayout()
        for button in (self.apply, self.undo, self.reset):
            buttons.addWidget(button)
        buttons.addStretch(1)
        sweep.addWidget(label(tr("REUSE BY"), "section"))
        sweep.addWidget(self.swept, 1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        for part in (self.said, self.busy, self.knobs, buttons):
            column.addLayout(part) if isinstance(part, QHBoxLayout) else column.addWidget(part)
        for below in (self.consequence, self.remembered, self.table):
            column.addWidget(below)
        column.addWidget(label(tr("DEVICE MEMORY"), "section"))
        column.addWidget(self.split)
        column.addWidget(label(tr("REQUESTS: REUSED, REPLAYED, NEW"), "section"))
        column.addWidget(self.plot)
        column.addLayout(sweep)
        column.addWidget(self.curve)
        column.addWidget(self.hint)
        column.addWidget(self.note)
        column.addStretch(1)
        area = self.area = QScrollArea()
        area.setAccessibleName(tr("What if"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    # ---- user actions

    def _move(self, name: str, value: Any) -> None:
        self.study.set(name, value)
        self._show_settings()
        self._show_results()
        self._ask_soon(_REST_MS)

    def _reset(self) -> None:
        self.study.reset()
        self._show_settings()
        self._show_results()
        self._ask_soon(0)

    def _sweep(self, at: int) -> None:
        self.study.sweep(str(self.swept.itemData(at)))
        self._show_results()
        self._ask_soon(0)

    def _apply(self) -> None:
        self._former.append(self.study.base)
        self._change_to(self.study.wanted)

    def _undo(self) -> None:
        former = self._former.pop()
        # Skip changes that the engine refused.
        while former == self.study.base and self._former:
            former = self._former.pop()
        self.study.wanted = former
        if self.study.changes:
            self._change_to(former, undo=True)

    def _change_to(self, wanted: Wanted, *, undo: bool = False) -> None:
        changes = wanted.differing(self.study.base)
        reopen = not (LIVE | OF_DRAFTS).issuperset(changes)
        self.state.settings_wanted.emit(SettingsChange(config_fields(changes), reopen, undo))
        self._show_settings()

    # ---- predicting

    def _ask_soon(self, delay_ms: int) -> None:
        if self.on_screen and not (self._rest.isActive() and delay_ms == _ARRIVAL_MS):
            self._rest.start(delay_ms)

    def _ask(self) -> None:
        """Read the tape, then request a prediction if anything is new."""
        study = self.study
        base = study.base
        if not study.follow(_PORTION_S):
            self._rest.start(0)
            return
        if study.base != base:
            self._show_settings()
        if not study.requests:
            self._show_results()
            return
        if study.stale or study.predicted is None or not any(study.points):
            study.ask()
            self._poll.start()
            self._show_results()

    def _take(self) -> None:
        if self.study.take():
            self._show_results()
        if not self.study.working:
            self._poll.stop()

    # ---- showing

    def _show_settings(self) -> None:
        study = self.study
        self.knobs.show_knobs(tuple(study.knobs.values()))
        names = tuple(study.knobs)
        self.knobs.show_values(
            {name: getattr(study.wanted, name) for name in names},
            {name: getattr(study.base, name) for name in names},
        )
        with QSignalBlocker(self.swept):
            self.swept.clear()
            for knob in study.knobs.values():
                if not knob.choice and knob.name not in OF_DRAFTS:
                    self.swept.addItem(knob.label, knob.name)
            self.swept.setCurrentIndex(self.swept.findData(study.swept))
        live = self.state.source is not None and self.state.source.live
        changes = study.changes
        self.apply.setEnabled(live and bool(config_fields(changes)))
        stays = (LIVE | OF_DRAFTS).issuperset(changes)
        self.apply.setText(tr("Apply") if stays else tr("Apply and reopen"))
        self.apply.setToolTip("" if live else tr("These are the settings of a file."))
        self.undo.setEnabled(live and bool(self._former))
        self.reset.setEnabled(bool(changes))
        self.consequence.setText(_consequence(changes, live=live))
        self.consequence.setVisible(bool(self.consequence.text()))
        self._show_remembered()

    def _show_remembered(self) -> None:
        source = self.state.source
        live = source if isinstance(source, LiveSource) else None
        text = "" if live is None else remembered_text(live.remembered, live.overruled)
        self.remembered.setText(text)
        self.remembered.setVisible(bool(text))

    def _show_results(self) -> None:
        study = self.study
        today, predicted = study.today, study.predicted
        self.said.setText(self._sentence())
        done = study.progress
        self.busy.setRange(0, done[1] if done is not None else 1)
        self.busy.setValue(done[0] if done is not None else 0)
        self.busy.setVisible(done is not None and study.predicted is None)
        self.table.setVisible(today is not None)
        if today is not None:
            self.table.show_figures(figures(today, predicted, study.base))
        self.split.show_reports(today, predicted)
        self.plot.show_reports(today, predicted)
        knob = study.knobs[study.swept]
        self.curve.show_sweep(
            knob, study.points, getattr(study.base, knob.name), getattr(study.wanted, knob.name)
        )
        top = best(study.points)
        known = top is not None and all(point is not None for point in study.points)
        self.hint.setText(
            tr("Most is reused from {words} on: {reused:.1%}.").format(
                words=knob.words(top.value), reused=top.reused
            )
            if top is not None and known
            else ""
        )
        self.note.setText("" if today is None else self._notes(today, predicted))

    def _notes(self, today: Any, predicted: Any) -> str:
        notes = [recorded_text(today)]
        if disk := disk_note(predicted or today):
            notes.append(disk)
        if study_time := self.study.seconds:
            notes.append(
                tr("Predicted in {study_time}.").format(study_time=fmt.seconds(study_time))
            )
        return in_turn(*notes)

    def _sentence(self) -> str:
        study = self.study
        if study.sentence:
            return said(study.sentence)
        if not study.requests:
            return tr("No request has been recorded yet. Send a message, or open a trace.")
        if study.today is None or study.predicted is None:
            return tr("Replaying {requests}…").format(
                requests=fmt.plural(study.requests, "request")
            )
        if not study.changes:
            return tr(
                "{requests}. Move a slider to see what other settings would have done."
            ).format(requests=fmt.plural(study.requests, "recorded request"))
        return verdict_sentence(study.today, study.predicted)


def _consequence(changes: dict[str, Any], *, live: bool) -> str:
    """The side effects of applying changes."""
    if not changes:
        return ""
    if not live:
        return tr("Open the debugger on the engine itself to apply these.")
    if OF_DRAFTS.issuperset(changes):
        return tr("Drafts are set in Settings > Model and device.")
    if (LIVE | OF_DRAFTS).issuperset(changes):
        return tr("Applied between two requests; the cache stays.")
    return tr(
        "This opens the model again. Conversations stay; what is in the cache "
        "comes back from disk, if there is a disk tier."
    )


def _disk_budget(state: DebugState) -> int | None:
    snapshot = state.moment.snapshot
    return None if snapshot is None or snapshot.disk is None else snapshot.disk.budget_bytes


def _button(text: str, kind: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("kind", kind)
    return made
