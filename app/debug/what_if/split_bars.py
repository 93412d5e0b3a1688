"""How the device's memory is divided, today and as predicted, on one scale."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import theme
from app.words import format as fmt
from app.words.joining import in_turn
from app.words.tr import tr
from engine.trace.report import ReplayReport

_BAR_PX = 14
_GAP_PX = 4
_LEFT_PX = 66


class SplitBars(QWidget):
    """A bar for each: keys and values, then states."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.planes: list[tuple[int, int]] = []
        self.setFixedHeight(2 * _BAR_PX + _GAP_PX)
        self.setAccessibleName(tr("How the device's memory is divided"))

    def show_reports(self, today: ReplayReport | None, predicted: ReplayReport | None) -> None:
        """The bytes of KV and states that each one ends with."""
        known = [report for report in (today, predicted) if report is not None]
        self.planes = [plane_bytes(report) for report in known]
        told = in_turn(
            *(
                tr("{name}: {kv} keys and values, {state} states.").format(
                    name=name, kv=fmt.byte_size(kv), state=fmt.byte_size(state)
                )
                for name, (kv, state) in zip(
                    (tr("Today", "as it is set"), tr("Predicted")), self.planes, strict=False
                )
            )
        )
        self.setToolTip(told)
        self.setAccessibleDescription(told)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        look, painter = theme.current(), QPainter(self)
        painter.setFont(theme.ui_font(theme.SMALL_PX))
        most = max((kv + state for kv, state in self.planes), default=0)
        room = self.width() - _LEFT_PX
        for number, name in enumerate((tr("today"), tr("predicted"))):
            top = number * (_BAR_PX + _GAP_PX)
            painter.setPen(look.colour("faint"))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, top, _LEFT_PX, _BAR_PX), left, name)
            if number >= len(self.planes) or not most:
                painter.fillRect(QRectF(_LEFT_PX, top, room, _BAR_PX), look.colour("track"))
                continue
            kv, state = self.planes[number]
            first = QRectF(_LEFT_PX, top, room * kv / most, _BAR_PX)
            second = QRectF(first.right(), top, room * state / most, _BAR_PX)
            painter.fillRect(first, look.colour("kv_cached"))
            painter.fillRect(second, look.colour("state_cached"))
            stripes = QBrush(look.colour("window", 0.35), Qt.BrushStyle.Dense6Pattern)
            painter.fillRect(second, stripes)
            self._name(painter, first, "KV")
            self._name(painter, second, tr("states"))
        painter.end()

    def _name(self, painter: QPainter, area: QRectF, name: str) -> None:
        if painter.fontMetrics().horizontalAdvance(name) + 8 < area.width():
            painter.setPen(theme.current().colour("window" if theme.current().dark else "text"))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, name)


def plane_bytes(report: ReplayReport) -> tuple[int, int]:
    """Bytes of keys and values and of states at the end of a replay."""
    settings = report.settings
    return (
        report.kv_slots * settings.kv_slot_bytes,
        report.state_slots * settings.state_slot_bytes,
    )
