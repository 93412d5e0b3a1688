"""A card in the place where something went wrong: the sentence, and what helps."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.check_box import CheckBox
from app.escape_field import EscapeField
from app.widgets import label
from app.words.engine_words import said
from app.words.tr import tr
from engine.hub.failures import HubError

_FIELD_PX, _FIELD_TALL_PX = 260, 32


class Trouble(QFrame):
    """Shown while there is a problem with a download.

    Attributes:
        sentence: what is wrong and what to do.
        again: tries again. page: opens the repository's page in a browser.
        token: a field for a token; keep: whether it goes to the keyring; use: goes on with it.

    Signals:
        retried: try again.
        page_wanted: the repository's page, to accept its licence.
        token_given(str, bool): a token, and whether to keep it.
    """

    retried = Signal()
    page_wanted = Signal()
    token_given = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("errorCard")
        self.sentence = label("", wrap=True, selectable=True)
        self.again = QPushButton(tr("Try again"))
        self.again.setAutoDefault(False)
        self.again.clicked.connect(self.retried)
        self.page = QPushButton(tr("Open its page"))
        self.page.setAutoDefault(False)
        self.page.clicked.connect(self.page_wanted)
        self.token = EscapeField()
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setPlaceholderText(tr("Token, as in hf_…"))
        self.token.setAccessibleName(tr("Token for Hugging Face"))
        self.token.setMinimumSize(_FIELD_PX, _FIELD_TALL_PX)
        self.token.returnPressed.connect(self._use)
        self.keep = CheckBox(tr("Keep it in the system's keyring"))
        self.use = QPushButton(tr("Use this token"))
        self.use.setProperty("kind", "primary")
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._use)
        self._line = QWidget()
        lines = QVBoxLayout(self._line)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(8)
        field = QHBoxLayout()
        field.setSpacing(8)
        field.addWidget(self.token)
        field.addWidget(self.use)
        field.addStretch(1)
        lines.addLayout(field)
        lines.addWidget(self.keep)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.again)
        buttons.addWidget(self.page)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addWidget(self.sentence)
        column.addWidget(self._line)
        column.addLayout(buttons)
        self.hide()

    def show_problem(self, problem: HubError | None, *, can_keep: bool) -> None:
        """can_keep: whether there is a keyring."""
        self.setVisible(problem is not None)
        if problem is None:
            self.token.clear()
            return
        self.sentence.setText(said(str(problem)))
        asks = problem.kind in ("gated", "token")
        self._line.setVisible(asks)
        self.keep.setVisible(can_keep)
        self.page.setVisible(problem.kind == "gated")
        self.again.setVisible(problem.kind not in ("refused", "unsuitable"))

    def _use(self) -> None:
        text = self.token.text().strip()
        if text:
            self.token_given.emit(text, self.keep.isChecked() and not self.keep.isHidden())
            self.token.clear()
