"""The status line: model, device, context use, tokens per second."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QStyle,
    QStyleOption,
    QWidget,
)

from app.core.session.context_use import NEARLY_FULL, ContextUse, context_use
from app.core.session.loading import stage_words
from app.core.session.model import Session
from app.core.session.records import Coming, EnginePhase, EngineState
from app.core.session.settings import effective
from app.core.words import format as fmt
from app.core.words.context_words import context_detail
from app.core.words.engine_words import said
from app.core.words.joining import listed, more
from app.core.words.model_words import kernels_sentence
from app.core.words.tr import tr
from app.ui import theme
from app.ui.widgets import ElidedLabel, set_state, set_tip, show_share
from engine.events import ModelInfo

_MESSAGE_MS = 8000
_CONTEXT_PX, _RATE_PX = 260, 100
_WIDE_PX = 680
_EDGE_PX = 4
# The x position of a temporary message, the same as the model name's, and the space after it.
_MESSAGE_PX = 12
_WIDTH_PX, _BAR_PX = 84, 6


def model_text(engine: EngineState) -> str:
    match engine.phase:
        case EnginePhase.LOADING | EnginePhase.CLOSING:
            stage = stage_words(engine.stage)
            return stage if engine.fraction is None else listed((stage, f"{engine.fraction:.0%}"))
        case EnginePhase.READY if engine.model is not None:
            model = engine.model
            if model.remote:
                return tr("{name} · {program} at {place}").format(
                    name=model.name, program=model.remote, place=model.device
                )
            return tr("{name} · {numbers} on {device}{kernels}").format(
                name=model.name,
                numbers=numbers_text(model),
                device=model.device,
                kernels=kernels_text(model),
            )
        case EnginePhase.FAILED:
            return tr("No model")
    return tr("No model open")


def coming_text(coming: Coming) -> str:
    """A model being opened: "Opening Qwen3.5-4B: reading weights, 33%"."""
    stage = stage_words(coming.stage)
    stage = stage[:1].lower() + stage[1:]
    share = "" if coming.fraction is None else more(f"{coming.fraction:.0%}")
    return tr("Opening {name}: {stage}{share}").format(name=coming.name, stage=stage, share=share)


def numbers_text(model: ModelInfo) -> str:
    """The number formats of a model: "bfloat16", or "int8 weights, bfloat16"."""
    if model.weights in ("", model.dtype):
        return model.dtype
    return tr("{weights} weights, {dtype}").format(weights=model.weights, dtype=model.dtype)


def kernels_text(model: ModelInfo) -> str:
    """The kernels that run the model, appended to the device: ", AMX"."""
    return more(said(model.kernels))


def model_details(engine: EngineState) -> str:
    """Details of the model, line by line, and what loading it skipped or changed."""
    model = engine.model
    if model is None:
        return ""
    if model.remote:
        return "\n".join(_remote_details(model))
    return "\n".join(
        (
            f"{model.name} ({model.family})",
            tr("{parameters} parameters in {weight_bytes}, {numbers} on {device}").format(
                parameters=fmt.count(model.parameters),
                weight_bytes=fmt.byte_size(model.weight_bytes),
                numbers=numbers_text(model),
                device=model.device,
            ),
            tr("{layers} layers: {linear_layers} linear, {full_layers} attention").format(
                layers=model.layers,
                linear_layers=model.linear_layers,
                full_layers=model.full_layers,
            ),
            tr("{kv_bytes_per_token} of KV per token, {checkpoint_bytes} per checkpoint").format(
                kv_bytes_per_token=fmt.byte_size(model.kv_bytes_per_token),
                checkpoint_bytes=fmt.byte_size(model.checkpoint_bytes),
            ),
            *([kernels_sentence(model.kernels)] if model.kernels else []),
            model.folder,
            *model.notes,
        )
    )


def _remote_details(model: ModelInfo) -> Iterator[str]:
    """What an engine elsewhere reports of its model, line by line."""
    yield tr("{model}, served by {program}").format(model=model.name, program=model.remote)
    if model.parameters:
        yield tr("{count} parameters").format(count=fmt.count(model.parameters))
    yield (
        tr("A context of {count} tokens").format(count=fmt.count(model.context))
        if model.context
        else tr("How long its context is, the server does not say")
    )
    yield model.folder


def context_text(session: Session) -> str:
    """How full the current conversation's context is: "context 4,873 of 32,768 (15%)"."""
    use = context_use(session)
    if use is None:
        return ""
    return tr("context {used} of {window} ({share:.0%})").format(
        used=fmt.count(use.used), window=fmt.count(use.window), share=use.share
    )


def rate_text(session: Session) -> str:
    """Tokens per second: of the running answer, else of the last one."""
    if session.rate.value is not None:
        return fmt.rate(session.rate.value)
    last = next((turn for turn in reversed(session.current.turns) if turn.report), None)
    if last is None or last.report is None or last.report.decode_tok_s is None:
        return ""
    return fmt.rate(last.report.decode_tok_s)


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


