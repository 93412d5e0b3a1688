"""The tree of cached prefixes on screen: painting, mouse and keys around a TreeModel."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolTip, QWidget

from app.cache.drag import Drag
from app.cache.logic.axis import Viewport
from app.cache.logic.chats import InFocus
from app.cache.logic.fading import Mark
from app.cache.logic.folding import Chip, Folding
from app.cache.logic.lit import Lights
from app.cache.logic.tree_model import TreeModel
from app.cache.logic.tree_tooltip import tree_tooltip
from app.cache.logic.walk import Direction
from app.cache.minimap import Minimap
from app.cache.tree_painter import RULER_PX
from app.cache.tree_picture import TreePicture, paint_focus
from app.cache.tree_view import TreeView
from app.cache.views import make_views
from app.core.session.passages import Place
from app.core.words.explain import node_tooltip, tree_summary
from app.core.words.tr import tr
from app.ui.widgets import IconButton
from engine.snapshot import CacheSnapshot, Evicted, NodeView

_FADE_MS = 50
_OFF_PX = 16
_GONE = tr("No longer in the cache.")
_ZOOM, _PAN_PX = 1.2, 60
_Key = Qt.Key


class HoverCard(QFrame):
    """A few lines about one node.

    Attributes:
        node: its id.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName("hoverCard")
        self.node = 0
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 8, 7)
        row.addWidget(self.text, 1)
        self._row = row
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def tell(self, node: int, text: str, at: QPoint) -> None:
        """Show a text next to a point, inside the parent."""
        self.node = node
        self.say(text)
        room = self._over.size()
        beside, below = at.x() + _OFF_PX, at.y() + _OFF_PX
        x = beside if beside + self.width() <= room.width() else at.x() - _OFF_PX - self.width()
        y = below if below + self.height() <= room.height() else at.y() - _OFF_PX - self.height()
        self.move(max(0, x), max(0, y))
        self.show()
        self.raise_()

    def say(self, text: str) -> None:
        if text != self.text.text():
            self.text.setText(text)
            self.setAccessibleName(text)
        self.adjustSize()

    def stay(self, close: Callable[[], None]) -> None:
        """Become a pinned card, with a button that closes it."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self.setProperty("pinned", True)
        button = IconButton("close", tr("Close this card"), close, size=12)
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.adjustSize()


class HoverCards(QObject):
    """The card under the pointer, and the pinned ones.

    Attributes:
        floating: follows the pointer.
        pinned: by node, in the order of pinning.
    """

    def __init__(self, canvas: QWidget, words: Callable[[int], str]) -> None:
        """`words`: the text for a node id, "" if there is no such node."""
        super().__init__(canvas)
        self._canvas, self._words = canvas, words
        self.floating = HoverCard(canvas)
        self.pinned: dict[int, HoverCard] = {}

    def point_at(self, node: int | None, at: QPoint) -> None:
        """Follow the pointer onto a node, or off all; a pinned node gets no second card."""
        if node is None or node in self.pinned:
            self.floating.hide()
        else:
            self.floating.tell(node, self._words(node), at)

    def pin(self, node: int, at: QPoint) -> None:
        """Pin the card of a node, or take it down."""
        if node in self.pinned:
            self.close(node)
            return
        card = HoverCard(self._canvas)
        card.stay(lambda: self.close(node))
        at = self.floating.pos() - QPoint(_OFF_PX, _OFF_PX) if self.floating.isVisible() else at
        self.floating.hide()
        card.tell(node, self._words(node), at)
        self.pinned[node] = card

    def close(self, node: int) -> None:
        card = self.pinned.pop(node)
        card.hide()
        card.deleteLater()

    def clear(self) -> None:
        """Close all cards, since the tree was replaced."""
        self.floating.hide()
        for node in list(self.pinned):
            self.close(node)

    def follow(self) -> None:
        """Update all cards after the snapshot changed."""
        for node, card in self.pinned.items():
            card.say(self._words(node) or _GONE)


def card_words(model: TreeModel, node: int) -> str:
    """What a node's card says; "" if the node is gone."""
    view, snapshot = model.node(node), model.snapshot
    if view is None or snapshot is None:
        return ""
    whose = model.folding.chats.line(view.owners)
    lines = (whose, model.also(node), node_tooltip(view, snapshot.time))
    return "\n".join(line for line in lines if line)


