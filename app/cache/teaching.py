"""The page that explains the tree while it is empty."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.ui.widgets import add_middle, label

_TEXTS = (
    (
        tr("Two planes"),
        tr(
            "Attention layers keep keys and values per token. Linear layers keep one "
            "state that fits exactly one position: a checkpoint, drawn as a diamond."
        ),
    ),
    (
        tr("Resuming"),
        tr(
            "A prompt resumes from the last diamond on its path. Known tokens after "
            "it are replayed; the rest are new."
        ),
    ),
    (
        tr("Try it"),
        tr(
            "Send a message, then edit it or regenerate the answer. The tree forks "
            "at the exact token."
        ),
    ),
)
_FIRST = tr(
    "What you and the model say is remembered here, so that it need not be read again each time."
)
_MARGIN_PX, _WIDEST_PX = 8, 480


def standing(height: int, fixed: int, parts: Sequence[int]) -> int:
    """How many of `parts` fit, given as heights in pixels, the most important first.

    fixed: height that is always taken. The first part that does not fit hides all after it too,
    so that parts disappear and return in one order while a window is resized.
    """
    used = fixed
    for number, part in enumerate(parts):
        used += part
        if used > height:
            return number
    return len(parts)


class TeachingPage(QWidget):
    """Says in a sentence what will be here; or explains it, in as many paragraphs as fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detailed = True
        self._paragraphs: list[QWidget] = []
        self._first = label(_FIRST, "dim", wrap=True)
        self._first.setMaximumWidth(_WIDEST_PX)
        self._first.hide()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, _MARGIN_PX, 0, _MARGIN_PX)
        column.setSpacing(0)
        column.addStretch(1)
        first = QHBoxLayout()
        add_middle(first, self._first)
        column.addLayout(first)
        for title, text in _TEXTS:
            paragraph = QWidget()
            lines = QVBoxLayout(paragraph)
            lines.setContentsMargins(0, 0, 0, 12)
            lines.setSpacing(4)
            lines.addWidget(label(title, "title"))
            lines.addWidget(label(text, "dim", wrap=True))
            paragraph.setMaximumWidth(_WIDEST_PX)
            # In the middle of a wide pane.
            row = QHBoxLayout()
            add_middle(row, paragraph)
            column.addLayout(row)
            self._paragraphs.append(paragraph)
        column.addStretch(2)

    def set_detailed(self, on: bool) -> None:
        """Explain the words of the cache, too."""
        if on != self._detailed:
            self._detailed = on
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        self._first.setVisible(not self._detailed)
        self._column.setStretch(0, int(self._detailed))
        width = min(self.width(), _WIDEST_PX)
        heights = [paragraph.heightForWidth(width) for paragraph in self._paragraphs]
        fitting = standing(self.height(), 2 * _MARGIN_PX, heights) if self._detailed else 0
        for number, paragraph in enumerate(self._paragraphs):
            paragraph.setVisible(number < fitting)
