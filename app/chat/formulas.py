"""The formulas of a text document: pictures on the baseline that read as their source."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QRegularExpression, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
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
# Room for a source, whose letters have the least width that Qt knows.
_SOURCE_PX = 10
# In percent of a letter of one pixel.
_AWAY = 1e8
_PLACES = QRegularExpression(PLACES)


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
        self._placed: list[_Placed] = []
        document.documentLayout().registerHandler(_KIND, self)

    def place(self, formulas: list[Formula], px: int, code: QTextCharFormat) -> bool:
        """Replace the placeholders; whether some formulas are typeset later.

        Args:
            px: of the text.
            code: the format of formulas whose source is shown.
        """
        self._placed = []
        if not formulas:
            return False
        outlines = typesetter().outlines(formulas)
        # Nothing is laid out before its place is known.
        edit = QTextCursor(self._document)
        edit.beginEditBlock()
        spot = self._document.find(_PLACES)
        while not spot.isNull():
            index = ord(spot.selectedText()) - FIRST_PLACE
            formula, made = formulas[index], outlines[index]
            if isinstance(made, Outline):
                self._insert(spot, formula, made, px)
            elif made is Source.FOR_GOOD:
                shape = spot.charFormat()
                shape.merge(code)
                spot.insertText(formula.source, shape)
            else:
                spot.insertText(formula.source)
            spot = self._document.find(_PLACES, spot)
        edit.endEditBlock()
        return Source.FOR_NOW in outlines

    def _insert(self, spot: QTextCursor, formula: Formula, outline: Outline, px: int) -> None:
        shape, block = spot.charFormat(), spot.block()
        text_px = shape.intProperty(QTextFormat.Property.FontPixelSize) or px
        if formula.display and block.length() - 1 == spot.selectionEnd() - spot.selectionStart():
            centred = QTextBlockFormat()
            centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            centred.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            spot.mergeBlockFormat(centred)
        start = spot.selectionStart()
        spot.insertText(formula.source, _hidden(shape, len(self._placed)))
        size_px = text_px * _SHARE
        shape.setObjectType(_KIND)
        shape.setProperty(_INDEX, len(self._placed))
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
        self._placed.append(_Placed(outline, size_px, rise, drop, room, span))

    def whole(self, cursor: QTextCursor) -> QTextCursor:
        """A selection with each formula in it or not, as its picture is."""
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        for one in self._placed:
            first, last = one.span.selectionStart(), one.span.selectionEnd()
            if first < start < last <= end:
                start = first
            elif first <= end < last:
                end = max(start, first)
        return _selecting(self._document, min(start, end), end)

    def found(self, start: int, end: int) -> QTextCursor:
        """Selects a passage, given by its place in the text without pictures; formulas wholly."""
        pictures = [one.span.selectionEnd() - 1 for one in self._placed]
        before = [at - number for number, at in enumerate(pictures)]
        start += bisect_right(before, start)
        end += bisect_left(before, end)
        for one in self._placed:
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
        one = self._placed[shape.intProperty(_INDEX)]
        px, sharp = self._px(one), painter.device().devicePixelRatioF()
        # Text stands on whole pixels of the device, too.
        baseline = round((QRectF(area).bottom() - one.drop) * sharp) / sharp
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(area.left(), baseline)
        painter.scale(px, px)
        painter.fillPath(one.outline.path, shape.foreground())
        painter.restore()

    def _px(self, one: _Placed) -> float:
        """Pixels per em; fewer than wanted if the formula is wider than the text."""
        space = self._document.textWidth() - one.room - _SOURCE_PX
        if space <= 0 or one.outline.width * one.px <= space:
            return one.px
        return space / one.outline.width


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
