"""The tab "Memory": curves, arithmetic, and what each layer holds."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSlider,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.joining import in_turn, listed, titled
from app.core.words.tr import tr
from app.lab.asking_tab import LabTab, glossed
from app.lab.curves import Curves, design_colour, design_pen
from app.lab.logic.arithmetic import Design, DesignKey, Pools, designs, layer_memory
from app.lab.logic.example import example
from app.lab.logic.scale import (
    STEPS_PER_DOUBLING,
    slider_step,
    slider_steps,
    slider_tokens,
    token_axis,
)
from app.lab.logic.sentences import (
    BUNDLED,
    EXAMPLE_MODEL,
    NAMES,
    elsewhere_line,
    heads_line,
    layer_lines,
    layer_title,
    model_line,
    now_lines,
    ratio_text,
    sum_lines,
)
from app.lab.logic.tables import memory_csv
from app.ui import theme
from app.ui.widgets import SpinBox, label, rule
from engine.cache_shape import CacheShape, LayerKind
from engine.events import ModelInfo

_START_TOKENS = 32_768
_LEGEND = tr(
    "Layers. Tall: full attention, keys and values of every token. Short: linear "
    "attention, one state."
)
_SWATCH_PX, _BAR_PX = 26, 6
_PAD_PX, _GAP_PX = 5, 3
_LEAST_PX, _MOST_PX = 12, 48
_CELL_PX, _ROW_PX = 30, 48
_WORDS = {
    "full": tr("Layer {found}: full attention"),
    "linear": tr("Layer {found}: linear attention"),
}


class LayerStrip(QWidget):
    """One cell per layer: tall for full attention, short for linear. Many wrap into rows.

    Attributes:
        kinds: of the layers, in order.
        chosen: the selected layer.

    Signals:
        picked: another layer was selected.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kinds: tuple[LayerKind, ...] = ()
        self.chosen = 0
        self.setAccessibleName(tr("Layers"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_kinds(self, kinds: tuple[LayerKind, ...]) -> None:
        if kinds != self.kinds:
            self.kinds = kinds
            self.chosen = min(self.chosen, len(kinds) - 1)
            self.updateGeometry()
            self.update()

    def pick(self, index: int) -> None:
        """Select a layer, clamped to the ends."""
        index = min(max(index, 0), len(self.kinds) - 1)
        if index != self.chosen and index >= 0:
            self.chosen = index
            self.update()
            self.picked.emit(index)

    def columns(self, width: int) -> int:
        """The number of cells in a row of that width."""
        return max(1, min(len(self.kinds), (width - 2 * _PAD_PX) // (_LEAST_PX + _GAP_PX)))

    def cell(self, index: int) -> QRectF:
        """The area of a layer, including its number below."""
        columns = self.columns(self.width())
        row, column = divmod(index, columns)
        step = min(_MOST_PX + _GAP_PX, (self.width() - 2 * _PAD_PX) / columns)
        return QRectF(_PAD_PX + column * step, _PAD_PX + row * _ROW_PX, step - _GAP_PX, _ROW_PX)

    def layer_at(self, x: float, y: float) -> int | None:
        for index in range(len(self.kinds)):
            if self.cell(index).adjusted(0, 0, _GAP_PX, 0).contains(x, y):
                return index
        return None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows = -(-len(self.kinds) // self.columns(width)) if self.kinds else 1
        return rows * _ROW_PX + 2 * _PAD_PX

    def sizeHint(self) -> QSize:
        return QSize(520, self.heightForWidth(max(1, self.width())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.layer_at(event.position().x(), event.position().y())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.pick(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, columns = event.key(), self.columns(self.width())
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns if columns < len(self.kinds) else -1,
            Qt.Key.Key_Down: columns if columns < len(self.kinds) else 1,
            Qt.Key.Key_Home: -len(self.kinds),
            Qt.Key.Key_End: len(self.kinds),
        }
        if key in steps:
            self.pick(self.chosen + steps[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.layer_at(event.pos().x(), event.pos().y())
            words = "" if found is None else _WORDS[self.kinds[found]].format(found=found)
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.mono_font(10))
        for index, kind in enumerate(self.kinds):
            self._paint_cell(painter, index, kind)
        if self.hasFocus():
            painter.setPen(look.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_cell(self, painter: QPainter, index: int, kind: LayerKind) -> None:
        look, place = theme.current(), self.cell(index)
        full = kind == "full"
        height = _CELL_PX if full else _CELL_PX * 0.55
        box = QRectF(place.left(), place.top() + _CELL_PX - height, place.width(), height)
        chosen = index == self.chosen
        painter.setPen(QPen(look.colour("text"), 2) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("kv_cached" if full else "state_cached"))
        painter.drawRoundedRect(box, 3, 3)
        if full or chosen:
            painter.setPen(look.colour("text" if chosen else "faint"))
            below = QRectF(place.center().x() - 20, place.top() + _CELL_PX + 1, 40, 14)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(index))


class _Swatch(QWidget):
    """A piece of a design's curve."""

    def __init__(self, key: DesignKey) -> None:
        super().__init__()
        self._key = key
        self.setFixedSize(_SWATCH_PX, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(design_pen(theme.current(), self._key))
        painter.drawLine(1, 7, _SWATCH_PX - 1, 7)
        painter.end()


class _Bar(QWidget):
    """One size as a share of the largest."""

    def __init__(self, key: DesignKey) -> None:
        super().__init__()
        self._key = key
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("{names}, to scale").format(names=NAMES[key]))

    def sizeHint(self) -> QSize:
        return QSize(200, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour("track"))
        painter.drawRoundedRect(self.rect(), _BAR_PX / 2, _BAR_PX / 2)
        painter.setBrush(design_colour(look, self._key))
        width = max(2.0, self.share * self.width())
        painter.drawRoundedRect(QRectF(0, 0, width, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
        painter.end()


class Totals(QWidget):
    """Three rows, in the order of the designs.

    Attributes:
        figures: the labels of the sizes, by design.
        ratios: multiples of the model as it is, by design.
        bars: by design.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figures: dict[DesignKey, QLabel] = {}
        self.ratios: dict[DesignKey, QLabel] = {}
        self.bars: dict[DesignKey, _Bar] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, (key, name) in enumerate(NAMES.items()):
            row = 3 * place
            self.figures[key] = label("", "title", selectable=True)
            self.ratios[key] = label("", "figures")
            self.bars[key] = _Bar(key)
            grid.addWidget(_Swatch(key), row, 0)
            grid.addWidget(label(name, "dim"), row, 1)
            grid.addWidget(self.ratios[key], row, 2, right)
            grid.addWidget(self.figures[key], row, 3, right)
            grid.addWidget(self.bars[key], row + 1, 0, 1, 4)
            grid.setRowMinimumHeight(row + 2, 10)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(2, 56)
        grid.setColumnMinimumWidth(3, 78)

    def show_designs(self, made: tuple[Design, ...]) -> None:
        hybrid = made[-1]
        most = max(design.bytes for design in made) or 1
        for design in made:
            size = fmt.byte_size(design.bytes)
            self.figures[design.key].setText(size)
            self.ratios[design.key].setText(ratio_text(design, hybrid))
            bar = self.bars[design.key]
            bar.share = design.bytes / most
            bar.setAccessibleDescription(size)
            bar.update()


class Sums(QWidget):
    """A row for each product, and one for the sum of the model's own.

    Attributes:
        rows: the labels of each row: its subject, and the product.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)

    def show_designs(self, made: tuple[Design, ...]) -> None:
        lines = sum_lines(made)
        # Every model has the same rows, so they are created once.
        while len(self.rows) < len(lines):
            name = label("", "dim")
            product = label("", "figuresStrong", wrap=True, selectable=True)
            at = len(self.rows)
            self._grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(product, at, 1)
            self.rows.append((name, product))
        for (name, product), line in zip(self.rows, lines, strict=True):
            name.setText(line[0])
            product.setText(line[1])
            product.setAccessibleName(titled(*line[:2]))


class MemoryTab(LabTab):
    """Shows what the cache of the open model holds at a length that the user selects.

    Attributes:
        tokens: the selected length.
        slider, field: set it, roughly and exactly.
        here: goes to the length of the conversation on screen.
        curves, totals, sums, strip: the pictures and the arithmetic.
        layer: what the selected layer holds at that length, in words.
        now: what it holds now, for this conversation and for all that are cached.
    """

    legend = (("kv_cached", tr("full-attention layer")), ("state_cached", tr("linear layer")))

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tokens = 0
        # Longer than the window of a model that was opened meanwhile, perhaps.
        self._wanted = _START_TOKENS
        self._shape: CacheShape | None = None
        self._conversation: int | None = None
        self._pools: Pools | None = None
        self.model = label("", "dim", wrap=True)
        self.heads, self.elsewhere = glossed(), glossed(kind="faint")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Context length"))
        self.slider.setPageStep(STEPS_PER_DOUBLING)
        self.slider.valueChanged.connect(self._slide)
        self.field = SpinBox()
        self.field.setAccessibleName(tr("Context length in tokens"))
        self.field.setGroupSeparatorShown(True)
        self.field.setSuffix(tr(" tokens"))
        self.field.setSingleStep(256)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setKeyboardTracking(False)
        self.field.valueChanged.connect(self.choose)
        self.here = QPushButton()
        self.here.setProperty("kind", "small")
        self.here.clicked.connect(lambda: self.choose(self._conversation or 0))
        self.curves = Curves()
        self.curves.chosen.connect(self.choose)
        self.totals = Totals()
        self.sums = Sums()
        self.strip = LayerStrip()
        self.strip.picked.connect(self._show_layer)
        self.layer_name = label("", "title")
        self.layer = label("", "figuresStrong", wrap=True, selectable=True)
        self.now = label("", "figuresStrong", wrap=True, selectable=True)
        self._at = label("", "section")
        self._of_now = label(tr("NOW"), "section")
        self._build()
        self.show_model(None)

    def show_model(self, model: ModelInfo | None) -> None:
        """Show a model's cache; without a model that of the bundled one, as an example."""
        shape = example().shape if model is None else model.cache_shape
        self.model.setText(
            EXAMPLE_MODEL.format(model=model_line(BUNDLED, shape, shape.window))
            if model is None
            else model_line(model.name, shape, model.context)
        )
        if shape == self._shape:
            return
        other = self._shape is None or shape.kinds != self._shape.kinds
        self._shape = shape
        self.heads.setText(heads_line(shape))
        self.elsewhere.setText(elsewhere_line(shape))
        self.curves.show_shape(shape)
        self.strip.show_kinds(shape.kinds)
        for control, low, high in (
            (self.slider, 0, slider_steps(token_axis(shape.window))),
            (self.field, 1, shape.window),
        ):
            control.blockSignals(True)
            control.setRange(low, high)
            control.blockSignals(False)
        if other:
            full = [i for i, kind in enumerate(shape.kinds) if kind == "full"]
            self.strip.pick(full[0] if full else 0)
        self.choose(self._wanted)

    def show_conversation(self, tokens: int | None) -> None:
        """Mark the length of the conversation on screen; None if unknown."""
        if tokens == self._conversation and self.here.text():
            return
        self._conversation = tokens
        self.here.setEnabled(bool(tokens))
        self.here.setText(
            tr("This conversation: {tokens}").format(tokens=fmt.count(tokens))
            if tokens
            else tr("No messages yet")
        )
        self._mark()
        self._show_layer()

    def show_pools(self, pools: Pools | None) -> None:
        """Show what the cache holds for all conversations; None if unknown."""
        if pools != self._pools:
            self._pools = pools
            self._show_layer()

    def choose(self, tokens: int) -> None:
        """Show what is held after `tokens` tokens, clamped to at least one and the window."""
        if self._shape is None:
            return
        self._wanted = tokens
        self.tokens = min(max(tokens, 1), self._shape.window)
        for control, value in (
            (self.slider, slider_step(token_axis(self._shape.window), self.tokens)),
            (self.field, self.tokens),
        ):
            control.blockSignals(True)
            control.setValue(value)
            control.blockSignals(False)
        made = designs(self._shape, self.tokens)
        self.totals.show_designs(made)
        self.sums.show_designs(made)
        self._mark()
        self._show_layer()

    def settings(self) -> tuple[str, ...]:
        at = tr("At {tokens}, layer {chosen}").format(
            tokens=fmt.plural(self.tokens, "token"), chosen=self.strip.chosen
        )
        return self.model.text(), at

    def as_table(self) -> Callable[[], str] | None:
        shape, tokens = self._shape, self.tokens
        return None if shape is None else lambda: memory_csv(shape, tokens)

    @property
    def shape(self) -> CacheShape:
        """Of the cache on screen."""
        assert self._shape is not None, "show_model comes first"
        return self._shape

    def go(self, position: int) -> None:
        self.slider.setValue(position)

    def spot(self, name: str) -> tuple[QWidget, QRectF] | None:
        totals = self.totals
        if name in totals.bars:
            figure, bar = totals.figures[name], totals.bars[name]
            return totals, QRectF(figure.geometry().united(bar.geometry()))
        if name == "layers":
            return self.strip, self.strip.cell(self.strip.chosen)
        parts = {"context": self.slider, "layer": self.layer, "heads": self.heads}
        return None if name not in parts else (parts[name], QRectF(parts[name].rect()))

    def _slide(self, step: int) -> None:
        if self._shape is not None:
            self.choose(slider_tokens(token_axis(self._shape.window), step))

    def _mark(self) -> None:
        if self._shape is not None:
            sizes = [
                f"{NAMES[design.key]} {fmt.byte_size(design.bytes)}"
                for design in designs(self._shape, self.tokens)
            ]
            words = tr("At {tokens}: {sizes}.").format(
                tokens=fmt.plural(self.tokens, "token"), sizes=listed(sizes)
            )
            self.curves.show_tokens(self.tokens, self._conversation, words)
            self.slider.setAccessibleDescription(words)

    def _show_layer(self) -> None:
        if self._shape is None:
            return
        held = layer_memory(self._shape, self.strip.chosen, self.tokens)
        title, lines = layer_title(held), layer_lines(held, self._shape)
        self.layer_name.setText(title)
        self.layer.setText("\n".join(lines))
        self._at.setText(tr("AT {tokens}").format(tokens=fmt.plural(self.tokens, "token").upper()))
        self.changed.emit()
        now = now_lines(self._shape, self.strip.chosen, self._conversation, self._pools)
        self.now.setText("\n".join(now))
        self.strip.setAccessibleDescription(
            tr("{title}. {lines} Now: {now}").format(
                title=title, lines=in_turn(*lines), now=in_turn(*now)
            )
        )

    def _holdings(self) -> QGridLayout:
        """What the selected layer holds: at the selected length, and now."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(2)
        top = Qt.AlignmentFlag.AlignTop
        for at, (head, text) in enumerate(((self._at, self.layer), (self._of_now, self.now))):
            grid.addWidget(head, 0, at)
            grid.addWidget(text, 1, at, top)
            grid.setColumnStretch(at, 1)
        return grid

    def _build(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(12)
        name = label(tr("Context"), "dim")
        name.setBuddy(self.slider)
        for part, stretch in ((name, 0), (self.slider, 1), (self.field, 0), (self.here, 0)):
            controls.addWidget(part, stretch)
        pictures = QGridLayout()
        pictures.setHorizontalSpacing(20)
        pictures.addWidget(self.curves, 0, 0, 2, 1)
        pictures.addWidget(self.totals, 0, 1)
        about = QVBoxLayout()
        about.setSpacing(6)
        about.addWidget(self.heads)
        about.addWidget(self.elsewhere)
        about.addStretch(1)
        pictures.addLayout(about, 1, 1)
        pictures.setRowStretch(1, 1)
        pictures.setColumnStretch(0, 3)
        pictures.setColumnStretch(1, 2)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(6, 4, 10, 4)
        column.setSpacing(10)
        column.addLayout(controls)
        column.addLayout(pictures, 1)
        column.addWidget(rule())
        column.addWidget(self.sums)
        column.addWidget(rule())
        column.addWidget(glossed(_LEGEND, "faint"))
        column.addWidget(self.strip)
        column.addWidget(self.layer_name)
        column.addLayout(self._holdings())
        self.fill(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 14, 10, 12)
        outer.setSpacing(10)
        self.model.setIndent(6)
        outer.addWidget(self.model)
        outer.addWidget(self.body, 1)
        outer.addStretch(0)
