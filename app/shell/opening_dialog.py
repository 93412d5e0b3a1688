"""File > Weights and experts: how the next model is opened."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.widgets import label
from engine.config import WEIGHT_FORMATS, EngineConfig

FORMAT_NAMES = {
    "stored": "As stored in the files",
    "int8": "8 bits (int8)",
    "int4": "4 bits (int4)",
}
_MOST_MB = 1 << 20
_STEP_MB = 1024
_FIELD_PX = 30
_ABOUT = (
    "Fewer bits take less memory and answer faster, but change the answers slightly. "
    "Only mixture-of-experts models have routed experts: those that do not fit the memory "
    "given here are read from the files when needed."
)


class OpeningDialog(QDialog):
    """Asks for the format of the weights and for the memory of routed experts.

    Attributes:
        weights, experts: the fields.
        later: keeps the choice for the next model.
        reload: reloads the open model with the choice.

    Signals:
        chosen: format, bytes for experts, and whether to reload the model at once.
    """

    # Bytes of experts do not fit into Qt's int.
    chosen = Signal(str, object, bool)

    def __init__(self, parent: QWidget, config: EngineConfig, *, reopens: bool) -> None:
        """reopens: there is a model to reload."""
        super().__init__(parent)
        self.setWindowTitle("Weights and experts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.weights = QComboBox()
        for format_ in WEIGHT_FORMATS:
            self.weights.addItem(FORMAT_NAMES[format_], format_)
        self.weights.setCurrentIndex(WEIGHT_FORMATS.index(config.weights))
        self.weights.setAccessibleName("Format of weights")
        self.experts = QSpinBox()
        self.experts.setRange(0, _MOST_MB)
        self.experts.setSingleStep(_STEP_MB)
        self.experts.setGroupSeparatorShown(True)
        self.experts.setSuffix(" MiB")
        self.experts.setSpecialValueText("All")
        self.experts.setValue(min(config.expert_bytes >> 20, _MOST_MB))
        self.experts.setAccessibleName("Memory for routed experts")
        self.reload = QPushButton("Reload model")
        self.reload.setEnabled(reopens)
        self.reload.clicked.connect(lambda: self._choose(reload=True))
        self.later = QPushButton("Use for next model")
        self.later.setProperty("kind", "primary")
        self.later.setDefault(True)
        self.later.clicked.connect(lambda: self._choose(reload=False))
        self._build()

    def _build(self) -> None:
        for field in (self.weights, self.experts):
            field.setMinimumHeight(_FIELD_PX)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.addRow("Format of weights", self.weights)
        form.addRow("Memory for routed experts", self.experts)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.reload, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.later, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        about = label(_ABOUT, "dim", wrap=True)
        about.setMinimumWidth(400)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addWidget(about)
        column.addWidget(buttons)

    def _choose(self, *, reload: bool) -> None:
        self.chosen.emit(self.weights.currentData(), self.experts.value() << 20, reload)
        self.close()
