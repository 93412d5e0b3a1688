"""Cards over the canvas: what is under the pointer, and what was pinned to stay."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from app.cache.tree_model import TreeModel
from app.widgets import IconButton
from app.words.explain import node_tooltip
from app.words.tr import tr

_OFF_PX = 16
_GONE = tr("No longer in the cache.")


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
        """Show a text beside a point, inside the parent."""
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
        """`words`: about the node with an id, "" if there is none."""
        super().__init__(canvas)
        self._canvas, self._words = canvas, words
        self.floating = HoverCard(canvas)
        self.pinned: dict[int, HoverCard] = {}

    def point_at(self, node: int | None, at: QPoint) -> None:
        """The pointer is on a node, or on none; a pinned one needs no second card."""
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
        """There is another tree: close all."""
        self.floating.hide()
        for node in list(self.pinned):
            self.close(node)

    def follow(self) -> None:
        """The snapshot has changed."""
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
