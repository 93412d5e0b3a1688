"""The bars of device memory and of routed experts, and their legend."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from app.cache.logic.planes import (
    Part,
    expert_detail,
    expert_parts,
    expert_text,
    parts,
    plane_texts,
    total_bytes,
    widths,
)
from app.core.words import format as fmt
from app.core.words.glossary import explanation
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.widgets import ElidedLabel, label, set_tip
from engine.snapshot import CacheSnapshot, ExpertsView

_BAR_PX = 22
_THIN_BAR_PX = 10
_DOT_PX = 8
_ROW_GAP_PX = 4
_ROWS_PX = 640
# Rows shown only if the tier exists, and rows that hardly change.
_LOWER = ("host", "disk")
_DETAILS = ("weights", "workspace", "drafts")
_SIGN_PX = 14
_SHORT = tr("Nothing is being written to disk")
# What of the figures is shown: nothing, what changes, or everything.
Rows = Literal["none", "few", "all"]


class SnapshotView(QWidget):
    """A section of the cache pane that shows snapshots; `CachePane.add_section` adds it."""

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show `snapshot`; None: no model is open. Called when the cache changes, not per token."""
        raise NotImplementedError


class TroubleLine(QWidget):
    """An icon and a sentence, hidden while there is none.

    Attributes:
        sentence: wrapped, if there is room for all of it.
        line: elided to one line otherwise; the tooltip has all of it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = QLabel()
        self.sentence = label("", "danger", wrap=True, selectable=True)
        self.line = ElidedLabel("danger")
        self.line.hide()
        # A long word, such as a path, must not make the pane wider.
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.line, 1)
        self.hide()
        self.restyle()

    @property
    def brief(self) -> bool:
        return self.sentence.isHidden()

    @property
    def told(self) -> bool:
        """There is a sentence."""
        return bool(self.sentence.text())

    def show_sentence(self, sentence: str) -> None:
        """ "" hides it."""
        if sentence != self.sentence.text():
            self.sentence.setText(sentence)
            self.line.setText(sentence, _SHORT)
            self.setToolTip(sentence)
            self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def set_brief(self, on: bool) -> None:
        """Show one line instead of the whole sentence."""
        self.sentence.setVisible(not on)
        self.line.setVisible(on)

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["danger"], _SIGN_PX))


class _Bar(QWidget):
    """One bar, to scale; its tooltips show bytes and slots.

    Signals:
        clicked: it was clicked.
    """

    clicked = Signal()

    def __init__(self, name: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts: tuple[Part, ...] = ()
        self.setFixedHeight(height)
        self.setAccessibleName(name)
        self.setMouseTracking(True)

    def show_parts(self, made: tuple[Part, ...]) -> None:
        if made != self.parts:
            self.parts = made
            self.update()

    def part_at(self, x: float) -> Part | None:
        at = 0
        for part, width in zip(self.parts, self._widths(), strict=True):
            if at <= x < at + width:
                return part
            at += width
        return None

    def _widths(self) -> tuple[int, ...]:
        return widths(tuple(part.bytes for part in self.parts), self.width())

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), 5, 5)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), look.colour("track"))
        at = 0
        for part, width in zip(self.parts, self._widths(), strict=True):
            area = QRectF(at, 0, width, self.height())
            painter.fillRect(area, look.colour(part.key))
            if part.key.endswith("_locked") and width > 3:
                # Locked parts have a pattern too, not just a different shade.
                stripes = look.colour("window", 0.35)
                painter.fillRect(area, QBrush(stripes, Qt.BrushStyle.BDiagPattern))
            at += width
            if width > 3:
                painter.fillRect(QRectF(at - 1, 0, 1, self.height()), look.colour("panel"))
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            part = self.part_at(event.pos().x())
            QToolTip.showText(event.globalPos(), part.tooltip if part else "", self)
            return True
        return super().event(event)


class _Dot(QLabel):
    """The colour of a legend entry."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.setFixedSize(_DOT_PX, _DOT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().colour(self._key))
        painter.drawRoundedRect(self.rect(), 2, 2)
        painter.end()


def _figures() -> ElidedLabel:
    made = ElidedLabel("figures")
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


