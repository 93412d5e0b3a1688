"""The tab "Two memories": tokens fed one by one to growing entries and a state of fixed size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.core.session.lab import LabAnswers, MemoryQuestion
from app.core.words.joining import listed, titled
from app.core.words.tr import tr
from app.lab.asking_tab import AskingTab, glossed
from app.lab.logic.memory_words import (
    INTRODUCTION,
    NO_ENTRIES,
    NO_STATE,
    entries_line,
    figures,
    readback_line,
    state_line,
    token_line,
    window_line,
)
from app.lab.logic.tables import memories_csv
from app.ui import motion, theme
from app.ui.theme import Theme
from app.ui.widgets import MEASURE_PX, DropDown, label, measured, rule
from engine.cache_shape import CacheShape, LayerKind
from engine.readings import MemoryReading, StateHead, StateSeries

_FIGURES = 7
# Shorter than the time between two tokens when they are played.
_WRITING_MS = 240
_SIDE_PX = 112
_LEFT_PX, _MOST_PX = 52, 26


class TokenBars(QWidget):
    """Columns of equal width, which align with those of strips of the same count.

    Attributes:
        count: number of columns.
        at: the newest filled column; later ones are empty.
        texts: the tokens, for tooltips.
        grown: how much of the newest bar has grown, 0 to 1.

    Signals:
        picked: a column was pressed.
    """

    picked = Signal(int)

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.count = 0
        self.at = -1
        self.texts: tuple[str, ...] = ()
        self.grown = 1.0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height)
        self.setMinimumWidth(300)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(600, self.height())

    @property
    def plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT_PX, 2, -2, -2)

    @property
    def step(self) -> float:
        """Width of a column, including its gap."""
        return min(float(_MOST_PX), self.plot.width() / max(1, self.count))

    def column(self, index: int) -> QRectF:
        """The area of a token's column, over the whole height."""
        gap = 1.0 if self.step >= 4 else 0.0
        area = self.plot
        return QRectF(area.left() + index * self.step, area.top(), self.step - gap, area.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.index_at(event.position())
        words = "" if index is None else self.hint(index)
        QToolTip.showText(event.globalPosition().toPoint(), words, self)

    def index_at(self, place: QPointF) -> int | None:
        index = int((place.x() - self.plot.left()) // self.step)
        return index if 0 <= index < self.count else None

    def hint(self, index: int) -> str:
        """The tooltip of a column."""
        return ""

    def paint_ground(self, painter: QPainter, look: Theme) -> None:
        """The background of every column."""
        for index in range(self.count):
            painter.fillRect(self.column(index), look.colour("track", 0.55))

    def paint_now(self, painter: QPainter, look: Theme) -> None:
        """A frame around the newest column."""
        if 0 <= self.at < self.count:
            painter.setPen(QPen(look.colour("text"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.column(self.at).adjusted(-0.5, 0, 0.5, 0))

    def paint_name(self, painter: QPainter, look: Theme, text: str, place: QRectF) -> None:
        painter.setFont(theme.ui_font(11))
        painter.setPen(look.colour("faint"))
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


class EntryBars(TokenBars):
    """Keys upwards, values downwards, each as long as its norm; entries are only added."""

    def __init__(self) -> None:
        super().__init__(tr("Entries of the layer"), 84)
        self._keys: Sequence[float] = ()
        self._values: Sequence[float] = ()

    def show_entries(
        self, texts: tuple[str, ...], keys: Sequence[float], values: Sequence[float], at: int
    ) -> None:
        self.texts, self._keys, self._values = texts, keys, values
        self.count, self.at = len(texts), at
        self.update()

    def hint(self, index: int) -> str:
        if index > self.at:
            return tr("not yet fed")
        return tr("{texts}: key {keys:.3g}, value {values:.3g}").format(
            texts=self.texts[index], keys=self._keys[index], values=self._values[index]
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        self.paint_ground(painter, look)
        if self.count:
            self._paint_half(painter, self._keys, look.colour("kv_locked"), up=True)
            self._paint_half(painter, self._values, look.colour("kv_cached"), up=False)
            area = self.plot
            half = area.height() / 2
            for name, top in ((tr("keys"), area.top()), (tr("values"), area.top() + half)):
                self.paint_name(painter, look, name, QRectF(0, top, _LEFT_PX - 8, half))
            self.paint_now(painter, look)
        painter.end()

    def _paint_half(
        self, painter: QPainter, norms: Sequence[float], colour: QColor, *, up: bool
    ) -> None:
        most = max(norms, default=1.0) or 1.0
        for index in range(self.at + 1):
            place = self.column(index)
            middle, half = place.center().y(), place.height() / 2 - 1
            long = half * norms[index] / most * (self.grown if index == self.at else 1.0)
            top = middle - long if up else middle + 1
            painter.fillRect(QRectF(place.left(), top, place.width(), long), colour)


class ValueBars(TokenBars):
    """A value of at most 1 for each token fed so far; negative ones are below the line."""

    def __init__(self, name: str, of: str, height: int, token: str, below: float) -> None:
        """`of` names one value; `below` is the share of the height for negative ones."""
        super().__init__(name, height)
        self._of, self._token, self._below = of, token, below
        self._values: Sequence[float] = ()

    def show_values(self, texts: tuple[str, ...], values: Sequence[float], at: int) -> None:
        self.texts, self._values, self.count, self.at = texts, values, len(texts), at
        self.update()

    def hint(self, index: int) -> str:
        if index > self.at:
            return tr("not yet fed")
        return titled(self.texts[index], f"{self._of} {self._values[index]:.2f}")

    def bar(self, index: int) -> QRectF:
        """The filled part of a column."""
        area, place, value = self.plot, self.column(index), self._values[index]
        zero = area.bottom() - area.height() * self._below
        end = zero - min(value, 1.0) * (zero - area.top())
        bar = QRectF(place.left(), min(zero, end), place.width(), abs(zero - end))
        return bar.intersected(area)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        self.paint_ground(painter, look)
        if self.count:
            self._paint_values(painter, look)
            self.paint_now(painter, look)
        painter.end()

    def _paint_values(self, painter: QPainter, look: Theme) -> None:
        area = self.plot
        zero = area.bottom() - area.height() * self._below
        for index, value in enumerate(self._values[: self.at + 1]):
            token = self._token if value >= 0 else "danger"
            colour = look.colour(token, min(1.0, 0.35 + 0.65 * abs(value)))
            painter.fillRect(self.bar(index), colour)
        for text, y in (("1", area.top() + 5), ("0", zero - 2)):
            self.paint_name(painter, look, text, QRectF(0, y - 7, _LEFT_PX - 8, 14))
        painter.setPen(QPen(look.colour("faint"), 1))
        right = self.column(self.count - 1).right()
        painter.drawLine(QPointF(area.left(), zero), QPointF(right, zero))


class StateBlock(QWidget):
    """`rows` by `columns` cells in a square of fixed size.

    Attributes:
        turned: how far they have turned from the cells shown before to these, 0 to 1.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._cells = self._before = b""
        self.turned = 1.0
        self._rows = self._columns = 0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(_SIDE_PX, _SIDE_PX)

    def sizeHint(self) -> QSize:
        return QSize(_SIDE_PX, _SIDE_PX)

    def show_cells(self, cells: bytes, rows: int, columns: int) -> None:
        """Show one byte per cell, row by row; empty for no state."""
        self._before = self._cells if len(self._cells) == len(cells) else cells
        self._cells, self._rows, self._columns = cells, rows, columns
        self.update()

    def image(self) -> QImage:
        """One pixel per cell, from the theme's colour for empty to that for full."""
        look = theme.current()
        low, high = look.colour("state_free"), look.colour("state_live")
        image = QImage(self._columns, self._rows, QImage.Format.Format_Indexed8)
        image.setColorTable([_mixed(low, high, level / 255).rgb() for level in range(256)])
        for at, (before, after) in enumerate(zip(self._before, self._cells, strict=True)):
            level = round(before + (after - before) * self.turned)
            image.setPixel(at % self._columns, at // self._columns, level)
        return image

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._cells:
            painter.drawImage(area, self.image())
        painter.setPen(QPen(look.colour("border"), 1))
        painter.drawRect(area)
        painter.end()


def _mixed(low: QColor, high: QColor, share: float) -> QColor:
    reds, greens, blues = (
        (low.redF(), high.redF()),
        (low.greenF(), high.greenF()),
        (low.blueF(), high.blueF()),
    )
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in (reds, greens, blues)))


class MemoriesTab(AskingTab):
    """Shows a MemoryReading at one of its tokens.

    Attributes:
        full, linear: choose the layers.
        kv_head, head: choose a head of each.
        entries, changes, readback, state, written: the pictures.
        token, entries_words, state_words, readback_words: sentences.
        figures: the labels of each figure: its name, and the value.
    """

    legend = (
        ("kv_locked", tr("norm of the key")),
        ("kv_cached", tr("norm of the value")),
        ("state_cached", tr("change of the state")),
        ("state_locked", tr("value read back")),
        ("state_live", tr("largest numbers of the state")),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape: CacheShape | None = None
        self._only: Sequence[int] = ()
        self._reading: MemoryReading | None = None
        self._running = False
        self._writing = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=_WRITING_MS)
        self._writing.valueChanged.connect(self._show_writing)
        self.transport.moved.connect(self._step_token)
        self.full, self.linear = _choice(tr("Layer of full attention")), _choice(tr("Linear layer"))
        self.kv_head, self.head = (
            _choice(tr("Head of keys and values")),
            _choice(tr("Head of the state")),
        )
        self.entries = EntryBars()
        self.changes = ValueBars(tr("Changes of the state"), "change", 40, "state_cached", 0.0)
        self.readback = ValueBars(tr("Values read back"), "cosine", 62, "state_locked", 0.15)
        for strip in (self.entries, self.changes, self.readback):
            strip.picked.connect(self.transport.go)
        self.state, self.written = (
            StateBlock(tr("The state")),
            StateBlock(tr("What the token wrote")),
        )
        self.token = label("", "title")
        self.entries_words, self.state_words, self.readback_words = (glossed() for _ in range(3))
        self.figures: list[tuple[QLabel, QLabel]] = []
        self._build()
        for layers in (self.full, self.linear):
            layers.currentIndexChanged.connect(self.ask)
        for heads in (self.kv_head, self.head):
            heads.currentIndexChanged.connect(self._show_token)
        self._show_reading(None)

    @property
    def reading(self) -> MemoryReading | None:
        """What is on screen; None while another one is on its way."""
        return None if self._running else self._reading

    @property
    def state_head(self) -> StateHead | None:
        """The head of the state on screen."""
        found = None if self._reading is None else self._reading.state
        return None if found is None else found.heads[self._head_number(found)]

    def go(self, position: int) -> None:
        self.transport.go(position)

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        parts: dict[str, QWidget] = {
            "entries": self.entries,
            "state": self.state,
            "written": self.written,
            "readback": self.readback,
            "kept": self.figures[2][1],
            "changed": self.figures[1][1],
        }
        columns = {"entry": self.entries, "change": self.changes}
        if name in columns and self.transport.count:
            return columns[name], columns[name].column(self.transport.at)
        part = parts.get(name)
        return None if part is None else (part, QRectF(part.rect()))

    def show_shape(self, shape: CacheShape | None, only: Sequence[int] = ()) -> None:
        """Offer the layers of a model, or `only` those; None: it has no cache."""
        if (shape, only) == (self._shape, self._only):
            return
        self._shape, self._only = shape, only
        kinds = () if shape is None else shape.kinds
        kinds_of: tuple[tuple[DropDown, LayerKind], ...] = (
            (self.full, "full"),
            (self.linear, "linear"),
        )
        for choice, wanted in kinds_of:
            layers = [
                at for at, kind in enumerate(kinds) if kind == wanted and (not only or at in only)
            ]
            _offer(choice, {tr("Layer {at}").format(at=at): at for at in layers})
        for choice, heads in (
            (self.kv_head, shape.kv_heads if shape else 0),
            (self.head, shape.state_heads if shape else 0),
        ):
            _offer(choice, {tr("Head {at}").format(at=at): at for at in range(heads)})

    def show_answers(self, lab: LabAnswers) -> None:
        """Show the progress of the question, and the answer."""
        self._running = isinstance(lab.open, MemoryQuestion)
        done = "" if lab.memory is None else window_line(lab.memory)
        self.source.show_state(lab, self._running, done)
        if lab.memory is not self._reading:
            self._show_reading(lab.memory)

    def ask(self) -> None:
        """Ask about the source with the selected layers."""
        if self._shape is not None and self.source.ready:
            self.wanted.emit(
                MemoryQuestion(
                    self.source.typed, self.full.currentData(), self.linear.currentData()
                )
            )

    def settings(self) -> tuple[str, ...]:
        reading = self._reading
        if reading is None:
            return ()
        full = listed((self.full.currentText(), self.kv_head.currentText()))
        linear = listed((self.linear.currentText(), self.head.currentText()))
        at = token_line(reading, self.transport.at)
        return (
            tr("Full attention: {full}. Linear attention: {linear}").format(
                full=full, linear=linear
            ),
            at,
            window_line(reading),
        )

    def as_table(self) -> Callable[[], str] | None:
        reading = self._reading
        return None if reading is None else lambda: memories_csv(reading)

    def _show_reading(self, reading: MemoryReading | None) -> None:
        before, self._reading = self._reading, reading
        self._content.setEnabled(reading is not None)
        count = 0 if reading is None else len(reading.texts)
        # Keep the position if only the layer changed.
        same = reading is not None and before is not None and before.texts == reading.texts
        self.transport.show_count(count, self.transport.at if same else count - 1)
        self._show_token()

    def _step_token(self) -> None:
        """Show a token that was just fed: its bar grows, and the state turns into the next one."""
        if motion.reduced() or not self.isVisible():
            self._show_token()
            return
        self._writing.stop()
        self._show_token()
        self._writing.start()

    def _show_writing(self, share: float) -> None:
        self.entries.grown = self.state.turned = self.written.turned = share
        for part in (self.entries, self.state, self.written):
            part.update()

    def _head_number(self, found: StateSeries) -> int:
        return min(max(0, self.head.currentIndex()), len(found.heads) - 1)

    def _show_token(self) -> None:
        reading, at = self._reading, self.transport.at
        self.token.setText("" if reading is None else token_line(reading, at))
        self._show_entries(reading, at)
        self._show_state(reading, at)
        self.changed.emit()

    def _show_entries(self, reading: MemoryReading | None, at: int) -> None:
        found = None if reading is None else reading.entries
        if reading is None or found is None or self._shape is None:
            self.entries.show_entries((), (), (), -1)
            self.entries_words.setText("" if reading is None else NO_ENTRIES)
            return
        head = min(max(0, self.kv_head.currentIndex()), len(found.keys) - 1)
        self.entries.show_entries(reading.texts, found.keys[head], found.values[head], at)
        words = entries_line(reading, found, self._shape, at)
        self.entries_words.setText(words)
        self.entries.setAccessibleDescription(words)

    def _show_state(self, reading: MemoryReading | None, at: int) -> None:
        found = None if reading is None else reading.state
        if reading is None or found is None or self._shape is None:
            for block in (self.state, self.written):
                block.show_cells(b"", 0, 0)
            self.changes.show_values((), (), -1)
            self.readback.show_values((), (), -1)
            self._show_figures(())
            self.state_words.setText("" if reading is None else NO_STATE)
            self.readback_words.setText("")
            return
        number = self._head_number(found)
        head = found.heads[number]
        self.state.show_cells(head.pictures[at], found.rows, found.columns)
        self.written.show_cells(head.written[at], found.rows, found.columns)
        self.changes.show_values(reading.texts, head.changes, at)
        self.readback.show_values(reading.texts, head.readback[at], at)
        self._show_figures(figures(found, number, at))
        self.state_words.setText(state_line(found, number, self._shape, at))
        self.readback_words.setText(readback_line(reading, head, at))
        for picture, words in (
            (self.state, self.state_words),
            (self.written, self.state_words),
            (self.changes, self.state_words),
            (self.readback, self.readback_words),
        ):
            picture.setAccessibleDescription(words.text())

    def _show_figures(self, found: Sequence[tuple[str, str]]) -> None:
        for place, (name, value) in enumerate(self.figures):
            known = found[place] if place < len(found) else ("", "")
            name.setText(known[0])
            value.setText(known[1])

    def _build(self) -> None:
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 4, 8, 4)
        column.setSpacing(8)
        walk = QHBoxLayout()
        walk.setSpacing(14)
        walk.addWidget(self.transport, 3)
        walk.addWidget(self.token, 2)
        column.addLayout(walk)
        column.addWidget(rule())
        column.addLayout(_head(tr("FULL ATTENTION APPENDS"), self.full, self.kv_head))
        column.addWidget(self.entries)
        column.addLayout(measured(self.entries_words))
        column.addWidget(rule())
        column.addLayout(_head(tr("LINEAR ATTENTION OVERWRITES"), self.linear, self.head))
        column.addLayout(self._state_row())
        column.addWidget(label(tr("HOW MUCH EACH TOKEN CHANGED THE STATE"), "section"))
        column.addWidget(self.changes)
        column.addWidget(label(tr("VALUES THAT CAN BE READ BACK FROM THE STATE"), "section"))
        column.addWidget(self.readback)
        column.addLayout(measured(self.readback_words))
        column.addStretch(1)
        self.fill(self._content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(22, 12, 12, 10)
        outer.setSpacing(8)
        outer.addWidget(glossed(INTRODUCTION))
        outer.addWidget(self.source)
        outer.addWidget(self.body, 1)

    def _state_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(14)
        for block, name in (
            (self.state, tr("the state")),
            (self.written, tr("what this token wrote")),
        ):
            part = QVBoxLayout()
            part.setSpacing(2)
            part.addWidget(block)
            part.addWidget(label(name, "faint"))
            row.addLayout(part)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(1)
        for place in range(_FIGURES):
            title, value = glossed(), label("", "figuresStrong", selectable=True)
            title.setWordWrap(False)
            grid.addWidget(title, place, 0)
            grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
            self.figures.append((title, value))
        grid.setColumnMinimumWidth(0, 130)
        grid.setColumnMinimumWidth(1, 64)
        grid.setRowStretch(_FIGURES, 1)
        row.addLayout(grid)
        self.state_words.setMaximumWidth(MEASURE_PX)
        row.addWidget(self.state_words, 1000, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        return row


def _choice(name: str) -> DropDown:
    made = DropDown()
    made.setAccessibleName(name)
    return made


def _offer(choice: DropDown, numbers: dict[str, int]) -> None:
    """Replace the items, each with its number, without a signal."""
    choice.blockSignals(True)
    choice.clear()
    for name, number in numbers.items():
        choice.addItem(name, number)
    choice.setEnabled(len(numbers) > 1)
    choice.blockSignals(False)


def _head(name: str, *choices: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(label(name, "section"))
    row.addStretch(1)
    for choice in choices:
        row.addWidget(choice)
    return row
