"""The line below a message: its figures and actions, most of which show on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QMenu, QWidget

from app.chat.fork_arrows import NOTHING, ForkArrows
from app.core.session.fork import Fork
from app.core.words.tr import tr
from app.ui.widgets import IconButton

_GAP_PX = 2
# Rounding of a text's width.
_SPARE_PX = 2


class MoreButton(IconButton):
    """Opens a menu of the less common actions.

    Signals:
        opened: whether the menu is open.
    """

    opened = Signal(bool)

    def __init__(self) -> None:
        super().__init__("more", tr("More actions"), self._open, size=14)
        self._entries: list[QAction] = []

    def add(self, text: str, act: Callable[[], object]) -> QAction:
        made = QAction(text, self)
        made.triggered.connect(lambda: act())
        self._entries.append(made)
        return made

    def _open(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._entries)
        menu.aboutToHide.connect(lambda: self.opened.emit(False))
        self.opened.emit(True)
        right = self.width() - menu.sizeHint().width()
        menu.popup(self.mapToGlobal(QPoint(right, self.height())))


class ActionRow(QWidget):
    """Figures on the left, and tools on the right, or below if both do not fit on one line.

    Before that, the fork arrows give up their waits, which their tooltips repeat.

    At rest only the essential figures and the fork arrows are painted; the height is always the
    same.

    Attributes:
        revealed: whether the tools show.

    Signals:
        stepped: to the sibling before (-1) or after (+1) it.
    """

    stepped = Signal(int)

    def __init__(
        self, tools: Sequence[QWidget], parent: QWidget, words: QLabel | None = None
    ) -> None:
        """words: the label for the figures; None for none."""
        super().__init__(parent)
        self.revealed = False
        self._near = self._last = self._open = self._always = False
        self._words = words
        # Made for the few messages that have siblings.
        self._arrows: ForkArrows | None = None
        self._rest = self._whole = self._most = ""
        self._room_px = 0
        self._side = QWidget(self)
        self._tools = QWidget(self._side)
        self._tools.setMask(NOTHING)
        _in_a_row(self._tools, tools)
        _in_a_row(self._side, (self._tools,))
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_GAP_PX)
        if words is not None:
            self._box.addWidget(words, 1)
        self._box.addWidget(
            self._side, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        )
        for tool in tools:
            if isinstance(tool, MoreButton):
                tool.opened.connect(self._hold)

    def say(self, rest: str, whole: str = "", most: str = "") -> None:
        """Set the figures: those at rest, and all of them; call `fit` afterwards.

        most: those that show where there is no room for all.
        """
        self._rest, self._whole, self._most = rest, whole or rest, most or rest

    def reveal(self, *, near: bool, last: bool) -> None:
        """Show what the reader may want.

        Args:
            near: the message is pointed at or focused: the tools and all figures show.
            last: it is the last one: the tools show, for those who cannot point.
        """
        self._near, self._last = near, last
        self._show()

    def show_figures(self, on: bool) -> None:
        """Whether all figures show even at rest; call `fit` afterwards."""
        self._always = on

    def show_fork(self, fork: Fork | None) -> None:
        """Show the message's position among its siblings; None if it has none."""
        if self._arrows is None:
            if fork is None:
                return
            self._arrows = ForkArrows(self._side)
            self._arrows.stepped.connect(self.stepped)
            self._arrows.set_quiet(not self._near)
            side = self._side.layout()
            assert side is not None
            side.addWidget(self._arrows)
        self._arrows.show_fork(fork)
        self.fit(self.width())

    def focus_step(self, step: int) -> None:
        """Focus the arrow to a sibling."""
        if self._arrows is not None:
            self._arrows.focus_step(step)

    def fit(self, width: int) -> None:
        """Arrange for a width; call this also after the figures or the tools have changed."""
        needed = self._width_of(self._whole if self._always else self._rest) + _GAP_PX
        tools = self._width_of_tools(brief=False)
        if self._arrows is not None and needed + tools > width:
            tools = self._width_of_tools(brief=True)
        fits = needed + tools <= width
        self._room_px = width - _GAP_PX - tools if fits else width
        way = QBoxLayout.Direction
        self._box.setDirection(way.LeftToRight if fits else way.TopToBottom)
        if self._words is not None:
            self._words.setWordWrap(self._always)
        self._write()
        self._box.activate()

    def _hold(self, on: bool) -> None:
        """Stay visible while the menu is open, which takes the pointer away."""
        self._open = on
        self._show()

    def _show(self) -> None:
        revealed = self._near or self._last or self._open
        if revealed != self.revealed:
            self.revealed = revealed
            if revealed:
                self._tools.clearMask()
            else:
                self._tools.setMask(NOTHING)
        if self._arrows is not None:
            self._arrows.set_quiet(not self._near)
        self._write()

    def _write(self) -> None:
        """Show all figures only if they need no second line, unless they always show."""
        if self._words is None:
            return
        text = self._whole if self._always else self._rest
        if (self._near or self._open) and not self._always:
            fuller = (self._whole, self._most)
            text = next((one for one in fuller if self._width_of(one) <= self._room_px), text)
        self._words.setText(text)

    def _width_of(self, text: str) -> int:
        if self._words is None or not text:
            return 0
        self._words.ensurePolished()
        return self._words.fontMetrics().horizontalAdvance(text) + _SPARE_PX

    def _width_of_tools(self, *, brief: bool) -> int:
        if self._arrows is not None:
            self._arrows.set_brief(brief)
        for part in (*self._side.findChildren(QWidget), self._side):
            layout = part.layout()
            if layout is not None:
                # Only an activated layout knows which of its widgets are visible.
                layout.activate()
        return self._side.sizeHint().width()


def _in_a_row(holder: QWidget, parts: Iterable[QWidget]) -> None:
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(_GAP_PX)
    for part in parts:
        row.addWidget(part)
