"""The box over the composer of a conversation that is with another model than the open one."""

from __future__ import annotations

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
from app.session.model_choice import Elsewhere
from app.widgets import label
from app.words.model_words import stay_offer, switch_offer
from app.words.tr import tr

_SIDE_PX = 14


class ModelNotice(QFrame):
    """Hidden unless the user has to choose.

    Attributes:
        sentence: which model the conversation is with, and what going there costs.
        switch, stay: the two ways on.

    Signals:
        switched: the user wants the conversation's own model.
        stayed: the user wants to go on with the open one.
    """

    switched = Signal()
    stayed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contextNotice")
        self._shown: Elsewhere | None = None
        self._sign = QLabel()
        self.sentence = label("", "dim", wrap=True, selectable=True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        # Each says which model once there is one to offer.
        self.switch = QPushButton(tr("Open"))
        self.switch.setProperty("kind", "small")
        self.switch.clicked.connect(self.switched)
        self.stay = QPushButton(tr("Continue"))
        self.stay.setProperty("kind", "small")
        self.stay.clicked.connect(self.stayed)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        self._offers = QHBoxLayout()
        self._offers.setSpacing(6)
        self._offers.addStretch(1)
        self._offers.addWidget(self.stay)
        self._offers.addWidget(self.switch)
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE_PX, 8, _SIDE_PX, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(self._offers)
        self.hide()
        self.restyle()

    def show_elsewhere(self, found: Elsewhere | None) -> None:
        """Offer the two models; None offers nothing."""
        if found is not None and found != self._shown:
            self.sentence.setText(found.sentence)
            self.switch.setText(switch_offer(found.name))
            self.stay.setText(stay_offer(found.open_name))
            self.stay.setVisible(bool(found.open_name))
        self._shown = found
        self.setVisible(found is not None)
        self._fit()

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["replayed"], 16))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The sentence has its width only after the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """As tall as the sentence; buttons that do not fit side by side stand below each other."""
        wide = self.switch.sizeHint().width() + self.stay.sizeHint().width()
        beside = wide + self._offers.spacing() <= self.width() - 2 * _SIDE_PX
        direction = QBoxLayout.Direction
        self._offers.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        needed = self.sentence.heightForWidth(self.sentence.width())
        if needed != self.sentence.minimumHeight():
            self.sentence.setMinimumHeight(max(0, needed))
