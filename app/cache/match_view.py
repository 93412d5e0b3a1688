"""Says how much of a prompt was remembered, and draws it: a ruler, its counts, the reason."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolTip, QVBoxLayout, QWidget

from app.cache.logic.planes import widths
from app.cache.marks import diamond, held
from app.cache.sections import SectionHead, head
from app.cache.unknown_painter import paint_unknown
from app.core.words import format as fmt
from app.core.words.explain import why
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui import theme
from app.ui.glossed import GlossedLabel
from app.ui.widgets import ElidedLabel, FlowRow, label, measured, set_tip
from engine.reuse import ReusePlan

_BAR_PX = 14
_DIAMOND_PX = 6
_GAP_PX = 16
# Lengths of a conversation's title in characters; the longest that fits is used.
_TITLE = (28, 16, 8)
_NAMES = {
    "reused": tr("reused"),
    "replayed": tr("replayed"),
    "computed": tr("new"),
    "unknown": tr("not reported"),
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens [start, end) of the prompt. `kind`: "reused", "replayed", "computed" or "unknown"."""

    kind: str
    label: str
    start: int
    end: int

    @property
    def tokens(self) -> int:
        return self.end - self.start

    @property
    def tooltip(self) -> str:
        return tr("{label}: {tokens}\npositions {start} to {end}\n{meaning}").format(
            label=self.label,
            tokens=fmt.plural(self.tokens, "token"),
            start=fmt.count(self.start),
            end=fmt.count(self.end),
            meaning=_MEANING[self.kind],
        )


_MEANING = {
    "reused": tr("Keys, values and state were in the cache"),
    "replayed": tr("Keys and values were in the cache; the state had to be rebuilt"),
    "computed": tr("Not seen before: keys, values and state were computed"),
    "unknown": tr("The engine does not report whether these were reused"),
}


def stretches(plan: ReusePlan) -> tuple[Stretch, ...]:
    """Reused, replayed and computed, touching each other and covering the prompt.

    What a remote engine does not report is of kind "unknown".
    """
    if plan.reported_by and (plan.unknown or not plan.total):
        return (Stretch("unknown", tr("not reported"), 0, plan.total),)
    resume, match = plan.reused, plan.reused + plan.replayed
    return (
        Stretch("reused", tr("reused"), 0, resume),
        Stretch("replayed", tr("replayed"), resume, match),
        Stretch("computed", tr("new"), match, plan.total),
    )


def remembered(plan: ReusePlan | None) -> tuple[str, ...]:
    """How much of the last message was remembered, in plain words; the longest wording first."""
    if plan is None:
        return (tr("Your last message: none yet"),)
    if stretches(plan)[0].kind == "unknown":
        return (tr("Your last message: the engine does not say what it remembered"),)
    known, total = fmt.count(plan.reused), fmt.count(plan.total)
    return (
        tr("Your last message: {known} of {total} tokens were remembered").format(
            known=known, total=total
        ),
        tr("Last message: {known} of {total} remembered").format(known=known, total=total),
        tr("{known} of {total} remembered").format(known=known, total=total),
    )


def checkpoint_position(plan: ReusePlan) -> int | None:
    """The position of the diamond; None if nothing was resumed."""
    return plan.reused if plan.checkpoint is not None and plan.reused else None


def expected_position(plan: ReusePlan) -> int | None:
    """How far a remote engine should have reused the prompt according to its own events."""
    return None if plan.expected is None or not plan.total else min(plan.expected, plan.total)


