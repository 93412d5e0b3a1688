"""In place of the tree while the engine is elsewhere: what it tells of its cache and what not."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.cache.counter_tracks import CounterTracks
from app.cache.unknown_painter import paint_unknown
from app.session.known_elsewhere import Known, known_elsewhere
from app.session.model import Session
from app.widgets import label
from app.words.joining import titled
from app.words.tr import tr

_SIGN_PX = 12
_MARGIN_PX = 8


class ElsewherePage(QScrollArea):
    """Lines of what is known and what is not, and the counters over time.

    Attributes:
        title: whose.
        events: where the engine publishes its KV events, for the caller to set.
        lines: what is on screen.
        tracks: the counters.
        show_tree: looks at the tree in the debugger, where that is possible.

    Signals:
        tree_wanted: it was pressed.
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
        # As the pane behind it.
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
    """A sign, what it is about, and a sentence."""

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
    """Filled: the engine tells it. Hatched: it does not."""

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
