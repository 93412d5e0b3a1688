"""The tab "Recall": a needle among the tokens, and what every layer recalls of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.session.lab import LabAnswers, RecallQuestion
from app.core.words.tr import tr
from app.lab.asking_tab import AskingTab, glossed
from app.lab.logic.memory_words import cosine, percent
from app.lab.logic.recall_words import (
    ANSWER_MEANS,
    CHOOSE,
    FULL_MEANS,
    HINT,
    INTRODUCTION,
    KIND_WORDS,
    LINEAR_MEANS,
    MOMENTS,
    best_moments,
    even_share,
    heads_line,
    moment_line,
    needle_text,
    query_line,
    strongest,
    summary,
    tokens_line,
)
from app.lab.logic.tables import recall_csv
from app.lab.token_field import Span, TokenField, find, likely_needle, occurrences
from app.ui import theme
from app.ui.theme import Theme
from app.ui.widgets import IconButton, label, measured, rule
from engine.cache_shape import LayerKind
from engine.readings import LayerRecall, RecallReading

# Six lines; fewer if there are no more tokens, more if the layers leave room.
_TOKENS_PX = 146
# In a small window two lines, if all else would be cut.
_LEAST_TOKENS_PX, _OTHERS_PX = 52, 360
# Margin between the body and its scroll bar; widgets above it end there, too.
_BODY_RIGHT_PX = 8
_ROW_PX, _HEAD_PX = 19, 20
_NAME_PX, _SHARE_PX, _ANSWER_PX, _COSINE_PX = 104, 66, 110, 46
_GAP_PX = 12
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RecallBars(QWidget):
    """Shares from 0 to 100%, with a mark at the even share, plus cosines of linear layers.

    Attributes:
        layers: in order.
        query: index of the query shown.
        even: the share if all tokens had the same.
        chosen: index of the selected layer.

    Signals:
        picked: another layer was selected.
    """

    picked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.layers: tuple[LayerRecall, ...] = ()
        self.query = 0
        self.even = 0.0
        self.chosen = 0
        self.setAccessibleName(tr("The needle in each layer"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(460)

    def show_layers(self, layers: tuple[LayerRecall, ...], query: int, even: float) -> None:
        if len(layers) != len(self.layers):
            # Preselect the last full-attention layer, where the needle counts most.
            full = [i for i, layer in enumerate(layers) if layer.kind == "full"]
            self.chosen = full[-1] if full else max(0, len(layers) - 1)
        self.layers, self.query, self.even = layers, query, even
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def pick(self, at: int) -> None:
        if self.layers:
            self.chosen = min(max(at, 0), len(self.layers) - 1)
            self.update()
            self.picked.emit()

    def sizeHint(self) -> QSize:
        return QSize(600, _HEAD_PX + _ROW_PX * len(self.layers) + 4)

    def row(self, at: int) -> QRectF:
        return QRectF(4, _HEAD_PX + at * _ROW_PX, self.width() - 8, _ROW_PX)

    def share_bar(self, at: int) -> QRectF:
        """The area of a share, 0 to 100%."""
        row = self.row(at)
        wide = row.width() - _NAME_PX - _SHARE_PX - _ANSWER_PX - _COSINE_PX - 2 * _GAP_PX
        return QRectF(row.left() + _NAME_PX, row.top() + 4, wide, _ROW_PX - 8)

    def answer_bar(self, at: int) -> QRectF:
        """The area of a cosine, 0 to 1."""
        left = self.share_bar(at).right() + _SHARE_PX + 2 * _GAP_PX
        return QRectF(left, self.row(at).top() + 4, _ANSWER_PX, _ROW_PX - 8)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pick(int((event.position().y() - _HEAD_PX) // _ROW_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = {
            Qt.Key.Key_Up: self.chosen - 1,
            Qt.Key.Key_Down: self.chosen + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self.layers) - 1,
        }
        if event.key() in places:
            self.pick(places[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        if self.layers:
            self._paint_heads(painter, look)
        for at, layer in enumerate(self.layers):
            self._paint_row(painter, look, at, layer)
        if self.layers:
            self._paint_even(painter, look)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_heads(self, painter: QPainter, look: Theme) -> None:
        painter.setFont(theme.ui_font(11))
        painter.setPen(look.colour("faint"))
        share, answer = self.share_bar(0), self.answer_bar(0)
        for text, left in (
            (tr("share of what is read, 0 to 100%"), share.left()),
            (tr("own key, 0 to 1"), answer.left()),
        ):
            painter.drawText(QRectF(left, 2, 240, _HEAD_PX - 4), _LEFT, text)

    def _paint_row(self, painter: QPainter, look: Theme, at: int, layer: LayerRecall) -> None:
        row, bar, full = self.row(at), self.share_bar(at), layer.kind == "full"
        if at == self.chosen:
            painter.fillRect(row, look.colour("hover"))
        painter.setFont(theme.mono_font(11))
        painter.setPen(look.colour("text" if full else "dim"))
        painter.drawText(
            row.adjusted(6, 0, 0, 0), _LEFT, f"{layer.layer:>2} {KIND_WORDS[layer.kind]}"
        )
        value = layer.shares[self.query]
        painter.fillRect(bar, look.colour("track"))
        filled = min(max(value, 0.0), 1.0) * bar.width()
        token = "kv_locked" if full else "state_locked"
        painter.fillRect(QRectF(bar.left(), bar.top(), filled, bar.height()), look.colour(token))
        place = QRectF(bar.right(), row.top(), _SHARE_PX, _ROW_PX)
        painter.drawText(place, _RIGHT, percent(value))
        if layer.answers:
            self._paint_answer(painter, look, at, layer.answers[self.query])

    def _paint_answer(self, painter: QPainter, look: Theme, at: int, value: float) -> None:
        bar, row = self.answer_bar(at), self.row(at)
        painter.fillRect(bar, look.colour("track"))
        filled = min(max(value, 0.0), 1.0) * bar.width()
        painter.fillRect(
            QRectF(bar.left(), bar.top(), filled, bar.height()), look.colour("state_cached")
        )
        painter.drawText(QRectF(bar.right(), row.top(), _COSINE_PX, _ROW_PX), _RIGHT, cosine(value))

    def _paint_even(self, painter: QPainter, look: Theme) -> None:
        """A line through all rows at the even share."""
        first, last = self.share_bar(0), self.share_bar(len(self.layers) - 1)
        x = first.left() + min(self.even, 1.0) * first.width()
        painter.setPen(QPen(look.colour("text"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, first.top() - 3), QPointF(x, last.bottom() + 3))


class RecallTab(AskingTab):
    """Shows a RecallReading for one of its queries.

    Attributes:
        finder, tokens: select a needle; `transport` moves the query.
        earlier, later: step through the moments at which the needle is read most, by rank.
        bars: the layers.
        query_words, moment, summary, heads: sentences.
    """

    legend = (
        ("kv_locked", tr("share of what full attention reads")),
        ("state_locked", tr("share of what a linear layer reads")),
        ("state_cached", tr("answer of the state to the needle's key")),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: RecallReading | None = None
        self._running = False
        # The needle's text, to detect that the conversation has changed there.
        self._needle_text = ""
        # Set by the user; None is where the needle is read most.
        self._query: int | None = None
        self._moments: tuple[tuple[int, float], ...] = ()
        self.finder = QLineEdit()
        self.finder.setPlaceholderText(tr("Find a word"))
        self.finder.setAccessibleName(tr("Find a word to be the needle"))
        self.finder.returnPressed.connect(self._find)
        self.tokens, self.bars = TokenField(), RecallBars()
        self.tokens.needle_chosen.connect(self.choose)
        self.tokens.query_chosen.connect(self._ask_from)
        self.tokens.caret_moved.connect(self._scroll_to)
        self.transport.moved.connect(self._query_moved)
        self.bars.picked.connect(self._show_heads)
        self.earlier = IconButton("left", tr("Previous moment"), lambda: self.step(-1))
        self.later = IconButton("right", tr("Next moment"), lambda: self.step(1))
        self.moment = label("", "figures")
        self.moment.setToolTip(MOMENTS)
        self.query_words = label("", "title", wrap=True)
        self.summary = label("", "", wrap=True, selectable=True)
        self.heads = label("", "figuresStrong", wrap=True, selectable=True)
        self._scroll = QScrollArea()
        self._build()
        self._show_reading(None)

    def show_answers(self, lab: LabAnswers) -> None:
        """Show the progress of the question, and the answer."""
        self._running = isinstance(lab.open, RecallQuestion)
        done = "" if lab.recall is None else tokens_line(lab.recall)
        self.source.show_state(lab, self._running, done)
        if lab.recall is not self._reading:
            self._show_reading(lab.recall)

    def ask(self) -> None:
        """Ask about the current source, with the same needle if there is one."""
        self._query = None
        if self.source.ready:
            same = self._reading is not None and not self.source.typed
            needle = self._reading.needle if same and self._reading is not None else None
            self.wanted.emit(RecallQuestion(self.source.typed, needle, None))

    @property
    def reading(self) -> RecallReading | None:
        """What is on screen; None while another one is on its way."""
        return None if self._running else self._reading

    @property
    def rank(self) -> int | None:
        """Which of the moments the query is at; None if it is elsewhere."""
        reading = self._reading
        if reading is None or not reading.queries:
            return None
        at = reading.first_query + self.transport.at
        found = [rank for rank, (position, _) in enumerate(self._moments) if position == at]
        return next(iter(found), None)

    def step(self, by: int) -> None:
        """Go to the next best moment, or back to a better one; from elsewhere to the best."""
        if self._moments and self._reading is not None:
            rank = 0 if self.rank is None else self.rank + by
            position, _ = self._moments[min(max(rank, 0), len(self._moments) - 1)]
            self._ask_from(position - self._reading.start)
            # Another needle is again looked at where it is read most.
            self._query = None

    def go(self, position: int) -> None:
        self.transport.go(position)
        self._query = None

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        reading, tokens = self._reading, self.tokens
        if name == "needle" and tokens.needle is not None:
            return tokens, tokens.rect_of(tokens.needle[0]).united(
                tokens.rect_of(tokens.needle[1] - 1)
            )
        if name == "query" and tokens.query is not None and 0 <= tokens.query < len(tokens.texts):
            return tokens, tokens.rect_of(tokens.query)
        if reading is None or not self.bars.layers:
            return None
        kinds: dict[str, LayerKind] = {"full": "full", "linear": "linear"}
        found = None if name not in kinds else strongest(reading, kinds[name], self.bars.query)
        return None if found is None else (self.bars, self.bars.row(found))

    def choose(self, span: Span) -> None:
        """Select tokens on screen as the needle."""
        reading = self._reading
        if reading is None:
            return
        needle = (reading.start + span[0], reading.start + span[1])
        self._needle_text = "".join(reading.texts[span[0] : span[1]])
        query = self._query if self._query is not None and self._query >= needle[1] - 1 else None
        self.tokens.show_chosen(span, None if query is None else query - reading.start)
        self.wanted.emit(RecallQuestion(self.source.typed, needle, query))

    def choose_word(self, words: str) -> bool:
        """Select the next occurrence of a text as the needle; False if there is none."""
        found = find(self.tokens.texts, words, self.tokens.caret)
        if found is not None:
            self.tokens.move_caret(found[0])
            self.choose(found)
        return found is not None

    def ask_before(self, words: str) -> bool:
        """Move the query to just before the last occurrence of a text; False if there is none."""
        found = [first for first, _ in occurrences(self.tokens.texts, words) if first > 0]
        if found:
            self._ask_from(found[-1] - 1)
        return bool(found)

    @property
    def pictured(self) -> QWidget:
        # Include the tokens above the body.
        return self

    def settings(self) -> tuple[str, ...]:
        reading = self._reading
        if reading is None or reading.needle is None:
            return ()
        first, end = reading.needle
        needle = tr("Needle: {needle}, tokens {first:,} to {end:,}").format(
            needle=needle_text(reading), first=first, end=end
        )
        return needle, query_line(reading, self.transport.at)

    def as_table(self) -> Callable[[], str] | None:
        reading = self._reading
        known = reading is not None and bool(reading.layers)
        return (lambda: recall_csv(reading)) if reading is not None and known else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def _divide(self) -> None:
        """Give the tokens the height that the layers leave, up to what they need."""
        layers = self.body.widget()
        layout = None if layers is None else layers.layout()
        if layers is None or layout is None:
            return
        wide = self.body.viewport().width()
        spare = self._scroll.height() + self.body.height() - layout.heightForWidth(wide) - 2
        needed = self.tokens.heightForWidth(self._scroll.viewport().width()) + 4
        least = min(_TOKENS_PX, max(_LEAST_TOKENS_PX, self.height() - _OTHERS_PX))
        self._scroll.setFixedHeight(min(needed, max(least, spare)))

    def _ask_from(self, token: int) -> None:
        """Move the query to a token on screen."""
        reading = self._reading
        if reading is None:
            return
        self._query = reading.start + token
        at = self._query - reading.first_query
        if 0 <= at < reading.queries:
            self.transport.go(at)
        elif reading.needle is not None:
            self.wanted.emit(RecallQuestion(self.source.typed, reading.needle, self._query))

    def _find(self) -> None:
        if not self.choose_word(self.finder.text()):
            self.summary.setText(
                tr('"{text}" is not among these tokens.').format(text=self.finder.text())
            )

    def _show_reading(self, reading: RecallReading | None) -> None:
        if reading is not None and reading.needle is not None:
            moved = self._needle_text not in ("", needle_text(reading))
            if moved:
                # The conversation has changed there: drop the needle.
                reading = RecallReading(reading.total, reading.start, reading.texts)
                self._needle_text = ""
        self._moments = self._moments_of(reading)
        self._reading = reading
        self.tokens.show_tokens(() if reading is None else reading.texts)
        count = 0 if reading is None else reading.queries
        at = count - 1
        if reading is not None and self._query is not None:
            at = self._query - reading.first_query
        elif reading is not None and reading.moments:
            at = self._moments[0][0] - reading.first_query
        self.transport.show_count(count, at)
        self._show_query()
        self._divide()
        if reading is not None and reading.needle is None:
            found = likely_needle(reading.texts)
            if found is not None:
                self.choose(found)

    def _moments_of(self, reading: RecallReading | None) -> tuple[tuple[int, float], ...]:
        """Those of a reading; one for a single query keeps the needle's."""
        if reading is None or reading.needle is None or reading.moments:
            return () if reading is None else best_moments(reading)
        before = self._reading
        same = before is not None and (before.needle, before.texts) == (
            reading.needle,
            reading.texts,
        )
        return self._moments if same else ()

    def _show_query(self) -> None:
        reading, at = self._reading, self.transport.at
        if reading is None or not reading.queries or reading.needle is None:
            self.bars.show_layers((), 0, 0.0)
            self.query_words.setText("")
            self.heads.setText("")
            self.summary.setText("" if reading is None else CHOOSE)
            self.transport.setEnabled(False)
            self._show_moment()
            return
        self.transport.setEnabled(True)
        first, end = reading.needle
        span = (first - reading.start, end - reading.start)
        self.tokens.show_chosen(span, reading.first_query + at - reading.start)
        self.bars.show_layers(reading.layers, at, even_share(reading, at))
        self.query_words.setText(query_line(reading, at))
        words = summary(reading, at)
        self.summary.setText(words)
        self.bars.setAccessibleDescription(words)
        self._show_moment()
        self._show_heads()

    def _show_moment(self) -> None:
        rank = self.rank
        self.moment.setText(moment_line(self._moments, rank))
        self.earlier.setEnabled(bool(self._moments) and rank != 0)
        self.later.setEnabled(bool(self._moments) and rank != len(self._moments) - 1)
        self.changed.emit()

    def _query_moved(self) -> None:
        if self._reading is not None:
            self._query = self._reading.first_query + self.transport.at
        self._show_query()
        if self.tokens.query is not None and 0 <= self.tokens.query < len(self.tokens.texts):
            self._scroll_to(self.tokens.rect_of(self.tokens.query))

    def _show_heads(self) -> None:
        layers = self.bars.layers
        if layers:
            self.heads.setText(heads_line(layers[self.bars.chosen], self.bars.query))
            self.changed.emit()

    def _scroll_to(self, place: QRectF) -> None:
        self._scroll.ensureVisible(int(place.center().x()), int(place.center().y()), 20, 30)

    def _build(self) -> None:
        self._scroll.setObjectName("ringed")
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self.tokens)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setFixedHeight(_TOKENS_PX)
        self._scroll.viewport().setAutoFillBackground(False)
        self.tokens.setAutoFillBackground(False)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 4, _BODY_RIGHT_PX, 4)
        column.setSpacing(8)
        column.addLayout(measured(self.summary))
        column.addWidget(self.bars)
        column.addWidget(self.heads)
        column.addWidget(rule())
        for meaning in (FULL_MEANS, LINEAR_MEANS, ANSWER_MEANS):
            column.addLayout(measured(glossed(meaning, "faint")))
        column.addStretch(1)
        self.fill(lower)
        source = QHBoxLayout()
        source.setSpacing(10)
        source.addWidget(self.source, 3)
        source.addWidget(self.finder, 1)
        source.addSpacing(_BODY_RIGHT_PX - source.spacing())
        walk = QHBoxLayout()
        walk.setSpacing(14)
        walk.addWidget(self.transport, 2)
        moments = QHBoxLayout()
        moments.setSpacing(4)
        for part in (self.earlier, self.later, self.moment):
            moments.addWidget(part)
        walk.addLayout(moments)
        walk.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(22, 12, 12, 10)
        outer.setSpacing(8)
        outer.addWidget(glossed(INTRODUCTION))
        outer.addLayout(source)
        outer.addWidget(self._scroll)
        outer.addWidget(label(HINT, "faint", wrap=True))
        outer.addLayout(walk)
        outer.addWidget(self.query_words)
        outer.addWidget(self.body, 1)