class PlanesView(SnapshotView):
    """The planes bar with its legend, and the experts' below it if the model has any.

    Its accessible description has all figures.

    Attributes:
        bar, experts_bar: the bars.
        experts: the line under the experts' bar.
        trouble: why nothing can be written to disk, shown while that lasts.
        total: the line with the sum.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = _Bar(tr("Device memory by plane"), _BAR_PX, self)
        self.total = label("", "figuresStrong")
        self._names: dict[str, QLabel] = {}
        self._bytes: dict[str, ElidedLabel] = {}
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(_ROW_GAP_PX)
        entries = (
            ("weights", tr("Weights")),
            ("kv_cached", tr("KV plane")),
            ("state_cached", tr("State plane")),
            ("workspace", tr("Workspace")),
            ("drafts", tr("Drafts")),
            ("host", tr("Host tier")),
            ("disk", tr("Disk tier")),
        )
        self._rows: dict[str, tuple[QWidget, ...]] = {}
        self._shown_keys = {key for key, _ in entries} - set(_LOWER)
        self._has_experts = False
        self._shown: Rows = "all"
        for row, (key, name) in enumerate(entries):
            figures = self._bytes[key] = _figures()
            title = label(name, "dim")
            title.setToolTip(explanation(name))
            # Drafts are no part of the bar: what they take is in the others.
            dot = QWidget() if key == "drafts" else _Dot(key)
            cells: tuple[QWidget, ...] = (dot, title, figures)
            for place, cell in enumerate(cells):
                grid.addWidget(cell, row, place)
            self._rows[key] = cells
        grid.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bar)
        # Figures at the far edge of a wide pane would be too far from their names.
        self._box = QWidget()
        self._box.setMaximumWidth(_ROWS_PX)
        self._box.setLayout(grid)
        line = QHBoxLayout()
        line.addWidget(self._box, 1000)
        line.addStretch(1)
        column.addLayout(line)
        self.trouble = TroubleLine()
        column.addWidget(self.trouble)
        self.experts_bar = _Bar(tr("Memory of routed experts"), _THIN_BAR_PX)
        self.experts = _figures()
        self._experts_box = self._make_experts()
        column.addWidget(self._experts_box)
        self._show_rows()

    @property
    def rows(self) -> Rows:
        return self._shown

    def set_rows(self, rows: Rows) -> None:
        """Show all figures, only those that change, or the bar alone."""
        if rows != self._shown:
            self._shown = rows
            self._show_rows()

    def _show_rows(self) -> None:
        left_out = {"none": tuple(self._rows), "few": _DETAILS, "all": ()}[self._shown]
        for key, cells in self._rows.items():
            for cell in cells:
                cell.setVisible(key in self._shown_keys and key not in left_out)
        self._box.setVisible(self._shown != "none")
        self._experts_box.setVisible(self._has_experts and self._shown != "none")

    def _make_experts(self) -> QWidget:
        """A separate bar, because these bytes are part of the weights in the one above."""
        box = QWidget()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(_Dot("experts"))
        line.addWidget(label(tr("Experts"), "dim"))
        line.addWidget(self.experts, 1)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.experts_bar)
        column.addLayout(line)
        box.hide()
        return box

    def show_experts(self, experts: ExpertsView | None) -> None:
        """Show the experts, which change with each token; None (a dense model) hides the bar."""
        self._has_experts = experts is not None
        self._experts_box.setVisible(self._has_experts and self._shown != "none")
        if experts is None:
            return
        self.experts_bar.show_parts(expert_parts(experts))
        line, *shorter = expert_text(experts).wordings
        self.experts.setText(line, *shorter)
        self.experts.setToolTip(f"{line}\n{expert_detail(experts)}")

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        if snapshot is None:
            self.bar.show_parts(())
            self.total.setText("")
            self.setAccessibleDescription("")
            for figures in self._bytes.values():
                figures.setText("")
            self.show_experts(None)
            self.trouble.show_sentence("")
            return
        sizes = "sizes" not in snapshot.untold
        self.bar.show_parts(parts(snapshot) if sizes else ())
        self.show_experts(snapshot.experts)
        self.total.setText(fmt.byte_size(total_bytes(snapshot)) if sizes else "")
        texts = plane_texts(snapshot)
        keys = {text.key for text in texts}
        if keys != self._shown_keys:
            self._shown_keys = keys
            self._show_rows()
        disk = snapshot.disk
        self.trouble.show_sentence("" if disk is None else disk.trouble)
        told = "\n".join(titled(text.name, text.wordings[0]) for text in texts)
        self.setAccessibleDescription(told)
        for text in texts:
            line, *shorter = text.wordings
            self._bytes[text.key].setText(line, *shorter)
            set_tip(self._bytes[text.key], line)

    def restyle(self) -> None:
        self.trouble.restyle()
        self.update()
