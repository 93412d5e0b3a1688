"""The text of a message as a column of parts; only visible parts have widgets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.chat.body_selection import BodySelection
from app.chat.logic import highlight
from app.chat.logic.body_text import BodyText
from app.chat.logic.markdown_stream import Block, Prose
from app.chat.prose import ProseView
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import CopyButton, label, set_state

_SIDE_PX = 12
_GAP_PX = 2


class _CodeText(QTextEdit):
    """Read-only code, as tall as its lines, which wrap or scroll sideways."""

    def __init__(self, parent: QWidget, *, wraps: bool) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        if wraps:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
            self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.take_font()
        self.setAccessibleName(tr("Code"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def take_font(self) -> None:
        """Take the font of the size that the user chose."""
        self.setFont(theme.mono_font(theme.message_px(13)))

    def fit(self) -> None:
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(math.ceil(self.document().size().height()) + bar + 2)

    def show_text(self, text: str, before: str) -> None:
        """Replace the text `before`; if it only grew, append, and keep the selection."""
        if not (before and text.startswith(before)):
            self.setPlainText(text)
            return
        at = self.textCursor()
        ends = at.anchor(), at.position()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text[len(before) :])
        if at.hasSelection() and max(ends) != max(at.anchor(), at.position()):
            # Otherwise a selection that reaches the end of the text would grow with it.
            at.setPosition(ends[0])
            at.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(at)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QFrame):
    """Shows one fenced block.

    Attributes:
        code: its text.
        closed: whether its end was parsed.
    """

    def __init__(self, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        """wraps: wrap long lines instead of scrolling them."""
        super().__init__(parent)
        self._wraps = wraps
        self.setObjectName("codeBlock")
        self.code = ""
        self.language = ""
        self.closed = False
        self._joined = False
        self._all: Callable[[], str] | None = None
        self._name = label("", "faint")
        self._copy = CopyButton(self._whole, tr("Copy code"))
        self._text = _CodeText(self, wraps=wraps)
        self._top = QWidget(self)
        head = QHBoxLayout(self._top)
        head.setContentsMargins(12, 4, 6, 0)
        head.addWidget(self._name)
        head.addStretch(1)
        head.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, _GAP_PX)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._top)
        inner = QHBoxLayout()
        inner.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, 0)
        inner.addWidget(self._text)
        column.addLayout(inner)

    def show_code(
        self,
        code: str,
        language: str,
        closed: bool,
        *,
        joined: bool = False,
        whole: Callable[[], str] | None = None,
    ) -> None:
        """Show the block; text that only grew is appended, so streaming stays cheap.

        Args:
            joined: whether it continues the block above it.
            whole: returns the text of all joined blocks, for copying.
        """
        self._all = whole
        if joined != self._joined:
            self._joined = joined
            self._top.setVisible(not joined)
            set_state(self, "joined", joined)
        if (code, language, closed) == (self.code, self.language, self.closed):
            return
        self._text.show_text(code, self.code)
        self.code, self.language, self.closed = code, language, closed
        self._name.setText(language or tr("code"))
        if closed:
            self._colour()
        self._text.fit()

    @property
    def text_view(self) -> QTextEdit:
        return self._text

    def height_for(self, width: int) -> int:
        """The height that the code needs at a width.

        The layout would still report the height before the last text: it updates lazily.
        """
        frame = 2 * self.frameWidth()
        if self._wraps:
            self._text.document().setTextWidth(width - frame - 2 * _SIDE_PX)
            self._text.fit()
        head = 0 if self._joined else self._top.sizeHint().height() + _GAP_PX
        return frame + head + self._text.height() + _GAP_PX

    def ideal_width(self) -> int:
        """The width at which no line scrolls or wraps."""
        longest = max(self.code.split("\n"), key=len)
        return self._text.fontMetrics().horizontalAdvance(longest) + 2 * _SIDE_PX + 8

    def _whole(self) -> str:
        return self.code if self._all is None else self._all()

    def restyle(self) -> None:
        self._text.take_font()
        if self.closed:
            self._colour()
        self._text.fit()

    def _colour(self) -> None:
        look = theme.current()
        cursor = QTextCursor(self._text.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setCharFormat(QTextCharFormat())
        # Qt counts UTF-16 units, Python counts characters; they differ beyond the BMP.
        wide = not self.code.isascii() and any(ord(c) > 0xFFFF for c in self.code)
        for span in [] if wide else highlight.spans(self.code, self.language):
            shape = QTextCharFormat()
            shape.setForeground(QColor(look.syntax[span.role]))
            cursor.setPosition(span.start)
            cursor.setPosition(span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(shape)
        cursor.endEditBlock()


Part = ProseView | CodeBlock
# This many widgets that left the viewport are kept for reuse: as many as a view is tall.
_SPARE = 24
_END = -1


@dataclass(frozen=True, slots=True)
class ScrollPlace:
    """A place in a text that stays valid when heights change.

    Attributes:
        part: the index of a part; -1 for the area after the last one.
        below: pixels below its top.
        share: the same as a share of its height, used if that is only an estimate.
    """

    part: int
    below: int
    share: float | None


class MessageBody(QWidget):
    """Shows Markdown that may still grow, or plain parts.

    It places its parts itself: a layout would visit all of them whenever the last one grows.

    Attributes:
        text: the text shown.
        selection: the user's selection, across parts.
    """

    def __init__(
        self,
        px: int = 14,
        token: str = "text",
        parent: QWidget | None = None,
        *,
        markdown: bool = True,
        text: BodyText | None = None,
    ) -> None:
        """text: what it showed earlier; then nothing is shown until `show_span`."""
        super().__init__(parent)
        self.text = text or BodyText(px)
        self.selection = BodySelection(self, self.text, markdown=markdown)
        self._px = px
        self._token = token
        self._markdown = markdown
        self._parts: dict[int, Part] = {}
        self._spare: list[Part] = []
        self._span: tuple[float, float] = (-inf, inf) if text is None else (0, 0)
        self._height = 0
        self._laid_px = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def change_text(self, text: BodyText) -> None:
        """Show another text, but nothing of it until `show_span`."""
        self._span = (0, 0)
        for index in list(self._parts):
            self._retire(index)
        self.text = text
        self.selection.change_text(text)
        text.lay_out(self._laid_px)
        self._place(0)

    @property
    def parts(self) -> list[Part]:
        """The existing part widgets, in reading order."""
        return [self._parts[index] for index in sorted(self._parts)]

    def show_text(self, text: str, *, finished: bool) -> None:
        """Show a text; if it continues the last one, only the new part is processed."""
        self._show_from(self.text.write(text, finished=finished))

    def show_blocks(self, blocks: list[Block]) -> None:
        """Show the given parts."""
        self.text.take(blocks)
        self._show_from(0)

    def show_span(self, top: float, bottom: float, until: float = inf) -> bool:
        """Show the parts between two heights from now on; widgets far from them are removed.

        until: deadline on the clock of `perf_counter`; returns False if it was reached.
        """
        self._span = (top, bottom)
        made = self._fill(until)
        self._let_go()
        return made

    def fields(self) -> dict[int, QTextEdit]:
        """The text widgets, in reading order, by index of their part."""
        return {index: self._parts[index].text_view for index in sorted(self._parts)}

    def place_at(self, y: int) -> ScrollPlace | None:
        """The place at a height; None without text."""
        heights = self.text.heights
        if not len(heights):
            return None
        if y >= heights.total:
            return ScrollPlace(_END, y - heights.total, None)
        index = heights.at(y)
        below = y - heights.top(index)
        share = None if heights.measured(index) else below / heights.height(index)
        return ScrollPlace(index, below, share)

    def y_of(self, place: ScrollPlace) -> int:
        heights = self.text.heights
        if not 0 <= place.part < len(heights):
            return heights.total + place.below
        top, height = heights.top(place.part), heights.height(place.part)
        return top + (place.below if place.share is None else round(place.share * height))

    def restyle(self) -> None:
        self._drop_spare()
        for index, part in self._parts.items():
            part.restyle()
            self._measure(index)
        self._place(0)

    def ideal_width(self) -> int:
        """The width at which no line wraps."""
        return max((part.ideal_width() for part in self.parts), default=0)

    def sizeHint(self) -> QSize:
        return QSize(200, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out(event.size().width())

    def lay_out(self, width: int) -> None:
        """Lay out for a width; needed before it is shown, when Qt has sent no resize event."""
        if width != self._laid_px:
            self._laid_px = width
            self.text.lay_out(width)
            self._remeasure()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Only now do code blocks have their fonts from the style sheet.
        if self._parts:
            self._remeasure()

    def _remeasure(self) -> None:
        for index in self._parts:
            self._measure(index)
        self._fill(inf)
        self._place(0)

    def _show_from(self, first: int) -> None:
        """Update the parts from an index on, which changed."""
        for index in sorted(index for index in self._parts if index >= first):
            if index >= len(self.text.blocks):
                self._retire(index)
            else:
                self._write(index)
        self.selection.cut(len(self.text.blocks))
        self._fill(inf, first)
        self._place(first)

    def _fill(self, until: float, first: int = 0) -> bool:
        """Create the parts in the span, each of which moves those below it."""
        blocks, heights = self.text.blocks, self.text.heights
        top, bottom = self._span
        if not blocks or (not self._laid_px and top != -inf):
            return True
        index = first if top == -inf else heights.at(int(top))
        fresh = len(blocks)
        while index < len(blocks) and heights.top(index) < bottom:
            if heights.bottom(index) > top and index not in self._parts:
                if perf_counter() > until:
                    break
                self._write(index)
                fresh = min(fresh, index)
            index += 1
        else:
            until = inf
        self._place(fresh)
        return until == inf

    def _let_go(self) -> None:
        """Remove widgets that are farther from the span than its height."""
        top, bottom = self._span
        slack = bottom - top
        focused = QApplication.focusWidget()
        for index, part in list(self._parts.items()):
            heights = self.text.heights
            near = heights.bottom(index) > top - slack and heights.top(index) < bottom + slack
            used = focused is not None and part.isAncestorOf(focused)
            if not near and not used and not self.selection.starts_in(part.text_view):
                self._retire(index)

    def _write(self, index: int) -> None:
        """Update a part's widget, and measure it."""
        block = self.text.blocks[index]
        part, fresh = self._part(index, block), index not in self._parts
        self._parts[index] = part
        if isinstance(part, ProseView):
            if self._markdown:
                part.show_markdown(block.text)
            else:
                part.show_plain(block.text)
        elif not isinstance(block, Prose):
            part.show_code(
                block.text,
                block.language,
                block.closed,
                joined=block.joined,
                whole=lambda: self.text.code_from(index),
            )
        if fresh:
            part.show()
            self.selection.watch(index, part.text_view)
        self._measure(index)

    def _measure(self, index: int) -> None:
        if self._laid_px:
            height = self._parts[index].height_for(self._laid_px)
            self.text.heights.put(index, height, measured=True)

    def _place(self, first: int) -> None:
        """Position the parts from `first` on, once the width is known."""
        width, heights = self._laid_px, self.text.heights
        if not width:
            return
        for index, part in self._parts.items():
            if index >= first:
                part.setGeometry(0, heights.top(index), width, heights.height(index))
        total = heights.total
        if total != self._height:
            self._height = total
            self.setFixedHeight(total)

    def _part(self, index: int, block: Block) -> Part:
        kind = ProseView if isinstance(block, Prose) else CodeBlock
        known = self._parts.get(index)
        if isinstance(known, kind):
            return known
        if known is not None:
            self._retire(index)
        for spare in self._spare:
            if isinstance(spare, kind):
                self._spare.remove(spare)
                return spare
        if isinstance(block, Prose):
            made = ProseView(self._px, self._token, self)
            made.typeset.connect(self._remeasure)
            return made
        # Pasted code is skimmed, so it wraps; code that the model wrote keeps its lines.
        return CodeBlock(self, wraps=not self._markdown)

    def _retire(self, index: int) -> None:
        """Remove a part's widget; its selection is kept."""
        part = self._parts.pop(index)
        self.selection.forget(index, part.text_view)
        part.hide()
        if len(self._spare) < _SPARE:
            part.text_view.setExtraSelections([])
            self._spare.append(part)
        else:
            part.deleteLater()

    def _drop_spare(self) -> None:
        for part in self._spare:
            part.deleteLater()
        self._spare = []
