"""The line below an answer: its figures, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QWidget

from app.chat.fork_arrows import ForkArrows

_GAP_PX = 2


class ActionRow(QWidget):
    """Words with tools beside them, or below them where both do not fit on one line.

    Where not even the tools fit on one, the arrows among them leave out their waits.
    """

    def __init__(self, words: QLabel, tools: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self._words = words
        self._arrows = [tool for tool in tools if isinstance(tool, ForkArrows)]
        self._tools = QWidget(self)
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        for tool in tools:
            row.addWidget(tool)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_GAP_PX)
        self._box.addWidget(words, 1)
        self._box.addWidget(
            self._tools, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        )

    def fit(self, width: int) -> None:
        """Arrange for a width; call also after the words or the tools have changed."""
        self._words.ensurePolished()
        words = self._words.fontMetrics().horizontalAdvance(self._words.text())
        tools = self._width_of_tools(brief=False)
        if tools > width:
            tools = self._width_of_tools(brief=True)
        beside = words + _GAP_PX + tools <= width
        way = QBoxLayout.Direction
        self._box.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._box.activate()

    def _width_of_tools(self, *, brief: bool) -> int:
        for arrows in self._arrows:
            arrows.set_brief(brief)
        for part in (*self._tools.findChildren(QWidget), self._tools):
            layout = part.layout()
            if layout is not None:
                # Only an active layout knows what was shown or hidden in it.
                layout.activate()
        return self._tools.sizeHint().width()
