"""A text token by token: each in a box of its own, those that differ underlined and marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import theme
from app.words import format as fmt
from app.words.tr import tr
from engine.trace.why.divergence import SideToken

_FONT_PX = 12
_PAD_PX = 2
_GAP_PX = 1
_LINE_GAP_PX = 4
# What cannot be seen is drawn; a line ends after its sign.
_SEEN = {"\n": "↵", "\t": "⇥", " ": "·"}


def visible(text: str) -> str:
    """Spaces at either end and line ends as signs, so that each token can be seen."""
    inner = text.strip(" ")
    if not inner:
        return "·" * len(text)
    start = len(text) - len(text.lstrip(" "))
    end = len(text) - len(text.rstrip(" "))
    said = "".join(_SEEN.get(c, c) if c != " " else " " for c in inner)
    return "·" * start + said + "·" * end


def spoken(tokens: Sequence[SideToken]) -> str:
    """The text with what differs in brackets, for copying and for who cannot see it."""
    out: list[str] = []
    inside = False
    for token in tokens:
        if token.differs != inside:
            out.append("[" if token.differs else "]")
            inside = token.differs
        out.append(token.text)
    return "".join(out) + ("]" if inside else "")


class TokenFlow(QWidget):
    """Tokens in lines; positions are told on hover."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._tokens: tuple[SideToken, ...] = ()
        self._texts: list[str] = []
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)

    def show_tokens(self, tokens: tuple[SideToken, ...]) -> None:
        self._tokens = tokens
        self._texts = [visible(token.text) for token in tokens]
        self.setAccessibleDescription(spoken(tokens))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        boxes = self._boxes(width)
        return int(boxes[-1].bottom() + _PAD_PX) + 1 if boxes else 0

    def sizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 20)

    def _boxes(self, width: int) -> list[QRectF]:
        metrics = QFontMetricsF(theme.mono_font(_FONT_PX))
        high = metrics.height() + 2 * _PAD_PX
        x = y = 0.0
        boxes = []
        for token, text in zip(self._tokens, self._texts, strict=True):
            wide = min(metrics.horizontalAdvance(text) + 2 * _PAD_PX, float(max(width, 20)))
            if x and x + wide > width:
                x, y = 0.0, y + high + _LINE_GAP_PX
            boxes.append(QRectF(x, y, wide, high))
            x += wide + _GAP_PX
            if token.text.endswith("\n"):
                x, y = 0.0, y + high + _LINE_GAP_PX
        return boxes

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = theme.mono_font(_FONT_PX)
        bold = theme.mono_font(_FONT_PX)
        bold.setBold(True)
        centre = Qt.AlignmentFlag.AlignCenter
        boxes = zip(self._tokens, self._texts, self._boxes(self.width()), strict=True)
        for token, text, box in boxes:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("danger_surface" if token.differs else "track"))
            painter.drawRoundedRect(box, 2, 2)
            painter.setFont(bold if token.differs else font)
            painter.setPen(look.colour("text" if token.differs else "dim"))
            painter.drawText(box, centre, text)
            if token.differs:
                painter.setPen(QPen(look.colour("danger"), 2))
                y = box.bottom() + 0.5
                painter.drawLine(QPointF(box.left() + 1, y), QPointF(box.right() - 1, y))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = QPointF(event.pos())
            for token, box in zip(self._tokens, self._boxes(self.width()), strict=True):
                if box.contains(at):
                    state = tr("differs") if token.differs else tr("the same on both sides")
                    place = tr("token {position}: {state}").format(
                        position=fmt.count(token.position), state=state
                    )
                    QToolTip.showText(event.globalPos(), place, self)
                    return True
            QToolTip.hideText()
            return True
        return super().event(event)
