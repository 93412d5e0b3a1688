"""Finds texts that have less room than they need: compares size hints with given space."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.ui.widgets import ElidedLabel
from tests.app.access import tabbed_away


def clipped(root: QWidget) -> Iterator[str]:
    """What is visible below a widget and not whole: its kind, its text, and how much it lacks."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible() or not widget.width() or not widget.height():
            continue
        if tabbed_away(widget):
            continue
        for text, needed, given in _needs(widget):
            if needed > given:
                yield f"{type(widget).__name__} {text!r}: {given} of {needed} px"


def _needs(widget: QWidget) -> Iterator[tuple[str, int, int]]:
    """Texts of a widget, the width or height that each needs, and what it has."""
    metrics = widget.fontMetrics()
    if isinstance(widget, ElidedLabel):
        # Adapts to its room, and says the whole by its accessible name.
        yield widget.shown, line_px(widget.shown, widget.font()), widget.contentsRect().height()
    elif isinstance(widget, QLabel) and widget.text():
        yield from _label(widget)
    elif isinstance(widget, QPushButton | QCheckBox | QToolButton) and _shows_text(widget):
        yield widget.text(), _button(widget), widget.width()
        yield widget.text(), line_px(widget.text(), widget.font()), widget.height()
    elif isinstance(widget, QLineEdit) and not widget.text() and not _inside(widget, QComboBox):
        text = widget.placeholderText()
        yield text, metrics.horizontalAdvance(text), widget.contentsRect().width()
        yield text, line_px(text, widget.font()), widget.contentsRect().height()
    elif isinstance(widget, QComboBox):
        text = widget.currentText()
        yield text, metrics.horizontalAdvance(text), widget.width()
        yield text, line_px(text, widget.font()), widget.height()
    elif isinstance(widget, QTabBar) and not widget.usesScrollButtons():
        for at in range(widget.count()):
            text = widget.tabText(at)
            yield text, metrics.horizontalAdvance(text), widget.tabRect(at).width()
            yield text, line_px(text, widget.font()), widget.tabRect(at).height()
    elif isinstance(widget, QMenuBar):
        yield "menu bar", widget.sizeHint().width(), widget.width()


def line_px(text: str, font: QFont) -> int:
    """The height of a line as it is drawn, in pixels: another font may lend taller letters."""
    layout = QTextLayout(text or " ", font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    # Qt rounds the two apart from each other.
    return round(line.ascent()) + round(line.descent())


def _label(label: QLabel) -> Iterator[tuple[str, int, int]]:
    text, room = label.text(), label.contentsRect().width()
    if label.textFormat() == Qt.TextFormat.RichText:
        return
    if label.wordWrap():
        yield text, label.heightForWidth(label.width()), label.height()
        return
    lines = text.split("\n")
    yield text, max(map(label.fontMetrics().horizontalAdvance, lines)), room
    yield text, sum(line_px(line, label.font()) for line in lines), label.height()
    if not _inside(label, QAbstractScrollArea):
        yield f"{text} (covered)", label.width(), label.visibleRegion().boundingRect().width()


def _button(button: QAbstractButton) -> int:
    """The least width in which its text and icon are whole; its padding may be less."""
    width = button.fontMetrics().horizontalAdvance(button.text().replace("&", ""))
    return width + (button.iconSize().width() if not button.icon().isNull() else 0)


def _shows_text(button: QAbstractButton) -> bool:
    if isinstance(button, QToolButton) and not button.icon().isNull():
        beside = button.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly
        return beside and bool(button.text())
    return bool(button.text())


def _inside(widget: QWidget, kind: type[QWidget]) -> bool:
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        if isinstance(above, kind):
            return True
        above = above.parentWidget()
    return False
