"""The legend that is also the filter: each mark is a toggle that dims what does not have it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app import theme
from app.cache.legend import draw_kind
from app.cache.mark_table import CAPTIONS, MARKS, MarkKind
from app.flow_row import FlowRow
from app.widgets import label
from app.words import format as fmt
from app.words.joining import listed, titled
from app.words.tr import tr

_GAP_PX = 2
_LINE_PX = 24
_ICON_PX = 18


class MarkFilter(FlowRow):
    """The marks that the tree has, by group, with how many nodes have each.

    Pressed marks of one group add up, and those of several groups must all be there; none pressed
    shows all.

    Signals:
        changed: other marks are pressed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_GAP_PX, parent, line_gap=2)
        self.setAccessibleName(tr("Legend and filter of the marks"))
        self._captions: dict[str, QLabel] = {}
        self._chips: dict[str, QPushButton] = {}
        for kind in MARKS:
            if kind.group not in self._captions:
                caption = label(f" {CAPTIONS[kind.group]}", "faint")
                caption.setMinimumHeight(_LINE_PX)
                self._captions[kind.group] = caption
                self.add(caption)
            self._chips[kind.key] = self._chip(kind)
        self.restyle()
        self.show_counts({})

    @property
    def wanted(self) -> frozenset[str]:
        """Keys of the pressed marks."""
        return frozenset(key for key, chip in self._chips.items() if chip.isChecked())

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show the marks that there are; one that is pressed stays."""
        groups = set()
        for kind in MARKS:
            chip, many = self._chips[kind.key], counts.get(kind.key, 0)
            chip.setText(f"{kind.word} {fmt.count(many)}")
            # The word alone may stand under two captions.
            name = titled(CAPTIONS[kind.group], listed((kind.word, fmt.plural(many, "node"))))
            chip.setAccessibleName(name)
            chip.setVisible(bool(many) or chip.isChecked())
            if bool(many) or chip.isChecked():
                groups.add(kind.group)
        for group, caption in self._captions.items():
            caption.setVisible(group in groups)
        self.arrange()

    def clear_filter(self) -> None:
        """Release all marks."""
        for chip in self._chips.values():
            chip.setChecked(False)

    def restyle(self) -> None:
        """The theme changed."""
        for key, chip in self._chips.items():
            chip.setIcon(_icon(key, self.devicePixelRatioF()))

    def _chip(self, kind: MarkKind) -> QPushButton:
        chip = QPushButton()
        chip.setCheckable(True)
        chip.setAutoDefault(False)
        chip.setProperty("kind", "mark")
        chip.setIconSize(QSize(_ICON_PX, _ICON_PX))
        chip.setMinimumHeight(_LINE_PX)
        chip.setToolTip(tr("{meaning}. Press to dim what is not so.").format(meaning=kind.meaning))
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.toggled.connect(self.changed)
        self.add(chip)
        return chip


def _icon(key: str, scale: float) -> QIcon:
    side = round(_ICON_PX * scale)
    image = QPixmap(side, side)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_kind(painter, theme.current(), key, QPointF(_ICON_PX / 2, _ICON_PX / 2))
    painter.end()
    return QIcon(image)
