"""The formulas of a text document: pictures on the baseline that read as their source."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPixmap,
    QPixmapCache,
    QPyTextObject,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from app.chat.logic.mathematics import FIRST_PLACE, PLACES, Formula
from app.chat.typesetting import Outline, Source, typesetter

# Qt's character for a picture. The source before it is there for whatever reads the text.
PICTURE = "\ufffc"
_KIND = QTextFormat.ObjectTypes.UserObject.value + 1
_INDEX = QTextFormat.Property.UserProperty.value + 1
# The face for mathematics has smaller letters than those for the screen.
_SHARE = 1.1
# Letters lean out of their space by less.
_MARGIN_PX = 4
# Room for a source, whose letters have the least width that Qt knows.
_SOURCE_PX = 10
# In percent of a letter of one pixel.
_AWAY = 1e8
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Placed:
    """A typeset formula in the text.

    Attributes:
        px: pixels per em.
        rise: the least space above the baseline, in pixels: a line of text has as much.
        drop: the space below it, in pixels.
        room: what the width of the document has beside it, in pixels.
        span: selects its source and its picture.
    """

    formula: Formula
    outline: Outline
    px: float
    rise: float
    drop: float
    room: float
    span: QTextCursor


class Formulas(QPyTextObject):
    """Places and draws the formulas of one document."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        # By their number in the text.
        self._placed: dict[int, _Placed] = {}
        # In the paint event that is going on.
        self._drawn: set[int] = set()
        self._covered: list[tuple[QRectF, _Placed, QColor]] = []
        document.documentLayout().registerHandler(_KIND, self)

    def place(self, formulas: list[Formula], px: int, code: QTextCharFormat) -> bool:
        """Replace the placeholders; whether some formulas are typeset later.

        Args:
            px: of the text.
            code: the format of formulas whose source is shown.
        """
        self._placed = {}
        if not formulas:
            return False
        outlines = typesetter().outlines(formulas)
        text = self._document.toRawText()
        # Qt counts UTF-16 units, Python counts characters; they differ beyond the BMP.
        wide = [found.start() for found in _BEYOND_BMP.finditer(text)]
        # Backwards, so that the places before stay where they are.
        for found in reversed(list(PLACES.finditer(text))):
            index, start = ord(found[0]) - FIRST_PLACE, found.start()
            start += bisect_left(wide, start)
            spot, made = _selecting(self._document, start, start + 2), outlines[index]
            if isinstance(made, Outline):
                self._insert(spot, index, formulas[index], made, px)
                continue
            shape = spot.charFormat()
            if made is Source.FOR_GOOD:
                shape.merge(code)
            spot.insertText(formulas[index].source, shape)
        return Source.FOR_NOW in outlines

    def _insert(
        self, spot: QTextCursor, index: int, formula: Formula, outline: Outline, px: int
    ) -> None:
        shape, block = spot.charFormat(), spot.block()
        text_px = shape.intProperty(QTextFormat.Property.FontPixelSize) or px
        if formula.display and block.length() - 1 == spot.selectionEnd() - spot.selectionStart():
            centred = QTextBlockFormat()
            centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            centred.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            spot.mergeBlockFormat(centred)
        start = spot.selectionStart()
        spot.insertText(formula.source, _hidden(shape, index))
        size_px = text_px * _SHARE
        shape.setObjectType(_KIND)
        shape.setProperty(_INDEX, index)
        # Aligned so, Qt takes the descent from the font: one that is as deep as the formula.
        shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        font = QFont(self._document.defaultFont())
        font.setPixelSize(text_px)
        metrics = QFontMetricsF(font)
        share, rise = metrics.descent() / text_px, metrics.ascent()
        font.setPixelSize(max(text_px, math.ceil(outline.descent * size_px / share)))
        shape.setProperty(QTextFormat.Property.FontPixelSize, font.pixelSize())
        spot.insertText(PICTURE, shape)
        span = QTextCursor(self._document)
        span.setPosition(start)
        span.setPosition(spot.position(), QTextCursor.MoveMode.KeepAnchor)
        depth = block.textList().format().indent() if block.textList() is not None else 0
        room = depth * self._document.indentWidth() + block.blockFormat().leftMargin()
        drop = QFontMetricsF(font).descent()
        self._placed[index] = _Placed(formula, outline, size_px, rise, drop, room, span)

    def whole(self, cursor: QTextCursor) -> QTextCursor:
        """A selection with each formula in it or not, as its picture is."""
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        for one in self._placed.values():
            first, last = one.span.selectionStart(), one.span.selectionEnd()
            if first < start < last <= end:
                start = first
            elif first <= end < last:
                end = max(start, first)
        return _selecting(self._document, min(start, end), end)

    def found(self, start: int, end: int) -> QTextCursor:
        """Selects a passage, given by its place in the text without pictures; formulas wholly."""
        pictures = sorted(one.span.selectionEnd() - 1 for one in self._placed.values())
        before = [at - number for number, at in enumerate(pictures)]
        start += bisect_right(before, start)
        return self.around(start, end + bisect_left(before, end))

    def around(self, start: int, end: int) -> QTextCursor:
        """Selects a passage of the document, and all of the formulas that it touches."""
        for one in self._placed.values():
            first, last = one.span.selectionStart(), one.span.selectionEnd()
            if start < last and first < end:
                start, end = min(start, first), max(end, last)
        return _selecting(self._document, start, end)

    def intrinsicSize(self, document: QTextDocument, place: int, shape: QTextFormat) -> QSizeF:
        one = self._placed[shape.intProperty(_INDEX)]
        px = self._px(one)
        return QSizeF(one.outline.width * px, max(one.outline.ascent * px, one.rise) + one.drop)

    def drawObject(
        self,
        painter: QPainter,
        area: QRectF | QRect,
        document: QTextDocument,
        place: int,
        shape: QTextFormat,
    ) -> None:
        index = shape.intProperty(_INDEX)
        one, colour = self._placed[index], shape.foreground().color()
        if index in self._drawn:
            # Once more in the colour of selected text, and covered with that behind it afterwards.
            colour = painter.pen().color()
            self._covered.append((QRectF(area), one, colour))
        self._drawn.add(index)
        self._paint(painter, QRectF(area), one, colour)

    @property
    def drawn(self) -> bool:
        """Some are on screen since the last `uncover`."""
        return bool(self._drawn)

    def uncover(self, painter: QPainter) -> None:
        """After the text was painted: paint selected formulas again, above their background."""
        for area, one, colour in self._covered:
            self._paint(painter, area, one, colour)
        self._drawn, self._covered = set(), []

    def _paint(self, painter: QPainter, area: QRectF, one: _Placed, colour: QColor) -> None:
        px, sharp = self._px(one), painter.deviceTransform().m11()
        # On whole pixels of the device, as text is.
        left = round(area.left() * sharp) / sharp - _MARGIN_PX
        baseline = round((area.bottom() - one.drop) * sharp) / sharp
        spot = QPointF(left, baseline - _above(one, px))
        painter.drawPixmap(spot, _picture(one, px, sharp, colour))

    def _px(self, one: _Placed) -> float:
        """Pixels per em; fewer than wanted if the formula is wider than the text."""
        space = self._document.textWidth() - one.room - _SOURCE_PX
        if space <= 0 or one.outline.width * one.px <= space:
            return one.px
        return space / one.outline.width


