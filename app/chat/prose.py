"""A text that is as tall as its content: Markdown through Qt's own reader, no HTML, no images."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QRectF, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QPainter,
    QPaintEvent,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app import theme
from app.chat.dress import QUOTE_PX, dress
from app.chat.kept_selection import Kept
from app.chat.mathematics import readable
from app.chat.plain_growth import Growth, plain_growth
from app.words.tr import tr

FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_BAR_PX = 3
_INDENT_PX = 26


class ProseView(QTextBrowser):
    """Read-only text without scroll bars of its own.

    Attributes:
        source_text: the Markdown or plain text shown.
    """

    def __init__(self, px: int = 14, token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source_text = ""
        self._px = px
        self._token = token
        self._markdown = True
        self._quoted = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.anchorClicked.connect(_open_link)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(_INDENT_PX)
        self.document().setDefaultFont(theme.ui_font(px))
        self.setAccessibleName(tr("Message text"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def show_markdown(self, text: str) -> None:
        if self._markdown and text == self.source_text:
            return
        growth = plain_growth(self.source_text, text) if self._markdown else None
        self.source_text, self._markdown = text, True
        if growth is None or not self._grow(growth):
            self._render()

    def show_plain(self, text: str) -> None:
        if not self._markdown and text == self.source_text:
            return
        self.source_text, self._markdown = text, False
        self._render()

    def restyle(self) -> None:
        """The theme changed: colours are part of the document, so it is rebuilt."""
        self._render()

    @property
    def text_view(self) -> ProseView:
        return self

    def height_for(self, width: int) -> int:
        """The height that the text needs at a width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return max(1, math.ceil(document.size().height()))

    def _grow(self, growth: Growth) -> bool:
        """Write on at the end: most of an answer's tokens make nothing else another."""
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        # A selection might grow, too.
        if end.block().text() != growth.before or self.textCursor().hasSelection():
            return False
        end.insertText(growth.after[len(growth.before) :])
        return True

    def _render(self) -> None:
        document, kept = self.document(), self._kept()
        if self._markdown:
            document.setMarkdown(readable(self.source_text), FEATURES)
        else:
            document.setPlainText(self.source_text)
        dress(document, self._px, self._token, spaced=self._markdown)
        if kept is not None:
            self._select_again(kept)
        self._quoted = self._markdown and "\n>" in f"\n{self.source_text}"

    def _kept(self) -> Kept | None:
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        return Kept(cursor.anchor(), cursor.position(), cursor.selectedText())

    def _select_again(self, kept: Kept) -> None:
        whole = QTextCursor(self.document())
        whole.select(QTextCursor.SelectionType.Document)
        ends = kept.found_in(whole.selectedText())
        if ends is not None:
            cursor = self.textCursor()
            cursor.setPosition(ends[0])
            cursor.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def ideal_width(self) -> int:
        """The width at which no line has to break."""
        document = self.document()
        before, layout = document.textWidth(), document.documentLayout()
        # Else this widget would at once lay it out at its own width again.
        layout.blockSignals(True)
        document.setTextWidth(-1)
        wanted = math.ceil(document.idealWidth()) + 1
        document.setTextWidth(before)
        layout.blockSignals(False)
        return wanted

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._quoted:
            painter = QPainter(self.viewport())
            self._paint_bars(painter, event)
            painter.end()

    def _paint_bars(self, painter: QPainter, event: QPaintEvent) -> None:
        """A bar to the left of each level of a quotation."""
        layout, colour = self.document().documentLayout(), theme.current().colour("faint", 0.6)
        block, above, top = self.document().begin(), 0, 0.0
        while block.isValid():
            depth = block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)
            rect = layout.blockBoundingRect(block)
            for level in range(depth):
                # From the end of the block above, so that the bar has no gaps between paragraphs.
                start = top if level < above else rect.y()
                bar = QRectF(level * QUOTE_PX, start, _BAR_PX, rect.bottom() - start)
                if bar.intersects(QRectF(event.rect())):
                    painter.fillRect(bar, colour)
            block, above, top = block.next(), depth, rect.bottom()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, not a single message.
        event.ignore()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        # Text written by a model must not read files or access the network.
        return None


def _open_link(url: QUrl) -> None:
    if url.scheme() in ("http", "https"):
        QDesktopServices.openUrl(url)
