"""A sentence whose terms explain themselves: dotted underlines, tooltips, and stops for Tab."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFragment,
)
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from app.core.words.glossary import explanation, marked
from app.ui import theme

_SELECT = Qt.TextInteractionFlag.TextSelectableByMouse
_LINKS = (
    Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
)
_TABS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_DOTS = QTextCharFormat.UnderlineStyle.DotLine
_RING_PX, _RING_ROUND_PX = (-1.5, 0.5, 1.5, -0.5), 3


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

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.hasFocus():
            return
        # Qt marks the term only by dots, which are hard to see.
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.current().colour("accent"))
        for ring in self._focused():
            painter.drawRoundedRect(ring, _RING_ROUND_PX, _RING_ROUND_PX)
        painter.end()

    def _focused(self) -> Iterator[QRectF]:
        """Where the term is that Tab has gone to, line by line."""
        document, begin = self.findChild(QTextDocument), self.selectionStart()
        if begin < 0 or not isinstance(document, QTextDocument):
            return
        # A label centres its text vertically.
        room = self.contentsRect()
        corner = QPointF(room.x(), room.y() + (room.height() - document.size().height()) / 2)
        block = document.findBlock(begin)
        layout = block.layout()
        for run in layout.glyphRuns(begin - block.position(), len(self.selectedText())):
            yield run.boundingRect().translated(corner + layout.position()).adjusted(*_RING_PX)

    def _rich(self, text: str) -> str:
        """The text with its links."""
        return marked(text, *self._also)
