"""A text view as tall as its content: Markdown through Qt's own parser, no HTML, no images."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QMimeData, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app.chat.formulas import PICTURE, Formulas
from app.chat.logic.kept_selection import Kept
from app.chat.logic.markdown_rewrites import NOTE, prepared
from app.chat.logic.mathematics import Formula
from app.chat.typesetting import typesetter
from app.core.words.tr import tr
from app.ui import theme

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_BAR_PX = 3
_INDENT_PX = 26
_LINE_HEIGHT = 142
_HEADING_PX = {1: 20, 2: 17, 3: 15}
_PARAGRAPH_PX = 10
_ITEM_PX = 4
_CELL_PX = 6
QUOTE_PX = 16
# A paragraph of only these is literal text: no emphasis, links, lists, tables or formulas.
_WORDS = re.compile(r"[^\W\d_](?:[^\W_]| (?! )|[,.;:!?'\"()’“”…–—。，、！？：；（）-])*")
# Possibly an open formula, or a link without markup.
_DOUBTFUL = re.compile(r"[$\\]|www\.", re.IGNORECASE)


# Qt's own separators, those between the cells of a table included.
_BREAKS = str.maketrans(
    dict.fromkeys("\u2029\u2028\ufdd0\ufdd1", "\n") | {"\u00a0": " ", PICTURE: ""}
)


def plain(selected: str) -> str:
    """The text of a selection, for other programs."""
    return selected.translate(_BREAKS)


@dataclass(frozen=True, slots=True)
class Growth:
    """The old and new text of the last paragraph."""

    before: str
    after: str


def plain_growth(before: str, after: str) -> Growth | None:
    """The growth of the last paragraph, if it is plain words; else None."""
    start = before.rfind("\n\n") + 2 if "\n\n" in before else 0
    if not after.startswith(before) or not before[start:]:
        return None
    if not _WORDS.fullmatch(after, start) or _DOUBTFUL.search(after):
        return None
    return Growth(before[start:].rstrip(), after[start:].rstrip())


def read_markdown(document: QTextDocument, text: str) -> list[Formula]:
    """Make a text the content of a document; returns the formulas, by their placeholders."""
    made, formulas = prepared(text)
    document.setMarkdown(made, _FEATURES)
    for table in _tables(document):
        _mend_head(table)
    return formulas


def _tables(document: QTextDocument) -> list[QTextTable]:
    frames = document.rootFrame().childFrames()
    return [frame for frame in frames if isinstance(frame, QTextTable)]


def dress(document: QTextDocument, px: int, token: str, *, spaced: bool = True) -> None:
    """Style a whole document; `token` is the theme colour of its text.

    `spaced`: its blocks are paragraphs; else lines, with no space between them.
    """
    look = theme.current()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    base = QTextCharFormat()
    base.setForeground(look.colour(token))
    cursor.mergeCharFormat(base)
    block = document.begin()
    while block.isValid():
        QTextCursor(block).mergeBlockFormat(_spacing(block, document, spaced))
        _dress_runs(block, px, look)
        block = block.next()
    cursor.endEditBlock()
    for table in _tables(document):
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderBrush(look.colour("border"))
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderCollapse(True)
        shape.setCellPadding(_CELL_PX)
        shape.setTopMargin(2)
        shape.setBottomMargin(_PARAGRAPH_PX)
        table.setFormat(shape)


def _mend_head(table: QTextTable) -> None:
    """Below a quotation, Qt's parser begins the first cell with an empty line, and not in bold."""
    cell = table.cellAt(0, 0)
    cursor = cell.firstCursorPosition()
    if cursor.block().length() > 1 or cursor.block() == cell.lastCursorPosition().block():
        return
    cursor.deleteChar()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.Bold)
    cursor.mergeCharFormat(bold)


def _spacing(block: QTextBlock, document: QTextDocument, spaced: bool) -> QTextBlockFormat:
    shape = QTextBlockFormat()
    kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    if QTextCursor(block).currentTable() is not None:
        shape.setLineHeight(100, kind)
        shape.setMarker(QTextBlockFormat.MarkerType.NoMarker)
        return shape
    shape.setLineHeight(_LINE_HEIGHT, kind)
    if not spaced:
        return shape
    if block.textList() is None:
        # Qt's parser puts the check box of a list's last item on the block after the list, too.
        shape.setMarker(QTextBlockFormat.MarkerType.NoMarker)
    depth = block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)
    if depth:
        shape.setLeftMargin(depth * QUOTE_PX)
        shape.setRightMargin(0)
    if block.blockFormat().hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
        # Qt draws the rule in this colour, else in the text colour.
        shape.setBackground(theme.current().colour("border"))
    first, last = block == document.begin(), not block.next().isValid()
    heading = block.blockFormat().headingLevel()
    following = block.next()
    inside_list = (
        block.textList() is not None and following.isValid() and following.textList() is not None
    )
    below = _ITEM_PX if inside_list or heading else _PARAGRAPH_PX
    shape.setTopMargin(_PARAGRAPH_PX if heading and not first else 0)
    shape.setBottomMargin(0 if last else below)
    return shape


