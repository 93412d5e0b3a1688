"""The formats of a model as rows to choose from: memory, speed here, and whether it fits."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QRadioButton, QWidget

from app.models.pace import FormatRow, best
from app.models.words import fits_word, format_text, pace_text
from app.widgets import label
from app.words import format as fmt
from app.words.tr import tr

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# The last column, also where the speeds before it are not known.
_VERDICT = 4


class FormatTable(QWidget):
    """One radio button for each format, with its figures beside it.

    Attributes:
        buttons: by the name of the format.

    Signals:
        chosen(str): the name of a format.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        self._shown: tuple[FormatRow, ...] = ()

    def show_rows(self, rows: tuple[FormatRow, ...], name: str) -> None:
        """Show formats; `name` is the chosen one."""
        if [row.size.name for row in rows] != list(self.buttons):
            self._clear()
        if rows != self._shown:
            self._shown = rows
            self._fill(rows)
        if name in self.buttons:
            self.buttons[name].setChecked(True)

    def _clear(self) -> None:
        for button in self.buttons.values():
            self._group.removeButton(button)
        self.buttons = {}
        self._shown = ()
        self._empty(keep=())

    def _empty(self, keep: tuple[QWidget, ...]) -> None:
        for at in reversed(range(self._grid.count())):
            item = self._grid.itemAt(at)
            part = None if item is None else item.widget()
            if part is not None and part not in keep:
                self._grid.removeWidget(part)
                part.hide()
                part.deleteLater()

    def _fill(self, rows: tuple[FormatRow, ...]) -> None:
        self._empty(keep=tuple(self.buttons.values()))
        titles = [tr("Weights")]
        # Two columns of dashes would look like a fault; a sentence below says why there are none.
        paced = any(row.paced for row in rows)
        if paced:
            titles += [tr("Reads"), tr("Writes")]
        for column, title in enumerate(titles, 1):
            made = label(title, "section")
            made.setAlignment(_RIGHT)
            self._grid.addWidget(made, 0, column)
        chosen = best(rows)
        for at, row in enumerate(rows, 1):
            name = row.size.name
            if name not in self.buttons:
                button = QRadioButton(name)
                button.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
                self._group.addButton(button)
                self.buttons[name] = button
                self._grid.addWidget(button, at, 0)
            said = format_text(row, chosen=row is chosen)
            self.buttons[name].setAccessibleName(said)
            texts = [fmt.byte_size(row.size.weight_bytes)]
            if paced:
                texts += pace_text(row.pace)
            for column, text in enumerate(texts, 1):
                figure = label(text, "figuresStrong")
                figure.setAlignment(_RIGHT)
                self._grid.addWidget(figure, at, column)
            recommended = tr("recommended") if row is chosen else fits_word(row)
            kind = "figuresGood" if row is chosen else "figures"
            if not row.fit.fits:
                kind = "figuresDanger"
            self._grid.addWidget(label(recommended, kind), at, _VERDICT)
        self._grid.setColumnStretch(_VERDICT + 1, 1)
