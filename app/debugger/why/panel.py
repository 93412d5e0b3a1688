"""The why panel: why the selected request ran what it ran, what to change, and the evidence."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.explain import Fact
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.debugger.panel import DebugPanel
from app.debugger.state import DebugState
from app.debugger.why.inquiry import Inquiry
from app.debugger.why.logic.advice import advice, effect_words
from app.debugger.why.logic.sides import THIS_PROMPT, other_head, sides_note, spoken, visible
from app.debugger.why.logic.words import facts, fork_in, owner_of, request_line, sentence
from app.debugger.why.ruler import RequestRuler, TimesBar, milliseconds
from app.ui import theme
from app.ui.glossed import GlossedLabel
from app.ui.widgets import CopyButton, ElidedLabel, FlowRow, IconButton, label
from engine.analysis.why.divergence import Sides, SideToken
from engine.analysis.why.evidence import Evidence
from engine.analysis.why.suggestion import Suggestion

_FONT_PX = 12
_PAD_PX = 2
_FLOW_GAP_PX = 1
_LINE_GAP_PX = 4
_SIDES_GAP_PX = 10
_GAP_PX = 8
_LOOKING = tr("Looking for a change that would have helped…")
_EMPTY = tr(
    "No request yet. Send a message, or open a trace: each request is explained "
    "here, with what would have made it faster."
)


class TokenFlow(QWidget):
    """Tokens in lines; tooltips show positions."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._tokens: tuple[SideToken, ...] = ()
        self._texts: list[str] = []
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)

    def show_tokens(self, tokens: tuple[SideToken, ...]) -> None:
        self._tokens = tokens
        self._texts = [visible(token.text) for token in tokens]
        self.setAccessibleDescription(spoken(tokens))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        boxes = self._boxes(width)
        return int(boxes[-1].bottom() + _PAD_PX) + 1 if boxes else 0

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 20)

    def _boxes(self, width: int) -> list[QRectF]:
        metrics = QFontMetricsF(theme.mono_font(_FONT_PX))
        high = metrics.height() + 2 * _PAD_PX
        x = y = 0.0
        boxes = []
        for token, text in zip(self._tokens, self._texts, strict=True):
            wide = min(metrics.horizontalAdvance(text) + 2 * _PAD_PX, float(max(width, 20)))
            if x and x + wide > width:
                x, y = 0.0, y + high + _LINE_GAP_PX
            boxes.append(QRectF(x, y, wide, high))
            x += wide + _FLOW_GAP_PX
            if token.text.endswith("\n"):
                x, y = 0.0, y + high + _LINE_GAP_PX
        return boxes

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme.mono_font(_FONT_PX)
        bold = theme.mono_font(_FONT_PX)
        bold.setBold(True)
        centre = Qt.AlignmentFlag.AlignCenter
        boxes = zip(self._tokens, self._texts, self._boxes(self.width()), strict=True)
        for token, text, box in boxes:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("danger_surface" if token.differs else "track"))
            painter.drawRoundedRect(box, 2, 2)
            painter.setFont(bold if token.differs else font)
            painter.setPen(look.colour("text" if token.differs else "dim"))
            painter.drawText(box, centre, text)
            if token.differs:
                painter.setPen(QPen(look.colour("danger"), 2))
                y = box.bottom() + 0.5
                painter.drawLine(QPointF(box.left() + 1, y), QPointF(box.right() - 1, y))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = QPointF(event.pos())
            for token, box in zip(self._tokens, self._boxes(self.width()), strict=True):
                if box.contains(at):
                    state = tr("differs") if token.differs else tr("the same on both sides")
                    place = tr("token {position}: {state}").format(
                        position=fmt.count(token.position), state=state
                    )
                    QToolTip.showText(event.globalPos(), place, self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)


