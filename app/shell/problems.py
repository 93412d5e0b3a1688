"""Bars over the chat for problems: what went wrong, why, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.ui.notice_bar import NoticeBar
from app.ui.widgets import IconButton, add_middle

# At most this many are kept, and only the last one is on screen.
MOST = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """The content of one bar.

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


class ProblemCard(NoticeBar):
    """A bar that stays until the user has acted or dismissed it.

    No button is a primary one: the rest of the window stays usable.

    Attributes:
        problem: the one shown.
        buttons: by action.
        dismiss: closes the bar.

    Signals:
        chosen: the action of the pressed button; "" to dismiss.
    """

    chosen = Signal(str)

    def __init__(self, problem: Problem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = problem
        self.buttons: dict[str, QPushButton] = {}
        for offer, text in problem.offers:
            button = QPushButton(text)
            button.clicked.connect(lambda _on=False, offer=offer: self.chosen.emit(offer))
            self.buttons[offer] = button
            self.add_button(button)
        self.dismiss = IconButton("close", tr("Dismiss"), lambda: self.chosen.emit(""), size=14)
        self.add_close(self.dismiss)
        self.say(problem.title, problem.cause)


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
        self._column.setContentsMargins(24, 8, 24, 0)
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
