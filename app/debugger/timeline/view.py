"""The timeline's widget: paints a scene, and maps mouse and keys to actions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollBar, QToolTip, QWidget

from app.core.words.tr import tr
from app.debugger.logic.chosen import NOTHING, Chosen
from app.debugger.logic.source import forgotten_sentence
from app.debugger.timeline.frame import FrameArt, Marked
from app.debugger.timeline.logic.cards import chosen_card, missed_words
from app.debugger.timeline.logic.concerned import (
    MOST,
    NOTHING_CONCERNED,
    concerned,
)
from app.debugger.timeline.logic.growing import Ints
from app.debugger.timeline.logic.scene import Hit, Scene
from app.debugger.timeline.logic.tracks import GUTTER_PX, ROW_PX, RULER_PX, Track

# A press that moves no further counts as a click.
_CLICK_PX = 4
_Button = Qt.MouseButton
_Key = Qt.Key
STEP = 1.25


class TimelineView(QWidget):
    """Zoom with the wheel, pan on the ruler's left or with Shift, select by dragging.

    Attributes:
        scene: the model.
        acts: the actions of keys and buttons.
        bar: scrolls the tracks if they are higher than the widget.

    Signals:
        scrubbed(object): the playhead was dragged to this time of the first stack.
        chosen(object), hovered(object): a Chosen.
        opened(object): go to this time of the first stack.
        marks_changed: the interval or a marker changed.
    """

    scrubbed = Signal(object)
    chosen = Signal(object)
    hovered = Signal(object)
    opened = Signal(object)
    marks_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene = Scene()
        self.playhead: float | None = None
        self.live = True
        self.shown_choice, self.shown_hover = NOTHING, NOTHING
        self.of_chosen = self.of_hovered = NOTHING_CONCERNED
        self._pressed: QPointF | None = None
        self._drag = ""
        self._last_x = 0.0
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        self.bar.valueChanged.connect(self.update)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Timeline"))
        self.setMinimumHeight(90)
        self.acts = Acts(self)
        self._keys = bindings(self.acts)

    # ---- showing

    def refresh(self) -> None:
        """Repaint after the scene changed."""
        self._fit_scroll()
        self.setAccessibleDescription(self._description())
        self.update()

    def show_moment(self, time: float, live: bool) -> None:
        """Place the playhead, on the first stack."""
        self.playhead, self.live = time, live
        self.update()

    def show_choice(
        self,
        chosen: Chosen,
        hovered: Chosen,
        ran: tuple[Collection[int], Collection[int]] = ((), ()),
        host: int | None = None,
        links: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Ring what concerns the selection and the hovered item.

        Args:
            ran: numbers of the requests that ran a selected, and a hovered message.
            host: the selected node's number in host memory.
            links: evictions and requests of the selection, see Concerned.
        """
        self.shown_choice, self.shown_hover = chosen, hovered
        if self.scene.stacks:
            series = self.scene.stacks[0].series
            self.of_chosen = concerned(series, chosen, ran[0], host, links[-MOST:])
            self.of_hovered = concerned(series, hovered, ran[1])
        self.setAccessibleDescription(self._description())
        self.update()

    def unrolled(self) -> TimelineView:
        """A view of the same scene, high enough for all tracks, to export as a picture."""
        made = TimelineView()
        made.scene = self.scene
        made.show_moment(self.playhead or 0.0, self.live)
        made.show_choice(self.shown_choice, NOTHING, links=self.of_chosen.links)
        made.resize(self.width(), RULER_PX + self.scene.height)
        made.bar.hide()
        return made

    @property
    def marked(self) -> Marked:
        place = None
        if self.playhead is not None and self.scene.stacks:
            place = float(self.scene.stacks[0].clock.place(self.playhead))
        return Marked(
            place,
            self.live,
            self.of_chosen,
            self.of_hovered,
            self.scene.interval,
            self.scene.markers,
            self.acts.cursor if self.hasFocus() else None,
        )

    def paint(self, painter: QPainter, size: QSizeF) -> None:
        """Paint one frame, also for pictures."""
        scroll = self.bar.value()
        FrameArt(painter, size, self.scene.view, scroll).draw(self.scene.stacks, self.marked)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self.paint(painter, QSizeF(self.size()))
        finally:
            # A painter left active after an exception would crash the program.
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.bar.sizeHint().width()
        self.bar.setGeometry(self.width() - wide, RULER_PX, wide, self.height() - RULER_PX)
        self.scene.resize(self.width() - GUTTER_PX - wide)
        self._fit_scroll()

    def _fit_scroll(self) -> None:
        bar, room = self.bar, self.height() - RULER_PX
        bar.setRange(0, max(0, self.scene.height - room))
        bar.setPageStep(max(1, room))
        bar.setSingleStep(ROW_PX)
        bar.setVisible(bar.maximum() > 0)

    # ---- the mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, x = event.angleDelta(), event.position().x()
        if x < GUTTER_PX:
            self.bar.setValue(self.bar.value() - turned.y() * 3 * ROW_PX // 120)
        elif turned.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.scene.pan(turned.x() or turned.y())
        else:
            self.scene.zoom(STEP ** (turned.y() / 120), x - GUTTER_PX)
        event.accept()
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._drag = event.position(), ""
        self._last_x = event.position().x()
        hit = self._hit(event.position())
        if event.button() == _Button.MiddleButton:
            self._drag = "pan"
        elif event.button() == _Button.LeftButton and hit.spot == "ruler":
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._drag = "pan" if shift else "scrub"
            if self._drag == "scrub":
                self._scrub(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at, pressed = event.position(), self._pressed
        if pressed is None:
            self._hover(at)
            return
        moved = abs(at.x() - pressed.x()) > _CLICK_PX
        if not self._drag and moved and pressed.x() >= GUTTER_PX:
            self._drag = "select"
        if self._drag == "scrub":
            self._scrub(at.x())
        elif self._drag == "pan":
            self.scene.pan(at.x() - self._last_x)
            self.refresh()
        elif self._drag == "select":
            places = [self.scene.view.place(x - GUTTER_PX) for x in (pressed.x(), at.x())]
            self.scene.interval = (min(places), max(places))
            self.update()
        self._last_x = at.x()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._pressed is not None and not self._drag
        if self._drag == "select":
            # Not during the drag: the figures take room, which would move the tracks.
            self.marks_changed.emit()
        self._pressed, self._drag = None, ""
        if clicked and event.button() == _Button.LeftButton:
            self._click(self._hit(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self._hit(event.position())
        if hit.spot not in ("ruler", "gutter") and self.scene.stacks:
            time = self._time_of(hit)
            if time is not None:
                self.opened.emit(time)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(NOTHING)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            card = self.scene.card(self._hit(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), card.text if card else "", self)
            return True
        return super().event(event)

    def _description(self) -> str:
        """The selection, for a screen reader."""
        if not self.scene.stacks:
            return ""
        lost = self.scene.forgotten
        if lost and self.shown_choice == NOTHING:
            return forgotten_sentence(lost)
        card = chosen_card(self.scene.stacks[0], self.shown_choice.request, self.shown_choice.entry)
        said = "" if card is None else card.text
        return "\n".join(filter(None, (said, missed_words(self.of_chosen))))

    def _hit(self, at: QPointF) -> Hit:
        return self.scene.hit(at.x(), at.y(), self.bar.value())

    def _scrub(self, x: float) -> None:
        if self.scene.stacks:
            place = self.scene.view.place(x - GUTTER_PX)
            self.scrubbed.emit(float(self.scene.stacks[0].clock.time(place)))

    def _click(self, hit: Hit) -> None:
        if hit.spot == "gutter" and hit.track is not None:
            self.scene.toggle(hit.track.key)
            self.refresh()
            return
        if hit.track is not None:
            self.acts.cursor = (hit.stack, hit.track.key)
        self.chosen.emit(self._target(hit) or NOTHING)
        self.update()

    def _hover(self, at: QPointF) -> None:
        hit = self._hit(at)
        self.hovered.emit(self._target(hit) or NOTHING)
        hand = hit.spot in ("gutter", "ruler") or hit.request is not None or len(hit.events)
        shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def _target(self, hit: Hit) -> Chosen | None:
        """What a click selects; None in the second stack, which is read-only."""
        if hit.stack or not self.scene.stacks:
            return None
        series = self.scene.stacks[0].series
        if hit.request is not None:
            return Chosen(request=hit.request, entry=int(series.requests.index[hit.request]))
        if len(hit.events):
            return self.event_choice(int(hit.events[0]))
        return None

    def event_choice(self, number: int) -> Chosen:
        """An event as a selection; without a node on other tiers, whose ids differ."""
        events = self.scene.stacks[0].series.events
        node = int(events.node[number])
        here = events.rows[int(events.row[number])].tier == "device" and node > 0
        return Chosen(node=node if here else None, entry=int(events.index[number]))

    def _time_of(self, hit: Hit) -> float | None:
        stack = self.scene.stacks[0]
        if hit.stack:
            return None
        if len(hit.events):
            return float(stack.series.events.time[hit.events[0]])
        if hit.request is not None:
            return float(stack.series.requests.ended[hit.request])
        return float(stack.clock.time(hit.place))

    # ---- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        act = self._keys.get((_Key(event.key()), bool(held))) if plain else None
        if act is None:
            super().keyPressEvent(event)
            return
        act()
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def marks_moved(self) -> None:
        self.update()
        self.marks_changed.emit()


class Acts:
    """The actions on one view.

    Attributes:
        cursor: stack and key of the track that keys act on.
    """

    def __init__(self, view: TimelineView) -> None:
        self._view = view
        self.cursor: tuple[int, str] = (0, "requests")

    def zoom(self, factor: float) -> None:
        """Zoom around the playhead if it is on screen, else around the middle."""
        view, head = self._view.scene.view, self._view.marked.playhead
        x = view.width / 2 if head is None else view.x(head)
        self._view.scene.zoom(factor, x if 0 <= x <= view.width else view.width / 2)
        self._view.refresh()

    def pan(self, share: float) -> None:
        self._view.scene.pan(-share * self._view.scene.view.width)
        self._view.refresh()

    def fit(self) -> None:
        self._view.scene.fit()
        self._view.refresh()

    def mark(self, which: int) -> None:
        """Set marker A or B at the playhead, or clear it if it is already there."""
        place = self._view.marked.playhead
        same = place is not None and self._view.scene.markers[which] == place
        self._view.scene.mark(which, None if same else place)
        self._view.marks_moved()

    def bound(self, last: bool) -> None:
        """Set the start or the end of the interval to the playhead."""
        place = self._view.marked.playhead
        if place is None:
            return
        start, end = self._view.scene.interval or (place, place)
        start, end = (start, place) if last else (place, end)
        self._view.scene.interval = (min(start, end), max(start, end))
        self._view.marks_moved()

    def clear(self) -> None:
        """Clear interval and markers."""
        self._view.scene.interval, self._view.scene.markers = None, (None, None)
        self._view.marks_moved()

    def walk(self, by: int) -> None:
        """Select the next or previous item of the cursor's track."""
        if not self._view.scene.stacks:
            return
        series = self._view.scene.stacks[0].series
        events = self.cursor[1] == "events"
        entries = series.events.index if events else series.requests.index
        found = _neighbour(entries, self._view.shown_choice.entry, by, series.first)
        if found is None:
            return
        target = (
            self._view.event_choice(found)
            if events
            else Chosen(request=found, entry=int(series.requests.index[found]))
        )
        self._view.scene.reveal(
            float((series.events.time if events else series.requests.ended)[found])
        )
        self._view.chosen.emit(target)

    def move_cursor(self, by: int) -> None:
        """Move the cursor to the track below, or above."""
        tracks = [(n, t) for n, stack in enumerate(self._view.scene.stacks) for t in stack.tracks]
        if not tracks:
            return
        keys = [(number, track.key) for number, track in tracks]
        at = keys.index(self.cursor) if self.cursor in keys else 0
        at = min(max(at + by, 0), len(keys) - 1)
        self.cursor = keys[at]
        self._show_track(tracks[at][1])

    def toggle_track(self) -> None:
        self._view.scene.toggle(self.cursor[1])

    def open_choice(self) -> None:
        """Go to the moment of the selection."""
        entry, stacks = self._view.shown_choice.entry, self._view.scene.stacks
        if entry is None or not stacks:
            return
        for source in (stacks[0].series.events, stacks[0].series.requests):
            times = source.time if hasattr(source, "time") else source.ended
            at = int(source.index.searchsorted(entry))
            if at < len(source) and source.index[at] == entry:
                self._view.opened.emit(float(times[at]))
                return

    def _show_track(self, track: Track) -> None:
        bar, room = self._view.bar, self._view.height() - RULER_PX
        if track.top < bar.value():
            bar.setValue(track.top - 4)
        elif track.bottom > bar.value() + room:
            bar.setValue(track.bottom - room + 4)


def _neighbour(index: Ints, entry: int | None, by: int, first: int) -> int | None:
    """The item after or before an entry, among those from entry `first` on."""
    least = int(np.searchsorted(index, first))
    if entry is None:
        at = least if by > 0 else len(index) - 1
    else:
        at = int(np.searchsorted(index, entry, side="right" if by > 0 else "left"))
        at = max(at, least) if by > 0 else at - 1
    return at if least <= at < len(index) else None


_PAN_SHARE = 0.15
_Act = Callable[[Acts], object]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of the list of keyboard shortcuts.

    Attributes:
        keys: the action of each; the flag is Shift.
    """

    shown: str
    what: str
    keys: tuple[tuple[Qt.Key, bool, _Act], ...]


KEY_LINES = (
    KeyLine(
        "W, S, A, D, F",
        tr("timeline: zoom, move, show all"),
        (
            (_Key.Key_W, False, lambda acts: acts.zoom(STEP)),
            (_Key.Key_Plus, False, lambda acts: acts.zoom(STEP)),
            (_Key.Key_S, False, lambda acts: acts.zoom(1 / STEP)),
            (_Key.Key_Minus, False, lambda acts: acts.zoom(1 / STEP)),
            (_Key.Key_A, False, lambda acts: acts.pan(-_PAN_SHARE)),
            (_Key.Key_D, False, lambda acts: acts.pan(_PAN_SHARE)),
            (_Key.Key_F, False, Acts.fit),
        ),
    ),
    KeyLine(
        "Left, Right, Up, Down",
        tr("timeline: previous, next, track above, below"),
        (
            (_Key.Key_Right, False, lambda acts: acts.walk(1)),
            (_Key.Key_Left, False, lambda acts: acts.walk(-1)),
            (_Key.Key_Down, False, lambda acts: acts.move_cursor(1)),
            (_Key.Key_Up, False, lambda acts: acts.move_cursor(-1)),
        ),
    ),
    KeyLine(
        "Enter, X",
        tr("timeline: go to the chosen event, fold the track"),
        (
            (_Key.Key_Return, False, Acts.open_choice),
            (_Key.Key_Enter, False, Acts.open_choice),
            (_Key.Key_X, False, Acts.toggle_track),
        ),
    ),
    KeyLine(
        "M, Shift+M",
        tr("timeline: marker A, marker B at the playhead"),
        (
            (_Key.Key_M, False, lambda acts: acts.mark(0)),
            (_Key.Key_M, True, lambda acts: acts.mark(1)),
        ),
    ),
    KeyLine(
        "I, O, Esc",
        tr("timeline: begin, end, clear the interval"),
        (
            (_Key.Key_I, False, lambda acts: acts.bound(False)),
            (_Key.Key_O, False, lambda acts: acts.bound(True)),
            (_Key.Key_Escape, False, Acts.clear),
        ),
    ),
)


def bindings(acts: Acts) -> dict[tuple[Qt.Key, bool], Callable[[], object]]:
    """The action of each key on a view, without and with Shift."""
    return {
        (key, shifted): lambda act=act: act(acts)  # type: ignore[misc]
        for line in KEY_LINES
        for key, shifted, act in line.keys
    }
