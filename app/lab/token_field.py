"""A field with the tokens of a sequence, in which a needle and a query are selected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.words.tr import tr
from app.lab.logic.token_words import shown
from app.ui import theme
from app.ui.theme import Theme

_LINE_PX, _PAD_PX = 22, 6
Span = tuple[int, int]
# The engine's limit for a needle.
MOST_TOKENS = 16
_LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class TokenBox:
    """The place of a token: its line, and its left edge and width in pixels."""

    line: int
    left: float
    width: float


def flow(texts: Sequence[str], widths: Sequence[float], room: float) -> tuple[TokenBox, ...]:
    """Wrap tokens into lines of at most `room` pixels; a line break in a token ends its line."""
    places, line, left = [], 0, 0.0
    for text, width in zip(texts, widths, strict=True):
        if left and left + width > room:
            line, left = line + 1, 0.0
        places.append(TokenBox(line, left, min(width, room)))
        left += width
        if "\n" in text:
            line, left = line + 1, 0.0
    return tuple(places)


def word_at(texts: Sequence[str], index: int) -> Span:
    """The tokens of the word that contains a token; a token without letters is by itself."""
    if not _inside(texts[index]):
        return index, index + 1
    first, end = index, index + 1
    while first > 0 and _goes_on(texts[first]) and _inside(texts[first - 1]):
        first -= 1
    while end < len(texts) and _goes_on(texts[end]):
        end += 1
    return max(first, index - MOST_TOKENS // 2), min(end, max(first, index) + MOST_TOKENS // 2)


def find(texts: Sequence[str], wanted: str, after: int) -> Span | None:
    """The next tokens that contain a text, ignoring case, starting after a token; else None.

    The search wraps around. Texts longer than a needle may be are not found.
    """
    found = occurrences(texts, wanted)
    later = [span for span in found if span[0] > after]
    return next(iter(later or found), None)


def occurrences(texts: Sequence[str], wanted: str) -> list[Span]:
    """All spans of tokens that contain a text, ignoring case, and are short enough for a needle."""
    wanted = wanted.strip().lower()
    if not wanted:
        return []
    whole = "".join(texts).lower()
    ends = list(accumulate(len(text.lower()) for text in texts))
    found: list[Span] = []
    at = whole.find(wanted)
    while at >= 0:
        first = next(i for i, end in enumerate(ends) if end > at)
        last = next(i for i, end in enumerate(ends) if end >= at + len(wanted))
        if last + 1 - first <= MOST_TOKENS:
            found.append((first, last + 1))
        at = whole.find(wanted, at + 1)
    return found


def likely_needle(texts: Sequence[str]) -> Span | None:
    """The first mention of a word worth asking for; None if there is no word.

    Words that return are preferred, then names and numbers, then long ones; the marks of the
    template are none.
    """
    spans = [
        (first, end) for first, end in _words(texts) if first == 0 or not _is_mark(texts[first - 1])
    ]
    said = ["".join(texts[first:end]).strip() for first, end in spans]
    counts = Counter(map(str.casefold, said))

    def worth(at: int) -> tuple[bool, bool, int, int]:
        word, first = said[at], spans[at][0]
        named = word[0].isdigit() or (word[0].isupper() and _goes_on_in(texts, first))
        return counts[word.casefold()] > 1, named, len(word), -first

    best = max(range(len(spans)), key=worth, default=None)
    return None if best is None else spans[best]


def _words(texts: Sequence[str]) -> Iterator[Span]:
    """The spans of all words of at least three letters that may be a needle, in order."""
    at = 0
    while at < len(texts):
        first, end = span = word_at(texts, at)
        word = "".join(texts[first:end]).strip()
        if len(word) >= _LEAST_LETTERS and word.isalnum():
            yield span
        at = max(end, at + 1)


def _is_mark(text: str) -> bool:
    """Whether a token is a mark of the template, such as "<|im_start|>"."""
    return text.startswith("<|") or not text


def _goes_on_in(texts: Sequence[str], first: int) -> bool:
    """Whether a word stands within a sentence, so that a capital letter means a name."""
    return first > 0 and _inside(texts[first - 1]) and not _is_mark(texts[first - 1])


def _inside(text: str) -> bool:
    """Whether a token ends inside a word."""
    return bool(text) and text[-1].isalnum()


def _goes_on(text: str) -> bool:
    """Whether a token continues the word before it."""
    return bool(text) and text[0].isalnum() and text.isalnum()


class TokenField(QWidget):
    """Tokens to click; words are selected as a whole.

    Attributes:
        texts: of the tokens.
        caret: the token that keys move.
        needle: [first, end) among them, or None.
        query: the token at which the query is, or None.

    Signals:
        needle_chosen(object): a span.
        query_chosen(int): a token.
        caret_moved(QRectF): scroll to its place.
    """

    needle_chosen = Signal(object)
    query_chosen = Signal(int)
    caret_moved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts: tuple[str, ...] = ()
        self.caret = 0
        self.needle: Span | None = None
        self.query: int | None = None
        self._places: tuple[TokenBox, ...] = ()
        self._widths: tuple[float, ...] = ()
        self._flowed_at: tuple[int, tuple[TokenBox, ...]] = (0, ())
        self.setAccessibleName(tr("Tokens"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_tokens(self, texts: tuple[str, ...]) -> None:
        """Show other tokens; if they are the same, the selection stays."""
        if texts == self.texts:
            return
        self.texts, self.needle, self.query = texts, None, None
        self.caret = max(0, len(texts) - 1)
        metrics = QFontMetricsF(theme.mono_font())
        self._widths = tuple(metrics.horizontalAdvance(shown(text)) + 2 for text in texts)
        self._flowed_at = (0, ())
        self._arrange()
        self.updateGeometry()
        self.update()

    def show_chosen(self, needle: Span | None, query: int | None) -> None:
        self.needle, self.query = needle, query
        self.setAccessibleDescription(
            ""
            if needle is None
            else tr("Needle: {texts}").format(texts="".join(self.texts[slice(*needle)]))
        )
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._flowed(width)
        return 2 * _PAD_PX + _LINE_PX * (places[-1].line + 1 if places else 1)

    def sizeHint(self) -> QSize:
        return QSize(500, self.heightForWidth(max(200, self.width())))

    def rect_of(self, index: int) -> QRectF:
        place = self._places[index]
        return QRectF(
            _PAD_PX + place.left, _PAD_PX + place.line * _LINE_PX, place.width, _LINE_PX - 3
        )

    def token_at(self, x: float, y: float) -> int | None:
        for index in range(len(self._places)):
            if self.rect_of(index).adjusted(0, 0, 0, 3).contains(x, y):
                return index
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.token_at(event.position().x(), event.position().y())
        if found is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.caret = found
        held = event.modifiers()
        if held & Qt.KeyboardModifier.ControlModifier:
            self.query_chosen.emit(found)
        elif held & Qt.KeyboardModifier.ShiftModifier and self.needle is not None:
            self._extend(found)
        else:
            self.needle_chosen.emit(word_at(self.texts, found))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if not self.texts:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.needle_chosen.emit(word_at(self.texts, self.caret))
        elif key == Qt.Key.Key_Q:
            self.query_chosen.emit(self.caret)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move_line(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
            last = len(self.texts) - 1
            to = {
                Qt.Key.Key_Left: self.caret - 1,
                Qt.Key.Key_Right: self.caret + 1,
                Qt.Key.Key_Home: 0,
                Qt.Key.Key_End: last,
            }[Qt.Key(key)]
            self.move_caret(to)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.needle is not None:
                self._extend(self.caret)
        else:
            super().keyPressEvent(event)

    def move_caret(self, to: int) -> None:
        self.caret = min(max(to, 0), len(self.texts) - 1)
        self.caret_moved.emit(self.rect_of(self.caret))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.mono_font())
        seen = QRectF(event.rect())
        for index, text in enumerate(self.texts):
            place = self.rect_of(index)
            if place.intersects(seen):
                self._paint_token(painter, look, index, text, place)
        if self.hasFocus() and self.texts:
            painter.setPen(QPen(look.colour("accent"), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect_of(self.caret).adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(look.colour("accent"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _paint_token(
        self, painter: QPainter, look: Theme, index: int, text: str, place: QRectF
    ) -> None:
        needle = self.needle is not None and self.needle[0] <= index < self.needle[1]
        query = index == self.query
        if needle:
            painter.fillRect(place, look.colour("accent"))
        elif index % 2:
            # Separates neighbouring tokens.
            painter.fillRect(place, look.colour("track", 0.6))
        later = self.query is not None and index > self.query
        colour = "on_accent" if needle else "faint" if later else "text"
        painter.setPen(look.colour(colour))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown(text))
        if query:
            painter.setPen(QPen(look.colour("text"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1, 1, -1, -1))

    def _extend(self, to: int) -> None:
        assert self.needle is not None
        first, end = min(self.needle[0], to), max(self.needle[1], to + 1)
        if end - first <= MOST_TOKENS:
            self.needle_chosen.emit((first, end))

    def _move_line(self, by: int) -> None:
        here = self.rect_of(self.caret)
        y = here.center().y() + by * _LINE_PX
        line = [i for i, p in enumerate(self._places) if self.rect_of(i).contains(here.left(), y)]
        near = [
            i
            for i, place in enumerate(self._places)
            if place.line == self._places[self.caret].line + by
        ]
        if line or near:
            self.move_caret((line or near[-1:])[0])

    def _arrange(self) -> None:
        self._places = self._flowed(self.width())

    def _flowed(self, width: int) -> tuple[TokenBox, ...]:
        if self._flowed_at[0] != width:
            room = max(40.0, width - 2.0 * _PAD_PX)
            self._flowed_at = (width, flow(self.texts, self._widths, room))
        return self._flowed_at[1]
