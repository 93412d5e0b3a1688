"""Basic widgets used by all panes: labels, rules, wrapping rows, fields and boxes."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionSpinBox,
    QToolButton,
    QWidget,
)

from app.core.words.tr import tr
from app.ui import motion, theme
from app.ui.icons import icon
from app.ui.key_hints import KeyTip

_SPIN_BOX_ARROW_PX, _LEFT_PX = 10, 4
# About ninety characters: longer lines are hard to read.
MEASURE_PX = 600
_SHARE_STEPS = 1000
_COPIED_MS = 1500
_ALL = 1000
_TICK_PX = 11
_ARROW_PX, _ARROW_ROOM_PX = 10, 24
_SIGN_PX = 14
# Estimates of a window's frame.
_SIDES_PX, _TITLE_PX = 12, 42


class ClearSign(QAction):
    """A clear button for the mouse; the keyboard uses Esc. The field connects it."""

    def __init__(self, field: QLineEdit, name: str) -> None:
        super().__init__(name, field)
        self.setToolTip(tr("{name} (Esc)").format(name=name))
        self.setVisible(False)
        field.addAction(self, QLineEdit.ActionPosition.TrailingPosition)
        field.textChanged.connect(self._show_for)
        theme.keeper().changed.connect(self._tint)
        self._tint()

    def _show_for(self, text: str) -> None:
        self.setVisible(bool(text))

    def _tint(self) -> None:
        self.setIcon(icon("close", theme.current().colours["dim"], _SIGN_PX))


def paint_arrows(box: QAbstractSpinBox) -> None:
    """Draw the arrows, as a style sheet leaves them to the platform, with its frames."""
    option, control = QStyleOptionSpinBox(), QStyle.SubControl
    box.initStyleOption(option)
    colour = theme.current().colours["dim" if box.isEnabled() else "faint"]
    painter = QPainter(box)
    for part, name in ((control.SC_SpinBoxUp, "up"), (control.SC_SpinBoxDown, "down")):
        area = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        spot = QRect(0, 0, _SPIN_BOX_ARROW_PX, _SPIN_BOX_ARROW_PX)
        spot.moveCenter(area.center())
        icon(name, colour, _SPIN_BOX_ARROW_PX).paint(painter, spot)
    painter.end()


def indent(box: QAbstractSpinBox) -> None:
    """Align its text with that of other fields."""
    box.lineEdit().setTextMargins(_LEFT_PX, 0, 0, 0)


class SpinBox(QSpinBox):
    """Ignores the wheel, which scrolls the page instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        indent(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint_arrows(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DropDown(QComboBox):
    """Ignores the wheel, which scrolls the page instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "list")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A style sheet leaves the arrow to the platform.
        spot = QRect(0, 0, _ARROW_PX, _ARROW_PX)
        spot.moveCenter(QPoint(self.width() - _ARROW_ROOM_PX // 2, self.height() // 2))
        painter = QPainter(self)
        icon("down", theme.current().colours["dim"], _ARROW_PX).paint(painter, spot)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class CheckBox(QCheckBox):
    """Draws a tick when checked: colour alone is not accessible."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        # A style sheet only draws images from files, in one colour for all themes.
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        spot = QRect(0, 0, _TICK_PX, _TICK_PX)
        spot.moveCenter(box.center())
        painter = QPainter(self)
        icon("check", theme.current().colours["on_accent"], _TICK_PX).paint(painter, spot)
        painter.end()


class EscapeField(QLineEdit):
    """Signals:
    left: Esc was pressed.
    """

    left = Signal()

    def event(self, event: QEvent) -> bool:
        claims = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if claims and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class FlowRow(QWidget):
    """Items side by side at their preferred widths, wrapped into lines; hidden ones are skipped."""

    def __init__(self, gap: int, parent: QWidget | None = None, *, line_gap: int = 4) -> None:
        """gap: pixels between items; line_gap: between lines."""
        super().__init__(parent)
        self._gap = gap
        self._line_gap = line_gap
        self._parts: list[QWidget] = []
        self._added: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, part: QWidget) -> None:
        part.setParent(self)
        part.show()
        self._parts.append(part)
        self._added.append(part)

    def lead(self, part: QWidget) -> None:
        """Move a part to the front, on screen and in the Tab order; the others keep their order."""
        self._parts = [part, *(each for each in self._added if each is not part)]
        for before, after in itertools.pairwise(self._parts):
            self.setTabOrder(before, after)
        self.arrange()

    def remove(self, part: QWidget) -> None:
        """Remove a part, and delete it."""
        part.hide()
        part.deleteLater()
        self._parts.remove(part)
        self._added.remove(part)

    def clear(self) -> None:
        for part in tuple(self._parts):
            self.remove(part)

    def arrange(self) -> None:
        """Update the layout; call this after the text of a part has changed."""
        self._place(self.width(), move=True)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = [part for part in self._parts if not part.isHidden()]
        widest = max((part.sizeHint().width() for part in shown), default=0)
        margins = self.contentsMargins()
        return QSize(widest + margins.left() + margins.right(), self._place(self.width(), False))

    def event(self, event: QEvent) -> bool:
        # A part changed its size, as labels do when the style sheet is applied.
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width(), move=True)

    def _place(self, width: int, move: bool) -> int:
        """Position every part; returns the height used."""
        margins = self.contentsMargins()
        at = QPoint(margins.left(), margins.top())
        line = 0
        for part in self._parts:
            if part.isHidden():
                continue
            size = part.sizeHint()
            if at.x() > margins.left() and at.x() + size.width() > width - margins.right():
                at = QPoint(margins.left(), at.y() + line + self._line_gap)
                line = 0
            if move:
                part.setGeometry(QRect(at, size))
            line = max(line, size.height())
            at.setX(at.x() + size.width() + self._gap)
        return at.y() + line + margins.bottom()


