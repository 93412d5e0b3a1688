"""The legend of the tree's marks, and the filter by mark."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QIcon, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from app.cache.fading_painter import draw_span
from app.cache.logic.mark_table import BITS, CAPTIONS, KINDS, MARKS, MarkKind, kinds_of
from app.cache.marks import draw_mark, draw_pin
from app.core.words import format as fmt
from app.core.words.glossary import explained
from app.core.words.joining import listed, titled
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import FlowRow, label, set_tip

# Fates of evictions fade, so they are no marks of nodes.
_FATES = (
    ("lost", tr("lost"), tr("Just evicted, with no copy on any tier: hover to see why")),
    ("moved", tr("moved down"), tr("Just evicted, but still in host memory or on disk")),
    ("kept", tr("kept"), tr("Just left a tier, but a copy remains on the same or a faster one")),
)
# A chip is no node, either.
_FOLDED = ("folded", tr("folded"), tr("Several nodes as one: a dashed box"))
# The memory view draws shares of bytes instead of marks.
_SHARES = (
    ("kv share", tr("KV"), tr("Keys and values of a node and all that hangs on it: plain")),
    ("state share", tr("states"), tr("States of a node and all that hangs on it: hatched")),
    ("own", tr("its own"), tr("What the node alone holds: along the lower edge")),
    ("counted", tr("small ones"), tr("Nodes that are too small to be seen alone: dotted")),
)
_SHOWN = ("prefill", "decode", "fork", "tombstone", "locked", "lower", "quarantined")
ENTRIES = (
    *((KINDS[key].key, KINDS[key].word, KINDS[key].meaning) for key in _SHOWN[:4]),
    *_FATES,
    *((KINDS[key].key, KINDS[key].word, KINDS[key].meaning) for key in _SHOWN[4:]),
    _FOLDED,
)
Entries = tuple[tuple[str, str, str], ...]
_MARK_PX = 16
_GAP_PX = 10
_LEFT_PX = 4
_HEIGHT_PX = 18
_MARK_FILTER_GAP_PX = 2
_LINE_PX = 24
_ICON_PX = 18


def entries_of(view: str) -> Entries:
    """All legend entries of a view."""
    return (*own_entries(view), *_FATES) if view == "memory" else ENTRIES


def occurring(view: str, marks: int, others: Collection[str]) -> Entries:
    """The legend entries of a view for some bits of marks, and for other names of entries."""
    names = {kind.key for kind in kinds_of(marks)} | {name for name, *_ in _SHARES} | set(others)
    return tuple(entry for entry in entries_of(view) if entry[0] in names)


def own_entries(view: str) -> Entries:
    """Legend entries of a view that are no marks of nodes."""
    return (*_SHARES, _FOLDED) if view == "memory" else (_FOLDED,)


class TreeLegend(QWidget):
    """Draws each mark with a word, wrapped to the width."""

    def __init__(self, parent: QWidget | None = None, entries: Entries = ENTRIES) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFont(theme.ui_font(11))
        self.setAccessibleName(tr("Legend of the tree"))
        self._entries: Entries = ()
        self.show_entries(entries)

    @property
    def words(self) -> tuple[str, ...]:
        """The entries on screen."""
        return tuple(word for _, word, _ in self._entries)

    def show_entries(self, entries: Entries) -> None:
        """Show these entries: name, word and meaning of each."""
        self.explain(entries)
        if entries != self._entries:
            self._entries = entries
            self.updateGeometry()
            self.update()

    def explain(self, entries: Entries) -> None:
        """Explain these entries in the tooltip, whether they are shown or not."""
        set_tip(self, "\n".join(titled(word, meaning) for _, word, meaning in entries))
        self.setAccessibleDescription(self.toolTip())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return round(places[-1].y()) + _HEIGHT_PX if places else 0

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT_PX)

    def _places(self, width: int) -> list[QPointF]:
        """The upper left corner of each entry, in as many lines as needed."""
        metrics = self.fontMetrics()
        made, at = [], QPointF(_LEFT_PX, 0)
        for _, word, _ in self._entries:
            taken = _MARK_PX + 2 + metrics.horizontalAdvance(word)
            if at.x() > _LEFT_PX and at.x() + taken > width:
                at = QPointF(_LEFT_PX, at.y() + _HEIGHT_PX)
            made.append(at)
            at = at + QPointF(taken + _GAP_PX, 0)
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(6, _HEIGHT_PX / 2)
        for (kind, word, _), at in zip(self._entries, self._places(self.width()), strict=True):
            draw_kind(painter, look, kind, at + middle)
            painter.setPen(look.colour("faint"))
            width = painter.fontMetrics().horizontalAdvance(word)
            room = QRectF(at.x() + _MARK_PX + 2, at.y(), width + 2, _HEIGHT_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, word)
        painter.end()


def draw_kind(painter: QPainter, look: theme.Theme, kind: str, middle: QPointF) -> None:
    """Draw the legend icon of a mark, or of a fate of an eviction."""
    area = QRectF(middle.x() - 7, middle.y() - 5, 14, 10)
    if kind in _BARS:
        _BARS[kind](painter, look, area)
    elif kind in KINDS and KINDS[kind].letter:
        painter.setFont(theme.ui_font(10))
        painter.setPen(look.colour("dim"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, KINDS[kind].letter)
    else:
        # Other marks are drawn on a plain checkpoint.
        plain = BITS[kind] | (0 if kind in ("prefill", "decode", "fork") else BITS["prefill"])
        draw_mark(painter, look, middle, 6, plain)


def _resident(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, look.lane(0))


def _lower(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.setPen(look.lane(0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)


def _tombstone(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, QBrush(look.lane(0), Qt.BrushStyle.BDiagPattern))


def _untold(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, QBrush(look.lane(0), Qt.BrushStyle.DiagCrossPattern))


def _doubtful(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.setPen(QPen(look.colour("text"), 1, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)


def _locked(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, look.lane(0))
    line = QRectF(area.left(), area.bottom() + 1, area.width(), 2)
    painter.fillRect(line, look.colour("accent"))


def _pinned(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    draw_pin(painter, look, area.center() + QPointF(0, 5))


def _running(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colour("accent"))
    x, y = area.center().x(), area.center().y()
    painter.drawPolygon(
        QPolygonF([QPointF(x - 5, y - 4), QPointF(x + 5, y - 4), QPointF(x, y + 4)])
    )


def _lost(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    draw_span(painter, look, area, "lost", "pressed")


def _moved(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    draw_span(painter, look, area.adjusted(0, 0, 0, -3), "moved", "pressed")


def _kept(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area.adjusted(0, 0, 0, -3), look.colour("track"))
    draw_span(painter, look, area.adjusted(0, 0, 0, -3), "kept", "pressed")


def _folded(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.setPen(QPen(look.colour("dim"), 1, Qt.PenStyle.DashLine))
    painter.setBrush(look.colour("hover"))
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)


def _kv_share(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, look.colour("kv_cached", 0.55))


def _state_share(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, look.colour("state_cached", 0.45))
    painter.fillRect(area, QBrush(look.colour("state_cached"), Qt.BrushStyle.BDiagPattern))


def _own(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    _kv_share(painter, look, area)
    lower = area.adjusted(0, area.height() / 2, 0, 0)
    half = lower.width() / 2
    painter.fillRect(lower.adjusted(0, 0, -half, 0), look.colour("kv_locked"))
    painter.fillRect(lower.adjusted(half, 0, 0, 0), look.colour("state_locked"))


def _counted(painter: QPainter, look: theme.Theme, area: QRectF) -> None:
    painter.fillRect(area, QBrush(look.colour("faint"), Qt.BrushStyle.Dense5Pattern))


_BARS: dict[str, Callable[[QPainter, theme.Theme, QRectF], None]] = {
    "resident": _resident,
    "lower": _lower,
    "tombstone": _tombstone,
    "untold": _untold,
    "doubtful": _doubtful,
    "locked": _locked,
    "pinned": _pinned,
    "running": _running,
    "lost": _lost,
    "moved": _moved,
    "kept": _kept,
    "folded": _folded,
    "kv share": _kv_share,
    "state share": _state_share,
    "own": _own,
    "counted": _counted,
}


class MarkFilter(FlowRow):
    """Toggles for the marks in the tree, by group, with the number of nodes that have each.

    Pressed marks of one group are alternatives, those of different groups must all match; none
    pressed shows all.

    Signals:
        changed: a mark was pressed or released.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_MARK_FILTER_GAP_PX, parent, line_gap=2)
        self.setAccessibleName(tr("Legend and filter of the marks"))
        self._captions: dict[str, QLabel] = {}
        self._chips: dict[str, QPushButton] = {}
        for kind in MARKS:
            if kind.group not in self._captions:
                caption = label(f" {CAPTIONS[kind.group]}", "faint")
                caption.setMinimumHeight(_LINE_PX)
                self._captions[kind.group] = caption
                self.add(caption)
            self._chips[kind.key] = self._chip(kind)
        self.restyle()
        self.show_counts({})

    @property
    def wanted(self) -> frozenset[str]:
        """Keys of the pressed marks."""
        return frozenset(key for key, chip in self._chips.items() if chip.isChecked())

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show the marks that occur; one that is pressed stays."""
        groups = set()
        for kind in MARKS:
            chip, many = self._chips[kind.key], counts.get(kind.key, 0)
            chip.setText(f"{kind.word} {fmt.count(many)}")
            # Two captions may have the same word.
            name = titled(CAPTIONS[kind.group], listed((kind.word, fmt.plural(many, "node"))))
            chip.setAccessibleName(name)
            chip.setVisible(bool(many) or chip.isChecked())
            if bool(many) or chip.isChecked():
                groups.add(kind.group)
        for group, caption in self._captions.items():
            caption.setVisible(group in groups)
        self.arrange()

    def restyle(self) -> None:
        """The theme changed."""
        for key, chip in self._chips.items():
            chip.setIcon(_icon(key, self.devicePixelRatioF()))

    def _chip(self, kind: MarkKind) -> QPushButton:
        chip = QPushButton()
        chip.setCheckable(True)
        chip.setAutoDefault(False)
        chip.setProperty("kind", "mark")
        chip.setIconSize(QSize(_ICON_PX, _ICON_PX))
        chip.setMinimumHeight(_LINE_PX)
        told = tr("{meaning}. Press to dim what is not so.").format(meaning=kind.meaning)
        chip.setToolTip(explained(told, kind.key, kind.word))
        chip.setAccessibleDescription(explained(kind.meaning, kind.key, kind.word))
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.toggled.connect(self.changed)
        self.add(chip)
        return chip


def _icon(key: str, scale: float) -> QIcon:
    side = round(_ICON_PX * scale)
    image = QPixmap(side, side)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_kind(painter, theme.current(), key, QPointF(_ICON_PX / 2, _ICON_PX / 2))
    painter.end()
    return QIcon(image)
