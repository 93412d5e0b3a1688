"""The status line: notices, the server, context use, tokens per second."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QStyle,
    QStyleOption,
    QWidget,
)

from app.core.session.context_use import NEARLY_FULL, ContextUse, context_use
from app.core.session.model import Session
from app.core.session.settings import effective
from app.core.words import format as fmt
from app.core.words.context_words import context_detail
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.ui import theme
from app.ui.key_hints import KeyTip
from app.ui.widgets import ElidedLabel, set_state, set_tip

_MESSAGE_MS, _OFFERED_MS = 8000, 20_000
_CONTEXT_PX, _SHARE_PX, _RATE_PX = 260, 96, 100
_WIDE_PX = 680
_EDGE_PX = 6
# The x position of a temporary message, and the space after it.
_MESSAGE_PX = 12
_WIDTH_PX, _BAR_PX = 84, 6


def context_text(session: Session) -> str:
    """How full the current conversation's context is: "context 15%".

    Near its end the figures count: "context 31,100 of 32,768 (95%)".
    """
    use = context_use(session)
    if use is None:
        return ""
    if not use.nearly_full:
        return tr("context {share:.0%}").format(share=use.share)
    return tr("context {used} of {window} ({share:.0%})").format(
        used=fmt.count(use.used), window=fmt.count(use.window), share=use.share
    )


def rate_text(session: Session) -> str:
    """Tokens per second of the running answer; a finished one shows its own."""
    return "" if session.rate.value is None else fmt.rate(session.rate.value)


class ContextMeter(QWidget):
    """Warm tokens, cold tokens and free room, left to right, with a mark where it gets tight.

    Attributes:
        use: the figures shown; None shows an empty bar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.use: ContextUse | None = None
        self.setFixedWidth(_WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("Context"))

    def show_use(self, use: ContextUse | None, detail: str) -> None:
        """Show figures; `detail` describes them in words."""
        set_tip(self, detail)
        self.setAccessibleDescription(detail)
        if use != self.use:
            self.use = use
            self.update()

    @property
    def parts(self) -> tuple[float, float]:
        """The right ends of the warm tokens and of all used ones, in pixels."""
        if self.use is None:
            return 0.0, 0.0
        px = self.width() / self.use.window
        warm = self.use.warm or 0
        return min(self.width(), warm * px), min(self.width(), self.use.used * px)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH_PX, _BAR_PX + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = (self.height() - _BAR_PX) / 2
        bar = QRectF(0, top, self.width(), _BAR_PX)
        outline = QPainterPath()
        outline.addRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        painter.setClipPath(outline)
        painter.fillRect(bar, look.colour("border"))
        warm, used = self.parts
        tight = self.use is not None and self.use.nearly_full
        # Cold tokens are no problem until the context runs out.
        cold = look.colour("danger" if tight else "faint")
        painter.fillRect(QRectF(0, top, used, _BAR_PX), cold)
        painter.fillRect(QRectF(0, top, warm, _BAR_PX), look.colour("reused"))
        painter.fillRect(
            QRectF(round(self.width() * NEARLY_FULL), top, 1, _BAR_PX), look.colour("dim")
        )
        painter.end()