class IconButton(QToolButton):
    """A flat button with a themed icon; its label is the accessible name and the tooltip.

    Attributes:
        token: the theme colour of the icon.
    """

    def __init__(
        self,
        name: str,
        label: str,
        action: Callable[[], object] | None = None,
        *,
        shortcut: str = "",
        command: str = "",
        size: int = 16,
        parent: QWidget | None = None,
    ) -> None:
        """shortcut: its own key; command: id of a command whose shortcut the tooltip shows."""
        super().__init__(parent)
        self._name = name
        self._size = size
        self.token = "dim"
        self.setAccessibleName(label)
        self.setToolTip(f"{label} ({shortcut})" if shortcut else label)
        if command:
            KeyTip(self, label, command)
        self.setIconSize(QSize(size, size))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if action is not None:
            # The lambda drops the signal's `checked` argument.
            self.clicked.connect(lambda: action())
        theme.keeper().changed.connect(self.retint)
        self.retint()

    def show_icon(self, name: str, label: str | None = None) -> None:
        self._name = name
        if label is not None:
            self.setAccessibleName(label)
            self.setToolTip(label)
        self.retint()

    def retint(self) -> None:
        self.setIcon(icon(self._name, theme.current().colours[self.token], self._size))


class CopyButton(IconButton):
    """Copies a text and briefly confirms it."""

    def __init__(self, text: Callable[[], str], what: str) -> None:
        super().__init__("copy", what, self._copy, size=14)
        self._text = text
        self._what = what
        self._back = QTimer(self)
        self._back.setSingleShot(True)
        self._back.setInterval(_COPIED_MS)
        self._back.timeout.connect(self._offer)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.show_icon("check", tr("Copied"))
        self._back.start()

    def _offer(self) -> None:
        self.show_icon("copy", self._what)


class ElidedLabel(QLabel):
    """A line that changes often and adapts to the available width.

    If it does not fit it shows a shorter wording if there is one, else an ellipsis. A plain QLabel
    invalidates the whole window's layout with each text; this one only repaints, unless the
    height of the glyphs changes.
    """

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wordings: tuple[str, ...] = ("",)
        self.setProperty("kind", kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        return self._wordings[0]

    def setText(self, text: str, *shorter: str) -> None:
        """shorter: wordings for less room, longest first."""
        if (text, *shorter) != self._wordings:
            was = self._line_px()
            self._wordings = (text, *shorter)
            self.setAccessibleName(text)
            if self._line_px() != was:
                self.updateGeometry()
            self.update()

    def _line_px(self) -> int:
        return theme.line_px(self.font(), *self._wordings)

    @property
    def shown(self) -> str:
        """The visible text: the first wording that fits, else the last one elided."""
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        for wording in self._wordings:
            if metrics.horizontalAdvance(wording) <= room:
                return wording
        return metrics.elidedText(self._wordings[-1], Qt.TextElideMode.ElideRight, room)

    @property
    def whole(self) -> bool:
        """Whether any of the wordings fits."""
        return self.shown in self._wordings

    def minimumSizeHint(self) -> QSize:
        margins = self.contentsMargins()
        return QSize(0, self._line_px() + margins.top() + margins.bottom())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), self.alignment(), self.shown)
        painter.end()


class NameLabel(ElidedLabel):
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


def label(text: str, kind: str = "", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """Plain text in one of the style sheet's kinds; never rich text, whatever it says."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if kind:
        made.setProperty("kind", kind)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def add_middle(row: QHBoxLayout, widget: QWidget) -> None:
    """Centre a widget in a row, up to its maximum width, before the sides get any."""
    row.addStretch(1)
    row.addWidget(widget, _ALL)
    row.addStretch(1)


def measured(words: QLabel) -> QHBoxLayout:
    """A row in which a text wraps at a readable width, however wide the window is."""
    words.setMaximumWidth(MEASURE_PX)
    row = QHBoxLayout()
    # The text gets its maximum width before the stretch gets any.
    row.addWidget(words, _ALL)
    row.addStretch(1)
    return row


def rule() -> QFrame:
    """A hairline between two areas."""
    made = QFrame()
    made.setObjectName("rule")
    return made


def show_share(bar: QProgressBar, share: float | None) -> None:
    """Show progress as a share; None if unknown."""
    # A range of (0, 0) is Qt's busy indicator, which is animated.
    moves = share is None and not motion.reduced()
    bar.setRange(0, 0 if moves else _SHARE_STEPS)
    bar.setValue(round((share or 0) * _SHARE_STEPS))


def keep_room(*widgets: QWidget) -> None:
    """Reserve these widgets' space while they are hidden."""
    for widget in widgets:
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)


def reset_button(title: str) -> IconButton:
    """A button that resets a value to its default; shown while it differs."""
    made = IconButton("reset", tr("Reset {title}").format(title=title), size=14)
    keep_room(made)
    return made


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Resize a window, with its frame no larger than its screen."""
    room = window.screen().availableGeometry()
    window.resize(min(width, room.width() - _SIDES_PX), min(height, room.height() - _TITLE_PX))


def covers(over: QWidget, widget: QWidget) -> bool:
    """Whether a widget lies wholly behind another one of the same window."""
    window, origin = over.window(), QPoint(0, 0)
    area = QRect(over.mapTo(window, origin), over.size())
    return area.contains(QRect(widget.mapTo(window, origin), widget.size()))


def set_tip(widget: QWidget, text: str) -> None:
    """Set a tooltip; setting an unchanged one would still notify accessibility clients."""
    if widget.toolTip() != text:
        widget.setToolTip(text)


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Set a dynamic property that the style sheet uses, and repolish."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
