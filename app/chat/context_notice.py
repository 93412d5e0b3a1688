"""The box over the composer that says what happens at the end of the context, and goes on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.icons import pixmap
from app.session.context_end import ContextEnd
from app.widgets import label, set_state
from app.words.context_words import recent_detail, recent_offer
from app.words.tr import tr

_LEFT_PX, _RIGHT_PX = 14, 10


class ContextNotice(QFrame):
    """Hidden unless there is something to say.

    Attributes:
        sentence: what happens.
        button: continues in a new conversation.
        recent: continues there with the last messages.

    Signals:
        gone_on: the user wants to continue in a new conversation.
        gone_on_with: and take these messages along, a `Recent`.
    """

    gone_on = Signal()
    gone_on_with = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contextNotice")
        self._end: ContextEnd | None = None
        self._sign = QLabel()
        self.sentence = label("", "dim", wrap=True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = self._offer(tr("New conversation"), self.gone_on.emit)
        self.button.setToolTip(tr("Continue there with what is in the composer"))
        self.recent = self._offer(tr("Continue with the last messages"), self._go_on_with)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        offers = self._offers = QHBoxLayout()
        offers.setSpacing(6)
        offers.addStretch(1)
        offers.addWidget(self.recent)
        offers.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_LEFT_PX, 8, _RIGHT_PX, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(offers)
        self.hide()
        self.restyle()

    def show_end(self, end: ContextEnd | None) -> None:
        """Say what happens at the end of the context; None says nothing."""
        if end != self._end:
            self._end = end
            self.sentence.setText(end.sentence if end is not None else "")
            self.button.setVisible(end is not None and end.elsewhere)
            recent = end.recent if end is not None else None
            self.recent.setVisible(recent is not None)
            if recent is not None:
                self.recent.setText(recent_offer(recent.kept))
                self.recent.setToolTip(recent_detail(recent.kept, recent.left_out))
            set_state(self, "urgent", end is not None and end.urgent)
            self.restyle()
        self.setVisible(end is not None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The sentence has its width only after the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """As tall as the sentence: the layouts around it do not ask what it needs. Buttons that
        do not fit side by side stand below each other."""
        offers = (self.recent, self.button)
        wide = sum(one.sizeHint().width() for one in offers) + self._offers.spacing()
        beside = wide <= self.width() - _LEFT_PX - _RIGHT_PX
        direction = QBoxLayout.Direction
        self._offers.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        needed = self.sentence.heightForWidth(self.sentence.width())
        if needed != self.sentence.minimumHeight():
            self.sentence.setMinimumHeight(max(0, needed))

    def restyle(self) -> None:
        urgent = self._end is not None and self._end.urgent
        colour = theme.current().colours["danger" if urgent else "replayed"]
        self._sign.setPixmap(pixmap("warning", colour, 16))

    def _offer(self, text: str, action: Callable[[], object]) -> QPushButton:
        made = QPushButton(text)
        made.setProperty("kind", "small")
        made.clicked.connect(lambda: action())
        return made

    def _go_on_with(self) -> None:
        if self._end is not None and self._end.recent is not None:
            self.gone_on_with.emit(self._end.recent)
