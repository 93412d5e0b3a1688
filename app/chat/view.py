"""The conversation: a column of messages that follows the end while the user is there."""

from __future__ import annotations

from collections.abc import Mapping

import shiboken6
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.chat.body_selection import BodySelection
from app.chat.message import AnswerMessage, ErrorMessage, TurnWidget, UserMessage, make_widget
from app.icons import icon
from app.session.fork import fork_at
from app.session.records import Conversation, Turn
from app.widgets import IconButton
from engine.reuse import ReusePlan

COLUMN_PX = 760
_END_PX = 12
# A long conversation opens at its end; the rest is created when the user scrolls there.
_FIRST_TURNS = 24
_MORE_TURNS = 16
_NEAR_TOP_PX = 300
_HOLD_MS = 250
_FAR_PX = 120
_DRAG_PX = 40
# Between a place one is taken to and the edge of the view.
_ROUND_PX = 120
_ABOVE_PX = 16


class ChatView(QScrollArea):
    """Shows the turns of one conversation.

    Attributes:
        widgets: by turn id, in the order of the turns; the last ones of a long conversation.

    Signals:
        edited, answer_edited: (turn id, new text).
        regenerate: turn id; the user asks for another answer.
        continued: turn id; the model is to go on with an answer.
        forked: turn id; the conversation up to it is to go on in another one.
        stepped: (turn id, step to a sibling of it).
    """

    edited = Signal(int, str)
    answer_edited = Signal(int, str)
    regenerate = Signal(int)
    continued = Signal(int)
    forked = Signal(int)
    stepped = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.widgets: dict[int, TurnWidget] = {}
        self._shown: int | None = None
        self._follow = True
        self._conversation: Conversation | None = None
        self._known: Mapping[int, ReusePlan] = {}
        self._first = 0
        self._value = 0
        self._dragging = False
        self._newest: int | None = None
        self._hold: int | None = None
        self._hold_timer = QTimer(self)
        self._hold_timer.setSingleShot(True)
        self._hold_timer.setInterval(_HOLD_MS)
        self._hold_timer.timeout.connect(self._let_go)
        self._aim: tuple[QTextEdit, QTextCursor] | None = None
        self._sought: int | None = None
        self._aim_timer = QTimer(self)
        self._aim_timer.setSingleShot(True)
        self._aim_timer.setInterval(_HOLD_MS)
        self._aim_timer.timeout.connect(self._lower_aim)
        self.setWidgetResizable(True)
        self.setObjectName("ringed")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Conversation")
        self.viewport().setAutoFillBackground(False)
        self._column = QWidget()
        self._column.setObjectName("column")
        outer = QHBoxLayout(self._column)
        outer.setContentsMargins(24, 20, 24, 24)
        inner = self._inner = QWidget(self._column)
        inner.setMaximumWidth(COLUMN_PX)
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(14)
        self._list.addStretch(1)
        outer.addStretch(1)
        outer.addWidget(inner, 1000)
        outer.addStretch(1)
        self.setWidget(self._column)
        self._pill = QPushButton("New text below", self)
        self._pill.setAccessibleName("Go to the end of the conversation")
        self._pill.setCursor(Qt.CursorShape.PointingHandCursor)
        self._pill.clicked.connect(self.go_to_end)
        self._pill.hide()
        self._jump = IconButton("arrow_down", "Jump to the end", self.go_to_end, parent=self)
        self._jump.setProperty("kind", "jump")
        self._jump.hide()
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._scrolled)
        self.restyle()

    @property
    def following(self) -> bool:
        return self._follow

    def show_conversation(self, conversation: Conversation) -> None:
        """Sync the widgets with the turns; those that are still valid are kept."""
        newest = conversation.turns[-1].id if conversation.turns else None
        another, self._newest = newest != self._newest, newest
        if conversation.id != self._shown:
            self._shown, self._follow = conversation.id, True
            self._pill.hide()
            self._first = max(0, len(conversation.turns) - _FIRST_TURNS)
        self._conversation = conversation
        self._first = min(self._first, max(0, len(conversation.turns) - _FIRST_TURNS))
        self._show_turns(conversation)
        # Only a new answer leads to the end: any other news would take the reader's place away.
        if another and conversation.running is not None:
            self.go_to_end()
        self._offer_jump()

    def _show_turns(self, conversation: Conversation) -> None:
        turns = conversation.turns[self._first :]
        wanted = [turn.id for turn in turns]
        for gone in [turn for turn in self.widgets if turn not in set(wanted)]:
            widget = self.widgets.pop(gone)
            self._list.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        for index, turn in enumerate(turns):
            if turn.id not in self.widgets:
                widget = self._make(turn)
                self.widgets[turn.id] = widget
                self._list.insertWidget(index, widget)
                if turn is turns[-1]:
                    self._point_below(turn)
            else:
                self.widgets[turn.id].show_turn(turn)
        self.widgets = {turn: self.widgets[turn] for turn in wanted}
        self.set_busy(conversation.running is not None)
        self._show_forks()

    def show_forecast(self, known: Mapping[int, ReusePlan]) -> None:
        """Show what going on from other branches would reuse, by the turn they begin with."""
        self._known = known
        self._show_forks()

    def _show_forks(self) -> None:
        if self._conversation is not None:
            for turn, widget in self.widgets.items():
                widget.show_fork(fork_at(self._conversation.tree, turn, self._known))

    def show_earlier(self) -> None:
        """Create the widgets of earlier turns; what is on screen stays in place."""
        if self._conversation is None or not self._first:
            return
        bar = self.verticalScrollBar()
        self._hold = bar.maximum() - bar.value()
        self._first = max(0, self._first - _MORE_TURNS)
        self._show_turns(self._conversation)

    def first_on_screen(self) -> int | None:
        """The id of the uppermost turn of which something is on screen."""
        top = self.verticalScrollBar().value()
        for turn, widget in self.widgets.items():
            if widget.mapTo(self._column, widget.rect().bottomLeft()).y() > top:
                return turn
        return None

    def reveal(self, turn: int) -> None:
        """Create the widget of a turn however far above it is, and unfold it."""
        while turn not in self.widgets and self._first:
            self.show_earlier()
        if turn in self.widgets:
            self.widgets[turn].unfold()

    def go_to(self, turn: int) -> None:
        """Take the reader to the beginning of a turn."""
        self.reveal(turn)
        if turn not in self.widgets:
            return
        self._follow = False
        self._hold = None
        self._sought = turn
        self._aim_timer.start()
        self._take_aim()

    def focused_turn(self) -> int | None:
        """The turn that has the keyboard focus."""
        focused = QApplication.focusWidget()
        if focused is None:
            return None
        return next((t for t, widget in self.widgets.items() if widget.isAncestorOf(focused)), None)

    def aim(self, field: QTextEdit, cursor: QTextCursor) -> None:
        """Scroll to a place in a message, again until new widgets have their heights."""
        self._hold, self._aim, self._sought = None, (field, cursor), None
        self._aim_timer.start()
        self._take_aim()

    def _take_aim(self) -> None:
        if self._sought in self.widgets:
            top = self.widgets[self._sought].mapTo(self._column, QPoint(0, 0)).y()
            self.verticalScrollBar().setValue(top - _ABOVE_PX)
            return
        if self._aim is None or not shiboken6.isValid(self._aim[0]):
            return
        field, cursor = self._aim
        if isinstance(field, QPlainTextEdit):
            # Code scrolls sideways by itself.
            still = QTextCursor(cursor)
            still.setPosition(cursor.selectionStart())
            field.setTextCursor(still)
            still.setPosition(cursor.selectionEnd())
            field.setTextCursor(still)
        spot = field.viewport().mapTo(self._column, field.cursorRect(cursor).center())
        self.ensureVisible(self.width() // 2, spot.y(), 0, min(_ROUND_PX, self.height() // 3))

    @property
    def _aiming(self) -> bool:
        return self._aim is not None or self._sought is not None

    def _lower_aim(self) -> None:
        self._aim = self._sought = None

    def show_turn(self, turn: Turn) -> None:
        widget = self.widgets.get(turn.id)
        if widget is not None:
            widget.show_turn(turn)
            self._point_below(turn)

    def _point_below(self, turn: Turn) -> None:
        """Announce new text while the user is looking elsewhere.

        Not whenever the conversation grows: unfolding or editing a message is not new text.
        """
        if turn.text and not self._follow:
            self._pill.show()
            self._pill.raise_()
            self._offer_jump()

    def set_busy(self, busy: bool) -> None:
        for widget in self.widgets.values():
            widget.set_busy(busy)

    def go_to_end(self) -> None:
        self._follow = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._pill.hide()
        self._offer_jump()

    def _offer_jump(self) -> None:
        """A way to the end, wherever the pill does not offer one."""
        bar = self.verticalScrollBar()
        away = bar.maximum() - bar.value() > _FAR_PX
        self._jump.setVisible(away and not self._follow and not self._pill.isVisible())
        self._jump.raise_()

    def _hold_still(self, dragging: bool) -> None:
        """The text under the mouse must not move while it is being selected, nor afterwards."""
        if dragging:
            self._dragging = True
            return
        self._dragging = False
        if any(widget.selected_text for widget in self.widgets.values()):
            self._follow = False
            self._offer_jump()
        elif self._follow:
            self.go_to_end()

    def restyle(self) -> None:
        for widget in self.widgets.values():
            widget.restyle()
        self._pill.setIcon(icon("arrow_down", theme.current().colours["dim"]))

    def _make(self, turn: Turn) -> TurnWidget:
        widget = make_widget(turn, self._column)
        if self.isVisible():
            # Else the conversation would jump once the texts have their heights.
            widget.lay_out(self._inner.width())
        if isinstance(widget, UserMessage):
            widget.edited.connect(self.edited)
        elif isinstance(widget, AnswerMessage):
            widget.regenerate.connect(self.regenerate)
            widget.continued.connect(self.continued)
            widget.edited.connect(self.answer_edited)
            widget.forked.connect(self.forked)
        if not isinstance(widget, ErrorMessage):
            widget.stepped.connect(lambda step: self._step(widget, step))
        for selection in widget.selections:
            selection.dragging.connect(self._hold_still)
            selection.dragging.connect(
                lambda on, chosen=selection: self._only(chosen) if on else None
            )
            selection.beyond.connect(self._scroll_to)
        return widget

    def _step(self, widget: UserMessage | AnswerMessage, step: int) -> None:
        """Go to a sibling; the focus stays on the arrow, which is another widget's then."""
        at = list(self.widgets).index(widget.turn.id)
        focused = widget.isAncestorOf(QApplication.focusWidget() or self)
        self.stepped.emit(widget.turn.id, step)
        shown = list(self.widgets.values())
        if focused and at < len(shown):
            shown[at].focus_step(step)

    def _only(self, chosen: BodySelection) -> None:
        """One selection at a time, as everywhere else."""
        for widget in self.widgets.values():
            for selection in widget.selections:
                if selection is not chosen:
                    selection.clear()

    def _scroll_to(self, spot: QPoint) -> None:
        """The mouse selects beyond the edge: scroll on."""
        y = self.viewport().mapFromGlobal(spot).y()
        beyond = min(0, y) + max(0, y - self.viewport().height())
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(-_DRAG_PX, min(_DRAG_PX, beyond)))

    def _grown(self, _least: int, most: int) -> None:
        if self._aiming:
            self._take_aim()
        elif self._hold is not None:
            self.verticalScrollBar().setValue(most - self._hold)
            # The new widgets get their heights one after the other; then the position is restored.
            self._hold_timer.start()
        elif self._follow and not self._dragging:
            self.verticalScrollBar().setValue(most)
        self._offer_jump()

    def _scrolled(self, value: int) -> None:
        most = self.verticalScrollBar().maximum()
        # The smallest move up is meant: a touchpad's steps are smaller than what counts as the end.
        up, self._value = value < self._value, value
        self._follow = value >= most or (value >= most - _END_PX and not up)
        if self._follow:
            self._pill.hide()
        elif value < _NEAR_TOP_PX and self._hold is None and not self._aiming:
            self.show_earlier()
        self._offer_jump()

    def _let_go(self) -> None:
        self._hold = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._pill.sizeHint()
        self._pill.setGeometry(
            (self.width() - size.width()) // 2,
            self.height() - size.height() - 12,
            size.width(),
            size.height(),
        )
        side = self._jump.sizeHint().height()
        self._jump.setGeometry((self.width() - side) // 2, self.height() - side - 12, side, side)
