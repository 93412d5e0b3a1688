"""A warning that is shown for as long as its cause lasts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app import theme
from app.icons import pixmap
from app.widgets import ElidedLabel, label
from app.words.tr import tr

_SIGN_PX = 14
_SHORT = tr("Nothing is being written to disk")


class TroubleLine(QWidget):
    """An icon and a sentence, hidden while there is none.

    Attributes:
        sentence: wrapped, where there is room for all of it.
        line: the same on one line where there is not; the tooltip has all of it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = QLabel()
        self.sentence = label("", "danger", wrap=True, selectable=True)
        self.line = ElidedLabel("danger")
        self.line.hide()
        # A long word, such as a path, must not make the pane wider.
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.line, 1)
        self.hide()
        self.restyle()

    @property
    def brief(self) -> bool:
        return self.sentence.isHidden()

    def show_sentence(self, sentence: str) -> None:
        """ "" hides it."""
        if sentence != self.sentence.text():
            self.sentence.setText(sentence)
            self.line.setText(sentence, _SHORT)
            self.setToolTip(sentence)
            self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def set_brief(self, on: bool) -> None:
        """Show one line instead of the whole sentence."""
        self.sentence.setVisible(not on)
        self.line.setVisible(on)

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], _SIGN_PX))
