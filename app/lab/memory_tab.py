"""The lab's first tab: curves, arithmetic, and what each layer holds."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.lab.arithmetic import Pools, designs, layer_memory
from app.lab.curves import Curves
from app.lab.layer_strip import LayerStrip
from app.lab.scale import (
    STEPS_PER_DOUBLING,
    slider_step,
    slider_steps,
    slider_tokens,
    token_axis,
)
from app.lab.sentences import (
    NAMES,
    NO_MODEL,
    heads_line,
    layer_lines,
    layer_title,
    model_line,
    now_lines,
)
from app.lab.sums import Sums
from app.lab.tab import LabTab
from app.lab.tables import memory_csv
from app.lab.totals import Totals
from app.spin_box import SpinBox
from app.widgets import label, rule
from app.words import format as fmt
from app.words.joining import in_turn, listed
from app.words.tr import tr
from engine.cache_shape import CacheShape
from engine.events import ModelInfo

_START_TOKENS = 32_768
_LEGEND = tr(
    "Layers. Tall: full attention, keys and values of every token. Short: linear "
    "attention, one state."
)


class MemoryTab(LabTab):
    """Shows what the cache of the open model holds at a length that the user chooses.

    Attributes:
        tokens: the chosen length.
        slider, field: choose it, roughly and exactly.
        here: goes to the length of the conversation on screen.
        curves, totals, sums, strip: the pictures and the arithmetic.
        layer: what the chosen layer holds at that length, in words.
        now: what it holds now, for this conversation and for all that are cached.
    """

    legend = (("kv_cached", tr("full-attention layer")), ("state_cached", tr("linear layer")))

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tokens = 0
        self._shape: CacheShape | None = None
        self._conversation: int | None = None
        self._pools: Pools | None = None
        self.model = label("", "dim", wrap=True)
        self.heads = label("", "dim", wrap=True)
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
        """Show a model's cache; None says that there is no model."""
        self.body.setVisible(model is not None)
        if model is None:
            self._shape = None
            self.model.setText(NO_MODEL)
            return
        shape, first = model.cache_shape, self._shape is None
        self.model.setText(model_line(model.name, shape, model.context))
        if shape == self._shape:
            return
        self._shape = shape
        self.heads.setText(heads_line(shape))
        self.curves.show_shape(shape)
        self.strip.show_kinds(shape.kinds)
        for control, low, high in (
            (self.slider, 0, slider_steps(token_axis(shape.window))),
            (self.field, 1, shape.window),
        ):
            control.blockSignals(True)
            control.setRange(low, high)
            control.blockSignals(False)
        if first:
            full = [i for i, kind in enumerate(shape.kinds) if kind == "full"]
            self.strip.pick(full[0] if full else 0)
        self.choose(self.tokens or _START_TOKENS)

    def show_conversation(self, tokens: int | None) -> None:
        """Mark the length of the conversation on screen; None while nothing is known of it."""
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
        """Say what the cache holds of all conversations; None while that is not known."""
        if pools != self._pools:
            self._pools = pools
            self._show_layer()

    def choose(self, tokens: int) -> None:
        """Show what is held after so many tokens, at least one and at most the window."""
        if self._shape is None:
            return
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
        now = now_lines(self._shape, self.strip.chosen, self._conversation, self._pools)
        self.now.setText("\n".join(now))
        self.strip.setAccessibleDescription(
            tr("{title}. {lines} Now: {now}").format(
                title=title, lines=in_turn(*lines), now=in_turn(*now)
            )
        )

    def _holdings(self) -> QGridLayout:
        """What the chosen layer holds: at the chosen length, and now."""
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
        pictures.addWidget(self.heads, 1, 1, Qt.AlignmentFlag.AlignTop)
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
        column.addWidget(label(_LEGEND, "faint", wrap=True))
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
