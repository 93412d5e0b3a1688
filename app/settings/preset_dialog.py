"""Asks for a preset's name and content."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.core.session.presets import MOST_NAME
from app.core.words.tr import tr
from app.ui.widgets import CheckBox, label

_WIDTH_PX = 320
Remark = Callable[[str], tuple[str, bool]]


class PresetDialog(QDialog):
    """Edits a name and, for a new preset, selects its parts.

    Attributes:
        name: the field.
        sampling, system: the parts of a new preset; hidden when renaming.

    Signals:
        accepted_as: (name, with the sampling, with the system text).
    """

    accepted_as = Signal(str, bool, bool)

    def __init__(
        self, parent: QWidget, title: str, remark: Remark, *, name: str = "", parts: bool = True
    ) -> None:
        """
        Args:
            remark: returns a sentence about a name, and whether it can be used.
            parts: whether to ask for the preset's parts.
        """
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._remark, self._parts = remark, parts
        self.name = QLineEdit(name)
        self.name.setMaxLength(MOST_NAME)
        self.name.setAccessibleName(tr("Name of the preset"))
        self.name.setPlaceholderText(tr("Name"))
        self.name.setMinimumWidth(_WIDTH_PX)
        self.name.textChanged.connect(self._check)
        self.sampling = CheckBox(tr("Sampling"))
        self.system = CheckBox(tr("System text"))
        for part in (self.sampling, self.system):
            part.setVisible(parts)
            part.toggled.connect(self._check)
        self._sentence = label("", "faint", wrap=True)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._save = self._buttons.button(QDialogButtonBox.StandardButton.Save)
        self._save.setText(tr("Save") if parts else tr("Rename"))
        self._save.setProperty("kind", "primary")
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        for widget in (self.name, self.sampling, self.system, self._sentence, self._buttons):
            column.addWidget(widget)
        self.name.selectAll()
        self._check()

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def offer(self, *, sampling: bool, system: bool) -> None:
        """Check the parts worth saving; an empty system text cannot be saved."""
        self.sampling.setChecked(sampling or not system)
        self.system.setChecked(system)
        self.system.setEnabled(system)

    def _check(self) -> None:
        sentence, usable = self._remark(self.name.text())
        if self._parts and not (self.sampling.isChecked() or self.system.isChecked()):
            sentence, usable = tr("Choose what goes into the preset."), False
        self._sentence.setText(sentence)
        self._save.setEnabled(usable)

    def _accept(self) -> None:
        if self._save.isEnabled():
            self.accepted_as.emit(
                self.name.text(), self.sampling.isChecked(), self.system.isChecked()
            )
            self.close()
