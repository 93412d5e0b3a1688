"""The column of messages; only those near the viewport have widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter

import shiboken6
from PySide6.QtCore import QEvent, QLine, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.body import MessageBody, ScrollPlace
from app.chat.logic.body_text import Heights, estimate
from app.chat.logic.markdown_stream import Block
from app.chat.turn_widgets import TurnWidget, TurnWidgets
from app.core.session.fork import Fork
from app.core.session.records import Turn
from app.ui import theme

COLUMN_PX = 760
TOP_PX = 20
_SIDE_PX, _BOTTOM_PX, _GAP_PX = 24, 24, 14
# Below a question, whose actions are out of sight at rest.
_ANSWER_GAP_PX = 4
# A message's height apart from its text.
_FRAME_PX = 45
_ERROR_PX = 50
_SHORTENED_PX = 260
# The gap between the mark and the message.
_AWAY_PX = 13
_BAR_PX = 3
_BAND_PX = 6


@dataclass(frozen=True, slots=True)
class Anchor:
    """A reference that stays in place on screen while heights above it change.

    Attributes:
        turn: its id.
        body, place: the text within the turn, and the place in it; None for neither.
        below: pixels below the top of the turn.
        share: the same as a share of its height, used if that is only an estimate.
        offset: its position on screen, in pixels below the top of the viewport.
    """

    turn: int
    body: int | None = None
    place: ScrollPlace | None = None
    below: int = 0
    share: float | None = None
    offset: int = 0

    @property
    def estimated(self) -> bool:
        """Whether it is a share of an unmeasured item."""
        place = self.place
        return self.share is not None or (place is not None and place.share is not None)


@dataclass(frozen=True, slots=True)
class ColumnLights:
    """Highlighted turns, by id.

    Attributes:
        lit: those that the pointer in the cache is over.
        marked: those selected in the cache.
    """

    lit: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()


def paint_light(painter: QPainter, area: QRect, left: int, *, marked: bool) -> None:
    """Paint a solid bar on a quiet band for a selected turn, a dotted line for a hovered one.

    Args:
        area: of the message, full width; its text begins at `left`.
    """
    look = theme.current()
    x = left - _AWAY_PX
    if marked:
        band = QRectF(area.adjusted(x - _BAND_PX, -_BAND_PX, _BAND_PX - x, _BAND_PX))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("accent", 0.07))
        painter.drawRoundedRect(band, 6, 6)
        painter.setBrush(look.colour("accent"))
        painter.drawRoundedRect(QRectF(x, area.top(), _BAR_PX, area.height()), 1.5, 1.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        return
    painter.setPen(QPen(look.colour("text"), 2, Qt.PenStyle.DotLine))
    painter.drawLine(QLine(x + 1, area.top(), x + 1, area.bottom()))


class TurnColumn(QWidget):
    """Holds the turns of one conversation, as tall as all of them.

    Attributes:
        widgets: the existing ones, by turn id in the order of the turns.
        fork_of: returns the position of a turn among its siblings.

    Signals:
        made: a new widget, to be connected before it is shown.
        resized: a message changed its height by itself.
        pointed: the message under the pointer changed (its turn id, or None).
    """

    made = Signal(object)
    resized = Signal()
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("column")
        self.widgets: dict[int, TurnWidget] = {}
        self.fork_of: Callable[[int], Fork | None] = lambda _: None
        self._turns: list[Turn] = []
        self._places: dict[int, int] = {}
        self._pool = TurnWidgets(self)
        self._pool.made.connect(self.made)
        self._heights = Heights()
        self._width = 0
        self._busy = self._figures = False
        # The messages that show their actions.
        self._pointed: int | None = None
        self._focused: int | None = None
        self._last: int | None = None
        # Below answers, by turn.
        self._notes: dict[int, str] = {}
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)
        self._lights = ColumnLights()

    def show_turns(self, turns: Sequence[Turn]) -> None:
        """Replace the turns; widgets of remaining ones are kept."""
        same = [turn.id for turn in turns] == [turn.id for turn in self._turns]
        known = {t: self._heights.height(i) for t, i in self._places.items() if t in self.widgets}
        self._turns = list(turns)
        self._last = next((turn.id for turn in reversed(turns) if turn.role != "error"), None)
        if not same:
            self._places = {turn.id: index for index, turn in enumerate(turns)}
            for gone in [turn for turn in self.widgets if turn not in self._places]:
                self._drop(gone)
            self._pool.forget_all_but(self._places)
            self._heights.cut(0)
            for turn in turns:
                self._guess(turn, known.get(turn.id))
        for id, widget in self.widgets.items():
            widget.show_turn(self._turns[self._places[id]])
        self._reveal()

    def show_turn(self, turn: Turn) -> bool:
        """Update a turn; False if it is not in the column."""
        if turn.id not in self._places:
            return False
        if turn.id in self.widgets:
            self.widgets[turn.id].show_turn(turn)
            self.measure(turn.id)
        else:
            self._guess(turn)
        return True

    def lay_out(self, width: int) -> None:
        """Lay out for the width of the viewport."""
        if width == self._width:
            return
        before, self._width = self._inner, width
        if before and before != self._inner:
            self._heights.rescale(before / self._inner)
        for id, widget in self.widgets.items():
            widget.lay_out(self._inner)
            self.measure(id)

    @property
    def shown(self) -> object:
        """The messages, and their parts, that have widgets."""
        return [
            (id, [sorted(body.fields()) for body in widget.bodies])
            for id, widget in self.widgets.items()
        ]

    @property
    def needed(self) -> int:
        """The height of the whole column."""
        return TOP_PX + self._heights.total + _BOTTOM_PX

    def set_busy(self, busy: bool) -> None:
        self._busy = busy
        # A copy: a disabled button passes the focus on, and scrolling there may create widgets.
        for widget in tuple(self.widgets.values()):
            widget.set_busy(busy)

    def show_figures(self, on: bool) -> None:
        """Whether all figures show even at rest."""
        self._figures = on
        for id, widget in self.widgets.items():
            widget.show_figures(on)
            widget.lay_out(self._inner)
            self.measure(id)

    def show_note(self, turn: int, text: str) -> None:
        """Show a note below an answer; "" takes it away."""
        self._notes[turn] = text
        widget = self.widgets.get(turn)
        if isinstance(widget, AnswerMessage):
            widget.show_note(text)
            self.measure(turn)

    def restyle(self) -> None:
        self._pool.drop_spare()
        for id, widget in self.widgets.items():
            widget.restyle()
            self.measure(id)

    def first_below(self, y: int) -> int | None:
        """The id of the first turn that extends below a height."""
        if not self._turns:
            return None
        index = self._heights.at(y - TOP_PX)
        gap = self._heights.bottom(index) + TOP_PX <= y and index + 1 < len(self._turns)
        return self._turns[index + gap].id

    def anchor(self, top: int, bottom: int) -> Anchor | None:
        """The best reference between two heights for detecting movement.

        That is the first measured item; items that were never on screen are only estimated. None in
        an empty conversation.
        """
        y, best = top, self._place_at(top)
        found = best
        while found is not None and found.estimated and y < bottom:
            y = self._next_top(y)
            found = self._place_at(y)
        if found is None or found.estimated or y >= bottom:
            return best
        return replace(found, offset=y - top)

    def _next_top(self, y: int) -> int:
        """The top of the next part or turn."""
        index = self._heights.at(y - TOP_PX)
        below = self._top(index + 1) if index + 1 < len(self._turns) else self.needed
        widget = self.widgets.get(self._turns[index].id)
        for body in widget.bodies if widget is not None else ():
            above = self._top(index) + _top_in(body, widget)
            heights = body.text.heights
            part = heights.at(y - above) + 1 if len(heights) else 0
            if above <= y < above + body.height() and part < len(heights):
                return min(below, above + heights.top(part))
            if y < above:
                return min(below, above)
        return below

    def _place_at(self, y: int) -> Anchor | None:
        if not self._turns:
            return None
        index = self._heights.at(y - TOP_PX)
        id, below = self._turns[index].id, y - TOP_PX - self._heights.top(index)
        widget = self.widgets.get(id)
        bodies = widget.bodies if widget is not None else ()
        for number, body in reversed(list(enumerate(bodies))):
            inside = below - _top_in(body, widget)
            place = body.place_at(inside) if inside >= 0 else None
            if place is not None:
                return Anchor(id, number, place)
        known = self._heights.measured(index)
        return Anchor(id, below=below, share=None if known else below / self._heights.height(index))

    def y_of(self, anchor: Anchor) -> int | None:
        """The scroll position that keeps an anchor in place; None if it is gone."""
        index = self._places.get(anchor.turn)
        if index is None:
            return None
        y = TOP_PX + self._heights.top(index) - anchor.offset
        widget = self.widgets.get(anchor.turn)
        if anchor.body is not None and anchor.place is not None and widget is not None:
            if anchor.body < len(widget.bodies):
                body = widget.bodies[anchor.body]
                return y + _top_in(body, widget) + body.y_of(anchor.place)
        elif anchor.share is not None:
            return y + round(anchor.share * self._heights.height(index))
        return y + anchor.below

    def ensure(self, turn: int) -> TurnWidget | None:
        """The widget of a turn, created if needed; None if the turn is not in the column."""
        index = self._places.get(turn)
        if index is None:
            return None
        if turn not in self.widgets:
            self._make(index)
        return self.widgets[turn]

    def blocks(self, turn: Turn) -> Sequence[Block] | None:
        """The parts of an answer, if cached."""
        return self._pool.blocks(turn)

    def ensure_around(self, focused: QWidget | None) -> None:
        """Create the neighbours of the focused message."""
        for id, widget in list(self.widgets.items()):
            if focused is not None and widget.isAncestorOf(focused):
                for index in (self._places[id] - 1, self._places[id] + 1):
                    if 0 <= index < len(self._turns) and self._turns[index].id not in self.widgets:
                        self._make(index)

    def part_span(self, turn: int, body: MessageBody, part: int) -> tuple[int, int]:
        """The top and bottom of a part of a message."""
        heights, top = body.text.heights, self._top(self._places[turn])
        top += _top_in(body, self.widgets[turn])
        return top + heights.top(part), top + heights.bottom(part)

    def anchor_of(self, turn: int, body: MessageBody, part: int) -> Anchor:
        """An anchor at the top of a part of a message."""
        bodies = self.widgets[turn].bodies
        if body not in bodies:
            return Anchor(turn)
        return Anchor(turn, bodies.index(body), ScrollPlace(part, 0, None))

    def top_of(self, turn: int) -> int:
        return self._top(self._places[turn])

    def fill(self, top: int, bottom: int, until: float = inf) -> bool:
        """Create the widgets between two heights, which may move those below.

        until: deadline on the clock of `perf_counter`; returns False if it was reached.
        """
        if not self._turns or not self._width:
            return True
        index = self._heights.at(top - TOP_PX)
        while index < len(self._turns) and self._top(index) < bottom:
            id = self._turns[index].id
            if id not in self.widgets:
                if perf_counter() > until:
                    return False
                self._make(index)
            if not self._show_span(id, top, bottom, until):
                return False
            index += 1
        return True

    def let_go(self, top: int, bottom: int) -> None:
        """Remove widgets outside two heights, unless they are in use."""
        for id, widget in list(self.widgets.items()):
            index = self._places[id]
            if self._top(index) < bottom and TOP_PX + self._heights.bottom(index) > top:
                continue
            if _in_use(widget):
                self._show_span(id, top, bottom, inf)
            else:
                self._drop(id)

    def place(self) -> None:
        """Position the widgets."""
        for id in self.widgets:
            self._place(id)

    def measure(self, turn: int) -> bool:
        """Measure a widget; whether its height changed."""
        index, widget = self._places[turn], self.widgets[turn]
        before, now = self._heights.height(index), widget.height_for(self._inner)
        self._heights.put(index, now, measured=True)
        return now != before

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            here = event.type() == QEvent.Type.Enter
            self._pointed = self._turn_of(watched) if here else None
            self._reveal()
            self.pointed.emit(self._pointed)
        # Posted when something inside wants another height; the layout is up to date by now.
        if event.type() == QEvent.Type.LayoutRequest and self._width:
            found = self._turn_of(watched)
            if found is not None and self.measure(found):
                self.resized.emit()
        return False

    def _turn_of(self, watched: QObject) -> int | None:
        return next((id for id, widget in self.widgets.items() if widget is watched), None)

    def _focus_moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        while now is not None and now.parentWidget() is not self:
            now = now.parentWidget()
        focused = None if now is None else self._turn_of(now)
        if focused != self._focused:
            self._focused = focused
            self._reveal()

    def _reveal(self) -> None:
        """Show the actions of the messages that the reader is at."""
        for id, widget in self.widgets.items():
            self._reveal_one(id, widget)

    def _reveal_one(self, turn: int, widget: TurnWidget) -> None:
        widget.reveal(near=turn in (self._pointed, self._focused), last=turn == self._last)

    def show_lights(self, lights: ColumnLights) -> None:
        """Highlight messages with a mark at their side."""
        if lights != self._lights:
            self._lights = lights
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = (self._width - self._inner) // 2
        for id in self._lights.marked | self._lights.lit:
            index = self._places.get(id)
            if index is not None and event.rect().intersects(area := self._area(index)):
                paint_light(painter, area, left, marked=id in self._lights.marked)
        painter.end()

    def _area(self, index: int) -> QRect:
        return QRect(0, self._top(index), self._width, self._heights.height(index))

    @property
    def _inner(self) -> int:
        return min(COLUMN_PX, max(1, self._width - 2 * _SIDE_PX)) if self._width else 0

    def _top(self, index: int) -> int:
        return TOP_PX + self._heights.top(index)

    def _guess(self, turn: Turn, height: int | None = None) -> None:
        index = self._places[turn.id]
        guess = height or _guessed(turn, self._inner)
        gap = 0
        if index:
            asked = self._turns[index - 1].role == "user"
            gap = _ANSWER_GAP_PX if asked else _GAP_PX
        self._heights.put(index, guess, gap=gap, measured=height is not None)

    def _make(self, index: int) -> None:
        turn = self._turns[index]
        widget = self._pool.make(turn)
        widget.set_busy(self._busy)
        widget.show_fork(self.fork_of(turn.id))
        widget.show_figures(self._figures)
        self._reveal_one(turn.id, widget)
        if isinstance(widget, AnswerMessage):
            widget.show_note(self._notes.get(turn.id, ""))
        self.widgets[turn.id] = widget
        order = sorted(self.widgets, key=self._places.__getitem__)
        self.widgets = {id: self.widgets[id] for id in order}
        self._place(turn.id)
        widget.lay_out(self._inner)
        widget.show()
        self.measure(turn.id)

    def _drop(self, turn: int) -> None:
        self._pool.take_back(self.widgets.pop(turn))

    def _show_span(self, turn: int, top: int, bottom: int, until: float) -> bool:
        """Show the parts of a turn between two heights."""
        widget, y = self.widgets[turn], self._top(self._places[turn])
        made = True
        for body in widget.bodies:
            above = y + _top_in(body, widget)
            made = body.show_span(top - above, bottom - above, until) and made
            self.measure(turn)
            self._place(turn)
        return made

    def _place(self, turn: int) -> None:
        index = self._places[turn]
        left = (self._width - self._inner) // 2
        height = self._heights.height(index)
        self.widgets[turn].setGeometry(left, self._top(index), self._inner, height)


def _top_in(body: MessageBody, widget: QWidget | None) -> int:
    assert widget is not None
    return body.mapTo(widget, QPoint(0, 0)).y()


def _guessed(turn: Turn, width: int) -> int:
    if turn.role == "error":
        return _ERROR_PX
    tall = estimate(turn.text, width)
    # A user's long message is shortened.
    return _FRAME_PX + (tall if turn.is_answer else min(tall, _SHORTENED_PX))


def _in_use(widget: TurnWidget) -> bool:
    """Whether it is being edited, written, selected or focused."""
    focused = QApplication.focusWidget()
    if focused is not None and shiboken6.isValid(focused) and widget.isAncestorOf(focused):
        return True
    selected = any(selection.active for selection in widget.selections)
    return selected or widget.editing or widget.turn.state.active
