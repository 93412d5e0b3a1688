"""A sentence whose terms explain themselves: dotted underlines, tooltips, and stops for Tab."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QHelpEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
)
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from app.core.words.glossary import explanation, marked

_SELECT = Qt.TextInteractionFlag.TextSelectableByMouse
_LINKS = (
    Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
)
_TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_DOTS = QTextCharFormat.UnderlineStyle.DotLine


def fragments(document: QTextDocument) -> list[QTextFragment]:
    """The runs of one format in the first paragraph; changing a format would end an iteration."""
    found, at = [], document.begin().begin()
    while not at.atEnd():
        found.append(at.fragment())
        at += 1
    return found


class GlossedLabel(QLabel):
    """A wrapped plain text with the glossary's terms underlined by dots.

    Hovering over a term shows its meaning; so does Enter, after Tab has gone to it.
    """

    def __init__(
        self, kind: str = "", *also: str, selectable: bool = False, parent: QWidget | None = None
    ) -> None:
        """kind: of the style sheet. also: labels that are terms here; see `glossary.marked`."""
        super().__init__(parent)
        self._also = also
        self._select = _SELECT if selectable else Qt.TextInteractionFlag.NoTextInteraction
        self._plain = self._over = ""
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        if kind:
            self.setProperty("kind", kind)
        self.linkHovered.connect(self._hover)
        self.linkActivated.connect(self._explain)

    def text(self) -> str:
        """The plain text."""
        return self._plain

    def setText(self, text: str) -> None:
        if text == self._plain:
            return
        self._plain = text
        rich = self._rich(text)
        terms = "<a " in rich
        self.setTextInteractionFlags(self._select | _LINKS if terms else self._select)
        super().setText(rich)
        self.setAccessibleName(text)
        if terms:
            self._draw_dots()

    def _draw_dots(self) -> None:
        """Links in the colour of the text; a style sheet has no dotted underline."""
        # Only the layout makes a document of the text.
        self.sizeHint()
        document = self.findChild(QTextDocument)
        assert isinstance(document, QTextDocument)
        links = [one for one in fragments(document) if one.charFormat().isAnchor()]
        cursor = QTextCursor(document)
        for link in links:
            dotted = QTextCharFormat(link.charFormat())
            dotted.setUnderlineStyle(_DOTS)
            dotted.clearForeground()
            cursor.setPosition(link.position())
            cursor.setPosition(link.position() + link.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(dotted)

    def _hover(self, term: str) -> None:
        self._over = term

    def _explain(self, term: str) -> None:
        """Show the meaning at the mouse, or below the text if a key asked for it."""
        below = self.mapToGlobal(QPoint(0, self.height()))
        at = QCursor.pos() if self._over == term else below
        QToolTip.showText(at, explanation(term), self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Qt itself stops before the first term, with nothing to be seen.
        if event.reason() in _TABS:
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._over:
            QToolTip.showText(event.globalPos(), explanation(self._over), self)
            return True
        return super().event(event)

    def _rich(self, text: str) -> str:
        """The text with its links."""
        return marked(text, *self._also)
