"""Whose a cached prefix is: the titles of its conversations, as links to the message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.flow_row import FlowRow
from app.session.records import shorten
from app.widgets import label
from app.words.tr import tr
from engine.events import NodeOwner

MOST_SHOWN = 3
_MOST_CHARACTERS = 32
_GAP_PX = 6


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
        super().__init__(_GAP_PX, parent, line_gap=2)
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
