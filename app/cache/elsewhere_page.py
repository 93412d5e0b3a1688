"""The page shown instead of the tree for a remote engine: what it reports of its cache."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.cache.logic.counter_lines import line_of, value_text
from app.cache.unknown_painter import paint_unknown
from app.core.session.counters import Counters
from app.core.session.known_elsewhere import Known, known_elsewhere
from app.core.session.model import Session
from app.core.words.counter_words import TITLES
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import label
from engine.net.counters.known import Track

_SIGN_PX = 12
_MARGIN_PX = 8
_ROW_PX, _GAP_PX, _NAME_PX, _VALUE_PX, _AXIS_PX = 26, 4, 168, 76, 16
_MOVE_MS = 1000
_TOKENS = {"kv": "kv_cached", "state": "state_cached", "": "accent"}


class CounterTracks(QWidget):
    """Plots of the counters, which scroll with time while they are visible.

    Attributes:
        clock: seconds, as the engine's events have them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counters = Counters()
        self.clock: Callable[[], float] = time.perf_counter
        self.setAccessibleName(tr("Counters of the engine over two minutes"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self._moving = QTimer(self)
        self._moving.setInterval(_MOVE_MS)
        self._moving.timeout.connect(self.update)

    def show_counters(self, counters: Counters) -> None:
        self._counters = counters
        rows = [self._row_text(track) for track in counters.tracks]
        self.setAccessibleDescription("\n".join(rows))
        self.setToolTip("\n".join(rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        rows = len(self._counters.tracks)
        height = rows * (_ROW_PX + _GAP_PX) + _AXIS_PX if rows else 0
        return QSize(_NAME_PX + _VALUE_PX + 80, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        now = self.clock()
        top = 0.0
        for track in self._counters.tracks:
            self._paint_row(painter, track, top, now)
            top += _ROW_PX + _GAP_PX
        if top:
            self._paint_axis(painter, top)
        painter.end()

    def _plot(self, top: float) -> QRectF:
        wide = min(_NAME_PX, self.width() * 0.4)
        return QRectF(wide, top, max(20.0, self.width() - wide - _VALUE_PX), _ROW_PX)

    def _paint_row(self, painter: QPainter, track: Track, top: float, now: float) -> None:
        look = theme.current()
        plot = self._plot(top)
        line = line_of(self._counters.points[track.key], now, track.unit)
        painter.fillRect(plot, look.colour("track", 0.35))
        for first, end in line.gaps:
            width = (end - first) * plot.width()
            paint_unknown(painter, QRectF(plot.left() + first * plot.width(), top, width, _ROW_PX))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = look.colour(_TOKENS[track.plane])
        for run in line.runs:
            dots = [
                QPointF(plot.left() + x * plot.width(), plot.bottom() - 2 - y * (_ROW_PX - 4))
                for x, y in run
            ]
            foot = [QPointF(dots[-1].x(), plot.bottom()), QPointF(dots[0].x(), plot.bottom())]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour(_TOKENS[track.plane], 0.18))
            painter.drawPolygon(QPolygonF([*dots, *foot]))
            painter.setPen(QPen(colour, 1.6))
            painter.drawPolyline(QPolygonF(dots))
        painter.setPen(look.colour("dim"))
        names = QRectF(0, top, plot.left() - 8, _ROW_PX)
        middle = Qt.AlignmentFlag.AlignVCenter
        name = QFontMetrics(painter.font()).elidedText(
            TITLES[track.key], Qt.TextElideMode.ElideRight, int(names.width())
        )
        painter.drawText(names, int(middle | Qt.AlignmentFlag.AlignLeft), name)
        painter.setPen(look.colour("text"))
        values = QRectF(plot.right() + 4, top, _VALUE_PX - 4, _ROW_PX)
        said = value_text(self._counters.now(track.key), track.unit)
        painter.drawText(values, int(middle | Qt.AlignmentFlag.AlignRight), said)

    def _paint_axis(self, painter: QPainter, top: float) -> None:
        plot = self._plot(top)
        painter.setPen(theme.current().colour("faint"))
        area = QRectF(plot.left(), top, plot.width(), _AXIS_PX)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft), tr("2 min ago"))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), tr("now"))

    def _row_text(self, track: Track) -> str:
        value = value_text(self._counters.now(track.key), track.unit)
        return titled(TITLES[track.key], value)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._moving.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._moving.stop()


class ElsewherePage(QScrollArea):
    """Lines on what the engine reports and what not, and the counters over time.

    Attributes:
        title: names the engine.
        events: where the engine publishes its KV events, for the caller to set.
        lines: what is on screen.
        tracks: the counters.
        show_tree: opens the tree in the debugger, where that is possible.

    Signals:
        tree_wanted: `show_tree` was pressed.
    """

    tree_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("What the engine tells of its cache"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.events = ""
        self.lines: tuple[Known, ...] = ()
        self.show_tree = QPushButton(tr("Show the tree"))
        self.show_tree.setProperty("kind", "small")
        self.show_tree.setAccessibleName(tr("Show the engine's tree in the debugger"))
        self.show_tree.clicked.connect(self.tree_wanted)
        self._rows: list[_Row] = []
        self.tracks = CounterTracks()
        inner = QWidget()
        # Styled like the pane behind it.
        inner.setObjectName("column")
        self.title = label("", "section")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        self._column.setSpacing(10)
        self._column.addWidget(self.title)
        self._column.addWidget(self.show_tree, alignment=Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.tracks)
        self._column.addStretch(1)
        self.setWidget(inner)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def show_session(self, session: Session) -> None:
        model = session.engine.model
        if model is not None and model.remote:
            self.title.setText(tr("WHAT {program} TELLS").format(program=model.remote.upper()))
        lines = known_elsewhere(session, self.events)
        if lines != self.lines:
            self.lines = lines
            self._show_lines()
        self.tracks.show_counters(session.counters)

    def _show_lines(self) -> None:
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = [_Row(known) for known in self.lines]
        for at, row in enumerate(self._rows, 1):
            self._column.insertWidget(at, row)
        self.show_tree.setVisible(any(known.shows_tree for known in self.lines))


class _Row(QWidget):
    """A sign, a title, and a sentence."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(_Sign(known.told), alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(known.title))
        words.addWidget(label(known.sentence, "dim", wrap=True))
        row.addLayout(words, 1)
        self.setAccessibleName(titled(known.title, known.sentence))


class _Sign(QWidget):
    """Filled: the engine reports it. Hatched: it does not."""

    def __init__(self, told: bool) -> None:
        super().__init__()
        self._told = told
        self.setFixedSize(_SIGN_PX, _SIGN_PX + 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(0, 3, _SIGN_PX, _SIGN_PX)
        if self._told:
            painter.fillRect(area, theme.current().colour("reused"))
        else:
            paint_unknown(painter, area)
        painter.end()
