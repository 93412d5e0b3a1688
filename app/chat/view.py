"""The conversation: a scrolling column of messages that follows the end while it is in view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf
from time import perf_counter

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QTextEdit, QWidget

from app.chat.answer_message import AnswerMessage
from app.chat.body_selection import BodySelection
from app.chat.column import Anchor, TurnColumn
from app.chat.turn_widgets import ErrorMessage, TurnWidget
from app.chat.user_message import UserMessage
from app.core.session.fork import Fork, fork_at
from app.core.session.records import Conversation, Turn
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import icon
from app.ui.widgets import IconButton
from engine.reuse import ReusePlan

_END_PX = 12
_FAR_PX = 120
_DRAG_PX = 40
# Margin between a revealed place and the edge of the viewport.
_ROUND_PX = 120
_ABOVE_PX = 16
# Heights usually settle in two rounds: one measures, one checks the place again.
_ROUNDS = 8
# In viewport heights: created in advance on either side, and kept.
_AHEAD = 1.0
_KEPT = 2.5
# A slice of a frame, and a pause without scrolling.
_SLICE_S = 0.006
_PAUSE_MS = 20
_BOTTOM_PX = 12


class EndButtons:
    """Two buttons at the bottom of a view, of which at most one is visible.

    Attributes:
        pill: new text is below.
        jump: an arrow, shown far from the end.
    """

    def __init__(self, view: QWidget, go: Callable[[], object]) -> None:
        """go: called when either is pressed."""
        self._view = view
        self.pill = QPushButton(tr("New text below"), view)
        self.pill.setAccessibleName(tr("Go to the end of the conversation"))
        self.pill.setCursor(Qt.CursorShape.PointingHandCursor)
        self.pill.clicked.connect(go)
        self.pill.hide()
        self.jump = IconButton("arrow_down", tr("Jump to the end"), go, parent=view)
        self.jump.setProperty("kind", "jump")
        self.jump.hide()

    def announce(self) -> None:
        """Show that there is new text below."""
        self.pill.show()
        self.pill.raise_()

    def dismiss(self) -> None:
        """The new text was seen, or is being scrolled to."""
        self.pill.hide()

    def offer(self, far: bool) -> None:
        """Show the arrow to a reader far from the end, unless the pill is visible."""
        self.jump.setVisible(far and not self.pill.isVisible())
        self.jump.raise_()

    def place(self) -> None:
        """Centre them at the bottom of the view."""
        side = self.jump.sizeHint().height()
        for button, width, height in (
            (self.pill, self.pill.sizeHint().width(), self.pill.sizeHint().height()),
            (self.jump, side, side),
        ):
            left = (self._view.width() - width) // 2
            button.setGeometry(left, self._view.height() - height - _BOTTOM_PX, width, height)

    def restyle(self) -> None:
        self.pill.setIcon(icon("arrow_down", theme.current().colours["dim"]))


def order_stops(before: QWidget, widgets: Iterable[QWidget]) -> None:
    """Set the Tab order from a widget through the contents of others, in reading order."""
    for widget in widgets:
        for stop in _stops(widget):
            QWidget.setTabOrder(before, stop)
            before = stop


def _stops(widget: QWidget) -> list[QWidget]:
    """The Tab stops in a widget, from top to bottom and left to right."""
    tab = Qt.FocusPolicy.TabFocus
    inside = [child for child in widget.findChildren(QWidget) if child.focusPolicy() & tab]
    spots = {child: child.mapTo(widget, child.rect().topLeft()) for child in inside}
    return sorted(inside, key=lambda child: (spots[child].y(), spots[child].x()))


class ChatView(QScrollArea):
    """Shows the turns of one conversation; only those near the viewport have widgets.

    Signals:
        edited, answer_edited: (turn id, new text).
        regenerate: turn id; the user asks for another answer.
        continued: turn id; let the model continue the answer.
        forked: turn id; copy the branch up to it into a new conversation.
        explained: request; why did its answer take this long?
        stepped: (turn id, step to a sibling of it).
        filled: widgets of messages, or of their parts, were created.
        located: turn id; show it in the cache.
        model_wanted: the user wants to open a real model.
        pointed: the message under the pointer changed (its turn id, or None).
    """

    edited = Signal(int, str)
    answer_edited = Signal(int, str)
    regenerate = Signal(int)
    continued = Signal(int)
    forked = Signal(int)
    explained = Signal(int)
    stepped = Signal(int, int)
    filled = Signal()
    located = Signal(int)
    model_wanted = Signal()
    pointed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: int | None = None
        self._follow = True
        self._conversation: Conversation | None = None
        self._known: Mapping[int, ReusePlan] = {}
        self._value = 0
        self._dragging = False
        self._newest: int | None = None
        self._here: Anchor | None = None
        self._settling = self._again = False
        self._announced: object = None
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(_PAUSE_MS)
        self._ahead.timeout.connect(self._look_ahead)
        self.setObjectName("ringed")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self.column = TurnColumn()
        self.column.fork_of = self._fork_of
        self.column.made.connect(self._connect)
        self.column.resized.connect(self._settle)
        self.column.pointed.connect(self.pointed)
        self.setWidget(self.column)
        self.ends = EndButtons(self, self.go_to_end)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.restyle()

    @property
    def following(self) -> bool:
        return self._follow

    @property
    def widgets(self) -> dict[int, TurnWidget]:
        """The existing ones, by turn id in the order of the turns."""
        return self.column.widgets

    def show_conversation(self, conversation: Conversation) -> None:
        """Show the current turns, reusing what is still valid."""
        newest = conversation.turns[-1].id if conversation.turns else None
        another, self._newest = newest != self._newest, newest
        self._conversation = conversation
        if conversation.id != self._shown:
            self._shown, self._follow = conversation.id, True
            self.ends.dismiss()
        elif another and conversation.turns:
            self._point_below(conversation.turns[-1])
        # Scroll to the end only for a new answer: anything else would lose the reader's place.
        if another and conversation.running is not None:
            self._follow = True
            self.ends.dismiss()
        self.column.set_busy(conversation.running is not None)
        # Removing a focused message moves the focus, and Qt scrolls to it: wait until all messages
        # are placed.
        settling, self._settling = self._settling, True
        try:
            self.column.show_turns(conversation.turns)
        finally:
            self._settling = settling
        self._show_forks()
        self._settle()

    def show_turn(self, turn: Turn) -> None:
        if self.column.show_turn(turn):
            self._settle()
            self._point_below(turn)

    def show_forecast(self, known: Mapping[int, ReusePlan]) -> None:
        """Show what continuing from other branches would reuse, by their first turn."""
        self._known = known
        self._show_forks()

    def _show_forks(self) -> None:
        for turn, widget in self.widgets.items():
            widget.show_fork(self._fork_of(turn))

    def _fork_of(self, turn: int) -> Fork | None:
        shown = self._conversation
        return fork_at(shown.tree, turn, self._known) if shown is not None else None

    def first_on_screen(self) -> int | None:
        """The id of the first turn that is at least partly visible."""
        return self.column.first_below(self.verticalScrollBar().value())

    def reveal(self, turn: int, part: int | None = None) -> QTextEdit | None:
        """Unfold a turn, and scroll to it or to a part of its text unless that is visible.

        Returns the field of the part.
        """
        widget = self.column.ensure(turn)
        if widget is None:
            return None
        widget.unfold()
        self.column.measure(turn)
        body = widget.body
        value, height = self.verticalScrollBar().value(), self.viewport().height()
        if part is None or body is None or part >= len(body.text.blocks):
            if not value <= self.column.top_of(turn) < value + height:
                self._go_to(Anchor(turn, offset=min(_ROUND_PX, height // 3)))
            return None
        top, bottom = self.column.part_span(turn, body, part)
        if bottom <= value or top >= value + height or part not in body.fields():
            here = self.column.anchor_of(turn, body, part)
            self._go_to(replace(here, offset=min(_ROUND_PX, height // 3)))
        return body.fields().get(part)

    def go_to(self, turn: int) -> None:
        """Scroll to the beginning of a turn."""
        widget = self.column.ensure(turn)
        if widget is not None:
            widget.unfold()
            self._go_to(Anchor(turn, offset=_ABOVE_PX))

    def focused_turn(self) -> int | None:
        """The turn with the keyboard focus."""
        focused = QApplication.focusWidget()
        if focused is None:
            return None
        return next((t for t, widget in self.widgets.items() if widget.isAncestorOf(focused)), None)

    def aim(self, field: QTextEdit, cursor: QTextCursor) -> None:
        """Scroll to a place in a message."""
        spot = field.cursorRect(cursor).center()
        if field.lineWrapMode() is QTextEdit.LineWrapMode.NoWrap:
            bar = field.horizontalScrollBar()
            if not 0 <= spot.x() < field.viewport().width():
                bar.setValue(bar.value() + spot.x() - field.viewport().width() // 2)
        y = field.viewport().mapTo(self.column, spot).y()
        self.ensureVisible(self.width() // 2, y, 0, min(_ROUND_PX, self.height() // 3))

    def show_figures(self, on: bool) -> None:
        """Whether all figures of answers show even at rest."""
        self.column.show_figures(on)
        self._settle()

    def show_note(self, turn: int, text: str) -> None:
        """Show a note below an answer; "" takes it away."""
        self.column.show_note(turn, text)
        self._settle()

    def go_to_end(self) -> None:
        self._follow = True
        self.ends.dismiss()
        self._settle()

    def restyle(self) -> None:
        self.column.restyle()
        self.ends.restyle()
        self._settle()

    def _settle(self) -> None:
        """Create what is on screen, and keep the reader's place while heights are measured."""
        if self._settling:
            self._again = True
            return
        if not self.isVisible():
            return
        self._settling = True
        try:
            for _ in range(_ROUNDS):
                if self._settled():
                    break
        finally:
            self._settling = False
        value, height = self.verticalScrollBar().value(), self.viewport().height()
        self.column.let_go(value - round(_KEPT * height), value + round((1 + _KEPT) * height))
        self.column.place()
        self._value = value
        self._here = self._place()
        self._offer_jump()
        self._ahead.start(_PAUSE_MS)
        self._announce()

    def _settled(self, ahead: float = 0.0, until: float = inf) -> bool:
        """Run one round; whether nothing changed."""
        self._again = False
        self._go_to_place()
        value, height = self.verticalScrollBar().value(), self.viewport().height()
        extra = round(ahead * height)
        made = self.column.fill(value - extra, value + height + extra, until)
        self._go_to_place()
        still = value == self.verticalScrollBar().value() and height == self.viewport().height()
        return made and still and not self._again

    def _announce(self) -> None:
        """Emit `filled` if messages or parts of them are new."""
        shown = self.column.shown
        if shown != self._announced:
            self._announced = shown
            order_stops(self, self.widgets.values())
            self.filled.emit()

    def _place(self) -> Anchor | None:
        value = self.verticalScrollBar().value()
        return self.column.anchor(value, value + self.viewport().height())

    def _go_to_place(self) -> None:
        """Scroll to the reader's place, as far as heights are known."""
        self.column.lay_out(self.viewport().width())
        self.column.resize(
            self.viewport().width(), max(self.column.needed, self.viewport().height())
        )
        bar = self.verticalScrollBar()
        if self._follow and not self._dragging:
            bar.setValue(bar.maximum())
            return
        y = self.column.y_of(self._here) if self._here is not None else None
        bar.setValue(bar.value() if y is None else y)

    def _look_ahead(self) -> None:
        """Create what would scroll into view next, a slice of a frame at a time."""
        if self._settling or not self.isVisible():
            return
        self._settling = True
        try:
            done = self._settled(_AHEAD, perf_counter() + _SLICE_S)
        finally:
            self._settling = False
        self.column.place()
        self._value = self.verticalScrollBar().value()
        self._here = self._place()
        self._announce()
        if not done:
            self._ahead.start(0)

    def _go_to(self, anchor: Anchor) -> None:
        """Scroll to an anchor."""
        self._follow, self._here = False, anchor
        self._settle()
        bar = self.verticalScrollBar()
        self._follow = bar.value() >= bar.maximum()
        self._offer_jump()

    def _point_below(self, turn: Turn) -> None:
        """Announce new text while the user is reading elsewhere.

        Not whenever the column grows: unfolding or editing a message is not new text.
        """
        if turn.text and not self._follow:
            self.ends.announce()
            self._offer_jump()

    def _offer_jump(self) -> None:
        """Offer the arrow to the end, unless the pill is visible."""
        bar = self.verticalScrollBar()
        away = bar.maximum() - bar.value() > _FAR_PX
        self.ends.offer(away and not self._follow)

    def _hold_still(self, dragging: bool) -> None:
        """Keep the text under the mouse in place while it is being selected, and afterwards."""
        if dragging:
            self._dragging = True
            return
        self._dragging = False
        if any(one.active for widget in self.widgets.values() for one in widget.selections):
            self._follow = False
            self._offer_jump()
        elif self._follow:
            self.go_to_end()

    def _connect(self, widget: TurnWidget) -> None:
        if isinstance(widget, UserMessage):
            widget.edited.connect(self.edited)
        elif isinstance(widget, AnswerMessage):
            widget.regenerate.connect(self.regenerate)
            widget.edited.connect(self.answer_edited)
            widget.continued.connect(self.continued)
            widget.forked.connect(self.forked)
            widget.explained.connect(self.explained)
            widget.model_wanted.connect(self.model_wanted)
            widget.note_closed.connect(lambda: self.show_note(widget.turn.id, ""))
        if not isinstance(widget, ErrorMessage):
            widget.located.connect(self.located)
            widget.stepped.connect(lambda step: self._step(widget, step))
        for selection in widget.selections:
            selection.dragging.connect(self._hold_still)
            selection.dragging.connect(
                lambda on, chosen=selection: self._only(chosen) if on else None
            )
            selection.beyond.connect(self._scroll_to)

    def _step(self, widget: UserMessage | AnswerMessage, step: int) -> None:
        """Go to a sibling, which appears in the same place; the focus stays on the arrow."""
        assert self._conversation is not None
        at = next(i for i, t in enumerate(self._conversation.turns) if t.id == widget.turn.id)
        offset = widget.mapTo(self.viewport(), QPoint(0, 0)).y()
        focused = widget.isAncestorOf(QApplication.focusWidget() or self)
        self.stepped.emit(widget.turn.id, step)
        if at >= len(self._conversation.turns):
            return
        shown = self._conversation.turns[at].id
        self._go_to(Anchor(shown, offset=offset))
        if focused and not isinstance(there := self.widgets[shown], ErrorMessage):
            there.focus_step(step)

    def _only(self, chosen: BodySelection) -> None:
        """Clear all other selections."""
        for widget in self.widgets.values():
            for selection in widget.selections:
                if selection is not chosen:
                    selection.clear()

    def _scroll_to(self, spot: QPoint) -> None:
        """Scroll while the mouse selects beyond the edge."""
        y = self.viewport().mapFromGlobal(spot).y()
        beyond = min(0, y) + max(0, y - self.viewport().height())
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(-_DRAG_PX, min(_DRAG_PX, beyond)))

    def _scrolled(self, value: int) -> None:
        if self._settling:
            return
        most = self.verticalScrollBar().maximum()
        # Even the smallest scroll up stops following: a touchpad's steps are smaller than _END_PX.
        up, self._value = value < self._value, value
        self._follow = value >= most or (value >= most - _END_PX and not up)
        if self._follow:
            self.ends.dismiss()
        self._here = self._place()
        self._settle()

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Create the widget that Tab moves to.
        if not self._settling:
            self.column.ensure_around(QApplication.focusWidget())
            order_stops(self, self.widgets.values())
        return super().focusNextPrevChild(forward)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()
        self.ends.place()
