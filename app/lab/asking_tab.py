"""Base classes of the lab's tabs, and the parts of those that query the engine."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QSlider, QWidget

from app.core.session.lab import LabAnswers
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.logic.example import TEXT
from app.ui.export.picture import Legend
from app.ui.glossed import GlossedLabel
from app.ui.widgets import DropDown, ElidedLabel, IconButton

CONVERSATION, TYPED = tr("This conversation"), tr("A text of my own")
EXAMPLE = tr("The example")
# Longer texts belong in a conversation.
_MOST_LETTERS = 20_000
_STEP_MS = 350


# Everyday words that are terms in the lab: the rarer ones, and all.
_RARE = ("gate", "beta", "norm", "cosine", "needle", "query")
LABELS = (*_RARE, "key", "value", "token", "state", "layer", "head")


def glossed(text: str = "", kind: str = "dim") -> GlossedLabel:
    """A sentence whose terms explain themselves; one that changes marks the rarer ones alone."""
    made = GlossedLabel(kind, *(LABELS if text else _RARE))
    made.setText(text)
    return made


class LabTab(QWidget):
    """A tab whose body scrolls if there is no room for all of it.

    Attributes:
        body: the scroll area.
        legend: meanings of colours that the tab itself does not explain.

    Signals:
        changed: it shows something else.
    """

    changed = Signal()
    legend: Legend = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = QScrollArea()
        self.body.setObjectName("ringed")
        self.body.setWidgetResizable(True)
        self.body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body.verticalScrollBar().rangeChanged.connect(self._take_focus)

    def fill(self, content: QWidget) -> None:
        """Set the widget that scrolls."""
        self.body.setWidget(content)
        self.body.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)

    @property
    def pictured(self) -> QWidget:
        """The widget to export as a picture, including what is scrolled out of view."""
        return self.body.widget() or self

    def settings(self) -> tuple[str, ...]:
        """The settings on screen, line by line, for a picture."""
        raise NotImplementedError

    def as_table(self) -> Callable[[], str] | None:
        """Returns a function that formats the figures as CSV; None if there are none."""
        raise NotImplementedError

    def go(self, position: int) -> None:
        """Move along the figure, to a token, a request, or a step of a slider."""
        raise NotImplementedError

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        """The part of the figure with that name; None if it has none, or none now."""
        raise NotImplementedError

    def repaint_all(self) -> None:
        """Repaint after the theme changed."""
        for part in self.findChildren(QWidget):
            part.update()

    def _take_focus(self, _low: int, high: int) -> None:
        """Accept the keyboard focus only if there is something to scroll."""
        policy = Qt.FocusPolicy.StrongFocus if high else Qt.FocusPolicy.NoFocus
        self.body.setFocusPolicy(policy)


class Transport(QWidget):
    """Buttons and a slider for a position among `count` tokens.

    Attributes:
        count: number of tokens.
        at: the position, from 0.
        back, play, forward, slider: the controls.

    Signals:
        moved: the position changed.
    """

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = self.at = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_STEP_MS)
        self._timer.timeout.connect(self._tick)
        self.back = IconButton("left", tr("One token back"), lambda: self.go(self.at - 1))
        self.play = IconButton("play", tr("Play"), self.toggle)
        self.forward = IconButton("right", tr("One token forward"), lambda: self.go(self.at + 1))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Token"))
        self.slider.setPageStep(8)
        self.slider.valueChanged.connect(self.go)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for part in (self.back, self.play, self.forward):
            row.addWidget(part)
        row.addWidget(self.slider, 1)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def show_count(self, count: int, at: int) -> None:
        """Set another sequence, without a signal."""
        self._pause()
        self.count, self.at = count, min(max(at, 0), max(0, count - 1))
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, count - 1))
        self.slider.setValue(self.at)
        self.slider.blockSignals(False)
        self._enable()

    def go(self, at: int) -> None:
        """Go to a token, clamped to the ends."""
        at = min(max(at, 0), max(0, self.count - 1))
        if at != self.at:
            self.at = at
            self.slider.blockSignals(True)
            self.slider.setValue(at)
            self.slider.blockSignals(False)
            self._enable()
            self.moved.emit()

    def toggle(self) -> None:
        """Play from here, or from the start if this is the end; or pause."""
        if self.playing:
            self._pause()
        elif self.count > 1:
            if self.at == self.count - 1:
                self.go(0)
            self._timer.start()
            self.play.show_icon("pause", tr("Pause"))

    def hideEvent(self, event: QHideEvent) -> None:
        self._pause()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._pause()
        super().changeEvent(event)

    def _tick(self) -> None:
        self.go(self.at + 1)
        if self.at >= self.count - 1:
            self._pause()

    def _pause(self) -> None:
        self._timer.stop()
        self.play.show_icon("play", tr("Play"))

    def _enable(self) -> None:
        self.back.setEnabled(self.at > 0)
        self.forward.setEnabled(self.at < self.count - 1)
        self.play.setEnabled(self.count > 1)


class SourceRow(QWidget):
    """Chooses the source, and starts and stops reading it.

    Attributes:
        source: chooses the conversation or a text.
        text: the field for a text.
        button: starts, or stops the running question.
        status: a sentence about the current state.

    Signals:
        asked: read the source.
        stopped: cancel the running question.
    """

    asked = Signal()
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = DropDown()
        self.source.addItems([CONVERSATION, TYPED, EXAMPLE])
        self.source.setAccessibleName(tr("What to look at"))
        self.source.currentIndexChanged.connect(self._chosen)
        # Whether the user has chosen the source, which then stays.
        self._fixed = False
        # The source to return to, while the example is borrowed.
        self._lent: str | None = None
        self.text = QLineEdit()
        self.text.setAccessibleName(tr("A text to look at"))
        self.text.setPlaceholderText(tr("Type a text and press Enter"))
        self.text.setMaxLength(_MOST_LETTERS)
        self.text.returnPressed.connect(self.asked)
        self.text.hide()
        self.button = QPushButton(tr("Read"))
        self.button.setProperty("kind", "small")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._clicked)
        self.status = ElidedLabel("dim")
        self._running = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for part, stretch in ((self.source, 0), (self.text, 3), (self.button, 0), (self.status, 4)):
            row.addWidget(part, stretch)

    @property
    def own(self) -> bool:
        """Whether the source is a typed text."""
        return self.source.currentText() == TYPED

    @property
    def example(self) -> bool:
        """Whether the source is the built-in example."""
        return self.source.currentText() == EXAMPLE

    @property
    def typed(self) -> str:
        """The text; "" for the conversation."""
        return TEXT if self.example else self.text.text() if self.own else ""

    def prefer(self, source: str) -> None:
        """Set the source without reading it, unless the user has chosen one."""
        if self._fixed:
            return
        if self._lent is None:
            self._select(source)
        else:
            self._lent = source

    def borrow(self, on: bool) -> None:
        """Set the source to the example without reading it, or back to what it was before."""
        if on:
            self._lent = self._lent or self.source.currentText()
            self._select(EXAMPLE)
        elif self._lent is not None:
            self._select(self._lent)
            self._lent = None

    def _select(self, source: str) -> None:
        self.source.blockSignals(True)
        self.source.setCurrentText(source)
        self.source.blockSignals(False)
        self.text.setVisible(self.own)

    @property
    def ready(self) -> bool:
        """Whether there is something to ask about."""
        return not self.own or bool(self.text.text().strip())

    def show_state(self, lab: LabAnswers, running: bool, done: str) -> None:
        """Show the progress of the question, or `done` once it is answered."""
        self._running = running
        self.button.setText(tr("Stop") if running else tr("Read"))
        if running:
            at, of = fmt.count(lab.done), fmt.plural(lab.total, "token")
            self.status.setText(
                tr("Reading: {at} of {of} have run.").format(at=at, of=of)
                if lab.total
                else tr("Reading.")
            )
        else:
            self.status.setText(lab.refused or done)

    def _clicked(self) -> None:
        if self._running:
            self.stopped.emit()
        else:
            self.asked.emit()

    def _chosen(self) -> None:
        self._fixed, self._lent = True, None
        self.text.setVisible(self.own)
        if self.own:
            self.text.setFocus()
        else:
            self.asked.emit()


class AskingTab(LabTab):
    """A tab that queries the engine about one sequence of tokens.

    Attributes:
        source: chooses the tokens.
        transport: steps through the answer.

    Signals:
        wanted(object): a Question for the engine.
        stopped: cancel the pending question.
    """

    wanted = Signal(object)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source, self.transport = SourceRow(), Transport()
        self.source.asked.connect(self.ask)
        self.source.stopped.connect(self.stopped)

    def ask(self) -> None:
        """Ask about the current source."""
        raise NotImplementedError
