"""Where the time to the first token went, as a bar with its figures."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.cache.planes import widths
from app.flow_row import FlowRow
from app.widgets import label
from app.words.tr import tr
from engine.trace.why.evidence import Times

_BAR_PX = 10
_KEY_PX = 10
_GAP_PX = 14


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the bar: its name, its colour's token, its pattern, its meaning."""

    name: str
    token: str
    pattern: Qt.BrushStyle
    meaning: str


_SOLID = Qt.BrushStyle.SolidPattern
PARTS = (
    Part(
        tr("lookup"), "kv_cached", _SOLID, tr("Rendering the prompt, and finding it in the cache")
    ),
    Part(tr("restore"), "state_cached", _SOLID, tr("Taking slots and copying the checkpoint")),
    Part(tr("replay"), "replayed", Qt.BrushStyle.BDiagPattern, tr("Running again what was known")),
    Part(tr("prefill"), "computed", _SOLID, tr("Running what is new")),
    Part(
        tr("first step"),
        "workspace",
        Qt.BrushStyle.Dense5Pattern,
        tr("The step of the first token"),
    ),
)


def parts_ms(times: Times) -> tuple[float, ...]:
    """Milliseconds of each of PARTS."""
    return (times.lookup, times.restore, times.replay, times.prefill, times.other)


def milliseconds(value: float) -> str:
    """12.4 -> "12 ms", 0.31 -> "0.3 ms", 2300 -> "2.3 s"."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 9.95 else f"{value:.1f} ms"


class TimesBar(QWidget):
    """A bar of milliseconds by part, and every figure under it.

    Attributes:
        figures: by part, its label.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = _Bar()
        self.figures = {part.name: label("–", "figures") for part in PARTS}
        row = FlowRow(_GAP_PX)
        for part in PARTS:
            row.add(_legend(part, self.figures[part.name]))
        self._row = row
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._bar)
        column.addWidget(row)

    def show_times(self, times: Times | None) -> None:
        values = (0.0,) * len(PARTS) if times is None else parts_ms(times)
        for part, value in zip(PARTS, values, strict=True):
            self.figures[part.name].setText("–" if times is None else milliseconds(value))
        said = (f"{p.name} {milliseconds(v)}" for p, v in zip(PARTS, values, strict=True))
        self.setAccessibleName(tr("Time to the first token"))
        self.setAccessibleDescription(", ".join(said))
        self._bar.values = values
        self._bar.update()
        self._row.arrange()


class _Bar(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.values: tuple[float, ...] = ()
        self.setFixedHeight(_BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().colour("track"))
        # Microseconds, so that the shares keep their digits.
        sizes = tuple(int(value * 1000) for value in self.values)
        at = 0.0
        for part, width in zip(PARTS, widths(sizes, self.width(), 1), strict=False):
            _fill(painter, QRectF(at, 0, width, _BAR_PX), part)
            at += width
        painter.end()


class _Key(QWidget):
    def __init__(self, part: Part) -> None:
        super().__init__()
        self._part = part
        self.setFixedSize(_KEY_PX, _KEY_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        _fill(painter, QRectF(self.rect()), self._part)
        painter.end()


def _legend(part: Part, figure: QWidget) -> QWidget:
    made = QWidget()
    made.setToolTip(part.meaning)
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(5)
    for piece in (_Key(part), label(part.name, "faint"), figure):
        row.addWidget(piece)
    return made


def _fill(painter: QPainter, area: QRectF, part: Part) -> None:
    look = theme.current()
    painter.fillRect(area, look.colour(part.token))
    if part.pattern is not _SOLID:
        stripes = QColor(look.colour("window", 0.5))
        painter.fillRect(area, QBrush(stripes, part.pattern))