class _Name(ElidedLabel):
    """A label as wide as its text if there is room; its text rarely changes."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def setText(self, text: str, *shorter: str) -> None:
        was = self.text()
        super().setText(text, *shorter)
        # This lays out the whole window again, so not on every token.
        if text != was:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width + margins.left() + margins.right(), super().sizeHint().height())


class StatusLine(QStatusBar):
    """Shows load progress while a model opens, and figures after that.

    Attributes:
        model, context, rate: its labels.
        meter: how full the context is, as a bar.
        server: the indicator that is lit while the server runs.
        offer: a button for what can be done about the last notice.
        cancel: the button that cancels opening a model, shown meanwhile.

    Signals:
        cancelled: the button was pressed.
        server_wanted: the server's indicator was pressed.
    """

    cancelled = Signal()
    server_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.model = _Name("dim")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(140)
        self._bar.setAccessibleName(tr("Opening the model"))
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.setProperty("kind", "small")
        self.cancel.setAccessibleName(tr("Cancel opening the model"))
        self.cancel.clicked.connect(self.cancelled)
        self._gap = QWidget()
        self._gap.setFixedWidth(_EDGE_PX)
        self.server = QPushButton(tr("● Server"))
        self.server.setProperty("kind", "link")
        self.server.clicked.connect(self.server_wanted)
        self.server.hide()
        self.offer = QPushButton()
        self.offer.setProperty("kind", "link")
        self.offer.clicked.connect(self._take_offer)
        self.offer.hide()
        self._offered: Callable[[], object] | None = None
        self.meter = ContextMeter()
        self.context = ElidedLabel("figures")
        self.rate = ElidedLabel("figures")
        self.rate.setFixedWidth(_RATE_PX)
        self.context.setFixedWidth(_CONTEXT_PX)
        for figures in (self.context, self.rate):
            figures.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.context.setContentsMargins(0, 4, 0, 4)
        self.rate.setContentsMargins(0, 4, 12, 4)
        # Not a margin of the label, which the style sheet resets on reparenting.
        edge = QWidget()
        edge.setFixedWidth(_EDGE_PX)
        self.addWidget(edge)
        self.addWidget(self.model)
        # Permanent widgets stay visible during a temporary message; others would overlap it.
        self.addPermanentWidget(self._bar)
        self.addPermanentWidget(self.cancel)
        # Keeps the button from touching the meter.
        self.addPermanentWidget(self._gap)
        self.addPermanentWidget(self.offer)
        self.addPermanentWidget(self.server)
        self.addPermanentWidget(self.meter)
        self.addPermanentWidget(self.context)
        self.addPermanentWidget(self.rate)
        self.messageChanged.connect(self._make_room)

    def show_notice(self, text: str) -> None:
        """Show a temporary message; it covers the model's name for a moment.

        The figures are hidden for a message that does not fit next to them; one that is still too
        long is elided, with its full text in a tooltip.
        """
        self.offer.hide()
        self.showMessage(said(text), _MESSAGE_MS)

    def show_offer(self, text: str, act: Callable[[], object]) -> None:
        """Offer what can be done about the notice, until it is done or another notice comes."""
        self._offered = act
        self.offer.setText(text)
        self.offer.show()
        self._make_room()

    @property
    def notice(self) -> str:
        """The visible part of the temporary message."""
        width = self._beside(*self._figures)
        return self.fontMetrics().elidedText(
            self.currentMessage(), Qt.TextElideMode.ElideRight, width
        )

    def _take_offer(self) -> None:
        self.offer.hide()
        self._make_room()
        if self._offered is not None:
            self._offered()

    def show_server(self, url: str) -> None:
        """Light the indicator of a server at an address; "" turns it off."""
        self.server.setVisible(bool(url))
        self.server.setToolTip(url)
        self.server.setAccessibleName(tr("The server runs at {url}.").format(url=url))
        self._make_room()

    def show_session(self, session: Session) -> None:
        engine, coming = session.engine, session.coming
        self.model.setText(model_text(engine) if coming is None else coming_text(coming))
        set_tip(self.model, model_details(engine))
        loading = engine.phase is EnginePhase.LOADING or coming is not None
        busy = loading or engine.phase is EnginePhase.CLOSING
        self._bar.setVisible(busy)
        self.cancel.setVisible(loading)
        self._gap.setVisible(loading)
        if busy:
            fraction = engine.fraction if coming is None else coming.fraction
            show_share(self._bar, fraction)
        context = context_text(session)
        self.context.setText(context, context.removeprefix("context ").split(" (")[0])
        use = context_use(session)
        longest = effective(session.sampling, session.current).max_tokens
        detail = context_detail(use.used, use.warm, use.window, longest) if use else ""
        set_tip(self.context, detail)
        self.meter.show_use(use, detail)
        set_state(self.context, "kind", "figuresDanger" if use and use.nearly_full else "figures")
        self.rate.setText(rate_text(session))
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
        parts = [
            part
            for part in (self._bar, self.cancel, self._gap, self.offer, self.server, *figures)
            if not part.isHidden()
        ]
        layout = self.layout()
        gap = _MESSAGE_PX if layout is None else layout.spacing()
        return self.width() - 2 * _MESSAGE_PX - sum(_width(part) + gap for part in parts)

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
        wide = self.width() >= _WIDE_PX
        self.context.setFixedWidth(_CONTEXT_PX if wide else _CONTEXT_PX // 2)
        self._make_room()


def _width(part: QWidget) -> int:
    """The widget's width once it is laid out."""
    return min(part.maximumWidth(), max(part.minimumWidth(), part.sizeHint().width()))