def _dress_runs(block: QTextBlock, px: int, look: theme.Theme) -> None:
    heading = block.blockFormat().headingLevel()
    spot = QTextCursor(block)
    runs = []
    walk = block.begin()
    while not walk.atEnd():
        run = walk.fragment()
        runs.append((run.position(), run.length(), run.charFormat()))
        walk += 1
    for start, length, was in runs:
        change = QTextCharFormat(was) if heading else QTextCharFormat()
        if was.fontFixedPitch():
            change.merge(_code(px))
        elif heading:
            # Qt's parser sets a relative size, which overrides one in pixels.
            change.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            size = theme.message_px(_HEADING_PX[heading]) if heading in _HEADING_PX else px
            change.setProperty(QTextFormat.Property.FontPixelSize, size)
            change.setFontWeight(QFont.Weight.DemiBold)
        if was.anchorHref() == NOTE:
            # The mark of a footnote leads nowhere.
            change.setAnchor(False)
            change.setAnchorHref("")
            change.setFontUnderline(False)
            change.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
            change.setForeground(look.colour("dim"))
        elif was.isAnchor():
            change.setForeground(look.colour("accent"))
        if change.propertyCount():
            spot.setPosition(start)
            spot.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            if heading:
                spot.setCharFormat(change)
            else:
                spot.mergeCharFormat(change)


def _code(px: int) -> QTextCharFormat:
    """The look of code among words; `px`: of the words."""
    made = QTextCharFormat()
    made.setFontFamilies([theme.mono_family()])
    made.setProperty(QTextFormat.Property.FontPixelSize, px - 1)
    made.setBackground(theme.current().colour("hover"))
    return made


class ProseView(QTextBrowser):
    """Read-only text without scroll bars of its own.

    Attributes:
        source_text: the Markdown or plain text shown.

    Signals:
        typeset: its formulas replaced their source, which may change its height.
    """

    typeset = Signal()

    def __init__(self, px: int = 14, token: str = "text", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source_text = ""
        self._px = px
        self._token = token
        self._markdown = True
        # Whether there may be quotations.
        self._quoted = False
        self._formulas = Formulas(self.document())
        # Whether some are still being typeset.
        self._waits = False
        typesetter().arrived.connect(self._arrived)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.anchorClicked.connect(_open_link)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(_INDENT_PX)
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
        """Rebuild the document: its colours come from the theme, its size from the user."""
        self._render()

    @property
    def text_view(self) -> ProseView:
        return self

    def height_for(self, width: int) -> int:
        """The height of the text at a width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return max(1, math.ceil(document.size().height()))

    def _grow(self, growth: Growth) -> bool:
        """Append to the last block, which is enough for most tokens of an answer."""
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        # A selection could grow with it.
        if end.block().text() != growth.before or self.textCursor().hasSelection():
            return False
        end.insertText(growth.after[len(growth.before) :])
        return True

    def _render(self) -> None:
        document, kept, px = self.document(), self._kept(), theme.message_px(self._px)
        if document.defaultFont().pixelSize() != px:
            document.setDefaultFont(theme.ui_font(px))
        formulas: list[Formula] = []
        if self._markdown:
            formulas = read_markdown(document, self.source_text)
        else:
            document.setPlainText(self.source_text)
        # All is laid out once, after that.
        edit = QTextCursor(document)
        edit.beginEditBlock()
        dress(document, px, self._token, spaced=self._markdown)
        self._waits = self._formulas.place(formulas, px, _code(px))
        edit.endEditBlock()
        if kept is not None:
            self._select_again(kept)
        self._quoted = self._markdown and ">" in self.source_text

    def _arrived(self) -> None:
        if self._waits:
            self._render()
            self.typeset.emit()

    def toPlainText(self) -> str:
        """The text without the pictures of formulas, whose sources are in it."""
        return super().toPlainText().replace(PICTURE, "")

    def chosen(self) -> QTextCursor:
        """The selection, with each formula in it or not."""
        return self._formulas.whole(self.textCursor())

    def found(self, start: int, end: int) -> QTextCursor:
        """Selects a passage, given by its place in the text; formulas wholly."""
        return self._formulas.found(start, end)

    def createMimeDataFromSelection(self) -> QMimeData:
        chosen = self.textCursor().selectedText()
        if PICTURE not in chosen:
            return super().createMimeDataFromSelection()
        made = QMimeData()
        made.setText(plain(self.chosen().selectedText()))
        return made

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
        """The width at which no line wraps."""
        document = self.document()
        before, layout = document.textWidth(), document.documentLayout()
        # Otherwise this widget would lay it out at its own width again at once.
        layout.blockSignals(True)
        document.setTextWidth(-1)
        wanted = math.ceil(document.idealWidth()) + 1
        document.setTextWidth(before)
        layout.blockSignals(False)
        return wanted

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self._quoted or self._formulas.drawn):
            return
        painter = QPainter(self.viewport())
        self._formulas.uncover(painter)
        if self._quoted:
            self._paint_bars(painter, event)
        painter.end()

    def _paint_bars(self, painter: QPainter, event: QPaintEvent) -> None:
        """Paint a bar to the left of each level of a quotation."""
        layout, colour = self.document().documentLayout(), theme.current().colour("faint", 0.6)
        block, above, top = self.document().begin(), 0, 0.0
        while block.isValid():
            depth = block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)
            rect = layout.blockBoundingRect(block)
            # A quotation in a list stands where the text of the item does.
            left = block.blockFormat().indent() * _INDENT_PX
            for level in range(depth):
                # From the bottom of the block above, so that paragraphs have no gap between them.
                start = top if level < above else rect.y()
                bar = QRectF(left + level * QUOTE_PX, start, _BAR_PX, rect.bottom() - start)
                if bar.intersects(QRectF(event.rect())):
                    painter.fillRect(bar, colour)
            block, above, top = block.next(), depth, rect.bottom()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        word = self.textCursor()
        self.setTextCursor(self._formulas.around(word.selectionStart(), word.selectionEnd()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The conversation scrolls, not a single message.
        event.ignore()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        # Text written by a model must not read files or access the network.
        return None


def _open_link(url: QUrl) -> None:
    if url.scheme() in ("http", "https"):
        QDesktopServices.openUrl(url)