class SidesView(QWidget):
    """The other request's text and the prompt's; differences are underlined.

    Attributes:
        cached, prompt: the two texts.
        note: where they diverge, and where they are the same again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: Sides | None = None
        self._heads = (label("", "faint", wrap=True), label(THIS_PROMPT, "faint"))
        self.cached, self.prompt = (
            TokenFlow(tr("Text in the cache")),
            TokenFlow(tr("Text of this prompt")),
        )
        self.note = label("", "dim", wrap=True)
        copy = CopyButton(self._text, tr("Copy both texts"))
        both = QHBoxLayout()
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(_SIDES_GAP_PX)
        self._columns = QWidget()
        self._columns.setLayout(both)
        for head, flow in zip(self._heads, (self.cached, self.prompt), strict=True):
            side = QVBoxLayout()
            side.setSpacing(4)
            side.addWidget(head)
            side.addWidget(flow)
            side.addStretch(1)
            both.addLayout(side, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self.note, 1)
        foot.addWidget(copy, alignment=Qt.AlignmentFlag.AlignTop)
        self._copy = copy
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._columns)
        column.addLayout(foot)

    def show_sides(self, evidence: Evidence) -> None:
        sides = self._sides = evidence.sides
        known = sides is not None and sides.known
        self._columns.setVisible(known)
        self._copy.setVisible(known)
        if sides is None:
            return
        self._heads[0].setText(other_head(evidence))
        self.cached.show_tokens(sides.cached if known else ())
        self.prompt.show_tokens(sides.prompt if known else ())
        self.note.setText(sides_note(evidence, sides))

    def _text(self) -> str:
        if self._sides is None:
            return ""
        return tr("In the cache:\n{cached}\n\nThis prompt:\n").format(
            cached=spoken(self._sides.cached)
        ) + spoken(self._sides.prompt)


class WhyPanel(DebugPanel):
    """The evidence about one request; the latest one until another is selected.

    Attributes:
        sentence: the explanation in one sentence.
        advice: what to change, and the effect.
        ruler, times, sides: the evidence.
        in_tree, eviction, message, what_if: its buttons.
    """

    title = tr("Why")
    name = "why"

    def __init__(self, state: DebugState, inquiry: Inquiry, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._inquiry = inquiry
        self._shown: Evidence | None = None
        self._suggestion: Suggestion | None = None
        self.request = ElidedLabel("faint")
        self._before = IconButton("left", tr("Request before"), lambda: self._step(-1), size=14)
        self._after = IconButton("right", tr("Request after"), lambda: self._step(1), size=14)
        self.sentence = GlossedLabel("strong", selectable=True)
        self.ruler = RequestRuler()
        self.parts = label("", "figures", wrap=True)
        self.advice = GlossedLabel(selectable=True)
        self.effect = label("", "dim", wrap=True, selectable=True)
        self.what_if = QPushButton(tr("Open in what-if"))
        self.what_if.setProperty("kind", "primarySmall")
        self.times = TimesBar()
        self.first_token = label("", "figuresStrong")
        self._facts = QGridLayout()
        self._facts.setContentsMargins(0, 0, 0, 0)
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(3)
        self._facts.setColumnStretch(1, 1)
        self.sides = SidesView()
        self.in_tree = _small(
            tr("Show in tree"), tr("Choose the node where the prompt left the cache")
        )
        self.eviction = _small(tr("Show eviction"), tr("Go to the moment when the checkpoint went"))
        self.message = _small(
            tr("Go to message"), tr("Leave the debugger for the message in the chat")
        )
        self.what_if.clicked.connect(self._try)
        self.in_tree.clicked.connect(self._show_in_tree)
        self.eviction.clicked.connect(self._show_eviction)
        self.message.clicked.connect(self._open_message)
        self._build()
        inquiry.changed.connect(self._refresh)
        inquiry.advised.connect(self._show_advice)
        self._show(None)

    def _build(self) -> None:
        self._body = QWidget()
        self._body.setObjectName("column")
        column = QVBoxLayout(self._body)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(_GAP_PX)
        buttons = FlowRow(6)
        for button in (self.in_tree, self.eviction, self.message):
            buttons.add(button)
        self._texts = _section(tr("BOTH TEXTS"), self.sides)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(label(tr("TO THE FIRST TOKEN"), "section"))
        head.addWidget(self.first_token)
        head.addStretch(1)
        times = QWidget()
        inside = QVBoxLayout(times)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(6)
        inside.addLayout(head)
        inside.addWidget(self.times)
        grid = QWidget()
        grid.setLayout(self._facts)
        self._parts = (
            self.ruler,
            self.parts,
            self._advice_frame(),
            buttons,
            times,
            self._texts,
            _section(tr("FACTS"), grid),
        )
        column.addWidget(self.sentence)
        for part in self._parts:
            column.addWidget(part)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("ringed")
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setAccessibleName(tr("Evidence"))
        area.setWidget(self._body)
        self.area = area
        top = QHBoxLayout()
        top.setContentsMargins(12, 4, 8, 0)
        top.setSpacing(2)
        top.addWidget(self.request, 1)
        top.addWidget(self._before)
        top.addWidget(self._after)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(area, 1)

    def _advice_frame(self) -> QWidget:
        frame = QFrame()
        frame.setObjectName("advice")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(10, 8, 10, 8)
        inside.setSpacing(4)
        inside.addWidget(label(tr("WHAT TO CHANGE"), "section"))
        inside.addWidget(self.advice)
        inside.addWidget(self.effect)
        inside.addWidget(self.what_if, alignment=Qt.AlignmentFlag.AlignLeft)
        return frame

    # ---- content

    @property
    def evidence(self) -> Evidence | None:
        """The evidence on screen."""
        return self._shown

    def show_source(self) -> None:
        self._show(None)
        self._want()

    def follow(self) -> None:
        self._want()

    def show_chosen(self) -> None:
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._want()

    def restyle(self) -> None:
        for part in (self.ruler, self.times, self.sides):
            part.update()

    def _want(self) -> None:
        if self.isVisible():
            self._inquiry.want()

    def _refresh(self) -> None:
        if not self.isVisible():
            return
        number = self._inquiry.chosen()
        evidence = None if number is None else self._inquiry.evidence(number)
        if evidence is not self._shown:
            self._show(evidence)
        self._show_steps(number)

    def _show_steps(self, number: int | None) -> None:
        last = len(self._inquiry.requests) - 1
        self._before.setEnabled(number is not None and number > 0)
        self._after.setEnabled(number is not None and number < last)

    def _show(self, evidence: Evidence | None) -> None:
        self._shown = evidence
        for part in self._parts:
            part.setVisible(evidence is not None)
        self.ruler.show_evidence(evidence)
        if evidence is None:
            self.request.setText("")
            self.sentence.setText(_EMPTY)
            return
        known = self._inquiry.words(evidence)
        self.request.setText(request_line(evidence, known))
        self.sentence.setText(sentence(evidence, known))
        self.parts.setText(_parts(evidence))
        first = evidence.times.first_token
        self.first_token.setText(tr("none came") if first is None else milliseconds(first))
        self.times.show_times(evidence.times)
        self._fill(facts(evidence, known))
        self.sides.show_sides(evidence)
        self._texts.setVisible(evidence.sides is not None)
        obstacle = evidence.obstacle
        blamed = obstacle is not None and obstacle.cause is evidence.cause
        self.eviction.setVisible(blamed and obstacle is not None and obstacle.index is not None)
        self.eviction.setText(
            tr("Show eviction") if obstacle and obstacle.named else tr("Show moment")
        )
        self.message.setVisible(self._owner() is not None)
        self._show_advice()

    def _fill(self, made: tuple[Fact, ...]) -> None:
        while (item := self._facts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        top = Qt.AlignmentFlag.AlignTop
        for row, fact in enumerate(made):
            self._facts.addWidget(label(fact.name, "faint"), row, 0, alignment=top)
            value = label(fact.value, "figures", wrap=True, selectable=True)
            self._facts.addWidget(value, row, 1, alignment=top)

    def _show_advice(self) -> None:
        evidence = self._shown
        if evidence is None:
            return
        found = self._suggestion = self._inquiry.suggestion(evidence)
        self.what_if.setVisible(found is not None and found.change is not None)
        if found is None:
            self.advice.setText(_LOOKING)
            self.effect.hide()
            return
        self.advice.setText(advice(found, evidence))
        self.effect.setText(effect_words(found))
        self.effect.setVisible(bool(self.effect.text()))

    # ---- buttons

    def _step(self, by: int) -> None:
        number = self._inquiry.chosen()
        if number is not None:
            at = min(max(number + by, 0), len(self._inquiry.requests) - 1)
            self.state.choose(Chosen(request=at))

    def _try(self) -> None:
        if self._suggestion is not None and self._suggestion.change is not None:
            self.state.what_if_wanted.emit(self._suggestion.change)

    def _show_in_tree(self) -> None:
        """Select the node where the prompt left the cache, in a past moment if it is gone."""
        evidence, source = self._shown, self.state.source
        if evidence is None or source is None:
            return
        index = evidence.request.index
        node = fork_in(source.tape, evidence, self.state.moment.snapshot)
        if node is None:
            self.state.seek(index)
            node = fork_in(source.tape, evidence, self.state.moment.snapshot)
        at = evidence.known
        number = evidence.request.number
        self.state.choose(Chosen(node, (at, max(at, evidence.total)), number))
        if node is None:
            self.state.notice.emit(tr("Nothing of this prompt was in the cache at that moment."))

    def _show_eviction(self) -> None:
        evidence = self._shown
        obstacle = None if evidence is None else evidence.obstacle
        if evidence is None or obstacle is None or obstacle.index is None:
            return
        self.state.seek(obstacle.index)
        span = (0, obstacle.position)
        self.state.choose(Chosen(None, span, evidence.request.number, obstacle.index))
        self.state.panel_wanted.emit("timeline")

    def _open_message(self) -> None:
        owner = self._owner()
        if owner is not None:
            self.state.owner_opened.emit(owner)

    def _owner(self) -> object | None:
        source = self.state.source
        if self._shown is None or source is None or not source.live:
            return None
        return owner_of(self._shown)


def _parts(evidence: Evidence) -> str:
    return tr("reused {reused:,} · replayed {replayed:,} · new {computed:,} of {total:,}").format(
        reused=evidence.reused,
        replayed=evidence.replayed,
        computed=evidence.computed,
        total=evidence.total,
    )


def _section(title: str, inside: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    column.addWidget(label(title, "section"))
    column.addWidget(inside)
    return made


def _small(text: str, hint: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("kind", "small")
    made.setToolTip(hint)
    return made
