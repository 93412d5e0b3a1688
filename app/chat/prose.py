"""A text that is as tall as its content: Markdown through Qt's own reader, no HTML, no images."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QResizeEvent,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from app import theme
from app.chat.dress import dress

FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


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
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setOpenLinks(False)
        self.anchorClicked.connect(_open_link)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setDefaultFont(theme.ui_font(px))
        self.setAccessibleName("Message text")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def show_markdown(self, text: str) -> None:
        if self._markdown and text == self.source_text:
            return
        self.source_text, self._markdown = text, True
        self._render()

    def show_plain(self, text: str) -> None:
        if not self._markdown and text == self.source_text:
            return
        self.source_text, self._markdown = text, False
        self._render()

    def restyle(self) -> None:
        """The theme changed: colours are part of the document, so it is rebuilt."""
        self._render()

    def _render(self) -> None:
        document = self.document()
        if self._markdown:
            document.setMarkdown(self.source_text, FEATURES)
        else:
            document.setPlainText(self.source_text)
        dress(document, self._px, self._token)
        self.fit()

    def fit(self) -> None:
        """Take the height that the text needs at this width."""
        width = self.viewport().width()
        if width <= 1:
            return
        self.document().setTextWidth(width)
        height = max(1, math.ceil(self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(height)

    def ideal_width(self) -> int:
        """The width at which no line has to break."""
        document = self.document()
        document.setTextWidth(-1)
        width = math.ceil(document.idealWidth()) + 1
        document.setTextWidth(max(1, self.viewport().width()))
        return width

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, not a single message.
        event.ignore()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        # Text written by a model must not read files or access the network.
        return None


def _open_link(url: QUrl) -> None:
    if url.scheme() in ("http", "https"):
        QDesktopServices.openUrl(url)
