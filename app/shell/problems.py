"""What went wrong, as cards over the conversation: the cause, and what can be done about it."""

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
# Of so many, only the last one is on screen: more would leave no room for the conversation.
MOST = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One card.

    Attributes:
        key: a later problem with the same key takes its place.
        title: what went wrong.
        cause: why, and what to do, in a sentence or two.
        offers: what its buttons do and say, the best one first.
    """

    key: str
    title: str
    cause: str
    offers: tuple[tuple[str, str], ...] = ()


class ProblemCard(QFrame):
    """A card that stays until the user has acted or dismissed it.

    None of its buttons is a primary one: whatever else is on screen goes on without it.

    Attributes:
        problem: what it shows.
        title, cause: the texts.
        buttons: by what they do.
        dismiss: closes the card.

    Signals:
        chosen: what the pressed button does, "" to dismiss.
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
        # The texts have their width only after the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """As tall as its texts: in a low window, layouts would take that from them first."""
        needed = self._whole.heightForWidth(self.width())
        if needed != self.minimumHeight():
            self.setMinimumHeight(max(0, needed))

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], 20))


class Problems(QWidget):
    """The latest card, and the ones before once it is dismissed; no room while there are none.

    Attributes:
        cards: by the key of their problem.

    Signals:
        chosen: the problem, and what the user wants done about it.
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
        """Show a problem; the same one again changes nothing."""
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
        """A problem is over, or was dismissed."""
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
        # Who pressed the button goes on in the conversation, once the card is gone.
        self.withdraw(problem.key)
        self.chosen.emit(problem, offer)
