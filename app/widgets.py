"""Small building blocks used by all panes: labelled buttons, labels, flat rules."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app import motion, theme
from app.icons import icon
from app.key_hints import KeyTip
from app.words.tr import tr

# About ninety letters: the eye loses its way back in longer lines.
MEASURE_PX = 600
_SHARE_STEPS = 1000
_COPIED_MS = 1500
_ALL = 1000


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
        """shortcut: a key of its own place; command: the id of one whose key the tooltip names."""
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
            # The lambda drops the `checked` argument of the signal.
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
    """Copies a text and confirms it for a moment."""

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

    When that is small it shows a shorter wording if it has one, else an ellipsis. A plain QLabel
    lays out its whole window at each new text; this one only repaints, unless other letters are
    taller.
    """

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wordings: tuple[str, ...] = ("",)
        self.setProperty("kind", kind)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        return self._wordings[0]

    def setText(self, text: str, *shorter: str) -> None:
        """`shorter`: wordings for less room, the longest first."""
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
        """What is on screen: the first wording that fits, else the last one elided."""
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
    """Put a widget in the middle of a row, as wide as it may be before the sides take any."""
    row.addStretch(1)
    row.addWidget(widget, _ALL)
    row.addStretch(1)


def measured(words: QLabel) -> QHBoxLayout:
    """A row in which a text has lines that can be read, however wide the window is."""
    words.setMaximumWidth(MEASURE_PX)
    row = QHBoxLayout()
    # The text takes all it may have before the stretch takes any.
    row.addWidget(words, _ALL)
    row.addStretch(1)
    return row


def rule() -> QFrame:
    """A hairline between two areas."""
    made = QFrame()
    made.setObjectName("rule")
    return made


def show_share(bar: QProgressBar, share: float | None) -> None:
    """Show how far something is; None where that is not known."""
    # A range of (0, 0) is Qt's indeterminate progress, which moves by itself.
    moves = share is None and not motion.reduced()
    bar.setRange(0, 0 if moves else _SHARE_STEPS)
    bar.setValue(round((share or 0) * _SHARE_STEPS))


def set_tip(widget: QWidget, text: str) -> None:
    """Set a tooltip; Qt tells the world of one even where it stays the same."""
    if widget.toolTip() != text:
        widget.setToolTip(text)


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and reapply the style."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