class StatusLine(QStatusBar):
    """Shows notices, and the figures of the conversation on screen.

    Attributes:
        context, rate: its labels.
        meter: how full the context is, as a bar.
        server: the indicator that is lit while the server runs.
        offers: the buttons of the notice, by id.

    Signals:
        server_wanted: the server's indicator was pressed.
        chosen: what a notice offered, by its id.
    """

    server_wanted = Signal()
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.server = QPushButton(tr("● Server"))
        self.server.setProperty("kind", "link")
        self.server.clicked.connect(self.server_wanted)
        self.server.hide()
        self.meter = ContextMeter()
        self.context = ElidedLabel("figures")
        self.rate = ElidedLabel("figures")
        self.rate.setFixedWidth(_RATE_PX)
        for figures in (self.context, self.rate):
            figures.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.context.setContentsMargins(0, 4, 0, 4)
        self.rate.setContentsMargins(0, 4, 0, 4)
        # Permanent widgets stay visible during a temporary message; others would overlap it.
        self.addPermanentWidget(self.server)
        # First, so that the others stay where they are when it comes and goes.
        self.addPermanentWidget(self.rate)
        self.addPermanentWidget(self.meter)
        self.addPermanentWidget(self.context)
        # Not a margin of the label, which the style sheet resets.
        edge = QWidget()
        edge.setFixedWidth(_EDGE_PX)
        self.addPermanentWidget(edge)
        self.offers: dict[str, QPushButton] = {}
        # Outside the layout: they stand right after the message.
        self._offer_box = QWidget(self)
        self._offer_row = QHBoxLayout(self._offer_box)
        self._offer_row.setContentsMargins(0, 0, 0, 0)
        self._offer_row.setSpacing(6)
        self._offer_box.hide()
        self.messageChanged.connect(self._make_room)

    def show_notice(self, text: str, offers: Sequence[tuple[str, str]] = ()) -> None:
        """Show a temporary message, with buttons for what can be done about it.

        The figures are hidden for a message that does not fit next to them; one that is still too
        long is elided, with its full text in a tooltip.
        """
        for button in self.offers.values():
            button.deleteLater()
        self.offers = {}
        for command, words in offers:
            button = self.offers[command] = QPushButton(words)
            button.setProperty("kind", "small")
            KeyTip(button, words, command)
            button.clicked.connect(lambda _on=False, command=command: self._choose(command))
            self._offer_row.addWidget(button)
        self.showMessage(said(text), _OFFERED_MS if offers else _MESSAGE_MS)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said(text)))

    @property
    def notice(self) -> str:
        """The visible part of the temporary message."""
        width = self._beside(*self._figures)
        return self.fontMetrics().elidedText(
            self.currentMessage(), Qt.TextElideMode.ElideRight, width
        )

    def show_server(self, url: str) -> None:
        """Light the indicator of a server at an address; "" turns it off."""
        self.server.setVisible(bool(url))
        self.server.setToolTip(url)
        self.server.setAccessibleName(tr("The server runs at {url}.").format(url=url))
        self._make_room()

    def show_session(self, session: Session) -> None:
        context = context_text(session)
        self.context.setText(context, context.removeprefix("context ").split(" (")[0])
        use = context_use(session)
        longest = effective(session.sampling, session.current).max_tokens
        detail = context_detail(use.used, use.warm, use.window, longest) if use else ""
        set_tip(self.context, detail)
        self.meter.show_use(use, detail)
        set_state(self.context, "kind", "figuresDanger" if use and use.nearly_full else "figures")
        self.rate.setText(rate_text(session))
        self._size_context()
        self._make_room()

    def _make_room(self) -> None:
        """Show the figures, unless a message needs their space."""
        said, figures = self.currentMessage(), self._figures
        set_tip(self, said)
        for part in figures:
            part.show()
        fits = self.fontMetrics().horizontalAdvance(said) <= self._beside(*figures)
        for part in figures:
            part.setVisible(fits)
        self._offer_box.setVisible(bool(said and self.offers))
        if self._offer_box.isVisibleTo(self):
            size = self._offer_box.sizeHint()
            left = 2 * _MESSAGE_PX + self.fontMetrics().horizontalAdvance(self.notice)
            self._offer_box.setGeometry(
                left, (self.height() - size.height()) // 2, size.width(), size.height()
            )

    def _choose(self, command: str) -> None:
        # First, as the command may have a notice of its own.
        self.clearMessage()
        self.chosen.emit(command)

    @property
    def _figures(self) -> tuple[QWidget, ...]:
        """The widgets that are hidden for a message, if they have content."""
        if self.meter.use is None or self.width() < _WIDE_PX:
            self.meter.hide()
            figures: tuple[QWidget, ...] = (self.context, self.rate)
        else:
            figures = (self.meter, self.context, self.rate)
        if self.context.text() or self.rate.text():
            return figures
        for part in figures:
            part.hide()
        return ()

    def _beside(self, *figures: QWidget) -> int:
        """The width for a message next to the visible figures."""
        parts = [part for part in (self.server, *figures) if not part.isHidden()]
        layout = self.layout()
        gap = _MESSAGE_PX if layout is None else layout.spacing()
        offers = self._offer_box.sizeHint().width() + _MESSAGE_PX if self.offers else 0
        taken = offers + sum(_width(part) + gap for part in parts)
        return self.width() - 2 * _MESSAGE_PX - taken

    def paintEvent(self, event: QPaintEvent) -> None:
        said = self.notice
        if not said:
            super().paintEvent(event)
            return
        # Qt would start the text elsewhere, and clip it in the middle of a letter.
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelStatusBar, option, painter, self)
        painter.setPen(self.palette().windowText().color())
        room = self.rect().adjusted(_MESSAGE_PX, 0, 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Not the width of the text: figures that change with each token would move the others.
        self._size_context()
        self._make_room()

    def _size_context(self) -> None:
        counted = self.meter.use is not None and self.meter.use.nearly_full
        wide = self.width() >= _WIDE_PX
        self.context.setFixedWidth(
            _SHARE_PX if not counted else _CONTEXT_PX if wide else _CONTEXT_PX // 2
        )


def _width(part: QWidget) -> int:
    """The widget's width once it is laid out."""
    return min(part.maximumWidth(), max(part.minimumWidth(), part.sizeHint().width()))
