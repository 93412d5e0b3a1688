"""Applies our spacing, code colours and table borders to a document Qt made from Markdown."""

from __future__ import annotations

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from app import theme

_LINE_HEIGHT = 142
_HEADING_PX = {1: 20, 2: 17, 3: 15}
_PARAGRAPH_PX = 10
_ITEM_PX = 4
_CELL_PX = 6
QUOTE_PX = 16


def dress(document: QTextDocument, px: int, token: str, *, spaced: bool = True) -> None:
    """Style a whole document; `token` is the theme colour of its text.

    `spaced`: its blocks are paragraphs; else they are lines, with no space between them.
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
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            shape = frame.format()
            shape.setBorder(1)
            shape.setBorderBrush(look.colour("border"))
            shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            shape.setBorderCollapse(True)
            shape.setCellPadding(_CELL_PX)
            shape.setTopMargin(2)
            shape.setBottomMargin(_PARAGRAPH_PX)
            frame.setFormat(shape)


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
        # Qt's reader gives the check box of a list's last item to what follows the list.
        shape.setMarker(QTextBlockFormat.MarkerType.NoMarker)
    depth = block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)
    if depth:
        shape.setLeftMargin(depth * QUOTE_PX)
        shape.setRightMargin(0)
    if block.blockFormat().hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth):
        # Qt draws the rule in this colour, else in that of the text.
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
            change.setFontFamilies([theme.mono_family()])
            change.setProperty(QTextFormat.Property.FontPixelSize, px - 1)
            change.setBackground(look.colour("hover"))
        elif heading:
            # Qt's reader gives a size relative to the text, which outweighs one in pixels.
            change.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            change.setProperty(QTextFormat.Property.FontPixelSize, _HEADING_PX.get(heading, px))
            change.setFontWeight(QFont.Weight.DemiBold)
        if was.isAnchor():
            change.setForeground(look.colour("accent"))
        if change.propertyCount():
            spot.setPosition(start)
            spot.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            if heading:
                spot.setCharFormat(change)
            else:
                spot.mergeCharFormat(change)