def _above(one: _Placed, px: float) -> int:
    """Pixels of a formula's picture above the baseline."""
    return math.ceil(one.outline.ascent * px) + _MARGIN_PX


def _picture(one: _Placed, px: float, sharp: float, colour: QColor) -> QPixmap:
    """A formula painted once: filling its outline takes as long as painting a page of text."""
    display = one.formula.display
    key = f"formula {one.formula.latex} {display} {px} {sharp} {colour.rgba()}"
    made = QPixmap()
    if QPixmapCache.find(key, made):
        return made
    above, below = _above(one, px), math.ceil(one.outline.descent * px) + _MARGIN_PX
    width = math.ceil(one.outline.width * px) + 2 * _MARGIN_PX
    made = QPixmap(round(width * sharp), round((above + below) * sharp))
    made.setDevicePixelRatio(sharp)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(_MARGIN_PX, above)
    painter.scale(px, px)
    painter.fillPath(one.outline.path, colour)
    painter.end()
    QPixmapCache.insert(key, made)
    return made


def _hidden(shape: QTextCharFormat, index: int) -> QTextCharFormat:
    """The format of a source, which takes no space and is painted out of sight."""
    made = QTextCharFormat(shape)
    made.setProperty(_INDEX, index)
    made.setProperty(QTextFormat.Property.FontPixelSize, 1)
    made.setFontStretch(1)
    made.setFontLetterSpacingType(QFont.SpacingType.PercentageSpacing)
    made.setFontLetterSpacing(0.02)
    # Even transparent letters show once they are selected.
    made.setBaselineOffset(_AWAY)
    return made


def _selecting(document: QTextDocument, start: int, end: int) -> QTextCursor:
    made = QTextCursor(document)
    made.setPosition(start)
    made.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return made
