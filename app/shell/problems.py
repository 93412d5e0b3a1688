"""Problem cards over the chat: what went wrong, why, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.widgets import FlowRow, IconButton, add_middle, label

_WIDEST_PX = 760
# At most this many are kept, and only the last one is on screen.
MOST = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """The content of one card.

    Attributes:
        key: a later problem with the same key replaces it.
        title: what went wrong.
        cause: why, and what to do, in a sentence or two.
        offers: its buttons' actions and texts, the best one first.
    """

    key: str
    title: str
    cause: str
    offers: tuple[tuple[str, str], ...] = ()


class ProblemCard(QFrame):
    """A card that stays until the user has acted or dismissed it.

    No button is a primary one: the rest of the window stays usable.

    Attributes:
        problem: the one shown.
        title, cause: the texts.
        buttons: by action.
        dismiss: closes the card.

    Signals:
        chosen: the action of the pressed button; "" to dismiss.
    """

    chosen = Signal(str)

    def __init__(self, problem: Problem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = problem
        self.setObjectName("card")
        self.setMaximumWidth(_WIDEST_PX)
        self.setAccessibleName(problem.title)
        self.setAccessibleDescription(problem.cause)
        self._sign = QLabel()
        self.title = label(problem.title, "title", wrap=True)
        self.cause = label(problem.cause, "dim", wrap=True, selectable=True)
        self.buttons: dict[str, QPushButton] = {}
        self.dismiss = IconButton("close", tr("Dismiss"), lambda: self.chosen.emit(""), size=14)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.cause)
        if problem.offers:
            words.addSpacing(6)
            row = FlowRow(8, line_gap=8)
            for offer, text in problem.offers:
                button = QPushButton(text)
                button.clicked.connect(lambda _on=False, offer=offer: self.chosen.emit(offer))
                self.buttons[offer] = button
                row.add(button)
            words.addWidget(row)
        self._whole = whole = QHBoxLayout(self)
        whole.setContentsMargins(16, 16, 12, 16)
        whole.setSpacing(14)
        top = Qt.AlignmentFlag.AlignTop
        whole.addWidget(self._sign, alignment=top)
        whole.addLayout(words, 1)
        whole.addWidget(self.dismiss, alignment=top)
        self.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The labels get their width only from the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Fix the height to that of the texts: in a low window, layouts would shrink them first."""
        needed = self._whole.heightForWidth(self.width())
        if needed != self.minimumHeight():
            self.setMinimumHeight(max(0, needed))

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], 20))


class Problems(QWidget):
    """Shows the latest card; earlier ones return once it is dismissed. Hidden without cards.

    Attributes:
        cards: by the key of their problem.

    Signals:
        chosen: the problem, and the action that the user chose.
    """

    chosen = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: dict[str, ProblemCard] = {}
        self._rows: dict[str, QWidget] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 16, 24, 0)
        self._column.setSpacing(8)
        self.hide()

    def report(self, problem: Problem) -> None:
        """Show a problem; reporting the same one again changes nothing."""
        there = self.cards.get(problem.key)
        if there is not None and there.problem == problem:
            return
        self.withdraw(problem.key)
        while len(self.cards) >= MOST:
            self.withdraw(next(iter(self.cards)))
        card = ProblemCard(problem)
        card.chosen.connect(lambda offer: self._choose(problem, offer))
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        add_middle(line, card)
        self._column.addWidget(row)
        self.cards[problem.key], self._rows[problem.key] = card, row
        self._show_last()

    def withdraw(self, key: str) -> None:
        """Remove a problem's card."""
        if self.cards.pop(key, None) is not None:
            row = self._rows.pop(key)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._show_last()

    def _show_last(self) -> None:
        last = next(reversed(self._rows), None)
        for key, row in self._rows.items():
            row.setVisible(key == last)
        self.setVisible(last is not None)

    def restyle(self) -> None:
        for card in self.cards.values():
            card.restyle()

    def _choose(self, problem: Problem, offer: str) -> None:
        # Withdraw the card first: the focus returns to the chat.
        self.withdraw(problem.key)
        self.chosen.emit(problem, offer)
