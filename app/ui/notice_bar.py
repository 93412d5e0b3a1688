"""A notice in two lines: what happened, why, and the best thing to do; the rest behind Details."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.widgets import ElidedLabel, FlowRow, IconButton, label

WIDEST_PX = 760
_SIGN_PX = 16


class NoticeBar(QFrame):
    """Folded, it has one button, the first one's twin; unfolded, the whole sentence and all.

    Attributes:
        title: what happened.
        line, sentence: why, in as much as fits one line, and in full.
        best: does what the first button does.
        details: unfolds the bar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setMaximumWidth(WIDEST_PX)
        self._folds = True
        self._lead: QPushButton | None = None
        self._buttons: list[QPushButton] = []
        self._sign = QLabel()
        self.title = ElidedLabel("strong")
        self.line = ElidedLabel("dim")
        self.sentence = label("", "dim", wrap=True, selectable=True)
        self.best = QPushButton()
        self.best.setProperty("kind", "small")
        self.best.clicked.connect(self._do_best)
        self.details = QPushButton(tr("Details"))
        self.details.setProperty("kind", "link")
        self.details.setCheckable(True)
        self.details.toggled.connect(self._show)
        self._head = QHBoxLayout()
        self._head.setSpacing(8)
        self._head.addWidget(self._sign)
        self._head.addWidget(self.title, 1)
        self._head.addWidget(self.details)
        second = QHBoxLayout()
        second.setSpacing(12)
        second.addWidget(self.line, 1)
        second.addWidget(self.best)
        self._row = FlowRow(8, line_gap=8)
        self._row.setContentsMargins(0, 4, 0, 4)
        self._whole = whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 8, 10, 8)
        whole.setSpacing(4)
        whole.addLayout(self._head)
        whole.addLayout(second)
        whole.addWidget(self.sentence)
        whole.addWidget(self._row)
        self.restyle()

    def add_button(self, button: QPushButton) -> None:
        """Add a way to go on; the first one leads until another one does."""
        self._buttons.append(button)
        self._row.add(button)
        self._lead = self._lead or button

    def add_close(self, close: IconButton) -> None:
        """Add a button at the right edge."""
        self._head.addWidget(close)
        self.setTabOrder(self.details, close)

    def lead(self, button: QPushButton) -> None:
        """Put one of the buttons first."""
        self._lead = button
        self._row.lead(button)

    def say(self, title: str, sentence: str, *, folds: bool = True) -> None:
        """Show another notice; `folds`: it is folded at first, else it stays whole."""
        if (title, sentence) != (self.title.text(), self.sentence.text()):
            self.details.setChecked(False)
        self._folds = folds
        self.title.setText(title)
        self.line.setText(sentence)
        self.sentence.setText(sentence)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self._show()

    @property
    def folded(self) -> bool:
        return self._folds and not self.details.isChecked()

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], _SIGN_PX))

    def _show(self) -> None:
        folded, lead = self.folded, self._lead
        shown = [button for button in self._buttons if not button.isHidden()]
        self._sign.setVisible(self._folds)
        self.line.setVisible(folded)
        self.best.setVisible(folded and lead in shown)
        if lead is not None:
            self.best.setText(lead.text())
            self.best.setToolTip(lead.toolTip())
            self.best.setAccessibleName(lead.accessibleName())
        self.sentence.setHidden(folded)
        self._row.setVisible(not folded and bool(shown))
        more = len(shown) > 1 or not self.line.whole
        self.details.setVisible(self._folds and (more or not folded))
        QTimer.singleShot(0, self, self._fit)

    def _do_best(self) -> None:
        if self._lead is not None:
            self._lead.click()

    def _fit(self) -> None:
        """Fix the height to that of the texts: in a low window, layouts would shrink them first."""
        needed = self._whole.heightForWidth(self.width())
        if needed != self.minimumHeight():
            self.setMinimumHeight(max(0, needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The labels get their width only from the layout that this starts.
        QTimer.singleShot(0, self, self._show)
