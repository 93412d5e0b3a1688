"""Details of the selected node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.cache.checkpoint_dialog import verifiable
from app.core.session.records import shorten
from app.core.words.explain import Fact, checkpoint_note, node_facts, node_title
from app.core.words.glossary import explained
from app.core.words.tr import tr
from app.ui.glossed import GlossedLabel
from app.ui.widgets import FlowRow, IconButton, label
from engine.events import NodeOwner, NodeText
from engine.snapshot import NodeView

MOST_SHOWN = 3
_MOST_CHARACTERS = 32
_OWNERS_ROW_GAP_PX = 6
_GAP_PX = 16
_LEAST_TEXT_PX, _TEXT_PX = 28, 64


@dataclass(frozen=True, slots=True)
class TitledOwner:
    """A conversation that a node belongs to, and what the user calls it."""

    owner: NodeOwner
    title: str


class OwnersRow(FlowRow):
    """Links to the conversations of a node; hidden while none is known.

    Signals:
        opened(object): go to the message of this NodeOwner.
    """

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_OWNERS_ROW_GAP_PX, parent, line_gap=2)
        self.links: list[QPushButton] = []
        self._shown: list[TitledOwner] = []
        self._rest: tuple[TitledOwner, ...] = ()
        self.hide()

    def show_owners(self, owners: Sequence[TitledOwner]) -> None:
        """The first three by name, the others behind one more link."""
        if list(owners) == self._shown:
            # A link that has the focus keeps it.
            return
        self._shown = list(owners)
        self.clear()
        self.links = []
        self.setVisible(bool(owners))
        if not owners:
            return
        self.add(label(tr("Conversations") if len(owners) > 1 else tr("Conversation"), "faint"))
        for one in owners[:MOST_SHOWN]:
            link = self._link(_short(one.title))
            link.setToolTip(
                tr("{title}\nGo to the message at the end of this node").format(title=one.title)
            )
            link.setAccessibleName(tr("Go to the message in {title}").format(title=one.title))
            link.clicked.connect(lambda _on=False, owner=one.owner: self.opened.emit(owner))
        self._rest = tuple(owners[MOST_SHOWN:])
        if self._rest:
            more = self._link(tr("and {rest} more").format(rest=len(self._rest)))
            more.clicked.connect(lambda: self._show_rest(more))
        self.arrange()

    def _link(self, text: str) -> QPushButton:
        # A title may have an ampersand, which would underline a letter.
        made = QPushButton(text.replace("&", "&&"))
        made.setProperty("kind", "link")
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        self.links.append(made)
        self.add(made)
        return made

    def _show_rest(self, beside: QPushButton) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in self._rest:
            action = menu.addAction(_short(one.title).replace("&", "&&"))
            action.triggered.connect(lambda _on=False, owner=one.owner: self.opened.emit(owner))
        menu.popup(beside.mapToGlobal(beside.rect().bottomLeft()))


def _short(title: str) -> str:
    cut = shorten(title)
    return cut if len(cut) <= _MOST_CHARACTERS else f"{cut[: _MOST_CHARACTERS - 1].rstrip()}…"


class NodeDrawer(QFrame):
    """Facts about one node, and its text.

    Signals:
        closed: the user closed the drawer.
        verified(int): verify the checkpoint of this node.
        owner_opened(object): go to the message of this NodeOwner.
    """

    closed = Signal()
    verified = Signal(object)
    owner_opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._node: int | None = None
        self._facts: tuple[object, ...] = ()
        self._title = label("", "title")
        self._note = GlossedLabel("faint")
        self._told = FlowRow(_GAP_PX, line_gap=2)
        self.owners = OwnersRow()
        self.owners.opened.connect(self.owner_opened)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setProperty("kind", "quiet")
        self._text.setAccessibleName(tr("Text of the node"))
        self.set_brief(False)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        self._verify = QPushButton(tr("Verify"))
        self._verify.setToolTip(tr("Run the tokens of this checkpoint cold and compare"))
        self._verify.clicked.connect(lambda: self.verified.emit(self._node))
        head.addWidget(self._verify)
        head.addWidget(IconButton("close", tr("Close details"), self.closed.emit, size=14))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self._told)
        column.addWidget(self.owners)
        column.addWidget(self._note)
        column.addWidget(self._text)

    @property
    def text(self) -> str:
        return self._text.toPlainText()

    def set_brief(self, on: bool) -> None:
        """Show little of the text: in little height the facts take precedence over it."""
        self._text.setFixedHeight(_LEAST_TEXT_PX if on else _TEXT_PX)

    def show_node(self, node: NodeView, now: float) -> None:
        """Show a node; its text follows when the engine has decoded it."""
        if node.id != self._node:
            self._text.setPlainText(node.text)
            self.owners.show_owners(())
        self._node = node.id
        self._title.setText(node_title(node))
        point = node.checkpoint
        self._verify.setVisible(verifiable(node))
        note = checkpoint_note(point)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        facts = node_facts(node, now)
        if facts == self._facts:
            return
        self._facts = facts
        self._told.clear()
        for fact in facts:
            self._told.add(_pair(fact))
        self._told.arrange()

    def show_text(self, node_text: NodeText) -> None:
        if node_text.node == self._node:
            self._text.setPlainText(node_text.text)

    def show_owners(self, node_text: NodeText, titles: Mapping[int, str]) -> None:
        """Show the owners of the node; `titles`: of the existing conversations, by number."""
        if node_text.node == self._node:
            self.owners.show_owners(
                [TitledOwner(o, titles[o.owner]) for o in node_text.owners if o.owner in titles]
            )


def _pair(fact: Fact) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(label(fact.name, "faint"))
    row.addWidget(label(fact.value, "figuresStrong", selectable=True))
    made.setToolTip(explained("", *fact.terms))
    return made