class _Ruler(QWidget):
    """The token axis of one prompt in three stretches.

    Signals:
        clicked: it was clicked.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plan: ReusePlan | None = None
        self.setFixedHeight(_BAR_PX + 2 * _DIAMOND_PX)
        self.setAccessibleName(tr("How much of the last prompt was reused"))

    def _widths(self, made: tuple[Stretch, ...]) -> tuple[int, ...]:
        return widths(tuple(stretch.tokens for stretch in made), self.width())

    def sizeHint(self) -> QSize:
        return QSize(320, _BAR_PX + 2 * _DIAMOND_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, _DIAMOND_PX, self.width(), _BAR_PX)
        if self.plan is None:
            painter.fillRect(bar, look.colour("track"))
            return
        made = stretches(self.plan)
        at = bar.left()
        edges = {0: at}
        if made[0].kind == "unknown":
            paint_unknown(painter, bar)
            self._expected(painter, bar)
            painter.end()
            return
        for stretch, width in zip(made, self._widths(made), strict=True):
            area = QRectF(at, bar.top(), width, _BAR_PX)
            painter.fillRect(area, look.colour(stretch.kind))
            if stretch.kind == "replayed" and width:
                stripes = QBrush(look.colour("window", 0.45), Qt.BrushStyle.BDiagPattern)
                painter.fillRect(area, stripes)
            at += width
            edges[stretch.end] = at
            if width > 2 and at < bar.right() - 1:
                painter.fillRect(QRectF(at - 1, bar.top(), 1, _BAR_PX), look.colour("panel"))
        position = checkpoint_position(self.plan)
        if position is not None:
            reach = _DIAMOND_PX + _BAR_PX / 2 - 1
            middle = QPointF(held(edges[position], bar, reach * 0.72), bar.center().y())
            painter.setPen(QPen(look.colour("panel"), 2))
            painter.setBrush(look.colour("text"))
            painter.drawPolygon(diamond(middle, reach * 0.72, reach))
        self._expected(painter, bar)
        painter.end()

    def _expected(self, painter: QPainter, bar: QRectF) -> None:
        """A dashed line where reuse should have ended according to the engine's events."""
        position = None if self.plan is None else expected_position(self.plan)
        if position is None or self.plan is None:
            return
        x = bar.left() + bar.width() * position / self.plan.total
        painter.setPen(QPen(theme.current().colour("text"), 2, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(event.pos().x()), self)
            return True
        return super().event(event)

    def _tip(self, x: float) -> str:
        if self.plan is None:
            return ""
        at = 0
        made = stretches(self.plan)
        for stretch, width in zip(made, self._widths(made), strict=True):
            if at <= x < at + width:
                return stretch.tooltip
            at += width
        return ""


class MatchView(QWidget):
    """A plain sentence and the ruler; then whose prompt it was, the exact counts, and the reason.

    Attributes:
        head: the sentence; pressed, it shows what follows the ruler.
        ruler: to scale.
        whose, why: the prompt's conversation, and the link to an explanation.
        counts: by kind, the label with the figure.
        expected: what a remote engine whose events are followed should have reused.
        row: of these counts; it wraps if they are too long for one line.
        reason: the sentence.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = SectionHead(*remembered(None))
        self.ruler = _Ruler(self)
        self.whose = ElidedLabel("faint")
        self.why = QPushButton(tr("Why?"))
        self.why.setProperty("kind", "link")
        self.why.setToolTip(tr("Explain this request in the debugger"))
        self.why.setAccessibleName(tr("Why did the last prompt take this long?"))
        self.counts = {kind: label("–", "figuresStrong") for kind in _NAMES}
        self._keys = [_Key(kind) for kind in self.counts]
        self.row = FlowRow(_GAP_PX)
        self.expected = label("", "figuresStrong")
        self._expected = _group(label(tr("expected"), "dim"), self.expected)
        self._groups: dict[str, QWidget] = {}
        for key, (kind, figures) in zip(self._keys, self.counts.items(), strict=True):
            group = self._groups[kind] = _group(key, label(_NAMES[kind], "dim"), figures)
            group.setToolTip(_MEANING[kind])
            self.row.add(group)
        self.row.add(self._expected)
        self.reason = GlossedLabel("faint")
        self._details = QWidget()
        details = QVBoxLayout(self._details)
        details.setContentsMargins(0, 0, 0, 0)
        details.setSpacing(4)
        details.addWidget(head(self.whose, self.why))
        details.addWidget(self.row)
        details.addLayout(measured(self.reason))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (self.head, self.ruler, self._details):
            column.addWidget(part)

    def set_detailed(self, on: bool) -> None:
        """Show the figures below the ruler."""
        self._details.setVisible(on)

    def show_title(self, title: str) -> None:
        """Name the conversation; "" for none."""
        # The list of conversations has the whole title.
        shorter = [
            tr("Prompt of “{title}…”").format(title=title[:length].rstrip())
            for length in _TITLE
            if length < len(title)
        ]
        self.whose.setText(tr("Prompt of “{title}”").format(title=title) if title else "", *shorter)

    def show_plan(self, plan: ReusePlan | None) -> None:
        self._show_figures(plan)
        self.head.say(*remembered(plan))
        figures = [
            titled(_NAMES[kind], figures.text())
            for kind, figures in self.counts.items()
            if not self._groups[kind].isHidden()
        ]
        told = "\n".join((*(figures if plan is not None else ()), self.reason.text()))
        set_tip(self.head, told)
        self.head.setAccessibleDescription(told)

    def _show_figures(self, plan: ReusePlan | None) -> None:
        self.ruler.plan = plan
        self.ruler.update()
        for figures in self.counts.values():
            figures.setText("–")
        self._groups["unknown"].setVisible(plan is not None and bool(plan.unknown))
        expected = None if plan is None else expected_position(plan)
        self._expected.setVisible(expected is not None)
        self.expected.setText("" if expected is None else fmt.count(expected))
        if plan is None:
            self.row.arrange()
            self.reason.setText(tr("No request in this conversation yet."))
            return
        for stretch in stretches(plan):
            # Remote engines do not report the replayed part.
            known = stretch.tokens or not plan.reported_by or stretch.kind != "replayed"
            if known and plan.total:
                self.counts[stretch.kind].setText(fmt.count(stretch.tokens))
        self.row.arrange()
        self.reason.setText(why(plan))

    def restyle(self) -> None:
        self.update()


def _group(*parts: QWidget) -> QWidget:
    """A colour, a word and a figure, which stay together."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for part in parts:
        row.addWidget(part)
    return made


class _Key(QWidget):
    """The colour of one count."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind
        self.setFixedSize(10, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        if self._kind == "unknown":
            paint_unknown(painter, QRectF(self.rect()))
            painter.end()
            return
        painter.fillRect(self.rect(), look.colour(self._kind))
        if self._kind == "replayed":
            painter.fillRect(
                self.rect(), QBrush(look.colour("window", 0.45), Qt.BrushStyle.BDiagPattern)
            )
        painter.end()