def pin_spot(model: TreeModel, pointer: QPoint, top: int) -> tuple[int, QPoint] | None:
    """The node under the pointer, else the selected one, and where its card goes.

    Args:
        top: pixels above the tree.
    """
    hovered = model.node_of(model.hovered)
    node = hovered or model.node_of(model.selected_row)
    row, made, view = model.selected_row, model.layout, model.viewport
    if node is None or row is None or made is None or hovered is not None:
        return None if node is None else (node.id, pointer)
    x = min(max(view.x(float(made.scale.left[row])), 0.0), view.width)
    return node.id, QPoint(round(x), round(view.y(int(made.lane[row]))) + top)


class TreeCanvas(QWidget):
    """Shows the latest snapshot in one of several views.

    Attributes:
        model: what is on screen.
        views: to choose from; `view` is the one on screen.
        minimap: the whole tree in a corner, while not all of it is on screen.
        cards: about the node under the pointer, and pinned ones.
        clock: in seconds; evictions fade by it.

    Signals:
        chosen: a node was selected (its id) or the selection was cleared (None).
        hovered: the pointer moved to another node (its id) or off all (None), or onto or off the
            node's checkpoint.
        picked: a node (its id) was clicked or walked to: its checkpoint, or elsewhere.
        opened: a node (its id) was double-clicked, or Enter was pressed on it.
        folded(bool): the user folds, or does not fold any more.
        focus_changed(bool): `focused` changed.
        faded: the last eviction on screen has faded.
        view_changed: another view is on screen.
        menu_wanted: the context menu of a node (its id) is requested, at a screen position and a
            token position (None by keyboard).
    """

    chosen = Signal(object)
    hovered = Signal(object, bool)
    picked = Signal(object, bool)
    opened = Signal(object)
    folded = Signal(bool)
    focus_changed = Signal(bool)
    faded = Signal()
    view_changed = Signal()
    # Node ids of the lower tiers do not fit a C int.
    menu_wanted = Signal(object, QPoint, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        folding = Folding()
        self.views = make_views(folding)
        self.view: TreeView = self.views[0]
        self.model: TreeModel = TreeModel(self.view.arrangement, folding)
        self.clock, self._picture = time.monotonic, TreePicture()
        self.minimap = Minimap(self, self.model)
        self.minimap.sought.connect(self.centre)
        self._focus = InFocus()
        self.cards = HoverCards(self, partial(card_words, self.model))
        self._pointer = Pointer(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(90)
        self.setAccessibleName(tr("Tree of cached prefixes"))
        self._fade = QTimer(self, interval=_FADE_MS)
        self._fade.timeout.connect(self.fade_on)

    def show_snapshot(self, snapshot: CacheSnapshot | None, fresh: Sequence[Evicted] = ()) -> None:
        """Show a snapshot, and evictions not shown before; None clears and forgets the lanes."""
        if snapshot is None:
            self.model.clear()
            self.cards.clear()
            self.fade_on()
            self._select(None)
            self._refresh()
            return
        if self.model.show(snapshot, fresh, self.clock()):
            points = self.model.layout.checkpoints if self.model.layout else 0
            self.setAccessibleDescription(tree_summary(snapshot, points))
        if self.model.fading and not self._fade.isActive():
            self._fade.start()
        self.cards.follow()
        if self.selected is not None and self.model.selected_row is None:
            self._select(None)
        self._refresh()

    def show_view(self, name: str) -> None:
        """Show the tree in another view; an unknown name changes nothing."""
        found = next((view for view in self.views if view.name == name), None)
        if found is not None and found is not self.view:
            self.view = found
            self.model.arrange(found.arrangement)
            self.view_changed.emit()
            self._refresh()

    @property
    def selected(self) -> int | None:
        """The id of the selected node."""
        return self.model.selected

    @property
    def viewport(self) -> Viewport:
        return self.model.viewport

    @property
    def empty(self) -> bool:
        """Whether there is neither a tree nor a fading eviction."""
        return self.model.empty

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The evictions that are currently drawn."""
        return self.model.marks(self.clock())

    def node(self, number: int | None) -> NodeView | None:
        return None if number is None else self.model.node(number)

    def fit(self) -> None:
        """Show the whole tree, and keep it fitted."""
        self.model.fit()
        self._refresh()

    def follow(self) -> None:
        """Show the newest end of the tree at a scale that can be read, and keep it on screen."""
        self.model.follow()
        self._refresh()

    def centre(self, x: float, lane: float) -> None:
        """Show the part around a place of the layout."""
        view = self.model.viewport
        middle = view.y(0) + (lane * view.lane_px)
        self.pan(view.width / 2 - view.x(x), view.height / 2 - middle)

    def tidy(self) -> None:
        """Forget all lanes and lay the tree out again."""
        self.model.tidy()
        self._refresh()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom around a point, by default the middle."""
        point = QPointF(self.rect().center()) if at is None else at
        self.model.zoom(factor, point.x(), point.y() - RULER_PX)
        self._refresh()

    def pan(self, dx: float, dy: float) -> None:
        self.model.pan(dx, dy)
        self._refresh()

    def row_at(self, point: QPointF) -> int | None:
        """The row of the node, or of the checkpoint, under a point."""
        return self.model.row_at(point.x(), point.y() - RULER_PX)

    def fade_on(self) -> None:
        """Advance the fading; a timer calls this every few milliseconds."""
        if not self.model.fade(self.clock()) and self._fade.isActive():
            self._fade.stop()
            self.model.follow_tree()
            self.faded.emit()
        self._refresh()

    def select(self, number: int | None) -> None:
        """Select a node by its id."""
        self._select(number)
        self._refresh()

    def reveal(self, number: int | None) -> None:
        """Select a node, and move the view if none of it is on screen."""
        if number is None and self.selected is not None and self.selected < 0:
            # While a chip is selected here, other panels have no selection.
            return
        self.select(number)
        row = self.model.selected_row
        if row is not None:
            self.model.reveal(row)
            self._refresh()

    def unfold(self, chip: Chip) -> None:
        """Show the nodes that a chip stands for."""
        self.model.open(chip)
        self.chosen.emit(self.model.selected)
        row = self.model.selected_row
        if row is not None:
            self.model.reveal(row)
        self._refresh()

    def open_chosen(self) -> bool:
        """Show what the selected chip stands for, or open the node; False if none is selected."""
        return self._open(self.model.selected_row)

    def _open(self, row: int | None) -> bool:
        if (chip := self.model.chip_of(row)) is not None:
            self.unfold(chip)
        elif (node := self.model.node_of(row)) is not None:
            self.opened.emit(node.id)
        return row is not None

    def show_lights(self, lights: Lights) -> None:
        """Frame what is hovered in other panels, and bracket what is selected there."""
        self.model.lights = lights
        self.update()

    def reveal_place(self, place: Place) -> None:
        """Unfold the start of a place and scroll it into view."""
        self.model.reveal_place(place)
        self._refresh()

    def show_chats(self, title: Callable[[int], str], current: int | None) -> None:
        """Name the conversations that have nodes in the tree; `current` is the open one."""
        self._focus.know(self.model.snapshot, title, current)
        self._update_chats()

    def set_focused(self, on: bool) -> None:
        """Show the current conversation in full and the others on a line each, or all in full."""
        self._focus.on = on
        self._update_chats()
        self.focus_changed.emit(on)

    @property
    def focused(self) -> bool:
        """Whether only the current one of several conversations is shown in full."""
        return self._focus.on

    def _update_chats(self) -> None:
        self.model.show_chats(self._focus.chats)
        self._refresh()

    def set_folded(self, on: bool) -> None:
        """Fold long chains and wide fans into chips, or show every node."""
        self.model.fold(on)
        self.folded.emit(on)
        self._refresh()

    def set_figured(self, on: bool) -> None:
        """Show the ruler, and letters that say what checkpoints are kept for."""
        if on != self._picture.figured:
            self._picture.figured = on
            self.update()

    def show_found(self, found: frozenset[int]) -> None:
        """Mark nodes that a search found."""
        self.model.find(found)
        self._refresh()

    def filter(self, wanted: Collection[str]) -> None:
        """Dim the nodes that do not have the marks with these keys; none: dim nothing."""
        self.model.filter(wanted)
        self._refresh()

    def pin_card(self) -> None:
        """Pin the card of the node under the pointer, else of the selected one, or take it down."""
        if spot := pin_spot(self.model, self.mapFromGlobal(self.cursor().pos()), RULER_PX):
            self.cards.pin(*spot)

    def select_row(self, row: int | None) -> None:
        """Select a row of the layout, and scroll it into view; None: clear the selection."""
        made = self.model.layout
        number = None if row is None or made is None else int(made.table.ids[row])
        away = row is not None and self.model.off_screen(row)
        self.select(number)
        if away:
            self.reveal(number)

    def _refresh(self) -> None:
        self.minimap.follow()
        self.update()

    def _select(self, number: int | None) -> None:
        if number != self.model.selected:
            self.model.select(number)
            # No other panel knows chips.
            self.chosen.emit(None if number is not None and number < 0 else number)

    def walk(self, direction: Direction) -> None:
        """Select the node next to the selected one, and scroll it into view."""
        if (target := self.model.neighbour(direction)) is not None:
            self.reveal(target)
            self.pick(self.model.selected_row, direction.startswith("checkpoint"))

    def pick(self, row: int | None, on_checkpoint: bool) -> None:
        """Report that the user picked the node of a row, or its checkpoint."""
        if (node := self.model.node_of(row)) is not None:
            self.picked.emit(node.id, on_checkpoint)

    def sizeHint(self) -> QSize:
        return QSize(420, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._picture.paint(painter, self.size(), self.model, self.view, self.clock())
        if self.hasFocus() and self.model.layout is not None:
            paint_focus(painter, self.rect())
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.model.resize(float(self.width()), float(max(1, self.height() - RULER_PX)))
        self.minimap.follow()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pointer.wheel(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._open(self.row_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer.leave()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._pointer.ask_for_menu(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not _press(self, event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            # Nodes have cards; evictions and chips have tooltips.
            point = QPointF(event.pos())
            here = self.model.marks_at(point.x(), point.y() - RULER_PX, self.clock())
            if here or not self.cards.floating.isVisible():
                QToolTip.showText(event.globalPos(), self.tooltip_at(point), self)
            return True
        return super().event(event)

    def tooltip_at(self, point: QPointF) -> str:
        """The tooltip of evictions and the node or chip at a point; "" if there is neither."""
        return tree_tooltip(self.model, point.x(), point.y() - RULER_PX, self.clock())


class Pointer:
    """What a canvas does with its mouse events."""

    def __init__(self, canvas: TreeCanvas) -> None:
        self._canvas = canvas
        self._drag = Drag()
        self._on_checkpoint = False

    def wheel(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not steps:
            self._canvas.pan(event.angleDelta().x() / 2 + steps * _PAN_PX, 0)
        else:
            self._canvas.zoom(_ZOOM**steps, event.position())
        event.accept()

    def press(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag.begin(event.position())

    def move(self, event: QMouseEvent) -> None:
        if self._drag.held and event.buttons():
            if (moved := self._drag.move(event.position())) is not None:
                self._canvas.pan(moved.x(), moved.y())
            return
        row, on_checkpoint = self._spot(event.position())
        self._hover(row, on_checkpoint)
        node = self._canvas.model.node_of(row)
        number = None if node is None else node.id
        self._canvas.cards.point_at(number, event.position().toPoint())

    def release(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._drag.end():
            row, on_checkpoint = self._spot(event.position())
            self._canvas.select_row(row)
            self._canvas.pick(row, on_checkpoint)

    def leave(self) -> None:
        self._canvas.cards.floating.hide()
        self._hover(None)

    def ask_for_menu(self, event: QContextMenuEvent) -> None:
        """For the node under the pointer; by keyboard, for the selected one."""
        canvas = self._canvas
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row = canvas.model.selected_row if by_key else canvas.row_at(QPointF(event.pos()))
        node = canvas.model.node_of(row)
        if row is None or node is None:
            return
        at = canvas.mapToGlobal(canvas.rect().center()) if by_key else event.globalPos()
        position = None if by_key else canvas.model.position_at(row, event.pos().x())
        canvas.menu_wanted.emit(node.id, at, position)

    def _hover(self, row: int | None, on_checkpoint: bool = False) -> None:
        model = self._canvas.model
        if (row, on_checkpoint) != (model.hovered, self._on_checkpoint):
            model.hovered, self._on_checkpoint = row, on_checkpoint
            node = model.node_of(row)
            self._canvas.hovered.emit(None if node is None else node.id, on_checkpoint)
            self._canvas.update()

    def _spot(self, point: QPointF) -> tuple[int | None, bool]:
        """The row at a point, and whether the point is on its checkpoint."""
        row = self._canvas.row_at(point)
        return row, self._canvas.model.on_checkpoint(row, point.x(), point.y() - RULER_PX)


@dataclass(frozen=True, slots=True)
class CanvasKey:
    """Keys that share one action; `act` gets the index of the pressed key."""

    keys: tuple[Qt.Key, ...]
    act: Callable[[TreeCanvas, int], object]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of the list of keyboard shortcuts, and its keys."""

    shown: str
    what: str
    keys: tuple[CanvasKey, ...]


def _closer(canvas: TreeCanvas, number: int) -> None:
    canvas.zoom(_ZOOM)


def _further(canvas: TreeCanvas, number: int) -> None:
    canvas.zoom(1 / _ZOOM)


def _pan(canvas: TreeCanvas, number: int) -> None:
    canvas.pan((_PAN_PX, -_PAN_PX)[number], 0)


def _fold(canvas: TreeCanvas, number: int) -> None:
    canvas.set_folded(not canvas.model.folding.on)


def _scroll(canvas: TreeCanvas, number: int) -> None:
    canvas.pan(0, (_PAN_PX, -_PAN_PX)[number])


KEY_LINES = (
    KeyLine(
        "F, End, T",
        tr("tree: show all, follow the newest, tidy up"),
        (
            CanvasKey((_Key.Key_F,), lambda canvas, _: canvas.fit()),
            CanvasKey((_Key.Key_End,), lambda canvas, _: canvas.follow()),
            CanvasKey((_Key.Key_T,), lambda canvas, _: canvas.tidy()),
        ),
    ),
    KeyLine(
        "W, S, A, D, Page Up, Page Down",
        tr("tree: zoom, move, scroll"),
        (
            CanvasKey((_Key.Key_W, _Key.Key_Plus, _Key.Key_Equal), _closer),
            CanvasKey((_Key.Key_S, _Key.Key_Minus), _further),
            CanvasKey((_Key.Key_A, _Key.Key_D), _pan),
            CanvasKey((_Key.Key_PageUp, _Key.Key_PageDown), _scroll),
        ),
    ),
    KeyLine(
        "Left, Right, Up, Down",
        tr("tree: parent, child, siblings"),
        (
            CanvasKey((_Key.Key_Left,), lambda canvas, _: canvas.walk("parent")),
            CanvasKey((_Key.Key_Right,), lambda canvas, _: canvas.walk("child")),
            CanvasKey((_Key.Key_Down,), lambda canvas, _: canvas.walk("next")),
            CanvasKey((_Key.Key_Up,), lambda canvas, _: canvas.walk("previous")),
        ),
    ),
    KeyLine(
        ", .",
        tr("tree: previous and next checkpoint"),
        (
            CanvasKey((_Key.Key_Comma,), lambda canvas, _: canvas.walk("checkpoint before")),
            CanvasKey((_Key.Key_Period,), lambda canvas, _: canvas.walk("checkpoint after")),
        ),
    ),
    KeyLine(
        "C, Z",
        tr("tree: this chat alone, fold or unfold"),
        (
            CanvasKey((_Key.Key_C,), lambda canvas, _: canvas.set_focused(not canvas.focused)),
            CanvasKey((_Key.Key_Z,), _fold),
        ),
    ),
    KeyLine(
        "Enter, P",
        tr("tree: open a chip or show a node in the chat, pin the card"),
        (
            CanvasKey((_Key.Key_Return, _Key.Key_Enter), lambda canvas, _: canvas.open_chosen()),
            CanvasKey((_Key.Key_P,), lambda canvas, _: canvas.pin_card()),
        ),
    ),
    KeyLine("1, 2, 3, 4", tr("tree: messages, tokens, memory, topology"), ()),
)
_ACTS = {
    key: (one.act, number)
    for line in KEY_LINES
    for one in line.keys
    for number, key in enumerate(one.keys)
}
_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def _press(canvas: TreeCanvas, event: QKeyEvent) -> bool:
    """Run the action of a key; False if it has none here."""
    if event.modifiers() & _MODIFIERS:
        return False
    view = next((one for one in canvas.views if one.key == event.text()), None)
    if view is not None:
        canvas.show_view(view.name)
        return True
    found = _ACTS.get(Qt.Key(event.key()))
    if found is None:
        return False
    act, number = found
    return act(canvas, number) is not False
